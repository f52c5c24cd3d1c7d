"""Forms of a tournament's format and of its sessions."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import sentences
from tournaments.domain.plans import (
    OPTIONS,
    PLANS,
    FormatName,
    FormatPlan,
    LengthKind,
    MatchLength,
    Option,
    OptionKind,
    PlanError,
    plan_from_json,
    plan_to_json,
)
from tournaments.forms.regulations import Line
from tournaments.schemes import NewSession

MOST_SESSIONS: Final = 60
COMMON: Final = ("match", "prizes", "cut")
"""Options that every format has; the match of ``winner-stays`` is its own, since it goes to courts alone."""
_LOCAL: Final = "%Y-%m-%dT%H:%M"
_KINDS: Final = [
    (LengthKind.MINUTES.value, _("minutes")),
    (LengthKind.DEALS.value, _("deals")),
    (LengthKind.COURTS.value, _("courts to reach")),
]


class PlanForm(forms.Form):
    """A format and what there is to choose of it. The options of the other formats are kept and not asked."""

    format = forms.ChoiceField(
        label=_("Format"),
        choices=[(name.value, text) for name, text in sentences.FORMATS.items()],
        widget=forms.RadioSelect,
    )
    match_amount = forms.IntegerField(label=_("A match lasts"), min_value=1, max_value=600, required=False)
    match_kind = forms.ChoiceField(label=_("Of what"), choices=_KINDS, required=False)
    prizes = forms.IntegerField(min_value=0, max_value=500, required=False)
    cut = forms.IntegerField(min_value=0, max_value=500, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, option in _own_options():
            self.fields[_key(name, option)] = _option_field(option)

    @staticmethod
    def initial_of(plan: FormatPlan) -> dict[str, object]:
        """Return what the form shows of a plan, and the usual of every other format."""
        initial: dict[str, object] = {}
        for name, option in _own_options():
            initial[_key(name, option)] = _shown(option, plan_to_json(PLANS[name]())[option.name])
        stored = plan_to_json(plan)
        chosen = FormatName(str(stored["format"]))
        initial |= {
            _key(name, option): _shown(option, stored[option.name])
            for name, option in _own_options()
            if name is chosen
        }
        common: dict[str, object] = {"format": chosen.value, "prizes": plan.prizes, "cut": plan.cut}
        length = MatchLength(LengthKind.MINUTES, 30) if chosen is FormatName.WINNER_STAYS else plan.match
        return {**initial, **common, "match_amount": length.amount, "match_kind": length.kind.value}

    def formats(self) -> Iterator[tuple[str, list[Line]]]:
        """Yield each format with its own options as sentences to be filled in."""
        for name in FormatName:
            lines = [
                Line(_sentence(option), self[_key(one, option)])
                for one, option in _own_options()
                if one is name
            ]
            yield name.value, lines

    def common(self) -> Iterator[Line]:
        """Yield the options that every format has, but for the length of a match."""
        for name in ("prizes", "cut"):
            yield Line(sentences.PLAN_OPTIONS[name], self[name])

    def clean(self) -> dict[str, Any]:
        """Put the plan together; what is wrong with another format's options does not count."""
        data = super().clean() or self.cleaned_data
        chosen = data.get("format")
        for name, option in _own_options():
            if name.value != chosen:
                self.errors.pop(_key(name, option), None)
        if chosen and not self.errors:
            try:
                data["plan"] = plan_from_json(self._stored(FormatName(chosen), data))
            except PlanError as error:
                self._add_fault(FormatName(chosen), error)
        return data

    def plan(self) -> FormatPlan:
        """Return the plan that the form describes."""
        plan: FormatPlan = self.cleaned_data["plan"]
        return plan

    def _stored(self, name: FormatName, data: dict[str, Any]) -> dict[str, object]:
        stored: dict[str, object] = {"format": name.value}
        for option in OPTIONS[name]:
            if option.name == "match" and name is not FormatName.WINNER_STAYS:
                if data.get("match_amount"):
                    stored["match"] = {data.get("match_kind") or "minutes": data["match_amount"]}
                continue
            value = data.get(option.name if option.name in COMMON[1:] else _key(name, option))
            if value not in (None, ""):
                stored[option.name] = _to_stored(option, value)
        return stored

    def _add_fault(self, name: FormatName, error: PlanError) -> None:
        option = next((one for one in OPTIONS[name] if one.name == error.field), None)
        keys = (f"{name.value}-{error.field}", "match_amount" if error.field == "match" else error.field)
        field = next((key for key in keys if key in self.fields), "format")
        self.add_error(field, sentences.plan_fault(error, option))


class SessionForm(forms.Form):
    """One sitting: where, from when, and how long its matches are where the format does not say so."""

    place = forms.CharField(label=_("Place"), max_length=200, required=False)
    starts_at = forms.DateTimeField(
        label=_("Start"),
        required=False,
        input_formats=[_LOCAL, f"{_LOCAL}:%S", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_LOCAL),
    )
    amount = forms.IntegerField(label=_("Length of a match"), min_value=1, max_value=600, required=False)
    kind = forms.ChoiceField(
        label=_("Of what"), choices=[("", _("as the format says")), *_KINDS], required=False
    )

    @staticmethod
    def initial_of(session: NewSession, zone: ZoneInfo) -> dict[str, object]:
        """Return what the form shows of a session, its start as the clock on the wall there."""
        return {
            "place": session.place,
            "starts_at": local_text(session.starts_at, zone),
            "amount": session.length.amount if session.length else None,
            "kind": session.length.kind.value if session.length else "",
        }

    def clean_starts_at(self) -> datetime | None:
        """Return the start; a year that was mistyped is none."""
        starts_at: datetime | None = self.cleaned_data["starts_at"]
        check_year(starts_at)
        return starts_at

    def clean(self) -> dict[str, Any]:
        """Put the length together."""
        data = super().clean() or self.cleaned_data
        data["length"] = None
        if data.get("kind") and data.get("amount"):
            try:
                data["length"] = MatchLength(LengthKind(data["kind"]), data["amount"])
            except PlanError:
                self.add_error("amount", _("That is too many."))
        elif data.get("kind"):
            self.add_error("amount", _("Say how many."))
        return data

    def session(self) -> NewSession:
        """Return the session that the form describes."""
        data = self.cleaned_data
        return NewSession(place=data["place"], starts_at=data["starts_at"], length=data["length"])


FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2999
MOST_DIGITS: Final = 4
"""Of the number by which a page tells a session."""


class SessionForms:
    """The sessions of a tournament, each a form of its own; ``session`` names those that are there, in order."""

    def __init__(self, rows: Sequence[tuple[int, SessionForm]], zone: ZoneInfo) -> None:
        self.rows = list(rows)
        self.zone = zone

    @staticmethod
    def of(sessions: Sequence[NewSession], zone: ZoneInfo) -> "SessionForms":
        """Return forms that show the sessions."""
        rows = [
            (place, SessionForm(initial=SessionForm.initial_of(one, zone), prefix=f"session-{place}"))
            for place, one in enumerate(sessions or (NewSession(),))
        ]
        return SessionForms(rows, zone)

    @staticmethod
    def sent(data: QueryDict, zone: ZoneInfo, *, checked: bool = True) -> "SessionForms":
        """Return the forms that were sent; not ``checked``: only to be shown again."""
        rows = []
        for number in list(dict.fromkeys(session_numbers(data)))[:MOST_SESSIONS] or [0]:
            prefix = f"session-{number}"
            rows.append(
                (number, SessionForm(data, prefix=prefix) if checked else again(SessionForm, data, prefix))
            )
        return SessionForms(rows, zone)

    def is_valid(self) -> bool:
        """Return whether every one is, starts being read as the clock on the wall there."""
        with timezone.override(self.zone):
            faulty = [form for _number, form in self.rows if not form.is_valid()]
        return not faulty

    def sessions(self) -> tuple[NewSession, ...]:
        """Return the sessions that the forms describe."""
        return tuple(form.session() for _number, form in self.rows)

    @property
    def blank(self) -> SessionForm:
        """A form for one more, whose number a script puts in."""
        return SessionForm(prefix="session-__number__")

    @property
    def is_alone(self) -> bool:
        """Whether there is one only, which stays."""
        return len(self.rows) == 1

    @property
    def is_full(self) -> bool:
        """Whether no more can be added."""
        return len(self.rows) >= MOST_SESSIONS


def check_year(day: date | None) -> None:
    """Check that days around it, in every zone, are days too.

    :raises ValidationError: if it is in no year from 1900 to 2999.
    """
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValidationError(
            _("Choose a year from %(first)d to %(last)d."), params={"first": FIRST_YEAR, "last": LAST_YEAR}
        )


def session_numbers(data: QueryDict) -> list[int]:
    """Return the numbers by which a page tells the sessions that were sent; what is none is left out."""
    sent = data.getlist("session")
    return [int(one) for one in sent if one.isascii() and one.isdecimal() and len(one) <= MOST_DIGITS]


def again(kind: type[forms.Form], data: QueryDict, prefix: str | None = None) -> Any:
    """Return a form of that kind that shows what was sent, and judges nothing of it."""
    blank = kind(prefix=prefix)
    sent = {
        name: field.widget.value_from_datadict(data, {}, blank.add_prefix(name))
        for name, field in blank.fields.items()
    }
    return kind(initial=sent, prefix=prefix)


def local_text(moment: datetime | None, zone: ZoneInfo) -> str:
    """Return the moment as a field for date and time takes it; empty for none."""
    return "" if moment is None else moment.astimezone(zone).strftime(_LOCAL)


def _own_options() -> Iterator[tuple[FormatName, Option]]:
    for name, options in OPTIONS.items():
        for option in options:
            if option.name not in COMMON or (name is FormatName.WINNER_STAYS and option.name == "match"):
                yield name, option


def _key(name: FormatName, option: Option) -> str:
    return f"{name.value}-{option.name}"


def _sentence(option: Option) -> sentences.Sentence:
    if option.kind is OptionKind.LENGTH:
        return sentences.Sentence(_("A match goes to %(value)s courts."), "13.1")
    return sentences.PLAN_OPTIONS[option.name]


def _option_field(option: Option) -> forms.Field:
    label = str(_sentence(option).text).replace(sentences.HOLE, "…")
    match option.kind:
        case OptionKind.NUMBER:
            return forms.IntegerField(
                label=label, min_value=option.least, max_value=option.most, required=False
            )
        case OptionKind.YES_NO:
            return forms.BooleanField(label=label, required=False)
        case OptionKind.CHOICE:
            choices = list(sentences.CHOICES[option.name].items())
            return forms.ChoiceField(label=label, choices=choices, required=False)
        case OptionKind.NUMBERS:
            return forms.RegexField(
                r"^[0-9]{1,4}(\s*,\s*[0-9]{1,4}){0,49}$",
                label=label,
                required=False,
                error_messages={"invalid": _("Write whole numbers with commas between them.")},
            )
        case OptionKind.LENGTH:
            return forms.IntegerField(label=label, min_value=1, max_value=99, required=False)


def _shown(option: Option, value: object) -> object:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return next(iter(value.values()))
    return value


def _to_stored(option: Option, value: Any) -> object:
    if option.kind is OptionKind.NUMBERS:
        return [int(one) for one in str(value).split(",")]
    return {"courts": value} if option.kind is OptionKind.LENGTH else value
