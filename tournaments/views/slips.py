"""The page on which the results of a match are typed from its slip."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from tournaments import queries
from tournaments.domain.slips import ReadLine
from tournaments.errors import DealsDisputed, FewerThanAgreed
from tournaments.forms.room import PREFIX, LineForm, Lines, SlipForm, empty_lines, more_lines, new_act
from tournaments.operations import slips
from tournaments.queries import SlipPage
from tournaments.views.wall import page_with_clock

CHECK, MORE, SAVE, FINISH = "check", "more", "save", "finish"
ALL_THE_SAME = "all-the-same"


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the page with what the engine says of it; None: nothing yet."""

    form: LineForm
    read: ReadLine | None


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def results(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Take a match's deals from its slip: look at them first, then save them.

    A match with fewer deals than were agreed is finished by a button that says so.
    """
    page = queries.slip_page(uid, actor=actor_of(request))
    if request.method != "POST":
        form = SlipForm(initial={"act": new_act()})
        return _page(request, page, empty_lines(page.next_numbers), form, asks="finish" in request.GET)
    asked = next((name for name in (FINISH, SAVE, MORE) if name in request.POST), CHECK)
    form = SlipForm(request.POST)
    if asked == MORE:
        return _page(request, page, more_lines(request.POST, range(1, 1000)), form)
    lines = Lines(request.POST, prefix=PREFIX)
    if not (form.is_valid() and lines.is_valid()):
        return _page(request, page, lines, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if asked == CHECK or (asked == SAVE and all(one.is_blank for one in lines)):
        return _page(request, page, lines, form, is_checked=True)
    try:
        return _save(request, page, lines, form, finish=asked == FINISH)
    except (FewerThanAgreed, DealsDisputed) as refusal:
        messages.warning(request, str(refusal))
        return _page(request, page, lines, form, status=HTTPStatus.UNPROCESSABLE_ENTITY, asks=True)
    except Refused as refusal:
        now = queries.slip_page(uid, actor=actor_of(request))
        status = HTTPStatus.CONFLICT if isinstance(refusal, Conflict) else HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, now, lines, form, status=status, refusal=refusal)


def _save(request: HttpRequest, page: SlipPage, lines: Any, form: SlipForm, *, finish: bool) -> HttpResponse:
    saved = slips.enter_results(
        actor=actor_of(request),
        uid=page.uid,
        lines=[one.line() for one in lines if not one.is_blank],
        act_id=form.cleaned_data["act"],
        finish=finish,
        even_short=request.POST.get(FINISH) == ALL_THE_SAME,
        at=timezone.now(),
    )
    done = ngettext("%(count)d deal is saved.", "%(count)d deals are saved.", saved) % {"count": saved}
    if finish:
        done = f"{done} {_('The match at table %(table)s is finished.') % {'table': page.table}}"
    messages.success(request, done)
    if finish:
        return redirect("tournaments:room", slug=page.header.slug)
    return redirect("tournaments:results", uid=page.uid)


def _page(
    request: HttpRequest,
    page: SlipPage,
    lines: Any,
    form: SlipForm,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    refusal: Refused | None = None,
    is_checked: bool = False,
    asks: bool = False,
) -> HttpResponse:
    shown = _shown(page, lines)
    facts = {
        "page": page,
        "header": page.header,
        "lines": lines,
        "shown": shown,
        "form": form,
        "refusal": refusal,
        "asks": asks,
        "is_checked": is_checked,
        "is_beyond": page.is_beyond(line.read.line.number for line in shown if line.read is not None),
        "is_clear": is_checked and all(line.read is None or line.read.outcome for line in shown),
        "last": next((line.read for line in reversed(shown) if line.read and line.read.outcome), None),
    }
    return page_with_clock(request, "tournaments/results.html", facts, status=status)


def _shown(page: SlipPage, lines: Any) -> list[ShownLine]:
    """Return the lines, each that can be read with what the engine says of it."""
    filled = [one for one in lines if lines.is_bound and one.is_valid() and not one.is_blank]
    read = dict(zip(map(id, filled), page.read([one.line() for one in filled]), strict=True))
    return [ShownLine(one, read.get(id(one))) for one in lines]
