"""Scoresheets, deals and the people who played them: scoring's pages of them."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from scoring import operations, queries
from scoring.forms import OUTCOME, ChangeForm, CorrectionForm, RecordForm, RulingForm, VoidForm

FILES: Final = {"pcn": "text/vnd.courtpiece.pcn; charset=utf-8", "pbn": "application/x-pbn; charset=utf-8"}
"""The media types of the files, by how their names end."""
LARGEST_NUMBER: Final = 9999
MOST_DIGITS: Final = 9
"""Of a page or a step in an address; what is greater is this."""


@require_GET
def scoresheet(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a scoresheet with its ledger, and what stands above it."""
    now = timezone.now()
    page = queries.scoresheet_page(uid, actor=actor_of(request), now=now)
    facts = {**queries.facts_above(uid, now=now), "page": page, "header": page.header}
    return TemplateResponse(request, "scoring/scoresheet.html", facts)


@require_GET
def scoresheet_pcn(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give a scoresheet's deals as a file."""
    text = queries.scoresheet_pcn(uid, actor=actor_of(request), now=timezone.now())
    return file_answer(text, name=f"scoresheet-{uid}")


@require_GET
def deal(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a deal, its replay at the step that the address asks for."""
    at = number_asked(request, "at", 0)
    actor, now = actor_of(request), timezone.now()
    page = queries.deal_page(uid, actor=actor, at=at, now=now)
    facts = {
        "page": page,
        "header": page.header,
        "origin": origin_of(request),
        "analysis": queries.deal_analysis(uid, actor=actor, now=now),
    }
    return TemplateResponse(request, "scoring/deal.html", facts)


@require_GET
def deal_pcn(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give a deal's record as a file."""
    text = queries.deal_pcn(uid, actor=actor_of(request), now=timezone.now())
    return file_answer(text, name=f"deal-{uid}")


def number_asked(request: HttpRequest, name: str, default: int) -> int:
    """Return the number that the address gives, or the default where it gives none."""
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdigit()):
        return default
    return min(int(text[:MOST_DIGITS]), LARGEST_NUMBER)


def file_answer(text: str, *, name: str, form: str = "pcn") -> HttpResponse:
    """Return a file in PCN or another form of ``FILES``, to be saved under that name."""
    answer = HttpResponse(text, content_type=FILES[form])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return answer


def origin_of(request: HttpRequest) -> str:
    """Return what the addresses that are given away begin with."""
    origin: str = settings.SITE_ORIGIN or request.build_absolute_uri("/").rstrip("/")
    return origin


# -- writing


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def record(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Record one more deal of a scoresheet."""
    actor = actor_of(request)
    page = queries.record_page(uid, actor=actor)
    form = RecordForm(request.POST or None, initial={"text": page.proposal})
    facts: dict[str, Any] = {"page": page, "header": page.header, "form": form}
    if form.is_valid():
        try:
            answer = operations.record_deal(
                actor=actor,
                scoresheet_id=page.scoresheet_id,
                text=form.cleaned_data["text"],
                operation_id=form.operation,
                ruling=form.given_ruling,
                at=timezone.now(),
            )
        except Refused as refusal:
            return _refused(request, "scoring/record.html", facts, refusal)
        messages.success(request, _("Deal %(number)d is recorded.") % {"number": answer.number})
        return redirect("scoring:scoresheet", uid=uid)
    return TemplateResponse(request, "scoring/record.html", facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What a page on which a director changes a deal says."""

    title: str
    lede: str
    button: str
    done: str


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Put another record in the place of a deal's."""
    words = _Words(
        title=_("Correct the deal"),
        lede=_("The record that stands stays in the deal's history, and the correction is shown as one."),
        button=_("Save the correction"),
        done=_("The correction is saved, and everything after the deal was derived anew."),
    )
    return _change(request, uid, CorrectionForm, Action.CORRECT_DEAL, words, "correct")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def void(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Make a deal void."""
    words = _Words(
        title=_("Void the deal"),
        lede=_("Nobody wins it, it scores nothing, and the same dealer deals again. Its record stays."),
        button=_("Void it"),
        done=_("The deal is void, and everything after it was derived anew."),
    )
    return _change(request, uid, VoidForm, Action.CORRECT_DEAL, words, "void")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def rule(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Put a director's decision above what the engine found."""
    words = _Words(
        title=_("Rule on the deal"),
        lede=_("A ruling stands above what the engine found. Both are shown, with the reason."),
        button=_("Save the ruling"),
        done=_("The ruling is saved, and everything after the deal was derived anew."),
    )
    return _change(request, uid, RulingForm, Action.RULE, words, "rule")


def _change(
    request: HttpRequest, uid: UUID, form_class: type[ChangeForm], action: Action, words: _Words, what: str
) -> HttpResponse:
    """Show what a change would bring, and on the second pressing of a button write it.

    A deal of a collection that has a page is changed there, with everything that depends on it: scoring knows no more
    of that page than its address (``models.Collection.path``).
    """
    actor = actor_of(request)
    page = queries.change_page(uid, actor=actor, action=action)
    collection = page.header.collection
    if collection is not None and collection.path:
        return redirect(collection.address_of_change(uid, what))
    initial = {"base_revision": page.line.revision, "text": page.pcn}
    initial |= {name: getattr(page.line, name) for name in OUTCOME}
    form = form_class(request.POST or None, initial=initial, is_preview="save" not in request.POST)
    facts: dict[str, Any] = {"page": page, "header": page.header, "form": form, "words": words}
    if form.is_valid():
        try:
            if "save" in request.POST:
                _save(request, uid, form)
                messages.success(request, words.done)
                return redirect("scoring:deal", uid=uid)
            facts["preview"] = queries.preview_change(uid, form.change(), actor=actor)
        except Refused as refusal:
            form.show(refusal)
            return _refused(request, "scoring/change.html", facts, refusal)
    return TemplateResponse(request, "scoring/change.html", facts)


def _save(request: HttpRequest, uid: UUID, form: ChangeForm) -> None:
    operations.change_deal(
        actor=actor_of(request),
        deal_uid=uid,
        base_revision=form.cleaned_data["base_revision"],
        change=form.change(),
        operation_id=form.operation,
        at=timezone.now(),
    )


def _refused(request: HttpRequest, template: str, facts: dict[str, Any], refusal: Refused) -> HttpResponse:
    """Show the form again, with what was wrong."""
    status = HTTPStatus.CONFLICT if isinstance(refusal, Conflict) else HTTPStatus.UNPROCESSABLE_ENTITY
    return TemplateResponse(request, template, facts | {"refusal": refusal}, status=status)
