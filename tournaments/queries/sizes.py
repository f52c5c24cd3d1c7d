"""How much a page shows at once."""

from typing import Final

ALL_AT_ONCE: Final = 60
"""Rows up to which a page shows all of something: matches of all rounds, special deals, reasons of ranks."""
