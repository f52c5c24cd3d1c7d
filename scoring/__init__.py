"""Players, partnerships, scoresheets, deals: what was played, and what became of it."""
