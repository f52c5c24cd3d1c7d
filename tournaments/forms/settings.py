"""Forms that make, fill and change a tournament."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.names import MAX_NAME_LENGTH
from courtpiece.accounts.permissions import Visibility
from scoring.domain.results import Ranking, Scheme, TiebreakCode
from tournaments.models import Format, RankedBy, Status
from tournaments.queries import EntryLine
from tournaments.schemes import DEFAULT_SCHEME, NewTournament, clean_scheme

ONCE_OR_TWICE: Final = [(1, _("once")), (2, _("twice"))]
PARTNERS: Final = 2
LEFT_TO_RIGHT: Final = forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off"})


class UploadForm(forms.Form):
    """An evening's files."""

    unfinished = forms.BooleanField(
        label=_("These matches go on: leave them open, so that they do not count in the standings yet"),
        required=False,
    )


class TournamentForm(forms.Form):
    """A new tournament."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    format = forms.ChoiceField(label=_("Format"), choices=Format, initial=Format.ROUND_ROBIN)
    cycles = forms.TypedChoiceField(
        label=_("In a round robin every two pairs meet"), choices=ONCE_OR_TWICE, coerce=int, initial=1
    )
    rules = forms.CharField(
        label=_("Rules"),
        help_text=_("A named rule and its options, as in “double-sir goon=3”."),
        max_length=200,
        initial="court-piece",
        widget=forms.TextInput(attrs={"list": "rules", "autocomplete": "off", "dir": "ltr"}),
    )
    pairs = forms.CharField(
        label=_("Pairs"),
        help_text=_("One a line, the partners joined by “&”. None: they come with the first upload."),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}),
    )
    ranking = forms.ChoiceField(label=_("Ranked by"), choices=RankedBy)
    visibility = forms.ChoiceField(label=_("Who may see it"), choices=Visibility)

    def clean_pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs, one of each line that is not empty."""
        lines = [line for line in self.cleaned_data["pairs"].splitlines() if line.strip()]
        pairs = [tuple(name.strip() for name in line.split("&")) for line in lines]
        for line, pair in zip(lines, pairs, strict=True):
            if len(pair) != PARTNERS or not all(pair):
                raise ValidationError(
                    _("Write two names joined by “&”, as in “Asif Khan & Bilal Shah”: “%(line)s”."),
                    params={"line": line.strip()},
                )
        return tuple((pair[0], pair[1]) for pair in pairs)

    def new_tournament(self) -> NewTournament:
        """Return the tournament that the form describes.

        :raises BadScoring: if its words for the scoring are not known.
        """
        data = self.cleaned_data
        return NewTournament(
            name=data["name"],
            format=data["format"],
            rules=data["rules"],
            visibility=data["visibility"],
            scheme=replace(DEFAULT_SCHEME, ranking=Ranking(data["ranking"])),
        )


class DescriptionForm(forms.Form):
    """What a tournament is called, and who sees it."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    visibility = forms.ChoiceField(label=_("Who may see it"), choices=Visibility)


class StatusForm(forms.Form):
    """How sure the standings are."""

    status = forms.ChoiceField(label=_("The standings are"), choices=Status)


class ScoringForm(forms.Form):
    """How the standings are made."""

    ranking = forms.ChoiceField(label=_("Ranked by"), choices=RankedBy)
    tiebreaks = forms.CharField(
        label=_("Tie-breaks, in their order"), required=False, max_length=300, widget=LEFT_TO_RIGHT
    )
    win = forms.IntegerField(label=_("Match points for a win"), min_value=0, max_value=999)
    draw = forms.IntegerField(label=_("For a draw"), min_value=0, max_value=999)
    loss = forms.IntegerField(label=_("For a loss"), min_value=0, max_value=999)
    bye = forms.IntegerField(label=_("For a bye"), min_value=0, max_value=999)
    lot_seed = forms.IntegerField(
        label=_("Seed of the draw of lots"),
        help_text=_("Any number, drawn before the eyes of all; the same one draws the same lots."),
        min_value=0,
        max_value=2**53,
        required=False,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed after the first deal, and kept with what was changed."),
        required=False,
        max_length=500,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = ", ".join(code.value for code in TiebreakCode)
        self.fields["tiebreaks"].help_text = _("Of these: %(codes)s.") % {"codes": codes}

    @staticmethod
    def initial_of(scheme: Scheme) -> dict[str, object]:
        """Return what the form shows of a scoring."""
        points = scheme.points
        return {
            "ranking": scheme.ranking.value,
            "tiebreaks": ", ".join(code.value for code in scheme.tiebreaks),
            "win": points.win,
            "draw": points.draw,
            "loss": points.loss,
            "bye": points.bye,
            "lot_seed": scheme.lot_seed,
        }

    def scheme(self) -> Scheme:
        """Return the scoring that the form describes.

        :raises BadScoring: if a word for it is not known.
        """
        data = self.cleaned_data
        return clean_scheme(
            ranking=data["ranking"],
            tiebreaks=data["tiebreaks"].replace(",", " ").split(),
            points={name: data[name] for name in ("win", "draw", "loss", "bye")},
            lot_seed=data["lot_seed"],
        )


class PenaltyForm(forms.Form):
    """Points that an entry loses."""

    entry = forms.TypedChoiceField(label=_("Pair"), coerce=int)
    penalty = forms.IntegerField(label=_("Takes away"), min_value=0, max_value=999)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)

    def __init__(self, *args: Any, entries: Iterable[EntryLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entry.number, entry.pair.name) for entry in entries]
        self.fields["entry"] = forms.TypedChoiceField(label=_("Pair"), coerce=int, choices=choices)
