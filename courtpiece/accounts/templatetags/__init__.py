"""The template libraries of accounts."""
