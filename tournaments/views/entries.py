"""The list of entries: as everybody reads it, as players ask for a place, and as a director fills it."""

from collections import defaultdict
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from scoring.names import NearDuplicate
from tournaments import queries
from tournaments.errors import NearNames
from tournaments.forms.entries import AnswerForm, AskForm, Decisions, PairForm, act_of
from tournaments.operations import entries
from tournaments.views.wall import page_with_clock


@require_safe
def public_entries(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show who plays."""
    page = queries.public_entry_list(slug, actor=actor_of(request))
    return page_with_clock(request, "tournaments/entries_page.html", {"page": page, "header": page.header})


@login_required
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a place for oneself and a partner, and see what became of it."""
    actor = actor_of(request)
    page = queries.ask_page(slug, actor=actor)
    form = AskForm(request.POST or None, initial={"own_name": page.own_name})
    form.fields["own_name"].disabled = page.is_known
    if form.is_valid():
        data = form.cleaned_data
        try:
            entries.ask_to_play(
                actor=actor,
                slug=slug,
                own_name=data["own_name"],
                partner=data["partner"],
                note=data["note"],
                act_id=act_of(form),
                at=timezone.now(),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("You asked for a place. A director of the club answers."))
            return redirect("tournaments:entries_ask", slug=slug)
    facts = {"page": page, "header": page.header, "form": form}
    return TemplateResponse(request, "tournaments/entries_ask.html", facts, status=status_of(form))


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back what one asked for."""
    entries.take_back_request(actor=actor_of(request), slug=slug, at=timezone.now())
    messages.success(request, _("You do not ask for a place any more."))
    return redirect("tournaments:entries_ask", slug=slug)


# -- a director


@login_required
@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the list as a director works on it; without JavaScript the search is a step of its own."""
    typed = request.GET.get("pair", "")
    form = PairForm(initial={"pair": typed})
    return desk(request, slug, form=form, typed=typed)


@never_cache
@login_required
@require_safe
def search(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which pairs what was typed may become; after one was picked, the field with it."""
    actor = actor_of(request)
    typed = request.GET.get("pair", "")[:200]
    suggestions = queries.suggest_pairs(slug, typed, actor=actor)
    facts: dict[str, Any] = {"slug": slug, "suggestions": suggestions, "typed": typed}
    if "pick" not in request.GET:
        return TemplateResponse(request, "tournaments/entries_suggestions.html", facts)
    facts["form"] = PairForm(initial={"pair": typed})
    return TemplateResponse(request, "tournaments/entries_field.html", {**facts, "picked": True})


@login_required
@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a pair."""
    actor = actor_of(request)
    queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    form = PairForm(request.POST)
    near: tuple[NearDuplicate, ...] = ()
    if form.is_valid():
        decisions = Decisions.of(request.POST)
        try:
            numbers = entries.take_entries(
                actor=actor,
                slug=slug,
                pairs=[decisions.applied(form.new_pair())],
                others=decisions.others,
                act_id=act_of(form),
                at=timezone.now(),
            )
        except NearNames as refused:
            near = refused.near
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, entered(numbers))
            return redirect("tournaments:entries_manage", slug=slug)
    return desk(request, slug, form=form, near=near)


@login_required
@require_POST
def answer(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Accept a pair that asked to play, or do not."""
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return desk(request, slug, refused=form)
    accepted = form.cleaned_data["answer"] == "accept"
    try:
        entries.answer_request(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            accept=accepted,
            version=form.cleaned_data["version"],
            act_id=act_of(form),
            at=timezone.now(),
        )
    except Refused as refused:
        refuse(form, refused)
        return desk(request, slug, refused=form)
    messages.success(request, _("The pair plays.") if accepted else _("The pair was not accepted."))
    return redirect("tournaments:entries_manage", slug=slug)


def desk(
    request: HttpRequest,
    slug: str,
    *,
    form: PairForm | None = None,
    near: Iterable[NearDuplicate] = (),
    typed: str = "",
    refused: Form | None = None,
) -> HttpResponse:
    """Show the list as a director works on it."""
    actor = actor_of(request)
    page = queries.entry_list(slug, actor=actor)
    facts: dict[str, Any] = {
        "page": page,
        "header": page.header,
        "slug": slug,
        "form": form or PairForm(),
        "near": by_name(near),
        "typed": typed,
        "suggestions": queries.suggest_pairs(slug, typed, actor=actor) if typed else (),
        "requests": [(one, uuid4()) for one in page.requests],
        "declined": [(one, uuid4()) for one in page.declined],
        "refused": refused,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if facts["near"] else status_of(refused or facts["form"])
    return page_with_clock(request, "tournaments/entries.html", facts, status=status)


# -- what the pages of entries share


def entered(numbers: tuple[int, ...]) -> str:
    """Return what is said of pairs that entered."""
    text = ngettext(
        "Entered, with number %(first)d.", "%(count)d pairs entered, from number %(first)d.", len(numbers)
    )
    return text % {"count": len(numbers), "first": min(numbers, default=0)}


def by_name(near: Iterable[NearDuplicate]) -> list[tuple[str, list[str]]]:
    """Return each new name with the known ones that it nearly is."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for one in near:
        found[one.name].append(one.existing)
    return list(found.items())


def refuse(form: Form, refused: Refused) -> None:
    """Put what an operation refuses beside the field at fault, and keep what kind of refusal it is."""
    form.add_error(refused.field if refused.field in form.fields else None, str(refused))
    form.conflict = isinstance(refused, Conflict)  # type: ignore[attr-defined]  # read by status_of


def status_of(form: Form) -> int:
    """Return the status of a page with this form: 409 where something stood against it, 422 where it was refused."""
    if not form.is_bound or not form.errors:
        return HTTPStatus.OK
    return HTTPStatus.CONFLICT if getattr(form, "conflict", False) else HTTPStatus.UNPROCESSABLE_ENTITY
