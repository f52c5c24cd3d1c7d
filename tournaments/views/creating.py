"""The page on which a tournament is made, and what may be tried before it is announced."""

import secrets
from typing import Any, Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from courtpiece.accounts.permissions import Action, Actor, actor_of
from courtpiece.accounts.queries import ClubLine
from courtpiece.accounts.refusals import Refused
from tournaments import queries, sentences
from tournaments.forms.creating import CopyForm, CreationForms, changed_as_asked, read_act
from tournaments.forms.forecast import ForecastForm
from tournaments.operations import creating
from tournaments.presets import PRESETS, Preset
from tournaments.schemes import NewTournament
from tournaments.views.wall import page_with_clock

LOTS: Final = 10**6
"""Seeds of lots are drawn below it, short enough to be read aloud."""
USUAL_ENTRIES: Final = 8
_MAKE, _REVIEW, _FORECAST, _EDIT = "make", "review", "forecast", "edit"


@login_required
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a tournament in a club: begin from one, choose, look it over, make it. Everything is in the forms."""
    actor = actor_of(request)
    club = queries.club_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if request.method == "POST":
        return _sent(request, club, actor)
    preset = PRESETS.get(request.GET.get("preset", ""))
    if preset is not None:
        return _page(request, club, CreationForms.of(preset.new_tournament(), _zone(club)), preset=preset)
    return _start(request, club, actor)


@login_required
@require_safe
def forecast(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the planned tournament many times with matches that nobody played, and say what came of it."""
    made = queries.made_with(slug, actor=actor_of(request))
    form = ForecastForm(request.GET or None, initial={"entries": made.entries or USUAL_ENTRIES})
    facts: dict[str, Any] = {
        "header": made.header,
        "form": form,
        "sentences": sentences.plan_sentences(made.plan),
    }
    if form.is_valid():
        facts["forecast"] = form.forecast(made.plan, made.header.scheme)
    return page_with_clock(request, "tournaments/forecast.html", facts)


def _start(request: HttpRequest, club: ClubLine, actor: Actor) -> HttpResponse:
    """Show what can be begun from; an earlier tournament that was chosen fills the forms."""
    earlier = queries.earlier_tournaments(club.id)
    form = CopyForm(request.GET if "copy" in request.GET else None, tournaments=earlier)
    if form.is_valid():
        copied, starts_on, with_pairs = form.chosen()
        zone = _zone(club)
        copy = queries.copy_of(
            copied, actor=actor, club_id=club.id, zone=zone, starts_on=starts_on, with_pairs=with_pairs
        )
        return _page(request, club, CreationForms.of(copy.new, zone, pairs="\n".join(copy.pairs)))
    facts = {"club": club, "presets": PRESETS.values(), "form": form, "has_earlier": bool(earlier)}
    return TemplateResponse(request, "tournaments/create_start.html", facts)


def _sent(request: HttpRequest, club: ClubLine, actor: Actor) -> HttpResponse:
    do = request.POST.get("do", _REVIEW)
    zone = _zone(club)
    if do not in {_MAKE, _REVIEW, _FORECAST}:
        data = changed_as_asked(request.POST, do)
        return _page(request, club, CreationForms.sent(data, zone, checked=False))
    forms = CreationForms.sent(request.POST, zone)
    if not forms.is_valid():
        return _page(request, club, forms)
    new = forms.new_tournament(lots=secrets.randbelow(LOTS))
    if do == _MAKE:
        made = _make(request, club, actor, forms, new)
        return made if made is not None else _page(request, club, forms)
    return _review(request, club, forms, new, tries=do == _FORECAST)


def _make(
    request: HttpRequest, club: ClubLine, actor: Actor, forms: CreationForms, new: NewTournament
) -> HttpResponse | None:
    """Return the way to what was made, None where it was refused: the forms say why."""
    try:
        made = creating.create_tournament(
            actor=actor,
            club_id=club.id,
            new=new,
            pairs=forms.pairs(),
            act_id=_act(request),
            seed=secrets.randbelow(LOTS),
            at=timezone.now(),
        )
    except Refused as refused:
        forms.refuse(refused)
        return None
    messages.success(request, _("The tournament was made."))
    return redirect("tournaments:manage", slug=made.slug)


def _review(
    request: HttpRequest, club: ClubLine, forms: CreationForms, new: NewTournament, *, tries: bool
) -> HttpResponse:
    """Show what was chosen in sentences, and carry it along."""
    assert new.plan is not None
    kept = [pair for pair in forms.kept if pair[0] not in {"lot_seed", "entries"}]
    seed = new.scheme.lot_seed
    form = ForecastForm(
        request.POST if tries else None, initial={"entries": len(forms.pairs()) or USUAL_ENTRIES}
    )
    facts: dict[str, Any] = {
        "club": club,
        "new": new,
        "act": uuid4(),
        "kept": [*kept, ("lot_seed", "" if seed is None else str(seed))],
        "readers": sentences.READERS[new.visibility],
        "rules": list(sentences.rules_sentences(forms.rules())),
        "plan": list(sentences.plan_sentences(new.plan)),
        "scoring": list(sentences.scoring_sentences(new.scheme)),
        "sessions": [(one, one.length and sentences.length_text(one.length)) for one in new.sessions],
        "pairs": forms.pairs(),
        "form": form,
    }
    if tries and form.is_valid():
        facts["forecast"] = form.forecast(new.plan, new.scheme)
    return TemplateResponse(request, "tournaments/create_review.html", facts)


def _page(
    request: HttpRequest, club: ClubLine, forms: CreationForms, *, preset: Preset | None = None
) -> HttpResponse:
    facts = {"club": club, "forms": forms, "preset": preset}
    return TemplateResponse(request, "tournaments/create.html", facts)


def _act(request: HttpRequest) -> UUID:
    return read_act(request.POST.get("act", "")) or uuid4()


def _zone(club: ClubLine) -> ZoneInfo:
    return ZoneInfo(club.timezone or "UTC")
