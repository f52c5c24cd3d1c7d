"""Say whether the site is well, for the health checks of its processes."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from courtpiece.project import health


class Command(BaseCommand):
    """Print what ``/healthz`` answers, and fail where that is bad news."""

    help = "Fail if the database does not answer or, with --worker, if no worker was heard from lately."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--worker", action="store_true", help="beat and a worker must live, too")

    def handle(self, *_args: Any, **options: Any) -> None:
        report = health.report(health.look(), at=timezone.now())
        self.stdout.write(json.dumps(report, default=str))
        if not report["database"] or (options["worker"] and not report["worker"]):
            sys.exit(1)
