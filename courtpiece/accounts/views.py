"""The pages of accounts and clubs' members."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courtpiece.accounts import operations, queries
from courtpiece.accounts.adapter import remember_language
from courtpiece.accounts.forms import ClubForm, MemberForm, NewClubForm, ProfileForm, TokenForm, refusals_in
from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Refused


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's own account."""
    actor = actor_of(request)
    page = queries.account_page(actor=actor)
    form = ProfileForm(
        request.POST or None, initial={"display_name": page.display_name, "language": page.language}
    )
    if form.is_valid():
        with refusals_in(form):
            operations.change_account(actor=actor, at=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Saved."))
            response = redirect("accounts:profile")
            remember_language(response, form.cleaned_data["language"])
            return response
    return TemplateResponse(request, "accounts/profile.html", {"page": page, "form": form})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List one's own API tokens, and make one: the answer is the only page that ever shows it."""
    actor = actor_of(request)
    form = TokenForm(request.POST or None)
    if form.is_valid():
        with refusals_in(form):
            made = operations.create_token(actor=actor, at=timezone.now(), **form.cleaned_data)
            return _tokens_page(request, {"form": TokenForm(), "made": made})
    return _tokens_page(request, {"form": form})


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke an API token."""
    operations.revoke_token(actor=actor_of(request), token_id=token_id, at=timezone.now())
    messages.success(request, _("The token was revoked."))
    return redirect("accounts:tokens")


@login_required
@require_http_methods(["GET", "POST"])
def club_create(request: HttpRequest) -> HttpResponse:
    """Make a club, and go on to its members."""
    actor = actor_of(request)
    form = NewClubForm(request.POST or None)
    if form.is_valid():
        with refusals_in(form):
            operations.create_club(actor=actor, at=timezone.now(), **form.cleaned_data)
            messages.success(request, _("The club was made. You are its owner."))
            return redirect("accounts:members", slug=form.cleaned_data["slug"])
    return TemplateResponse(
        request, "accounts/club_create.html", {"form": form, "timezones": operations.known_timezones()}
    )


@login_required
@require_http_methods(["GET", "POST"])
def club_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a club says of itself."""
    actor = actor_of(request)
    club = queries.managed_club(slug, actor=actor)
    initial = {field: getattr(club, field) for field in ClubForm.base_fields}
    form = ClubForm(request.POST or None, initial=initial)
    if form.is_valid():
        with refusals_in(form):
            operations.change_club(actor=actor, club_id=club.id, at=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("accounts:club_edit", slug=slug)
    facts = {"club": club, "form": form, "timezones": operations.known_timezones()}
    return TemplateResponse(request, "accounts/club_edit.html", facts)


@login_required
@require_http_methods(["GET", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """List a club's members; an owner adds one."""
    actor = actor_of(request)
    page = queries.members_page(slug, actor=actor)
    form = MemberForm(request.POST or None, initial={"role": Role.PLAYER})
    if form.is_valid():
        with refusals_in(form):
            operations.add_member(actor=actor, club_id=page.club.id, at=timezone.now(), **form.cleaned_data)
            messages.success(request, _("The member was added."))
            return redirect("accounts:members", slug=slug)
    return TemplateResponse(
        request, "accounts/members.html", {"page": page, "form": form, "roles": Role.choices}
    )


@login_required
@require_POST
def member_role(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Give a member another role."""
    actor = actor_of(request)
    club = queries.club_by_slug(slug, actor=actor)
    with _refusals_as_messages(request):
        operations.change_role(
            actor=actor,
            club_id=club.id,
            user_id=user_id,
            role=request.POST.get("role", ""),
            at=timezone.now(),
        )
        messages.success(request, _("The role was changed."))
    return redirect("accounts:members", slug=slug)


@login_required
@require_POST
def member_remove(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Take a member's role away, or one's own."""
    actor = actor_of(request)
    club = queries.club_by_slug(slug, actor=actor)
    with _refusals_as_messages(request):
        operations.remove_member(actor=actor, club_id=club.id, user_id=user_id, at=timezone.now())
        if user_id == actor.user_id:
            messages.success(request, _("You left the club."))
            return redirect("accounts:profile")
        messages.success(request, _("The member was removed."))
    return redirect("accounts:members", slug=slug)


@login_required
@require_GET
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an owner what was done in the club, by whom and from where."""
    page = queries.audit_page(slug, actor=actor_of(request))
    return TemplateResponse(request, "accounts/log.html", {"page": page})


def _tokens_page(request: HttpRequest, facts: dict[str, Any]) -> HttpResponse:
    own = queries.tokens_page(actor=actor_of(request))
    return TemplateResponse(request, "accounts/tokens.html", {"tokens": own, **facts})


@contextmanager
def _refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Say what an operation refuses at the top of the next page, and go on."""
    try:
        yield
    except Refused as refused:
        messages.error(request, str(refused))
