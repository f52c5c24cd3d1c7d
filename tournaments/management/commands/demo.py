"""Make the demonstration club."""

import secrets
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.evenings import UploadedFile
from tournaments.operations.demonstration import make_demonstration

EVENING: Final = Path("tests", "golden", "evening")
"""The evening that the tests are held to, too."""


class Command(BaseCommand):
    """Make the demonstration club, its director and four tournaments; again, change nothing."""

    help = "Make a demonstration club with four tournaments, and print how to sign in, once."

    def handle(self, *args: Any, **options: Any) -> None:
        password = secrets.token_urlsafe(12)
        paths = sorted((settings.BASE_DIR / EVENING).glob("*.pcn"))
        made = make_demonstration(
            password=password,
            evening=[UploadedFile(path.name, path.read_bytes()) for path in paths],
            at=timezone.now(),
        )
        self.stdout.write(f"The demonstration club is at /clubs/{made.club}/")
        for slug in made.tournaments:
            self.stdout.write(f"  /tournaments/{slug}/")
        if made.has_new_account:
            self.stdout.write(f"Sign in as its director: {made.email}")
            self.stdout.write(f"with the password        {password}")
            self.stdout.write("The password is shown this once.")
        else:
            self.stdout.write(f"Its director's account, {made.email}, was there before.")
