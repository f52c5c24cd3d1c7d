"""How programs read tournaments."""
