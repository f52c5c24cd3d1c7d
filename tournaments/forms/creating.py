"""The forms with which a tournament is made: one for each section of the page, sent together."""

from datetime import date
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.names import MAX_NAME_LENGTH
from courtpiece.accounts.permissions import Visibility
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Rules
from tournaments import sentences
from tournaments.domain.plans import format_of
from tournaments.forms.plans import PlanForm, SessionForms, again, check_year, session_numbers
from tournaments.forms.regulations import RulesForm, ScoringForm, move
from tournaments.schemes import LONGEST_DELAY, NewTournament, check_ranking, check_tiebreaks

PARTNERS: Final = 2
NOT_KEPT: Final = frozenset({"csrfmiddlewaretoken", "do", "act"})
"""What a page that carries everything else along makes anew."""


class BasicsForm(forms.Form):
    """What a tournament is called, and who sees it."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    visibility = forms.ChoiceField(
        label=_("Who may see it"),
        choices=list(sentences.READERS.items()),
        initial=Visibility.PRIVATE,
        widget=forms.RadioSelect,
    )


class EnteringForm(forms.Form):
    """Who enters, and how long a ruling can be appealed."""

    players_may_enter = forms.BooleanField(
        label=_("Players may enter by themselves; a director accepts them or not"), required=False
    )
    appeal_minutes = forms.IntegerField(
        label=_("Minutes for an appeal"),
        help_text=_("After a ruling, and after the last round, before the standings are made official."),
        min_value=0,
        max_value=10080,
        initial=30,
    )


MOST_HOURS: Final = 24 * 366


class TablesForm(forms.Form):
    """How deals are entered at tables by links."""

    confirmation = forms.BooleanField(
        label=_("The other pair confirms each deal"),
        help_text=_(
            "What one pair enters on its phone appears on the other’s, which agrees or disputes; a dispute comes to "
            "the room."
        ),
        required=False,
    )
    link_hours = forms.IntegerField(
        label=_("Hours for which table links take deals"),
        help_text=_(
            "After the last thing that happened in their session. Then a director extends them; no deal is lost. "
            "Empty: for ever."
        ),
        min_value=1,
        max_value=MOST_HOURS,
        initial=48,
        required=False,
    )


class LiveForm(forms.Form):
    """How late spectators follow the tables."""

    live_delay = forms.IntegerField(
        label=_("Minutes of delay"),
        help_text=_(
            "0: spectators see each card as it is entered, and no hands. More: they see all hands, so much later; and"
            " for so long after a deal was recorded nobody but scorers and directors can read its cards, on pages,"
            " in files or through the API. Results count at once."
        ),
        min_value=0,
        max_value=LONGEST_DELAY,
        initial=0,
        required=False,
    )

    def clean_live_delay(self) -> int:
        """Return the minutes; an empty field is none."""
        return self.cleaned_data["live_delay"] or 0


class PairsForm(forms.Form):
    """The pairs, where they are known already."""

    pairs = forms.CharField(
        label=_("Pairs"),
        help_text=_(
            "One a line, the partners joined by “&”. They can come later, from the page of the entries."
        ),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}),
    )

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


class CopyForm(forms.Form):
    """An earlier tournament to begin from."""

    copy = forms.ChoiceField(label=_("An earlier tournament"))
    starts_on = forms.DateField(
        label=_("Its first session is on"),
        help_text=_("The others follow as many days later as they did."),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    with_pairs = forms.BooleanField(label=_("With its pairs"), required=False)

    def __init__(self, *args: Any, tournaments: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["copy"] = forms.ChoiceField(label=_("An earlier tournament"), choices=tournaments)

    def clean_starts_on(self) -> date | None:
        """Return the day; one in a year that was mistyped is none."""
        starts_on: date | None = self.cleaned_data["starts_on"]
        check_year(starts_on)
        return starts_on

    def chosen(self) -> tuple[str, date | None, bool]:
        """Return which, from when, and whether with its pairs."""
        data = self.cleaned_data
        return data["copy"], data["starts_on"], data["with_pairs"]


class CreationForms:
    """Everything that a new tournament is made of."""

    def __init__(
        self, parts: dict[str, Any], sessions: SessionForms, kept: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.parts = parts
        self.sessions = sessions
        self.kept = kept
        """What was sent, as hidden fields of a page that shows none of the forms."""

    @staticmethod
    def of(new: NewTournament, zone: ZoneInfo, *, pairs: str = "") -> "CreationForms":
        """Return forms that show the tournament."""
        assert new.plan is not None
        parts = {
            "basics": BasicsForm(initial={"name": new.name, "visibility": new.visibility}),
            "rules": RulesForm(initial=RulesForm.initial_of(new.rules)),
            "plan": PlanForm(initial=PlanForm.initial_of(new.plan)),
            "scoring": ScoringForm(initial=ScoringForm.initial_of(new.scheme)),
            "entering": EnteringForm(
                initial={
                    "players_may_enter": new.players_may_enter,
                    "appeal_minutes": new.appeal_minutes,
                }
            ),
            "tables": TablesForm(initial={"confirmation": new.confirmation, "link_hours": new.link_hours}),
            "live": LiveForm(initial={"live_delay": new.live_delay}),
            "pairs": PairsForm(initial={"pairs": pairs}),
        }
        return CreationForms(parts, SessionForms.of(new.sessions, zone))

    @staticmethod
    def sent(data: QueryDict, zone: ZoneInfo, *, checked: bool = True) -> "CreationForms":
        """Return the forms that were sent; not ``checked``: only to be shown again."""
        parts = {name: kind(data) if checked else again(kind, data) for name, kind in _KINDS.items()}
        kept = tuple(
            (name, value)
            for name, values in data.lists()
            if name not in NOT_KEPT
            for value in map(str, values)
        )
        return CreationForms(parts, SessionForms.sent(data, zone, checked=checked), kept)

    def is_valid(self) -> bool:
        """Return whether everything can be taken; what is wrong stands beside its field."""
        faulty = [form for form in self.parts.values() if not form.is_valid()]
        sessions_are_valid = self.sessions.is_valid()
        return not faulty and sessions_are_valid and self._scoring_fits()

    def new_tournament(self, *, lots: int) -> NewTournament:
        """Return the tournament that the forms describe; ``lots`` is a seed for a draw that has none."""
        basics, entering = self.parts["basics"].cleaned_data, self.parts["entering"].cleaned_data
        return NewTournament(
            name=basics["name"],
            visibility=basics["visibility"],
            rules=self.parts["rules"].rules(),
            plan=self.parts["plan"].plan(),
            scheme=self.parts["scoring"].scheme(lots=lots),
            sessions=self.sessions.sessions(),
            players_may_enter=entering["players_may_enter"],
            appeal_minutes=entering["appeal_minutes"],
            **self.parts["tables"].cleaned_data,
            live_delay=self.parts["live"].cleaned_data["live_delay"],
        )

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs."""
        pairs: tuple[tuple[str, str], ...] = self.parts["pairs"].cleaned_data["pairs"]
        return pairs

    def rules(self) -> Rules:
        """Return the rules."""
        return Rules.parse(self.parts["rules"].rules())

    def refuse(self, refused: Refused) -> None:
        """Put what an operation refuses beside the field at fault, above the page where it has none such."""
        holder = next((form for form in self.parts.values() if refused.field in form.fields), None)
        if holder is None:
            self.parts["basics"].add_error(None, str(refused))
        else:
            holder.add_error(refused.field, str(refused))

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of the page, in their order."""
        return ("basics", "rules", "plan", "scoring", "sessions", "entering", "tables", "live", "pairs")

    @property
    def faults(self) -> list[str]:
        """What is wrong with no single field."""
        return [fault for form in self.parts.values() if form.is_bound for fault in form.non_field_errors()]

    @property
    def faulty(self) -> list[str]:
        """The sections in which something is wrong."""
        named = [name for name, form in self.parts.items() if form.is_bound and form.errors]
        return named + ["sessions"] * any(
            form.is_bound and form.errors for _number, form in self.sessions.rows
        )

    def _scoring_fits(self) -> bool:
        format_name = format_of(self.parts["plan"].plan()).value
        try:
            scheme = self.parts["scoring"].scheme()
            check_tiebreaks(format_name, scheme)
            check_ranking(format_name, scheme)
        except Refused as refused:
            self.parts["scoring"].add_error("tiebreaks", str(refused))
            return False
        return True


_KINDS: Final[dict[str, type[forms.Form]]] = {
    "basics": BasicsForm,
    "rules": RulesForm,
    "plan": PlanForm,
    "scoring": ScoringForm,
    "entering": EnteringForm,
    "tables": TablesForm,
    "live": LiveForm,
    "pairs": PairsForm,
}


def changed_as_asked(data: QueryDict, do: str) -> QueryDict:
    """Return what was sent after one of the buttons that only change the page: ``up:wins``, ``drop:3``."""
    changed = data.copy()
    what, _colon, which = do.partition(":")
    chosen = changed.getlist("tiebreaks")
    sessions = changed.getlist("session")
    if what in {"up", "down"}:
        changed.setlist("tiebreaks", move(chosen, which, -1 if what == "up" else 1))
    elif what == "without":
        changed.setlist("tiebreaks", [code for code in chosen if code != which])
    elif what == "with":
        changed.setlist("tiebreaks", [*chosen, changed.get("another", "")])
    elif what == "drop":
        changed.setlist("session", [number for number in sessions if number != which])
    elif what == "session":
        changed.setlist("session", [*sessions, str(max(session_numbers(changed), default=-1) + 1)])
    return changed


def read_act(text: str) -> UUID | None:
    """Return the id of an act as a page sent it, None for anything else."""
    try:
        return UUID(text)
    except ValueError:
        return None
