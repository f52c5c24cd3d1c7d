"""Forms that change the list of entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, dumps, loads
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.domain.entering import HIGHEST_RATING, MOST_ENTRIES, MOST_GROUPS, NewPair
from tournaments.models import AbsenceKind
from tournaments.operations.seeding import SeedingMethod
from tournaments.operations.substitutions import Sitting

WHO: Final = "who:"
"""What the name of a choice begins with; the new name follows."""
SALT: Final = "tournaments.entries.file"
LONGEST_FIELD: Final = 170
PARTNERS: Final = 2
TYPED: Final = {"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false", "dir": "auto"}
AMPERSAND: Final = _("Write two names joined by “&”, as in “Asif Khan & Bilal Shah”.")


class ActForm(forms.Form):
    """A form that changes something once, however often it is sent."""

    act = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)


class VersionForm(ActForm):
    """The same of a row that somebody else may have changed."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


@dataclass(frozen=True, slots=True)
class Decisions:
    """Who is meant by new names that are nearly known ones."""

    chosen: Mapping[str, str]
    """The name to take for each new name that was asked about; the same name: another person."""

    @staticmethod
    def of(data: QueryDict) -> "Decisions":
        """Return what was chosen in a form."""
        given = {key.removeprefix(WHO): str(data[key]) for key in data if key.startswith(WHO)}
        return Decisions({typed: name for typed, name in given.items() if name})

    def applied(self, pair: NewPair) -> NewPair:
        """Return the pair with the names that were chosen."""
        first, second = (self.chosen.get(name, name) for name in pair.names)
        return NewPair(
            row=pair.row, names=(first, second), seed=pair.seed, rating=pair.rating, group=pair.group
        )

    @property
    def others(self) -> frozenset[str]:
        """The new names that are other people's."""
        return frozenset(typed for typed, name in self.chosen.items() if typed == name)


class PairField(forms.CharField):
    """The two names of a pair, joined by ``&``."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_FIELD, widget=forms.TextInput(attrs=dict(TYPED)), **kwargs)

    def clean(self, value: Any) -> Any:
        """Return the names, with one blank between words."""
        names = [" ".join(name.split()) for name in super().clean(value).split("&")]
        if len(names) != PARTNERS or not all(names):
            raise ValidationError(AMPERSAND)
        return (names[0], names[1])


class NumbersForm(ActForm):
    """What is told of a pair besides its names."""

    rating = forms.IntegerField(label=_("Rating"), min_value=1, max_value=HIGHEST_RATING, required=False)
    group = forms.IntegerField(label=_("Group"), min_value=1, max_value=MOST_GROUPS, required=False)


class PairForm(NumbersForm):
    """A pair that is to enter."""

    pair = PairField(label=_("Pair"))
    seed = forms.IntegerField(label=_("Seed"), min_value=1, max_value=MOST_ENTRIES, required=False)
    field_order = ["act", "pair", "seed", "rating", "group"]

    def new_pair(self) -> NewPair:
        """Return the pair."""
        data = self.cleaned_data
        return NewPair(
            row=1, names=data["pair"], seed=data["seed"], rating=data["rating"], group=data["group"]
        )


class EntryForm(NumbersForm, VersionForm):
    """The numbers of an entry."""


class ReplaceForm(VersionForm):
    """The players of an entry."""

    pair = PairField(label=_("Pair"))


class WithdrawForm(VersionForm):
    """An entry that leaves."""

    reason = forms.CharField(label=_("Reason"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))


class CheckInForm(forms.Form):
    """One tap: a pair is there, or is not, by who saw its entry at that version."""

    is_there = forms.TypedChoiceField(choices=[("1", "1"), ("0", "0")], coerce=lambda text: text == "1")
    version = forms.IntegerField(min_value=0)


class AbsenceForm(ActForm):
    """A round that an entry does not play."""

    round_number = forms.IntegerField(label=_("Round"), min_value=1, max_value=999)
    kind = forms.ChoiceField(label=_("Why"), choices=AbsenceKind)


class SubstituteForm(VersionForm):
    """Somebody who sits in for a player in one match."""

    absent = forms.IntegerField(widget=forms.HiddenInput)
    substitute = forms.CharField(
        label=_("Who sits in"), max_length=LONGEST_FIELD, widget=forms.TextInput(attrs=dict(TYPED))
    )
    reason = forms.CharField(label=_("Reason"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))
    played_all = forms.BooleanField(
        label=_("They played every deal that is recorded of this match"), required=False
    )

    def sitting(self, decisions: Decisions) -> Sitting:
        """Return who sits in for whom."""
        data = self.cleaned_data
        name = " ".join(data["substitute"].split())
        return Sitting(
            absent_id=data["absent"],
            substitute=decisions.chosen.get(name, name),
            reason=data["reason"],
            is_other=name in decisions.others,
            played_all=data["played_all"],
        )


class AnswerForm(VersionForm):
    """What a director answers a pair that asked to play."""

    answer = forms.ChoiceField(choices=[("accept", "accept"), ("decline", "decline")])


class AskForm(ActForm):
    """What a player asks who wants to play."""

    own_name = forms.CharField(
        label=_("Your name"),
        max_length=80,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "name"}),
    )
    partner = forms.CharField(
        label=_("Your partner"), max_length=80, widget=forms.TextInput(attrs=dict(TYPED))
    )
    note = forms.CharField(
        label=_("A word to the director"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


class SeedsForm(ActForm):
    """How the seeds are given."""

    version = forms.CharField(widget=forms.HiddenInput, max_length=32)
    method = forms.ChoiceField(choices=[(name.value, name.value) for name in SeedingMethod], required=False)
    draw_seed = forms.IntegerField(
        label=_("Number to draw from"), required=False, min_value=0, max_value=2**53
    )


class FileForm(forms.Form):
    """A file of pairs."""

    file = forms.FileField(
        label=_("File"), widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.tsv,.txt,text/csv"})
    )


class PreviewedForm(ActForm):
    """The pairs that were previewed, as they were: signed, so that what is saved is what was looked at."""

    pairs = forms.CharField(widget=forms.HiddenInput, max_length=400_000)

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.slug = slug

    def clean_pairs(self) -> tuple[NewPair, ...]:
        """Return the pairs."""
        try:
            kept = loads(self.cleaned_data["pairs"], salt=f"{SALT}.{self.slug}")
        except BadSignature as error:
            raise ValidationError(_("Choose the file again: this is not what was looked at.")) from error
        return tuple(
            NewPair(row=row, names=(first, second), seed=seed, rating=rating, group=group)
            for row, first, second, seed, rating, group in kept
        )


def packed(pairs: Sequence[NewPair], *, slug: str) -> str:
    """Return the pairs signed, as :class:`PreviewedForm` takes them."""
    rows = [[pair.row, *pair.names, pair.seed, pair.rating, pair.group] for pair in pairs]
    return dumps(rows, salt=f"{SALT}.{slug}", compress=True)


def act_of(form: forms.Form) -> UUID:
    """Return the id of what the form changes."""
    found = form.cleaned_data["act"]
    assert isinstance(found, UUID)
    return found
