"""The site's own commands."""
