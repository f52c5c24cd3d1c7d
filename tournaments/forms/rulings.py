"""Forms in which a director rules, hears appeals and closes: shape and words.

What a value may be is decided by the operations. A form carries the act's id, so that sending it twice rules once;
the revision or version that it was made on; and what its preview was of, so that nothing is saved unseen.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, Final, cast
from uuid import UUID, uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from courtpiece.engine import Award, Outcome, Score, Team
from scoring.operations import LawRefused, checked_law
from tournaments.models import AppealStepKind, Forfeit
from tournaments.operations.decisions import (
    MOST_COURTS,
    MOST_PENALTY,
    AdjustMatch,
    AwardCourt,
    CancelCourt,
    CorrectDeal,
    Decision,
    Disqualify,
    GiveMatchAway,
    Penalise,
    ReplaceFinding,
    TakeBack,
    VoidDeal,
)
from tournaments.operations.rulings import NewRuling
from tournaments.queries import EntryLine
from tournaments.words import isolated

TEAMS: Final = [(Team.NS.name, _("North–South")), (Team.EW.name, _("East–West"))]
AWARDS: Final = [
    (Award.WIN.value, _("win")),
    (Award.COURT.value, _("court")),
    (Award.GOON_COURT.value, _("goon court")),
    (Award.BAVNEY.value, _("bavney")),
    (Award.REVOKE.value, _("revoke")),
]
MOST_BYTES: Final = 64 * 1024
"""The notation's limit for a record."""
FINDING: Final = "finding"
OTHER: Final = "other"


class ActForm(forms.Form):
    """A form that changes something once, however often it is sent."""

    act = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["act"].initial = uuid4

    @property
    def act_id(self) -> UUID:
        """The act's id."""
        value: UUID = self.cleaned_data["act"]
        return value


class RulingForm(ActForm):
    """A ruling: first looked at, then saved."""

    base = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    """The revision of the deal, or the version of the match or entry, that it is made on."""
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    """What the preview that was shown was of; empty before one."""
    law = forms.CharField(
        label=_("Law"),
        max_length=60,
        required=False,
        help_text=_("By its number, for example 8.4; several with commas."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("Everyone who reads the standings can see it."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    ahead: ClassVar[tuple[str, ...]] = ()
    """The fields of the decision itself: they stand before the law and the reason."""

    def __init__(self, *args: Any, target: UUID | int, is_preview: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.target = target
        self.is_preview = is_preview
        self.order_fields([*self.ahead, "law", "reason"])

    def clean_law(self) -> str:
        """Return the laws as they are cited; what is none belongs into the reason."""
        try:
            return checked_law(self.cleaned_data["law"])
        except LawRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def name_teams(self, names: Mapping[str, str]) -> None:
        """Say beside North–South and East–West which pair sits there; ``names`` are by the teams' letters."""
        for name, field in self.fields.items():
            pair = names.get(name.rpartition("_")[2].upper())
            if pair is not None:
                field.label = f"{field.label}: {isolated(pair)}"
            elif isinstance(field, forms.ChoiceField):
                field.choices = [
                    (value, f"{label}: {isolated(names[value])}" if value in names else label)
                    for value, label in cast(Iterable[tuple[str, str]], field.choices)
                ]

    def clean(self) -> dict[str, Any]:
        """Ask for no reason while a ruling is only looked at."""
        cleaned = super().clean() or self.cleaned_data
        if self.is_preview and self.has_error("reason", "required"):
            del self.errors["reason"]
            cleaned["reason"] = ""
        return cleaned

    def new_ruling(self) -> NewRuling:
        """Return the ruling that the form describes."""
        data = self.cleaned_data
        return NewRuling(decision=self.decision(), reason=data["reason"], law=data["law"])

    def decision(self) -> Decision:
        """Return the decision that the form describes."""
        raise NotImplementedError

    @property
    def deal(self) -> UUID:
        """The deal or match that it is about."""
        if not isinstance(self.target, UUID):
            raise TypeError("this ruling is about an entry")
        return self.target

    @property
    def number(self) -> int:
        """The entry, or the ruling, that it is about."""
        if not isinstance(self.target, int):
            raise TypeError("this ruling is about a deal or a match")
        return self.target


class AwardCourtForm(RulingForm):
    """A court for a team."""

    ahead = ("team",)
    team = forms.ChoiceField(label=_("The court goes to"), choices=TEAMS, widget=forms.RadioSelect)

    def decision(self) -> AwardCourt:
        """Return the decision that the form describes."""
        data = self.cleaned_data
        return AwardCourt(deal=self.deal, base_revision=data["base"], team=Team[data["team"]])


class CancelCourtForm(RulingForm):
    """No court for the deal."""

    def decision(self) -> CancelCourt:
        """Return the decision that the form describes."""
        return CancelCourt(deal=self.deal, base_revision=self.cleaned_data["base"])


class VoidDealForm(RulingForm):
    """A deal that nobody won."""

    def decision(self) -> VoidDeal:
        """Return the decision that the form describes."""
        return VoidDeal(deal=self.deal, base_revision=self.cleaned_data["base"])


class CorrectDealForm(RulingForm):
    """Another record of the deal."""

    ahead = ("text", "as_ruling")
    text = forms.CharField(
        label=_("Record"),
        max_length=MOST_BYTES,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 16, "cols": 80, "dir": "ltr", "spellcheck": "false", "class": "pcn"}
        ),
        help_text=_("In PCN. A Result, Tricks and Courts that are stated must agree with the cards."),
    )
    as_ruling = forms.BooleanField(
        label=_("Save it although it states something else than the cards show"), required=False
    )

    def decision(self) -> CorrectDeal:
        """Return the decision that the form describes."""
        data = self.cleaned_data
        return CorrectDeal(
            deal=self.deal, base_revision=data["base"], text=data["text"], as_ruling=data["as_ruling"]
        )


class ReplaceFindingForm(RulingForm):
    """Another outcome of the deal."""

    ahead = ("stands", "winner", "award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew")
    stands = forms.ChoiceField(
        label=_("What counts"),
        choices=[
            (FINDING, _("What the engine found, whatever the record states")),
            (OTHER, _("The outcome below")),
        ],
        widget=forms.RadioSelect,
        initial=OTHER,
    )
    winner = forms.ChoiceField(label=_("Winner"), choices=[("", "–"), *TEAMS], required=False)
    award = forms.ChoiceField(label=_("Award"), choices=[("", "–"), *AWARDS], required=False)
    tricks_ns = forms.IntegerField(label=_("Tricks, North–South"), min_value=0, max_value=13, required=False)
    tricks_ew = forms.IntegerField(label=_("Tricks, East–West"), min_value=0, max_value=13, required=False)
    courts_ns = forms.IntegerField(label=_("Courts, North–South"), min_value=0, max_value=999, required=False)
    courts_ew = forms.IntegerField(label=_("Courts, East–West"), min_value=0, max_value=999, required=False)

    def clean(self) -> dict[str, Any]:
        """Ask who won where the outcome is another; a number that is left out is 0."""
        cleaned = super().clean()
        if cleaned.get("stands") == OTHER:
            for name in ("winner", "award"):
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, _("Say which."))
        return cleaned

    def decision(self) -> ReplaceFinding:
        """Return the decision that the form describes."""
        return ReplaceFinding(
            deal=self.deal, base_revision=self.cleaned_data["base"], outcome=self._outcome()
        )

    def _outcome(self) -> Outcome | None:
        data = self.cleaned_data
        if data["stands"] == FINDING:
            return None
        return Outcome(
            Team[data["winner"]], Award(data["award"]), self._score("tricks"), self._score("courts")
        )

    def _score(self, name: str) -> Score:
        return Score(self.cleaned_data[f"{name}_ns"] or 0, self.cleaned_data[f"{name}_ew"] or 0)


class AdjustMatchForm(RulingForm):
    """Other courts for the match."""

    ahead = ("courts_ns", "courts_ew")
    courts_ns = forms.IntegerField(label=_("Courts, North–South"), min_value=0, max_value=MOST_COURTS)
    courts_ew = forms.IntegerField(label=_("Courts, East–West"), min_value=0, max_value=MOST_COURTS)

    def decision(self) -> AdjustMatch:
        """Return the decision that the form describes."""
        data = self.cleaned_data
        return AdjustMatch(
            match=self.deal, version=data["base"], courts_ns=data["courts_ns"], courts_ew=data["courts_ew"]
        )


class GiveMatchAwayForm(RulingForm):
    """A match that was given away."""

    ahead = ("by",)
    by = forms.ChoiceField(label=_("Given away by"), choices=Forfeit, widget=forms.RadioSelect)

    def decision(self) -> GiveMatchAway:
        """Return the decision that the form describes."""
        data = self.cleaned_data
        return GiveMatchAway(match=self.deal, version=data["base"], by=Forfeit(data["by"]))


class PenaltyForm(RulingForm):
    """A penalty for an entry."""

    ahead = ("penalty",)
    penalty = forms.IntegerField(
        label=_("Penalty in all"),
        min_value=0,
        max_value=MOST_PENALTY,
        help_text=_("Taken from what ranks: match points, or courts. 0: none any more."),
    )

    def decision(self) -> Penalise:
        """Return the decision that the form describes."""
        data = self.cleaned_data
        return Penalise(entry=self.number, version=data["base"], penalty=data["penalty"])


class DisqualifyForm(RulingForm):
    """An entry that plays no more."""

    def decision(self) -> Disqualify:
        """Return the decision that the form describes."""
        return Disqualify(entry=self.number, version=self.cleaned_data["base"])


class TakeBackForm(RulingForm):
    """A ruling that is taken back."""

    def decision(self) -> TakeBack:
        """Return the decision that the form describes."""
        return TakeBack(ruling=self.number)


# -- appeals, closing


class AppealForm(ActForm):
    """Who appeals against a ruling, and why."""

    entry = forms.TypedChoiceField(label=_("Pair"), coerce=int)
    reason = forms.CharField(
        label=_("Why they appeal"), max_length=500, help_text=_("Everyone who reads the ruling can see it.")
    )

    def __init__(
        self, *args: Any, entries: Iterable[EntryLine], first: Collection[int] = (), **kwargs: Any
    ) -> None:
        """Offer the entries, those of the match that was ruled on ``first``, none of them chosen."""
        super().__init__(*args, **kwargs)
        choices: list[tuple[int | str, str | Promise]] = [
            (entry.number, entry.pair.name)
            for entry in sorted(entries, key=lambda one: one.number not in first)
        ]
        choices.insert(0, ("", _("Choose a pair")))
        self.fields["entry"] = forms.TypedChoiceField(label=_("Pair"), coerce=int, choices=choices)
        self.order_fields(["entry", "reason"])


class AppealDecisionForm(ActForm):
    """What becomes of an appeal."""

    outcome = forms.ChoiceField(
        label=_("The appeal is"),
        choices=[
            (AppealStepKind.ALLOWED.value, _("allowed: the ruling is taken back")),
            (AppealStepKind.DISMISSED.value, _("dismissed: the ruling stands")),
            (AppealStepKind.WITHDRAWN.value, _("withdrawn by the pair")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=500, help_text=_("Everyone who reads the ruling can see it.")
    )


class StepForm(ActForm):
    """A step of closing that needs no words."""


class FinalForm(ActForm):
    """The last step, which only an owner can take back: it is asked for twice."""

    sure = forms.BooleanField(
        label=_("Lock them. Only an owner of the club can open the tournament again, with a reason."),
        error_messages={"required": _("Tick this first: nothing was changed.")},
    )


class ReasonForm(ActForm):
    """A step back, which needs a reason."""

    reason = forms.CharField(label=_("Reason"), max_length=500)
