"""What is done with the whole list: seeds, and who is there."""

import secrets
from collections.abc import Mapping
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Refused
from tournaments import queries
from tournaments.domain.entering import MOST_ENTRIES
from tournaments.errors import ChangedMeanwhile
from tournaments.forms.entries import ActForm, CheckInForm, SeedsForm, act_of
from tournaments.operations import check_in, seeding
from tournaments.operations.seeding import SeedingMethod
from tournaments.queries import EntryList
from tournaments.views.entries import refuse, status_of
from tournaments.views.wall import page_with_clock

LARGEST_DRAW = 1_000_000
"""Numbers that people can read out; what is drawn from is no secret."""


@login_required
@require_http_methods(["GET", "POST"])
def seeds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seeds, and give others."""
    actor = actor_of(request)
    page = queries.entry_list(slug, actor=actor)
    form = SeedsForm(request.POST or None, initial={"version": page.version})
    if form.is_valid():
        data = form.cleaned_data
        method, given = _asked(request, page, data["method"])
        drawn = data["draw_seed"] if data["draw_seed"] is not None else secrets.randbelow(LARGEST_DRAW)
        try:
            seeding.seed_entries(
                actor=actor,
                slug=slug,
                method=method,
                given=given,
                draw_seed=drawn if method is SeedingMethod.DRAW else None,
                version=data["version"],
                act_id=act_of(form),
                at=timezone.now(),
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("The seeds are given."))
            return redirect("tournaments:entries_seeds", slug=slug)
    shown = form
    if form.is_bound:
        page = queries.entry_list(slug, actor=actor)
        shown = SeedsForm(initial={"version": page.version})
    facts = {"page": page, "header": page.header, "form": shown, "refused": form if form.errors else None}
    return page_with_clock(request, "tournaments/entries_seeds.html", facts, status=status_of(form))


def _asked(
    request: HttpRequest, page: EntryList, method: str
) -> tuple[SeedingMethod, Mapping[int, int | None]]:
    """Return the method, and by hand the seeds: as they were typed, or with one entry a place up or down."""
    if moved := request.POST.get("move", ""):
        return SeedingMethod.HAND, _moved(page, moved)
    given = {one.number: _typed(request.POST.get(f"seed-{one.number}", "")) for one in page.active}
    return SeedingMethod(method or SeedingMethod.HAND), given if method in {"", SeedingMethod.HAND} else {}


def _moved(page: EntryList, asked: str) -> Mapping[int, int | None]:
    """Return the seeds with one entry a place up (``up-7``) or down."""
    order = [one.number for one in page.by_seed]
    way, _dash, text = asked.partition("-")
    number = _typed(text)
    if number in order:
        place = order.index(number)
        to = min(max(place + (-1 if way == "up" else 1), 0), len(order) - 1)
        order.insert(to, order.pop(place))
    return {number: place for place, number in enumerate(order, start=1)}


def _typed(text: str) -> int | None:
    """Return the number that was typed; what is none is as if nothing was."""
    digits = text.strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(MOST_ENTRIES)) + 1
    return int(digits) or None if is_number else None


# -- who is there


@never_cache
@login_required
@require_safe
def room(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who is checked in; to htmx only the part that changes."""
    page = queries.entry_list(slug, actor=actor_of(request))
    part = bool(request.headers.get("HX-Request"))
    name = "tournaments/entries_here.html" if part else "tournaments/entries_check_in.html"
    return page_with_clock(request, name, {"page": page, "header": page.header, "act": uuid4()})


@login_required
@require_POST
def check(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say that a pair is there, or take it back."""
    form = CheckInForm(request.POST)
    refused = ""
    if form.is_valid():
        try:
            check_in.check_in(
                actor=actor_of(request),
                slug=slug,
                entry=number,
                is_there=form.cleaned_data["is_there"],
                version=form.cleaned_data["version"],
                at=timezone.now(),
            )
        except ChangedMeanwhile as changed:
            refused = str(changed)
    else:
        queries.entry_list(slug, actor=actor_of(request))
        refused = _("This was not sent as the page sends it. Tap once more.")
    return _room_again(request, slug, refused)


@login_required
@require_POST
def absent(request: HttpRequest, slug: str) -> HttpResponse:
    """Say of all who are not checked in that they are not there."""
    form = ActForm(request.POST)
    act = act_of(form) if form.is_valid() else None
    numbers = check_in.mark_absent(actor=actor_of(request), slug=slug, act_id=act, at=timezone.now())
    text = ngettext(
        "%(count)d pair is marked as not there.", "%(count)d pairs are marked as not there.", len(numbers)
    )
    messages.success(request, text % {"count": len(numbers)})
    return redirect("tournaments:entries_check_in", slug=slug)


@login_required
@require_POST
def clear(request: HttpRequest, slug: str) -> HttpResponse:
    """Take every check-in back."""
    form = ActForm(request.POST)
    act = act_of(form) if form.is_valid() else None
    check_in.clear_check_in(actor=actor_of(request), slug=slug, act_id=act, at=timezone.now())
    messages.success(request, _("Nobody is checked in now."))
    return redirect("tournaments:entries_check_in", slug=slug)


def _room_again(request: HttpRequest, slug: str, refused: str) -> HttpResponse:
    if request.headers.get("HX-Request"):
        page = queries.entry_list(slug, actor=actor_of(request))
        facts = {"page": page, "header": page.header, "refused": refused, "act": uuid4()}
        return TemplateResponse(request, "tournaments/entries_here.html", facts)
    if refused:
        messages.error(request, refused)
    return redirect("tournaments:entries_check_in", slug=slug)
