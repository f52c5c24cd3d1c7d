"""The pages from which a director runs an evening: what comes next, the room, its clock."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.refusals import Refused
from tournaments import queries
from tournaments.errors import DealsDisputed, FewerThanAgreed
from tournaments.forms.room import ClockForm, MatchStateForm, new_act
from tournaments.operations import clocks, matches
from tournaments.publishing import milliseconds

MOST_DIGITS: Final = 4
"""Of the number of a round in an address."""
ATTENTION: Final = "attention"
BACK: Final = {"room": "tournaments:room", "run": "tournaments:manage"}
"""Where one comes back to after a button, by what the page says of itself."""


@never_cache
@login_required
@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the evening is, and the one thing to do next."""
    page = queries.run_page(slug, actor=actor_of(request), now=timezone.now())
    facts = {"page": page, "header": page.header, "clock": page.clock, "act": new_act(), "back": "run"}
    return TemplateResponse(request, "tournaments/run.html", facts)


@never_cache
@login_required
@require_safe
def room(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every table of a round."""
    number = _number(request.GET.get("round", ""))
    page = queries.room_page(slug, actor=actor_of(request), now=timezone.now(), round_number=number)
    wanted = request.GET.get("show") == ATTENTION
    facts = {
        "page": page,
        "header": page.header,
        "clock": page.clock,
        "act": new_act(),
        "back": "room",
        "only_doubts": wanted,
        "tables": page.in_doubt if wanted else page.tables,
    }
    return TemplateResponse(request, "tournaments/room.html", facts)


@never_cache
@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the clock alone, for the hall."""
    page = queries.clock_page(slug, actor=actor_of(request), now=timezone.now())
    facts = {"page": page, "header": page.header, "clock": page.clock}
    return TemplateResponse(request, "tournaments/clock_hall.html", facts)


@never_cache
@require_safe
def clock_now(request: HttpRequest, slug: str) -> JsonResponse:
    """Say how the clock runs and what time it is here: a page measures by it how wrong its device is."""
    now = timezone.now()
    news = queries.clock_news(slug, actor=actor_of(request), now=now)
    return JsonResponse({**(news.as_message() if news else {}), "now": milliseconds(timezone.now())})


@login_required
@require_POST
def turn_clock(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Start, pause, lengthen or end the clock of a round, or call the last deal."""
    actor = actor_of(request)
    queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    form = ClockForm(request.POST)
    if form.is_valid():
        try:
            clocks.turn_clock(
                actor=actor,
                slug=slug,
                round_number=number,
                turn=form.turn(),
                act_id=form.cleaned_data["act"],
                at=timezone.now(),
            )
        except Refused as refusal:
            messages.warning(request, str(refusal))
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))
    return _back(request, slug)


@login_required
@require_POST
def match_state(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Say that a match is finished, open again or void."""
    form = MatchStateForm(request.POST)
    data = form.cleaned_data if form.is_valid() else {}
    try:
        slug = matches.set_match_state(
            actor=actor_of(request),
            uid=uid,
            state=data.get("state", ""),
            version=_number(request.GET.get("version", ""))
            if data.get("version") is None
            else data["version"],
            act_id=data.get("act"),
            even_short=data.get("even_short", False),
            at=timezone.now(),
        )
    except (FewerThanAgreed, DealsDisputed) as refusal:
        messages.warning(request, str(refusal))
        return redirect(f"{reverse('tournaments:results', args=[uid])}?finish=1")
    except Refused as refusal:
        messages.warning(request, str(refusal))
        slug = matches.slug_of_match(uid)
    else:
        if said := _DONE.get(data.get("state", "")):
            messages.success(request, str(said))
    return _back(request, slug)


@login_required
@require_safe
def find_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to the results of the table or the slip that was typed."""
    place = request.GET.get("place", "")[:40]
    number = _number(request.GET.get("round", ""))
    try:
        uid = queries.find_match(slug, place, actor=actor_of(request), round_number=number)
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("tournaments:room", slug=slug)
    return redirect("tournaments:results", uid=uid)


_DONE: Final[Mapping[str, Promise]] = {
    "open": gettext_lazy("The match is open again."),
    "finished": gettext_lazy("The match is finished."),
    "void": gettext_lazy("The match is void."),
}


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    """Return to the page that the button was on."""
    page = BACK.get(request.POST.get("back", ""), "tournaments:tournament")
    answer = redirect(page, slug=slug)
    number = _number(request.POST.get("round", ""))
    if number is not None and request.POST.get("back") == "room":
        answer["Location"] += f"?round={number}"
    return answer


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
