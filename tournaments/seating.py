"""Which match a scoresheet's records are of: by round, table and pairs, as far as they say.

What they do not say is taken from what is known, and said: a missing round is the one match that the two
pairs have, or the first round in which both are free; a missing table the next one that is free.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.errors import CourtPieceError

HIGHEST_ROUND: Final = 9999
LONGEST_LABEL: Final = 40


class SeatingCode(StrEnum):
    """Why a scoresheet's records fit no match of the tournament."""

    NAMES_MISSING = "names-missing"
    """They do not say who played, and nothing else tells."""
    BAD_NAME = "bad-name"
    """A name cannot be one."""
    PLAYER_TWICE = "player-twice"
    """One player would sit there twice."""
    LABEL_TOO_LONG = "label-too-long"
    """The round or the table has too long a name."""
    TABLE_TAKEN = "table-taken"
    """Other pairs play at that table in that round."""
    PAIR_ELSEWHERE = "pair-elsewhere"
    """One of the pairs plays at another table in that round."""
    ROUND_NEEDED = "round-needed"
    """The two pairs meet more than once, and the records do not say in which round this was."""
    SEATS_DIFFER = "seats-differ"
    """In the other deals of the match the pairs sat the other way round."""
    NOT_ENTERED = "not-entered"
    """The tournament is one match, and it is not between these pairs."""


class SeatingRefused(CourtPieceError):  # noqa: N818 - as the other refusals
    """The records fit no match.

    ``code`` says why, ``tag`` which of their tags is at fault, ``seating`` the match whose scoresheet they do
    not fit.
    """

    def __init__(
        self, code: SeatingCode, message: str, *, tag: str, seating: "Seating | None" = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.tag = tag
        self.seating = seating


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What records say of their match. Pairs are ids of partnerships; None: not said."""

    round: str | None
    table: str | None
    ns: int | None
    ew: int | None


@dataclass(slots=True, kw_only=True, eq=False)
class Seating:
    """A match: two pairs at a table in a round."""

    round: int
    table: str
    ns: int
    ew: int
    match_id: int | None = None
    """None: it is still to be made."""
    scoresheet_id: int = 0
    """0: it is still to be made."""
    has_deals: bool = False
    is_settled: bool = False
    """Whether it is known which pair sits North–South: there are deals, or records that say so."""
    is_turned: bool = False
    """Whether the pairs sit the other way round than the match was made."""


@dataclass(slots=True, kw_only=True)
class Seated:
    """The match that records are of, and what was assumed."""

    seating: Seating
    notes: list[str] = field(default_factory=list)


class Board:
    """Who plays where in each round: what is there, and what is added for the records of an upload."""

    def __init__(
        self,
        *,
        labels: Mapping[str, int],
        seatings: Iterable[Seating],
        names: Mapping[int, str],
        is_single: bool,
    ) -> None:
        """Start from the named rounds' numbers, the matches that are there, and the names of pairs."""
        self._labels = dict(labels)
        self._names = names
        self._is_single = is_single
        self._at_table: dict[tuple[int, str], Seating] = {}
        self._of_pair: dict[tuple[int, int], Seating] = {}
        self._between: defaultdict[frozenset[int], list[Seating]] = defaultdict(list)
        self.made: list[Seating] = []
        for seating in seatings:
            self._put(seating)

    @property
    def labels(self) -> Mapping[str, int]:
        """The numbers of the rounds by what records call them, where that is no number."""
        return self._labels

    def name_rounds(self, texts: Iterable[str | None]) -> None:
        """Give every round that is named and not numbered a number after all that are numbered."""
        given = [text for text in texts if text is not None]
        numbers = [number for text in given if (number := _number_of(text)) is not None]
        highest = max([*numbers, *self._labels.values(), *(place[0] for place in self._at_table)], default=0)
        for text in given:
            if _number_of(text) is None and text not in self._labels:
                highest += 1
                self._labels[text] = highest

    def seat(self, asked: Asked) -> Seated:
        """Return the match that was asked for; one that is not there yet is added.

        :raises SeatingRefused: if there can be no such match.
        """
        _check_label("Round", asked.round)
        _check_label("Table", asked.table)
        round_number = None if asked.round is None else _number_of(asked.round) or self._labels[asked.round]
        if asked.ns is None or asked.ew is None:
            return self._by_place(asked, round_number)
        notes: list[str] = []
        seating = self._known(asked, round_number, notes)
        if seating is None:
            seating = self._new(asked, asked.ns, asked.ew, round_number, notes)
        self._settle(seating, asked.ns)
        return Seated(seating=seating, notes=notes)

    def _settle(self, seating: Seating, ns: int) -> None:
        if seating.ns != ns:
            if seating.is_settled:
                message = _("In this match %(ns)s sit North–South.") % {"ns": self._names[seating.ns]}
                raise SeatingRefused(SeatingCode.SEATS_DIFFER, message, tag="NS", seating=seating)
            seating.ns, seating.ew = seating.ew, seating.ns
            seating.is_turned = not seating.is_turned
        seating.is_settled = True

    # -- a match that is there

    def _by_place(self, asked: Asked, round_number: int | None) -> Seated:
        """Return the match at the table and in the round that are asked for, whoever plays there."""
        seating = self._at_table.get((round_number or 0, asked.table or ""))
        if seating is None or asked.ns not in (None, seating.ns) or asked.ew not in (None, seating.ew):
            message = _("Who played is not said: the NS and EW tags are needed here.")
            raise SeatingRefused(SeatingCode.NAMES_MISSING, message, tag="NS")
        note = _("Without names: taken as the match of %(ns)s and %(ew)s.")
        names = {"ns": self._names[seating.ns], "ew": self._names[seating.ew]}
        return Seated(seating=seating, notes=[note % names])

    def _known(self, asked: Asked, round_number: int | None, notes: list[str]) -> Seating | None:
        between = self._between[frozenset({asked.ns or 0, asked.ew or 0})]
        found = [one for one in between if round_number in (None, one.round)]
        if len(found) > 1:
            found = [one for one in found if one.table == asked.table] or found
        if len(found) > 1:
            message = _("These pairs meet more than once: a Round tag is needed here.")
            raise SeatingRefused(SeatingCode.ROUND_NEEDED, message, tag="Round")
        if not found:
            return None
        self._note_differences(found[0], asked, notes)
        return found[0]

    def _note_differences(self, seating: Seating, asked: Asked, notes: list[str]) -> None:
        if asked.round is None:
            note = _("Without a round: taken as round %(round)d, where these pairs meet.")
            notes.append(note % {"round": seating.round})
        if asked.table not in (None, seating.table):
            note = _("At table %(table)s, though the match stands at table %(own)s.")
            notes.append(note % {"table": asked.table, "own": seating.table})

    # -- a match to be made

    def _new(self, asked: Asked, ns: int, ew: int, round_number: int | None, notes: list[str]) -> Seating:
        if self._is_single and self._at_table:
            message = _("This tournament is one match, and not between these pairs.")
            raise SeatingRefused(SeatingCode.NOT_ENTERED, message, tag="NS")
        if round_number is None:
            round_number = self._first_free_round(ns, ew, asked.table)
            notes.append(_("Without a round: taken as round %(round)d.") % {"round": round_number})
        self._check_free(ns, ew, round_number, asked.table)
        table = asked.table
        if table is None:
            table = self._first_free_table(round_number)
            notes.append(_("Without a table: taken as table %(table)s.") % {"table": table})
        seating = Seating(round=round_number, table=table, ns=ns, ew=ew)
        self._put(seating)
        self.made.append(seating)
        return seating

    def _check_free(self, ns: int, ew: int, round_number: int, table: str | None) -> None:
        there = self._at_table.get((round_number, table or ""))
        if there is not None:
            message = _("At table %(table)s of round %(round)d play %(ns)s and %(ew)s.")
            facts = {
                "table": table,
                "round": round_number,
                "ns": self._names[there.ns],
                "ew": self._names[there.ew],
            }
            raise SeatingRefused(SeatingCode.TABLE_TAKEN, message % facts, tag="Table")
        for pair in (ns, ew):
            elsewhere = self._of_pair.get((round_number, pair))
            if elsewhere is not None:
                message = _("%(pair)s play at table %(table)s in round %(round)d.")
                facts = {"pair": self._names[pair], "table": elsewhere.table, "round": round_number}
                raise SeatingRefused(SeatingCode.PAIR_ELSEWHERE, message % facts, tag="Round")

    def _first_free_round(self, ns: int, ew: int, table: str | None) -> int:
        number = 1
        while (
            (number, ns) in self._of_pair
            or (number, ew) in self._of_pair
            or (table is not None and (number, table) in self._at_table)
        ):
            number += 1
        return number

    def _first_free_table(self, round_number: int) -> str:
        number = 1
        while (round_number, str(number)) in self._at_table:
            number += 1
        return str(number)

    def _put(self, seating: Seating) -> None:
        self._at_table[seating.round, seating.table] = seating
        self._of_pair[seating.round, seating.ns] = seating
        self._of_pair[seating.round, seating.ew] = seating
        self._between[frozenset({seating.ns, seating.ew})].append(seating)


def _number_of(text: str) -> int | None:
    """Return a round's number, None where records call it by a name."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST_ROUND))
    return int(text) or None if is_number else None


def _check_label(tag: str, text: str | None) -> None:
    if text is not None and len(text) > LONGEST_LABEL:
        message = _("At most %(most)d characters are kept here.") % {"most": LONGEST_LABEL}
        raise SeatingRefused(SeatingCode.LABEL_TOO_LONG, message, tag=tag)
