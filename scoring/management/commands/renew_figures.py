"""Make the figures of statistics anew."""

from typing import Any

from django.core.management.base import BaseCommand

from scoring.operations import renew_all_figures


class Command(BaseCommand):
    """``renew_figures``."""

    help = (
        "Count the figures of all scoresheets anew from their deals, for statistics. "
        "Every write keeps them; this is for what came in by another way, and where the audit finds a difference."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done = 0
        for count in renew_all_figures():
            done += count
            self.stdout.write(f"{done} scoresheets", ending="\r")
        self.stdout.write(f"{done} scoresheets: their figures are what the deals say")
