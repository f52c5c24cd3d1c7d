"""The pages on which a tournament is filled and changed."""

import secrets
import time
from typing import Any, Final
from uuid import uuid4
from zoneinfo import ZoneInfo

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
from courtpiece.accounts.refusals import Conflict
from tournaments import queries, sentences
from tournaments.errors import ChangedMeanwhile, PlanFrozen
from tournaments.evenings import UPLOAD_LIMITS, UploadedFile
from tournaments.forms.creating import EnteringForm, LiveForm, TablesForm, changed_as_asked
from tournaments.forms.plans import SessionForms, again
from tournaments.forms.regulations import ChangedScoringForm, RulesForm
from tournaments.forms.settings import (
    ChangedPlanForm,
    ChangedRulesForm,
    MadeOnForm,
    NameForm,
    ReadersForm,
    UploadForm,
)
from tournaments.operations import creating, evenings, live, running
from tournaments.queries import SettingsPage
from tournaments.schemes import check_ranking, check_tiebreaks
from tournaments.views.wall import page_with_clock

LOTS: Final = 10**6
SECONDS_FOR_AN_UPLOAD: Final = 20


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
                files=_received(request, form.cleaned_data["text"]),
                finish=not form.cleaned_data["unfinished"],
                at=timezone.now(),
                out_of_time=lambda: time.monotonic() > deadline,
            )
            if facts["report"].is_clean:
                facts["form"] = UploadForm()
    return TemplateResponse(request, "tournaments/upload.html", facts)


@login_required
@require_safe
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a director can change of a tournament."""
    return _settings_page(request, slug)


@login_required
@require_POST
def change_description(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a tournament is called."""
    form = NameForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            running.change_tournament(
                actor=actor_of(request), slug=slug, name=form.cleaned_data["name"], at=timezone.now()
            )
            return _saved(request, slug)
    return _settings_page(request, slug, name=form)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Say who sees a tournament."""
    form = ReadersForm(request.POST)
    if form.is_valid():
        visibility = form.cleaned_data["visibility"]
        with refusals_in(form):
            creating.publish_tournament(
                actor=actor_of(request),
                slug=slug,
                visibility=visibility,
                act_id=form.cleaned_data["act"],
                at=timezone.now(),
            )
            messages.success(request, str(sentences.READERS[visibility]))
            return redirect("tournaments:settings", slug=slug)
    return _settings_page(request, slug, readers=form)


@login_required
@require_POST
def change_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the format, until the first round is drawn."""
    form = ChangedPlanForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            try:
                creating.change_plan(
                    actor=actor_of(request),
                    slug=slug,
                    plan=form.plan(),
                    made_on=form.cleaned_data["made_on"],
                    at=timezone.now(),
                )
            except (ChangedMeanwhile, PlanFrozen) as conflict:
                return _as_it_is_now(request, slug, conflict)
            return _saved(request, slug)
    return _settings_page(request, slug, plan=form)


@login_required
@require_POST
def change_sessions(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the sessions; the buttons that add one and drop one only change the page."""
    actor = actor_of(request)
    header = queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    zone = ZoneInfo(header.club.timezone or "UTC")
    do, form = request.POST.get("do", ""), MadeOnForm(request.POST)
    if do:
        shown = SessionForms.sent(changed_as_asked(request.POST, do), zone, checked=False)
        return _settings_page(request, slug, sessions=shown, sessions_made_on=form)
    sessions = SessionForms.sent(request.POST, zone)
    if sessions.is_valid() and form.is_valid():
        with refusals_in(form):
            try:
                creating.change_sessions(
                    actor=actor,
                    slug=slug,
                    sessions=sessions.sessions(),
                    made_on=form.cleaned_data["made_on"],
                    at=timezone.now(),
                )
            except ChangedMeanwhile as conflict:
                return _as_it_is_now(request, slug, conflict)
            return _saved(request, slug)
    return _settings_page(request, slug, sessions=sessions, sessions_made_on=form)


@login_required
@require_POST
def change_entering(request: HttpRequest, slug: str) -> HttpResponse:
    """Say whether players enter by themselves, and how long a ruling can be appealed."""
    form = EnteringForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            creating.change_entering(
                actor=actor_of(request), slug=slug, at=timezone.now(), **form.cleaned_data
            )
            return _saved(request, slug)
    return _settings_page(request, slug, entering=form)


@login_required
@require_POST
def change_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Say whether the other pair confirms each deal, and for how long links take deals."""
    form = TablesForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            creating.change_tables(actor=actor_of(request), slug=slug, at=timezone.now(), **form.cleaned_data)
            return _saved(request, slug)
    return _settings_page(request, slug, tables=form)


@login_required
@require_POST
def change_live_delay(request: HttpRequest, slug: str) -> HttpResponse:
    """Say how late spectators follow the tables."""
    form = LiveForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            live.change_live_delay(actor=actor_of(request), slug=slug, at=timezone.now(), **form.cleaned_data)
            return _saved(request, slug)
    return _settings_page(request, slug, live=form)


@login_required
@require_POST
def change_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the rules."""
    actor = actor_of(request)
    header = queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    form = ChangedRulesForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            running.change_regulations(
                actor=actor,
                slug=slug,
                scheme=header.scheme,
                rules=form.rules(),
                reason=form.cleaned_data["reason"],
                at=timezone.now(),
            )
            return _saved(request, slug)
    return _settings_page(request, slug, rules=form)


@login_required
@require_POST
def change_scoring(request: HttpRequest, slug: str) -> HttpResponse:
    """Change how the standings are made; the buttons that move a tie-break only change the page."""
    actor = actor_of(request)
    header = queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    do = request.POST.get("do", "")
    if do:
        shown = again(ChangedScoringForm, changed_as_asked(request.POST, do))
        return _settings_page(request, slug, scoring=shown)
    form = ChangedScoringForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            scheme = form.scheme(lots=secrets.randbelow(LOTS))
            check_tiebreaks(header.format, scheme)
            check_ranking(header.format, scheme)
            running.change_regulations(
                actor=actor, slug=slug, scheme=scheme, reason=form.cleaned_data["reason"], at=timezone.now()
            )
            return _saved(request, slug)
    return _settings_page(request, slug, scoring=form)


def _as_it_is_now(request: HttpRequest, slug: str, conflict: Conflict) -> HttpResponse:
    """Say what somebody else changed meanwhile above the page, which shows what there is now."""
    messages.error(request, str(conflict))
    return _settings_page(request, slug)


def _saved(request: HttpRequest, slug: str) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("tournaments:settings", slug=slug)


def _settings_page(request: HttpRequest, slug: str, **shown: Form | SessionForms) -> HttpResponse:
    page = queries.settings_page(slug, actor=actor_of(request))
    facts = {
        "page": page.manage,
        "header": page.manage.header,
        "made": page.made,
        "plan": list(sentences.plan_sentences(page.made.plan)),
        "forms": {**_forms(page), **shown},
    }
    return page_with_clock(request, "tournaments/settings.html", facts)


def _forms(page: SettingsPage) -> dict[str, Form | SessionForms]:
    """Return the forms of the page as they are before anything is changed in them."""
    header, made = page.manage.header, page.made
    entering = {"players_may_enter": made.players_may_enter, "appeal_minutes": made.appeal_minutes}
    plan = {**ChangedPlanForm.initial_of(made.plan), "made_on": made.plan_made_on}
    return {
        "name": NameForm(initial={"name": header.name}),
        "readers": ReadersForm(initial={"visibility": header.visibility, "act": uuid4()}),
        "rules": ChangedRulesForm(initial=RulesForm.initial_of(header.rules)),
        "plan": ChangedPlanForm(initial=plan),
        "scoring": ChangedScoringForm(initial=ChangedScoringForm.initial_of(header.scheme)),
        "sessions": SessionForms.of(made.sessions, ZoneInfo(header.club.timezone or "UTC")),
        "sessions_made_on": MadeOnForm(initial={"made_on": made.sessions_made_on}),
        "entering": EnteringForm(initial=entering),
        "tables": TablesForm(initial={"confirmation": made.confirmation, "link_hours": made.link_hours}),
        "live": LiveForm(initial={"live_delay": made.live_delay}),
    }


def _received(request: HttpRequest, text: str) -> list[UploadedFile]:
    """Return the files, of one that is too long only as much as shows it; a text that was pasted is one more."""
    files = request.FILES.getlist("files")
    received = [UploadedFile(file.name or "", file.read(UPLOAD_LIMITS.file_bytes + 1)) for file in files]
    return [*received, UploadedFile(_("the text"), text.encode())] if text else received
