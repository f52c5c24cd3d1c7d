"""The pages on which slips are keyed one after another, by keyboard alone: the check code, then the deals."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from tournaments import queries
from tournaments.domain.keyed_slips import KeyedSlip
from tournaments.errors import FewerThanAgreed
from tournaments.forms.slips import MORE_ROWS, CodeForm, TotalsForm, keys_of
from tournaments.operations import slips
from tournaments.queries import MOST_LINES, SlipPage
from tournaments.slip_words import said_differences, said_keys
from tournaments.views.wall import page_with_clock

CHECK, MORE, SAVE = "check", "more", "save"
ALL_THE_SAME: Final = "all-the-same"


@never_cache
@login_required
@require_safe
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the check code of a slip, and lead to its deals."""
    actor = actor_of(request)
    page = queries.slips_page(slug, actor=actor)
    form = CodeForm(request.GET) if "code" in request.GET else CodeForm()
    if form.is_bound and form.is_valid():
        try:
            uid = queries.match_of_code(slug, form.cleaned_data["code"], actor=actor)
        except Refused as refusal:
            form.add_error("code", str(refusal))
        else:
            return redirect("tournaments:slip", uid=uid)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    facts = {"header": page.header, "page": page, "form": form}
    return page_with_clock(request, "tournaments/slips.html", facts, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def slip(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Take a slip's deals as keys, and its totals: look at them first, then save them."""
    page = queries.slip_page(uid, actor=actor_of(request))
    if request.method != "POST":
        return _page(request, page, page.read_keys(_rows(page, {})), TotalsForm())
    keys = keys_of(request.POST)
    form = TotalsForm(request.POST)
    if MORE in request.POST:
        last = max(_rows(page, keys))
        more = range(last + 1, min(last + MORE_ROWS, MOST_LINES) + 1)
        return _page(request, page, page.read_keys({**_rows(page, keys), **dict.fromkeys(more, "")}), form)
    read = page.read_keys(_rows(page, keys))
    if not form.is_valid():
        return _page(request, page, read, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if SAVE not in request.POST:
        return _page(request, page, read, form, is_checked=True)
    try:
        saved = slips.key_slip(
            actor=actor_of(request),
            uid=uid,
            keys=keys,
            totals=form.totals(),
            act_id=form.cleaned_data["act"],
            finish=form.cleaned_data["finish"],
            even_short=request.POST[SAVE] == ALL_THE_SAME,
            at=timezone.now(),
        )
    except Refused as refusal:
        now = queries.slip_page(uid, actor=actor_of(request))
        status = HTTPStatus.CONFLICT if isinstance(refusal, Conflict) else HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, now, now.read_keys(_rows(now, keys)), form, status=status, refusal=refusal)
    messages.success(request, _done(page, saved, is_finished=form.cleaned_data["finish"]))
    return redirect("tournaments:slips", slug=page.header.slug)


def _done(page: SlipPage, saved: int, *, is_finished: bool) -> str:
    done = ngettext(
        "Table %(table)s: %(count)d deal is saved, and the totals agree.",
        "Table %(table)s: %(count)d deals are saved, and the totals agree.",
        saved,
    )
    said = done % {"table": page.table, "count": saved}
    return f"{said} {_('The match is finished.')}" if is_finished else said


def _rows(page: SlipPage, keys: Mapping[int, str]) -> dict[int, str]:
    """Return the keys of every row that the page has."""
    last = max([page.keyed_rows, *keys])
    return {number: keys.get(number, "") for number in range(1, last + 1)}


def _page(
    request: HttpRequest,
    page: SlipPage,
    read: KeyedSlip,
    form: TotalsForm,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    refusal: Refused | None = None,
    is_checked: bool = False,
) -> HttpResponse:
    recorded = {deal.number: deal for deal in page.sheet.deals}
    is_read = form.is_bound and form.is_valid()
    totals = form.totals() if is_read else None
    wrong = said_differences(read, read.differences(totals)) if totals and not read.has_fault else []
    facts = {
        "page": page,
        "header": page.header,
        "rows": [
            (row, recorded.get(row.number), said_keys(row.error) if row.error else "") for row in read.rows
        ],
        "slip": read,
        "form": form,
        "refusal": refusal,
        "wrong": wrong,
        "is_checked": is_checked,
        "has_totals": totals is not None and None not in totals.courts,
        "asks": isinstance(refusal, FewerThanAgreed),
        "is_beyond": page.is_beyond(row.number for row in read.typed),
    }
    return page_with_clock(request, "tournaments/slip.html", facts, status=status)
