"""The links by which tables send their deals: the director's page of them."""

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.permissions import Action, Actor, actor_of
from courtpiece.accounts.refusals import Refused
from tournaments import queries
from tournaments.forms.links import ExtendForm, LinkForm, SessionForm
from tournaments.forms.room import new_act
from tournaments.operations import links as operations

REVOKE: Final = "revoke"


@never_cache
@login_required
@require_safe
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every table with its link."""
    page = queries.links_page(slug, actor=actor_of(request), now=timezone.now())
    origin = settings.SITE_ORIGIN or request.build_absolute_uri("/").rstrip("/")
    facts = {"page": page, "header": page.header, "origin": origin, "act": new_act()}
    return TemplateResponse(request, "tournaments/links.html", facts)


@login_required
@require_POST
def make_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the links that are missing in a session."""
    actor = _director(request, slug)
    form = SessionForm(request.POST)
    if form.is_valid():
        try:
            made = operations.make_table_links(
                actor=actor, slug=slug, session=form.cleaned_data["session"], at=timezone.now()
            )
            told = ngettext("%(count)d link is made.", "%(count)d links are made.", made) % {"count": made}
            messages.success(request, told if made else _("Every table has its link."))
        except Refused as refusal:
            messages.warning(request, str(refusal))
    return _back(request, slug, form)


@login_required
@require_POST
def extend_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the links of a session take deals for longer."""
    actor = _director(request, slug)
    form = ExtendForm(request.POST)
    if form.is_valid():
        try:
            operations.extend_table_links(
                actor=actor,
                slug=slug,
                session=form.cleaned_data["session"],
                act_id=form.cleaned_data["act"],
                at=timezone.now(),
            )
            messages.success(
                request, _("The links of session %(session)d take deals again.") % form.cleaned_data
            )
        except Refused as refusal:
            messages.warning(request, str(refusal))
    return _back(request, slug, form)


@login_required
@require_POST
def change_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke the link of a table, or give it a new one."""
    actor = _director(request, slug)
    form = LinkForm(request.POST)
    if form.is_valid():
        try:
            messages.success(request, _change(actor, slug, form))
        except Refused as refusal:
            messages.warning(request, str(refusal))
    return _back(request, slug, form)


def _change(actor: Actor, slug: str, form: LinkForm) -> str:
    """Do what the form asks for, and return what is told of it."""
    data = form.cleaned_data
    change = operations.revoke_table_link if data["do"] == REVOKE else operations.renew_table_link
    change(
        actor=actor,
        slug=slug,
        session=data["session"],
        table=data["table"],
        act_id=data["act"],
        at=timezone.now(),
    )
    told = (
        _("The link of table %(table)s is revoked. Nothing more is taken by it.")
        if data["do"] == REVOKE
        else _("Table %(table)s has a new link. The old one is revoked: print the new one, or show it.")
    )
    return told % {"table": data["table"]}


def _director(request: HttpRequest, slug: str) -> Actor:
    """Return who asks.

    :raises Forbidden: if they may not run the tournament, whatever they sent.
    """
    actor = actor_of(request)
    queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return actor


def _back(request: HttpRequest, slug: str, form: SessionForm) -> HttpResponse:
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))
    return redirect("tournaments:links", slug=slug)
