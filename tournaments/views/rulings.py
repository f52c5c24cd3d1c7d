"""The pages on which directors rule and hear appeals, and the list that everybody reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, cast
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.forms import refusals_in
from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Refused
from scoring import queries as scoring
from tournaments.forms import rulings as forms
from tournaments.forms.rulings import AppealDecisionForm, AppealForm, RulingForm
from tournaments.operations import appeals, rulings
from tournaments.queries import TournamentHeader
from tournaments.queries import deciding as queries
from tournaments.queries.rulings import RulingLine, rulings_page, shown_effect
from tournaments.views.wall import page_with_clock


@dataclass(frozen=True, slots=True)
class Way:
    """A kind of ruling, as its page offers it."""

    form: type[RulingForm]
    title: Promise
    lede: Promise


OF_A_DEAL: Final[Mapping[str, Way]] = {
    "award": Way(
        forms.AwardCourtForm,
        gettext_lazy("Award a court"),
        gettext_lazy("The team gets a court for this deal, and both runs go back to zero (law 11.2)."),
    ),
    "cancel": Way(
        forms.CancelCourtForm,
        gettext_lazy("Cancel the court"),
        gettext_lazy("The deal scores no court. Who won it stays."),
    ),
    "void": Way(
        forms.VoidDealForm,
        gettext_lazy("Void the deal"),
        gettext_lazy("Nobody wins it, it scores nothing, and the same dealer deals again (law 9.6)."),
    ),
    "correct": Way(
        forms.CorrectDealForm,
        gettext_lazy("Correct the record"),
        gettext_lazy(
            "The record that stands stays in the deal's history, and the correction is shown as one."
        ),
    ),
    "rule": Way(
        forms.ReplaceFindingForm,
        gettext_lazy("Another outcome"),
        gettext_lazy("The decision stands above what the engine found. Both are shown, with the reason."),
    ),
}
OF_A_MATCH: Final[Mapping[str, Way]] = {
    "adjust": Way(
        forms.AdjustMatchForm,
        gettext_lazy("Adjust the courts"),
        gettext_lazy("These courts count in place of the scoresheet's, and the match is finished."),
    ),
    "forfeit": Way(
        forms.GiveMatchAwayForm,
        gettext_lazy("Given away"),
        gettext_lazy("The match counts as given away. What its scoresheet has is kept and does not count."),
    ),
}
OF_AN_ENTRY: Final[Mapping[str, Way]] = {
    "penalty": Way(
        forms.PenaltyForm,
        gettext_lazy("Penalty"),
        gettext_lazy("It is taken from what the standings are ordered by."),
    ),
    "disqualify": Way(
        forms.DisqualifyForm,
        gettext_lazy("Disqualify"),
        gettext_lazy("The pair plays no more. Its open matches are left for you to decide."),
    ),
}
BACK: Final = Way(
    forms.TakeBackForm,
    gettext_lazy("Take the ruling back"),
    gettext_lazy("What stood before it is put back, as a revision of its own."),
)


# -- reading


@require_safe
def rulings_list(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show everything that was ruled in a tournament, to everybody who may see it."""
    page = rulings_page(slug, actor=actor_of(request))
    return page_with_clock(request, "tournaments/rulings.html", {"page": page, "header": page.header})


@never_cache
@login_required
@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a director what was ruled, with the appeals to decide."""
    return _manage_page(request, slug)


@never_cache
@login_required
@require_safe
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a director choose what to rule on."""
    page = queries.choice_page(slug, actor=actor_of(request))
    return page_with_clock(request, "tournaments/ruling_choose.html", {"page": page, "header": page.header})


# -- ruling: choose, look, save


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What is ruled on, as the page shows it."""

    header: TournamentHeader
    names: Mapping[int, Any]
    base: int
    """The revision or version that stands."""
    initial: Mapping[str, Any]
    facts: Mapping[str, Any]
    """What the template shows of it."""
    address: str
    """The name of the address of each way of ruling on it; empty where there is one way only."""
    ways: Mapping[str, Way]


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def on_deal(request: HttpRequest, slug: str, uid: UUID, what: str) -> HttpResponse:
    """Rule on a deal. Scoring's pages lead here: see ``scoring.models.Collection.path``."""
    actor = actor_of(request)
    page = queries.match_page(slug, actor=actor, deal=uid)
    deal = next(line for line in page.deals if line.uid == uid)
    outcome = ("winner", "award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew")
    subject = _Subject(
        header=page.header,
        names=page.names,
        base=deal.revision,
        initial={
            **{name: getattr(deal, name) for name in outcome},
            "text": scoring.deal_pcn(uid, actor=actor) if what == "correct" else "",
        },
        facts={"match_page": page, "deal": deal},
        address="tournaments:rule_on_deal",
        ways=OF_A_DEAL,
    )
    return _rule(request, slug, subject, uid, what)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def on_match(request: HttpRequest, slug: str, uid: UUID, what: str) -> HttpResponse:
    """Rule on a match."""
    page = queries.match_page(slug, actor=actor_of(request), uid=uid)
    courts = page.match.courts
    subject = _Subject(
        header=page.header,
        names=page.names,
        base=page.match.version,
        initial={"courts_ns": courts[0], "courts_ew": courts[1], "by": page.match.forfeit},
        facts={"match_page": page},
        address="tournaments:rule_on_match",
        ways=OF_A_MATCH,
    )
    return _rule(request, slug, subject, uid, what)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def on_entry(request: HttpRequest, slug: str, number: int, what: str) -> HttpResponse:
    """Rule on an entry."""
    page = queries.ruled_entry_page(slug, actor=actor_of(request), number=number)
    subject = _Subject(
        header=page.header,
        names=page.names,
        base=page.version,
        initial={"penalty": page.entry.penalty},
        facts={"ruled_entry": page.entry},
        address="tournaments:rule_on_entry",
        ways=OF_AN_ENTRY,
    )
    return _rule(request, slug, subject, number, what)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def take_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a ruling back."""
    page = rulings_page(slug, actor=actor_of(request), action=Action.RULE)
    line = _line_of(page.rulings, number)
    subject = _Subject(
        header=page.header,
        names={entry.number: entry.pair for entry in page.entries},
        base=line.number,
        initial={"law": line.law},
        facts={"line": line},
        address="",
        ways={"back": BACK},
    )
    return _rule(request, slug, subject, number, "back")


def _rule(request: HttpRequest, slug: str, subject: _Subject, target: UUID | int, what: str) -> HttpResponse:
    """Show what a ruling would bring, and save it when that was seen."""
    way = subject.ways.get(what)
    if way is None:
        raise NotFound
    form = way.form(
        request.POST.copy() if request.method == "POST" else None,
        target=target,
        is_preview="save" not in request.POST,
        initial={**subject.initial, "base": subject.base},
    )
    if match_page := subject.facts.get("match_page"):
        match = match_page.match
        form.name_teams({"NS": match.ns.pair.name, "EW": match.ew.pair.name})
    facts: dict[str, Any] = {
        **subject.facts,
        "header": subject.header,
        "form": form,
        "way": way,
        "tabs": _tabs(slug, subject, target, what),
    }
    if not form.is_valid():
        return page_with_clock(request, "tournaments/ruling_new.html", facts)
    try:
        if "save" in request.POST and form.cleaned_data["seen"] == _print_of(form):
            return _saved(request, slug, form)
        _look(request, slug, subject, form, facts)
    except Refused as refusal:
        _made_on_what_stands(form, subject, refusal)
        status = HTTPStatus.CONFLICT if isinstance(refusal, Conflict) else HTTPStatus.UNPROCESSABLE_ENTITY
        facts["refusal"] = refusal
        return page_with_clock(request, "tournaments/ruling_new.html", facts, status=status)
    return page_with_clock(request, "tournaments/ruling_new.html", facts)


def _look(
    request: HttpRequest, slug: str, subject: _Subject, form: RulingForm, facts: dict[str, Any]
) -> None:
    """Add the preview to the page, and to the form what it was of."""
    effect = rulings.preview_ruling(
        actor=actor_of(request), slug=slug, new=form.new_ruling(), at=timezone.now()
    )
    facts["effect"] = shown_effect(effect, subject.names)
    facts["was_changed"] = "save" in request.POST
    _put(form, seen=_print_of(form))


def _saved(request: HttpRequest, slug: str, form: RulingForm) -> HttpResponse:
    number = rulings.make_ruling(
        actor=actor_of(request), slug=slug, new=form.new_ruling(), at=timezone.now(), act_id=form.act_id
    )
    messages.success(request, _("Ruling %(number)d is saved.") % {"number": number})
    return redirect(f"{reverse('tournaments:rulings_manage', args=[slug])}#ruling-{number}")


def _print_of(form: RulingForm) -> str:
    """Return what stands for a decision: another than the one that was looked at is shown before it is saved."""
    return sha256(repr(form.decision()).encode()).hexdigest()


def _made_on_what_stands(form: RulingForm, subject: _Subject, refusal: Refused) -> None:
    """After a conflict let the form be made on what stands now, which the page shows, and be looked at again."""
    if isinstance(refusal, Conflict):
        _put(form, base=str(subject.base), act=str(uuid4()), seen="")


def _put(form: RulingForm, **values: str) -> None:
    data = cast(QueryDict, form.data)  # a copy of what was sent, so that it can be changed
    for name, value in values.items():
        data[name] = value


def _tabs(slug: str, subject: _Subject, target: UUID | int, what: str) -> list[tuple[str, Promise, bool]]:
    """Return the ways of ruling on it, with their addresses and whether they are here."""
    if not subject.address:
        return []
    return [
        (reverse(subject.address, args=[slug, target, name]), way.title, name == what)
        for name, way in subject.ways.items()
    ]


# -- appeals


@login_required
@require_POST
def lodge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write down that a pair appeals."""
    page = rulings_page(slug, actor=actor_of(request), action=Action.RULE)
    form = AppealForm(request.POST, entries=page.entries)

    def save() -> None:
        appeals.lodge_appeal(
            actor=actor_of(request),
            slug=slug,
            ruling=number,
            entry=form.cleaned_data["entry"],
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
            act_id=form.act_id,
        )
        messages.success(request, _("The appeal is written down."))

    return _done(request, slug, number, form, save)


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Decide an appeal."""
    form = AppealDecisionForm(request.POST)

    def save() -> None:
        footnote = appeals.decide_appeal(
            actor=actor_of(request),
            slug=slug,
            ruling=number,
            outcome=form.cleaned_data["outcome"],
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
            act_id=form.act_id,
        )
        messages.success(
            request,
            _("The appeal is decided.")
            if footnote is None
            else _("The appeal is allowed: ruling %(number)d takes it back.") % {"number": footnote},
        )

    return _done(request, slug, number, form, save)


def _done(
    request: HttpRequest,
    slug: str,
    number: int,
    form: AppealForm | AppealDecisionForm,
    save: Callable[[], None],
) -> HttpResponse:
    """Save it and go back to the list, or show the list with what was wrong."""
    if form.is_valid():
        with refusals_in(form):
            save()
            return redirect(f"{reverse('tournaments:rulings_manage', args=[slug])}#ruling-{number}")
    return _manage_page(request, slug, bound=(number, form), status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _manage_page(
    request: HttpRequest,
    slug: str,
    bound: tuple[int, AppealForm | AppealDecisionForm] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    page = rulings_page(slug, actor=actor_of(request), action=Action.RULE)
    now = timezone.now()
    number, form = bound or (0, None)

    def form_of(line: RulingLine) -> AppealForm | AppealDecisionForm | None:
        if form is not None and line.number == number:
            return form
        if line.has_open_appeal:
            return AppealDecisionForm(auto_id=f"decide-{line.number}-%s")
        ruled = [line.match.ns.number, line.match.ew.number] if line.match else []
        return AppealForm(entries=page.entries, first=ruled, auto_id=f"appeal-{line.number}-%s")

    facts = {
        "page": page,
        "header": page.header,
        "lines": [
            (line, form_of(line), line.can_be_appealed(now), form is not None and line.number == number)
            for line in reversed(page.rulings)
        ],
    }
    return page_with_clock(request, "tournaments/rulings_manage.html", facts, status=status)


def _line_of(lines: tuple[RulingLine, ...], number: int) -> RulingLine:
    line = next((line for line in lines if line.number == number), None)
    if line is None:
        raise NotFound
    return line
