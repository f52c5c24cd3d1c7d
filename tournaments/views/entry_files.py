"""Pairs from a file: the empty file, what is in a file before anything is saved, and the saving."""

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
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.accounts.refusals import Refused
from scoring.names import NearDuplicate
from tournaments import queries
from tournaments.entry_rows import COLUMN_NAMES, said
from tournaments.errors import EntriesRefused, NearNames
from tournaments.forms.entries import Decisions, FileForm, PreviewedForm, act_of, packed
from tournaments.operations import entries, entry_files
from tournaments.spreadsheets import PAIRS, write_csv, write_xlsx
from tournaments.views.entries import by_name, entered, refuse, status_of
from tournaments.views.wall import page_with_clock

CSV: Final = "text/csv; charset=utf-8"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@login_required
@require_http_methods(["GET", "POST"])
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file of pairs, and show what is in it."""
    actor = actor_of(request)
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_valid():
        try:
            preview = entry_files.preview_entries(
                actor=actor, slug=slug, content=form.cleaned_data["file"].read(PAIRS.content + 1)
            )
        except Refused as refused:
            refuse(form, refused)
        else:
            return _preview(request, slug, preview=preview)
    return _page(request, slug, form=form)


@login_required
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the pairs that were looked at."""
    actor = actor_of(request)
    queries.tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    form = PreviewedForm(request.POST, slug=slug)
    if not form.is_valid():
        return _page(request, slug, form=FileForm(), refused=form)
    pairs = form.cleaned_data["pairs"]
    decisions = Decisions.of(request.POST)
    try:
        numbers = entries.take_entries(
            actor=actor,
            slug=slug,
            pairs=[decisions.applied(pair) for pair in pairs],
            others=decisions.others,
            act_id=act_of(form),
            at=timezone.now(),
        )
    except NearNames as refused:
        return _page(request, slug, saving=_saving(slug, pairs), pairs=pairs, near=refused.near)
    except EntriesRefused as refused:
        faults = [said(fault) for fault in refused.faults]
        return _page(request, slug, form=FileForm(), pairs=pairs, faults=faults)
    except Refused as refused:
        refuse(form, refused)
        return _page(request, slug, form=FileForm(), refused=form)
    messages.success(request, entered(numbers))
    return redirect("tournaments:entries_manage", slug=slug)


@login_required
@require_safe
def template(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Give an empty file with the header."""
    queries.tournament_header(slug, actor=actor_of(request), action=Action.MANAGE_TOURNAMENT)
    rows = [list(COLUMN_NAMES)]
    if kind == "xlsx":
        response = HttpResponse(write_xlsx(rows, title=_("Pairs")), content_type=XLSX)
    else:
        response = HttpResponse(write_csv(rows), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{slug}-entries.{kind}"'
    return response


def _saving(slug: str, pairs: Any) -> PreviewedForm:
    return PreviewedForm(slug=slug, initial={"pairs": packed(pairs, slug=slug)})


def _preview(request: HttpRequest, slug: str, *, preview: entry_files.FilePreview) -> HttpResponse:
    saving = None if preview.faults else _saving(slug, preview.pairs)
    return _page(
        request,
        slug,
        form=FileForm() if preview.faults else None,
        saving=saving,
        pairs=preview.pairs,
        faults=preview.faults,
        near=preview.near,
        new=preview.new,
        ignored=preview.ignored,
    )


def _page(
    request: HttpRequest,
    slug: str,
    *,
    form: FileForm | None = None,
    saving: PreviewedForm | None = None,
    refused: Form | None = None,
    near: Iterable[NearDuplicate] = (),
    **facts: Any,
) -> HttpResponse:
    header = queries.tournament_header(slug, actor=actor_of(request), action=Action.MANAGE_TOURNAMENT)
    shown = {
        "header": header,
        "form": form,
        "saving": saving,
        "refused": refused,
        "near": by_name(near),
        "columns": COLUMN_NAMES,
        "most_rows": PAIRS.rows,
        "most_bytes": PAIRS.content,
        **facts,
    }
    wrong = refused or form
    status = status_of(wrong) if wrong is not None else HTTPStatus.OK
    if facts.get("faults"):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return page_with_clock(request, "tournaments/entries_file.html", shown, status=status)
