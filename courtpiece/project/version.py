"""Which version of the site this is."""

import tomllib
from typing import Final

from courtpiece.project.environment import ROOT

VERSION: Final[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]
