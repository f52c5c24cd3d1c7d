"""English as clubs write it."""
