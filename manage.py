#!/usr/bin/env python
"""The site's command line."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courtpiece.project.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
