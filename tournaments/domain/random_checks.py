"""Random tournaments played through the pairer and held to the checker."""

from dataclasses import dataclass
from random import Random

from tournaments.domain.pairing import Note
from tournaments.domain.pairing_checker import Code, Violation, can_be_drawn, examine_draw
from tournaments.domain.random_tournament import Drawing, PlayedRound, play_swiss, random_habits
from tournaments.domain.swiss import draw_swiss


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRound:
    """A round of a random tournament, and what the checker says of its draw."""

    seed: int
    number: int
    entries: int
    """Who played or had the bye."""
    rematches: int
    violations: tuple[Violation, ...]
    unproven: tuple[Code, ...]
    refused: bool
    """Whether the wishes left no draw, so that the round was drawn without them."""
    refused_wrongly: bool
    """Whether the checker says that they left one."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was found."""
        return not self.violations and not self.refused_wrongly


def check_tournament(seed: int, *, draw: Drawing = draw_swiss) -> tuple[CheckedRound, ...]:
    """Return the rounds of the seed's tournament of 4 to 60 entries, in which anything may happen."""
    rng = Random(seed)  # noqa: S311 - the same tournament every time
    return tuple(_checked(seed, played) for played in play_swiss(rng, random_habits(rng), draw=draw))


def _checked(seed: int, played: PlayedRound) -> CheckedRound:
    examined = examine_draw(played.field, played.draw)
    return CheckedRound(
        seed=seed,
        number=played.number,
        entries=len(played.field.contestants),
        rematches=sum(Note.REMATCH in pairing.notes for pairing in played.draw.pairings),
        violations=examined.violations,
        unproven=examined.unproven,
        refused=played.refused is not None,
        refused_wrongly=played.refused is not None and can_be_drawn(played.refused),
    )
