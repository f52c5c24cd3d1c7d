"""The double-dummy analysis of a deal: asked for here, shown on the deal's page."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Refused
from scoring import operations


@never_cache
@login_required
@require_POST
def ask(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Have a deal analysed."""
    try:
        operations.ask_analysis(actor=actor_of(request), deal_uid=uid, at=timezone.now())
        messages.success(request, _("The deal is being analysed. Come back to this page in a moment."))
    except operations.NoAnalysis as reason:
        messages.error(request, str(reason))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(f"{reverse('scoring:deal', args=[uid])}#analysis")
