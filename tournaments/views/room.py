"""The pages from which a director runs an evening: the room, its clock, what comes next."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from courtpiece.accounts.permissions import actor_of
from tournaments.operations import matches


@login_required
@require_POST
def match_state(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Say that a match is finished, open again or void."""
    state = request.POST.get("state", "")
    slug = matches.set_match_state(actor=actor_of(request), uid=uid, state=state, at=timezone.now())
    return redirect("tournaments:tournament", slug=slug)
