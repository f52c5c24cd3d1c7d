"""The template libraries of the site."""
