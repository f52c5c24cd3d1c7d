"""A deal at one step as a picture: SVG, drawn by the site's own template, and PNG of it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import resvg_py
from django.core.cache import cache
from django.template.loader import render_to_string

from scoring.queries import DealPosition

SECONDS_KEPT: Final = 3600
USUAL_FONT: Final = "DejaVu Sans"
"""What sets a text where none of the fonts that the picture names is on the machine."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG. Names in it are texts, and set with the fonts of whoever shows it."""

    svg: str

    @property
    def digest(self) -> str:
        """What is another for each other picture."""
        return sha256(self.svg.encode()).hexdigest()

    def png(self) -> bytes:
        """Return the picture in pixels, names set with the fonts of this machine. Costs about 0.1 s.

        It is kept for an hour under what it shows, so that what is held back from one reader is never given by what
        was drawn for another.
        """
        key = f"png:{self.digest}"
        kept: bytes | None = cache.get(key)
        if kept is None:
            kept = bytes(resvg_py.svg_to_bytes(svg_string=self.svg, sans_serif_family=USUAL_FONT))
            cache.set(key, kept, SECONDS_KEPT)
        return kept


def picture_of(position: DealPosition) -> Picture:
    """Return the picture of a deal at a step."""
    return Picture(render_to_string("scoring/picture.svg", {"position": position}))
