"""Results from a file, and as a file: the empty one, what is in one before anything is saved, the saving."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.refusals import Refused
from tournaments import queries
from tournaments.forms.entries import act_of
from tournaments.forms.result_files import LookedAt, LookedAtForm, ResultsFileForm, packed
from tournaments.operations import result_files
from tournaments.operations.result_files import ResultsPreview, ResultsTaken
from tournaments.queries import FileMatch
from tournaments.result_rows import AWARD_WORDS, COLUMN_NAMES, cells_of
from tournaments.spreadsheets import RESULTS, Cell, write_csv, write_xlsx
from tournaments.views.entries import refuse, status_of
from tournaments.views.wall import page_with_clock

CSV: Final = "text/csv; charset=utf-8"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONGEST_NAME: Final = 200
MOST_SHOWN: Final = 60
"""New deals that the preview shows one by one."""


@login_required
@require_http_methods(["GET", "POST"])
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of results, and show what is in it."""
    actor = actor_of(request)
    form = ResultsFileForm(request.POST, request.FILES) if request.method == "POST" else ResultsFileForm()
    if form.is_valid():
        sent = form.cleaned_data["file"]
        try:
            preview = result_files.preview_results(
                actor=actor, slug=slug, content=sent.read(RESULTS.content + 1)
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            return _preview(request, slug, preview, LookedAt(sent.name[:LONGEST_NAME], preview.rows))
    return _page(request, slug, form=form)


@login_required
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the results that were looked at."""
    actor = actor_of(request)
    queries.tournament_header(slug, actor=actor, action=Action.UPLOAD)
    form = LookedAtForm(request.POST, slug=slug)
    if not form.is_valid():
        return _page(request, slug, form=ResultsFileForm(), refused=form)
    looked_at: LookedAt = form.cleaned_data["rows"]
    try:
        taken = result_files.take_results(
            actor=actor,
            slug=slug,
            rows=looked_at.rows,
            file_name=looked_at.file_name,
            act_id=act_of(form),
            choices=form.choices_of(request.POST),
            finish=form.cleaned_data["finish"],
            at=timezone.now(),
        )
    except Refused as refused:
        preview = result_files.look_again(actor=actor, slug=slug, rows=looked_at.rows)
        return _preview(request, slug, preview, looked_at, refusal=str(refused))
    for line in _done(taken):
        messages.success(request, line)
    return redirect("tournaments:room", slug=slug)


def _done(taken: ResultsTaken) -> Iterable[str]:
    yield ngettext("%(count)d deal is saved.", "%(count)d deals are saved.", taken.deals) % {
        "count": taken.deals
    }
    if taken.corrected:
        yield ngettext("%(count)d deal is corrected.", "%(count)d deals are corrected.", taken.corrected) % {
            "count": taken.corrected
        }
    if taken.finished:
        yield ngettext("%(count)d match is finished.", "%(count)d matches are finished.", taken.finished) % {
            "count": taken.finished
        }
    if taken.left_open:
        yield _("Not finished, because deals are missing or nobody leads: table %(tables)s.") % {
            "tables": ", ".join(taken.left_open)
        }


# -- files


@login_required
@require_safe
def template(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Give a file with the header, and with the deals that are still to come where that is asked."""
    found = queries.matches_to_fill(slug, actor=actor_of(request))
    with_pairings = request.GET.get("with") == "pairings"
    rows = [row for match in found.matches for row in _empty_rows(match)] if with_pairings else []
    return _download(rows[: RESULTS.rows], f"{slug}-results-to-fill", kind)


@require_safe
def export(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Give the results that are recorded, in the columns in which they are taken."""
    found = queries.results_of_tournament(slug, actor=actor_of(request))
    rows = [row for match in found.matches for row in _filled_rows(match)]
    return _download(rows, f"{slug}-results", kind)


def _download(rows: Iterable[Iterable[Cell]], name: str, kind: str) -> HttpResponse:
    table: list[list[Cell]] = [list(COLUMN_NAMES), *map(list, rows)]
    if kind == "xlsx":
        response = HttpResponse(write_xlsx(table, title=_("Results")), content_type=XLSX)
    else:
        response = HttpResponse(write_csv(table), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def _before(match: FileMatch, number: int) -> tuple[Cell, ...]:
    table: Cell = int(match.table) if match.table.isascii() and match.table.isdecimal() else match.table
    return match.round, table, match.ns, match.ew, number


def _filled_rows(match: FileMatch) -> Iterable[tuple[Cell, ...]]:
    for deal in match.sheet.deals:
        said = cells_of(dealer=deal.dealer, outcome=deal.outcome, revoke=deal.revoke, is_ruled=deal.is_ruled)
        yield (*_before(match, deal.number), *said)


def _empty_rows(match: FileMatch) -> Iterable[tuple[Cell, ...]]:
    for number in match.missing:
        is_first = number == 1 and match.first_dealer is not None
        dealer = match.first_dealer.letter if is_first and match.first_dealer is not None else ""
        yield (*_before(match, number), dealer)


# -- the page


def _preview(
    request: HttpRequest, slug: str, preview: ResultsPreview, looked_at: LookedAt, *, refusal: str = ""
) -> HttpResponse:
    is_wanted = not preview.faults and (preview.new or preview.others)
    initial = {"rows": packed(looked_at, slug=slug), "reason": request.POST.get("reason", "")}
    status = HTTPStatus.CONFLICT if refusal else HTTPStatus.OK
    return _page(
        request,
        slug,
        form=None if is_wanted else ResultsFileForm(),
        status=HTTPStatus.UNPROCESSABLE_ENTITY if preview.faults and not refusal else status,
        saving=LookedAtForm(slug=slug, initial=initial) if is_wanted else None,
        preview=preview,
        shown=preview.new[:MOST_SHOWN],
        unshown=max(len(preview.new) - MOST_SHOWN, 0),
        ticked=set(request.POST.getlist("correct")),
        refusal=refusal,
    )


def _page(
    request: HttpRequest,
    slug: str,
    *,
    form: ResultsFileForm | None = None,
    refused: Form | None = None,
    status: int | None = None,
    **facts: Any,
) -> HttpResponse:
    header = queries.tournament_header(slug, actor=actor_of(request), action=Action.UPLOAD)
    wrong = refused or form
    shown = {
        "header": header,
        "form": form,
        "refused": refused,
        "awards": AWARD_WORDS,
        "most_rows": RESULTS.rows,
        "most_bytes": RESULTS.content,
        **facts,
    }
    if status is None or (status is HTTPStatus.OK and wrong is not None and wrong.errors):
        status = status_of(wrong) if wrong is not None else HTTPStatus.OK
    return page_with_clock(request, "tournaments/results_file.html", shown, status=status)
