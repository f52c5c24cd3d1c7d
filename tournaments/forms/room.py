"""The forms of the room: the clock, a match's state, and the lines of a slip."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from courtpiece.engine import Award, Seat, Team
from tournaments.domain.slips import SlipLine
from tournaments.operations.clocks import LONGEST_MINUTES, ClockTurn
from tournaments.queries import MOST_LINES

MORE_LINES: Final = 5
"""Added to the page when they are asked for."""
MOST_DEALS: Final = 999
VOID: Final = "void"
PREFIX: Final = "deal"


class ClockForm(forms.Form):
    """What is to be done to a clock. The act's id makes it happen once."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)
    action = forms.CharField(max_length=20)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=-LONGEST_MINUTES, max_value=LONGEST_MINUTES, required=False
    )

    def turn(self) -> ClockTurn:
        """Return what the form asks for."""
        data = self.cleaned_data
        return ClockTurn(action=data["action"], version=data["version"], minutes=data["minutes"])

    def clean(self) -> dict[str, Any]:
        """Take the minutes from a button that names them, as ``add-time:5``."""
        cleaned = super().clean() or self.cleaned_data
        action, _colon, minutes = str(cleaned.get("action", "")).partition(":")
        cleaned["action"] = action
        if minutes:
            cleaned["minutes"] = self.fields["minutes"].clean(minutes)
        return cleaned


class MatchStateForm(forms.Form):
    """A match finished, opened again or made void."""

    act = forms.UUIDField(required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    state = forms.CharField(max_length=8, required=False)
    even_short = forms.BooleanField(required=False, widget=forms.HiddenInput)


class SlipForm(forms.Form):
    """What all lines of a slip have in common: the id that makes them be saved once."""

    act = forms.UUIDField(widget=forms.HiddenInput)


class LineForm(forms.Form):
    """A deal of a slip. Nothing is needed: what is left empty is no line, or what the laws say."""

    number = forms.IntegerField(label=_("Deal"), min_value=1, max_value=MOST_DEALS, required=False)
    dealer = forms.ChoiceField(
        label=_("Dealer"),
        choices=[("", "–"), *((letter, letter) for letter in "NESW")],
        required=False,
    )
    winner = forms.ChoiceField(
        label=_("Won by"),
        choices=[(Team.NS.name, _("N–S")), (Team.EW.name, _("E–W")), (VOID, _("void"))],
        required=False,
        widget=forms.RadioSelect,
    )
    won = forms.IntegerField(label=_("Winners’ tricks"), min_value=0, max_value=13, required=False)
    lost = forms.IntegerField(label=_("Losers’ tricks"), min_value=0, max_value=13, required=False)
    award = forms.ChoiceField(
        label=_("Award"),
        choices=[
            ("", _("by the tricks")),
            (Award.WIN.value, _("win")),
            (Award.COURT.value, _("court")),
            (Award.GOON_COURT.value, _("goon court")),
            (Award.BAVNEY.value, _("bavney")),
            (Award.REVOKE.value, _("revoke")),
        ],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("number", "won", "lost"):
            self.fields[name].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    @property
    def is_blank(self) -> bool:
        """Whether nothing of the deal was filled in."""
        return not any(str(self[name].value() or "") for name in ("winner", "won", "lost", "award"))

    def line(self) -> SlipLine:
        """Return the line."""
        data = self.cleaned_data
        winner = data["winner"]
        return SlipLine(
            number=data["number"],
            dealer=Seat[data["dealer"]] if data["dealer"] else None,
            winner=Team[winner] if winner in Team.__members__ else None,
            is_void=winner == VOID,
            won=data["won"],
            lost=data["lost"],
            award=Award(data["award"]) if data["award"] else None,
        )


Lines = forms.formset_factory(
    LineForm, extra=0, max_num=MOST_LINES, absolute_max=MOST_LINES, validate_max=True
)


def empty_lines(numbers: Sequence[int]) -> Any:
    """Return lines for deals of these numbers."""
    return Lines(prefix=PREFIX, initial=[{"number": number} for number in numbers])


def more_lines(sent: QueryDict, numbers: Sequence[int]) -> Any:
    """Return the lines that were sent and some more, with the first of the numbers that none of them has."""
    data = sent.copy()
    there = _count(data)
    taken = {data.get(f"{PREFIX}-{place}-number") for place in range(there)}
    free = [number for number in numbers if str(number) not in taken]
    for place, number in zip(range(there, MOST_LINES), free[:MORE_LINES], strict=False):
        data[f"{PREFIX}-{place}-number"] = str(number)
        data[f"{PREFIX}-TOTAL_FORMS"] = str(place + 1)
    return Lines(data, prefix=PREFIX)


def _count(data: Mapping[str, Any]) -> int:
    text = str(data.get(f"{PREFIX}-TOTAL_FORMS", ""))
    return (
        min(int(text), MOST_LINES) if text.isascii() and text.isdecimal() and len(text) < len("1000") else 0
    )


def new_act() -> UUID:
    """Return the id of an act that a page offers."""
    return uuid4()
