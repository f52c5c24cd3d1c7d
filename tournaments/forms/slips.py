"""The form of a slip that is keyed: a line of keys for each deal, and the totals at its foot."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.domain.keyed_slips import StatedTotals
from tournaments.forms.room import new_act
from tournaments.queries import MOST_LINES

PREFIX: Final = "deal-"
LONGEST_KEYS: Final = 40
MORE_ROWS: Final = 5
"""Added to the page when they are asked for."""
_MOST_COURTS: Final = 9999


class CodeForm(forms.Form):
    """The check code of a slip."""

    code = forms.CharField(
        label=_("Check code of the slip"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "dir": "ltr",
                "autofocus": True,
                "placeholder": "K4M-7RXT",
            }
        ),
    )


def _total(label: Any, most: int) -> forms.IntegerField:
    numeric = {"inputmode": "numeric", "autocomplete": "off"}
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=most,
        required=False,
        widget=forms.TextInput(attrs=numeric),
        error_messages={"invalid": _("Write a whole number.")},
    )


class TotalsForm(forms.Form):
    """The foot of a slip, and whether its match is over."""

    act = forms.UUIDField(widget=forms.HiddenInput, initial=new_act)
    courts_ns = _total(_("Courts N–S"), _MOST_COURTS)
    courts_ew = _total(_("Courts E–W"), _MOST_COURTS)
    deals_ns = _total(_("Deals won N–S"), MOST_LINES)
    deals_ew = _total(_("Deals won E–W"), MOST_LINES)
    finish = forms.BooleanField(label=_("The match is over: finish it"), required=False, initial=True)

    def totals(self) -> StatedTotals:
        """Return the totals; what was left empty or cannot be read is None."""
        data = self.cleaned_data
        return StatedTotals(
            courts=(data.get("courts_ns"), data.get("courts_ew")),
            deals=(data.get("deals_ns"), data.get("deals_ew")),
        )


def keys_of(data: QueryDict) -> Mapping[int, str]:
    """Return the keys that were sent, by the numbers of their deals."""
    sent = {name: str(value)[:LONGEST_KEYS] for name, value in data.items()}
    numbers = {name: name.removeprefix(PREFIX) for name in sent if name.startswith(PREFIX)}
    return {
        int(number): sent[name]
        for name, number in numbers.items()
        if re.fullmatch(r"[1-9][0-9]?", number) and int(number) <= MOST_LINES
    }
