"""The admin of tournaments."""
