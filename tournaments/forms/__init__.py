"""The forms of the pages: their shape and words. What a value may be is decided by the operations."""
