"""How a program says who it is."""
