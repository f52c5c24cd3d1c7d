"""Forms of a file of results: the file, and what is to become of what was looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, dumps, loads
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from courtpiece.engine import Award, Seat, StatedRevoke, Team
from tournaments.domain.result_rows import ResultRow
from tournaments.domain.slips import SlipLine
from tournaments.forms.entries import ActForm
from tournaments.operations.result_files import Choices

SALT: Final = "tournaments.results.file"
LONGEST_PACKED: Final = 1_500_000
CORRECT: Final = "correct"
SEEN: Final = "seen"
"""The name of the fields with the keys of all deals that were shown as recorded otherwise."""


class ResultsFileForm(forms.Form):
    """A file of results."""

    file = forms.FileField(
        label=_("File"), widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.tsv,.txt,text/csv"})
    )


@dataclass(frozen=True, slots=True)
class LookedAt:
    """Rows that were looked at, with the name of their file."""

    file_name: str
    rows: tuple[ResultRow, ...]


class LookedAtForm(ActForm):
    """The rows that were looked at, signed, so that what is saved is what was seen; and what to do with them."""

    rows = forms.CharField(widget=forms.HiddenInput, max_length=LONGEST_PACKED)
    reason = forms.CharField(
        label=_("Why deals are corrected"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    finish = forms.BooleanField(
        label=_("The matches of the file are over: finish them"), required=False, initial=True
    )

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.slug = slug

    def clean_rows(self) -> LookedAt:
        """Return the rows."""
        try:
            name, kept = loads(self.cleaned_data["rows"], salt=f"{SALT}.{self.slug}")
        except BadSignature as error:
            raise ValidationError(_("Choose the file again: this is not what was looked at.")) from error
        return LookedAt(name, tuple(_unpacked(row) for row in kept))

    def choices_of(self, sent: QueryDict) -> Choices:
        """Return what is to become of the deals that are recorded otherwise."""
        correct = set(sent.getlist(CORRECT))
        keep = set(sent.getlist(SEEN)) - correct
        return Choices(correct=correct, keep=keep, reason=self.cleaned_data["reason"])


def packed(looked_at: LookedAt, *, slug: str) -> str:
    """Return the rows signed, as :class:`LookedAtForm` takes them."""
    rows = [_packed(row) for row in looked_at.rows]
    return dumps([looked_at.file_name, rows], salt=f"{SALT}.{slug}", compress=True)


def _packed(row: ResultRow) -> Sequence[object]:
    line = row.line
    return [
        row.row,
        row.round,
        row.table,
        row.ns,
        row.ew,
        line.number,
        line.dealer.letter if line.dealer is not None else "",
        line.winner.name if line.winner is not None else "",
        line.is_void,
        line.won,
        line.lost,
        line.award.value if line.award is not None else "",
        [line.revoke.seat.letter, line.revoke.trick] if line.revoke is not None else None,
    ]


def _unpacked(kept: Sequence[Any]) -> ResultRow:
    row, number, table, ns, ew, deal, dealer, winner, is_void, won, lost, award, revoke = kept
    line = SlipLine(
        number=deal,
        dealer=Seat[dealer] if dealer else None,
        winner=Team[winner] if winner else None,
        is_void=is_void,
        won=won,
        lost=lost,
        award=Award(award) if award else None,
        revoke=StatedRevoke(Seat[revoke[0]], revoke[1]) if revoke else None,
    )
    return ResultRow(row=row, round=number, table=table, ns=ns, ew=ew, line=line)
