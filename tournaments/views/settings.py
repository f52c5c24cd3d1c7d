"""The pages on which a tournament is made, filled and changed."""

import time
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.forms import refusals_in
from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.engine.rules import NAMED
from tournaments import queries
from tournaments.evenings import UPLOAD_LIMITS, UploadedFile
from tournaments.forms.settings import (
    DescriptionForm,
    PenaltyForm,
    ScoringForm,
    StatusForm,
    TournamentForm,
    UploadForm,
)
from tournaments.operations import creating, evenings, running

SECONDS_FOR_AN_UPLOAD: Final = 20


@login_required
@require_http_methods(["GET", "POST"])
def tournament_create(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a tournament in a club."""
    actor = actor_of(request)
    club_line = queries.club_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    form = TournamentForm(request.POST or None)
    if form.is_valid():
        with refusals_in(form):
            made = creating.create_tournament(
                actor=actor,
                club_id=club_line.id,
                new=form.new_tournament(),
                pairs=form.cleaned_data["pairs"],
                cycles=form.cleaned_data["cycles"],
                at=timezone.now(),
            )
            messages.success(request, _("The tournament was made."))
            return redirect("tournaments:tournament", slug=made.slug)
    return TemplateResponse(
        request, "tournaments/create.html", {"club": club_line, "form": form, "rules": tuple(NAMED)}
    )


@login_required
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an evening's files, and say what became of every scoresheet in them."""
    actor = actor_of(request)
    header = queries.tournament_header(slug, actor=actor, action=Action.UPLOAD)
    form = UploadForm(request.POST if request.method == "POST" else None)
    facts: dict[str, Any] = {"header": header, "form": form, "limits": UPLOAD_LIMITS}
    if form.is_valid():
        deadline = time.monotonic() + SECONDS_FOR_AN_UPLOAD
        with refusals_in(form):
            facts["report"] = evenings.import_evening(
                actor=actor,
                into=evenings.Destination(tournament=slug),
                files=_received(request),
                finish=not form.cleaned_data["unfinished"],
                at=timezone.now(),
                out_of_time=lambda: time.monotonic() > deadline,
            )
    return TemplateResponse(request, "tournaments/upload.html", facts)


@login_required
@require_safe
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a director can change of a tournament."""
    return _settings_page(request, slug)


@login_required
@require_POST
def change_description(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a tournament is called and who sees it."""
    form = DescriptionForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            running.change_tournament(
                actor=actor_of(request), slug=slug, at=timezone.now(), **form.cleaned_data
            )
            return _saved(request, slug)
    return _settings_page(request, slug, description=form)


@login_required
@require_POST
def change_status(request: HttpRequest, slug: str) -> HttpResponse:
    """Say how sure the standings are."""
    form = StatusForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            running.set_status(actor=actor_of(request), slug=slug, at=timezone.now(), **form.cleaned_data)
            return _saved(request, slug)
    return _settings_page(request, slug, status=form)


@login_required
@require_POST
def change_scoring(request: HttpRequest, slug: str) -> HttpResponse:
    """Change how the standings are made."""
    form = ScoringForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            running.change_regulations(
                actor=actor_of(request),
                slug=slug,
                scheme=form.scheme(),
                reason=form.cleaned_data["reason"],
                at=timezone.now(),
            )
            return _saved(request, slug)
    return _settings_page(request, slug, scoring=form)


@login_required
@require_POST
def change_penalty(request: HttpRequest, slug: str) -> HttpResponse:
    """Take points from an entry, or give them back."""
    actor = actor_of(request)
    page = queries.manage_page(slug, actor=actor)
    form = PenaltyForm(request.POST, entries=page.entries)
    if form.is_valid():
        with refusals_in(form):
            running.set_penalty(actor=actor, slug=slug, at=timezone.now(), **form.cleaned_data)
            return _saved(request, slug)
    return _settings_page(request, slug, penalty=form)


def _saved(request: HttpRequest, slug: str) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("tournaments:settings", slug=slug)


def _settings_page(request: HttpRequest, slug: str, **bound: Form) -> HttpResponse:
    page = queries.manage_page(slug, actor=actor_of(request))
    header = page.header
    forms = {
        "description": DescriptionForm(initial={"name": header.name, "visibility": header.visibility}),
        "status": StatusForm(initial={"status": header.status}),
        "scoring": ScoringForm(initial=ScoringForm.initial_of(header.scheme)),
        "penalty": PenaltyForm(entries=page.entries),
        **bound,
    }
    facts = {"page": page, "header": header, "forms": forms}
    return TemplateResponse(request, "tournaments/settings.html", facts)


def _received(request: HttpRequest) -> list[UploadedFile]:
    """Return the files, of one that is too long only as much as shows it."""
    files = request.FILES.getlist("files")
    return [UploadedFile(file.name or "", file.read(UPLOAD_LIMITS.file_bytes + 1)) for file in files]
