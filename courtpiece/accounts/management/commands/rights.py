"""Print who may do what."""

from typing import Any

from django.core.management.base import BaseCommand

from courtpiece.accounts.rights import rights_table


class Command(BaseCommand):
    """``rights``."""

    help = "Print the table of rights, as docs/rights.md has it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(rights_table(), ending="")
