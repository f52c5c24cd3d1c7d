"""How programs read what was played, and send deals."""
