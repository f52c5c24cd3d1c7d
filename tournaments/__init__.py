"""Tournaments: their sessions, entries, rounds and matches, and the standings that come of them."""
