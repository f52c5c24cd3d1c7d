"""The same deals by every way in: live, from a phone that had no network, from paper, from files, by the API.

Each way ends in the same operations, so that what is kept differs in nothing but the way that the history names.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Club, Role, User
from courtpiece.accounts.permissions import SERVER
from scoring.models import Deal, MadeVia, Revision, Scoresheet
from scoring.queries.refs import seated_pair
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.api.builders import a_program
from tests.tournaments.builders import ASIF, CHAND, a_scheduled_tournament
from tests.tournaments.tables import Device, a_text, an_item, the_secret
from tournaments.models import Match, Tournament
from tournaments.operations.links import make_table_links
from tournaments.spreadsheets import write_csv, write_xlsx

pytestmark = pytest.mark.django_db

PLAYED: Final = (
    ("N", "EW 7-4", "e4", ("EW", 7, 4, "")),
    ("N", "EW 7-0 court", "ec", ("EW", 7, 0, "court")),
    ("S", "EW 5-2 revoke", "er5-2", ("EW", 5, 2, "revoke")),
    ("N", "void", "-", ("", "", "", "void")),
    ("S", "NS 13-0 bavney", "nbds", ("NS", 13, 0, "bavney")),
)
"""Five deals: who dealt, the result as a record states it, as keys, as a row of a file. The last dealer is wrong."""
COURTS: Final = (52, 2)


def texts() -> list[str]:
    return [a_text(number, result, dealer) for number, (dealer, result, *_rest) in enumerate(PLAYED, start=1)]


class Way:
    """A tournament of one match, and who sends its deals."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        club = Club.objects.filter(slug="lahore").first() or a_club()
        self.tournament: Tournament = a_scheduled_tournament(ASIF, CHAND, slug=slug, club_id=club.pk)
        make_table_links(actor=SERVER, slug=slug, session=1, at=AT)
        Match.objects.filter(round__tournament=self.tournament).update(first_dealer="N")
        self.match = Match.objects.select_related("scoresheet").get(round__tournament=self.tournament)
        self.sheet: Scoresheet = self.match.scoresheet
        self.user: User = User.objects.filter(memberships__role=Role.SCORER).first() or self._scorer(club)

    @staticmethod
    def _scorer(club: Club) -> User:
        user = a_user("Sana")
        club.memberships.create(user=user, role=Role.SCORER, created_at=AT)
        return user

    @property
    def browser(self) -> Client:
        return a_browser(self.user)

    def post(self, name: str, data: dict[str, Any], *args: Any) -> Any:
        """Send a form, which must be taken."""
        answer = self.browser.post(reverse(name, args=args or [self.slug]), data)
        assert answer.status_code in {200, 302}, answer.content.decode()
        return answer


def by_phone(way: Way, _folder: Path) -> None:
    device = Device(the_secret(slug=way.slug))
    for text in texts():
        device.send(an_item(text, sheet=way.sheet.uid))


def by_phone_afterwards(way: Way, _folder: Path) -> None:
    device = Device(the_secret(slug=way.slug))
    items = [an_item(text, sheet=way.sheet.uid) for text in texts()]
    device.send(*items)
    device.send(*items)


def by_slip(way: Way, _folder: Path) -> None:
    keys = {f"deal-{number}": deal[2] for number, deal in enumerate(PLAYED, start=1)}
    totals = {"courts_ns": str(COURTS[0]), "courts_ew": str(COURTS[1]), "deals_ns": "1", "deals_ew": "3"}
    way.post("tournaments:slip", {"act": str(uuid4()), "save": "1", **keys, **totals}, way.match.uid)


def by_results(way: Way, _folder: Path) -> None:
    data = {
        "act": str(uuid4()),
        "save": "1",
        "deal-TOTAL_FORMS": str(len(PLAYED)),
        "deal-INITIAL_FORMS": "0",
    }
    for place, (dealer, _result, _keys, (winner, won, lost, award)) in enumerate(PLAYED):
        line = {"number": place + 1, "dealer": dealer, "winner": winner or "void", "won": won, "lost": lost}
        said = {**line, "award": "" if award == "void" else award}
        data |= {f"deal-{place}-{name}": str(value) for name, value in said.items()}
    way.post("tournaments:results", data, way.match.uid)


def by_file(way: Way, content: bytes, name: str) -> None:
    looked = way.post("tournaments:results_file", {"file": SimpleUploadedFile(name, content)})
    form = looked.context["saving"]
    way.post("tournaments:results_file_save", {"act": str(form["act"].value()), "rows": form["rows"].value()})


def rows() -> list[list[Any]]:
    header = ["round", "table", "deal", "dealer", "winner", "tricks won", "tricks lost", "award"]
    return [header, *([1, 1, number, deal[0], *deal[3]] for number, deal in enumerate(PLAYED, start=1))]


def by_csv(way: Way, _folder: Path) -> None:
    by_file(way, write_csv(rows()), "results.csv")


def by_xlsx(way: Way, _folder: Path) -> None:
    by_file(way, write_xlsx(rows(), title="Results"), "results.xlsx")


def evening(way: Way) -> str:
    sheet = way.sheet
    ns, ew = seated_pair(sheet, "ns").name, seated_pair(sheet, "ew").name
    tags = {"Round": "1", "Table": "1", "NS": ns, "EW": ew}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return "\n".join(head + text for text in texts())


def by_upload(way: Way, _folder: Path) -> None:
    way.post("tournaments:upload", {"files": [SimpleUploadedFile("evening.pcn", evening(way).encode())]})


def by_command(way: Way, folder: Path) -> None:
    path = folder / "evening.pcn"
    path.write_text(evening(way), encoding="utf-8")
    call_command("import_pcn", str(path), club="lahore", tournament=way.slug)


def by_api(way: Way, _folder: Path) -> None:
    program = a_program(user=way.user)
    answer = program.post(
        f"/api/v1/scoresheets/{way.sheet.uid}/deals",
        "\n".join(texts()),
        content_type="text/vnd.courtpiece.pcn",
        headers={"Idempotency-Key": str(uuid4())},
    )
    assert answer.status_code == 201, answer.content.decode()


def by_record_page(way: Way, _folder: Path) -> None:
    for text in texts():
        way.post("scoring:record", {"operation_id": str(uuid4()), "text": text}, way.sheet.uid)


WAYS: Final[dict[Callable[[Way, Path], None], MadeVia]] = {
    by_phone: MadeVia.TABLE,
    by_phone_afterwards: MadeVia.TABLE,
    by_slip: MadeVia.SLIP,
    by_results: MadeVia.SLIP,
    by_csv: MadeVia.FILE,
    by_xlsx: MadeVia.FILE,
    by_upload: MadeVia.FILE,
    by_command: MadeVia.FILE,
    by_api: MadeVia.API,
    by_record_page: MadeVia.PAGE,
}
OF_THE_WAY: Final = {"id", "uid", "deal", "operation", "made_by", "made_via", "made_at", "source", "problems"}
"""Columns that say which row it is, or by whom and when it was made; of problems the places differ."""


def kept(way: Way) -> dict[str, list[dict[str, Any]]]:
    """Return what is kept of the match: its totals, its deals with their ledger, their revisions."""
    tables = {
        "sheet": Scoresheet.objects.filter(pk=way.sheet.pk),
        "deals": Deal.objects.filter(scoresheet=way.sheet).order_by("number"),
        "revisions": Revision.objects.filter(deal__scoresheet=way.sheet).order_by("deal__number", "number"),
    }
    leave = OF_THE_WAY | {"scoresheet", "collection", "created_at", "version", "deal_id"}
    found = {}
    for name, table in tables.items():
        columns = [field.name for field in table.model._meta.concrete_fields if field.name not in leave]
        found[name] = list(table.values(*columns))
    found["problems"] = [
        {"number": number, "codes": [problem["code"] for problem in problems]}
        for number, problems in tables["deals"].values_list("number", "problems")
    ]
    return found


def test_every_way_in_keeps_the_same_and_says_which_way_it_was(tmp_path: Path) -> None:
    ways = {name: Way(name.__name__.replace("_", "-")) for name in WAYS}

    for send, way in ways.items():
        send(way, tmp_path)

    first = kept(ways[by_phone])
    assert [line["award"] for line in first["deals"]] == ["win", "court", "revoke", "void", "bavney"]
    assert (first["sheet"][0]["courts_ns"], first["sheet"][0]["courts_ew"]) == COURTS
    assert first["problems"][-1]["codes"] == ["wrong-dealer"]
    assert {name.__name__: kept(way) for name, way in ways.items()} == {name.__name__: first for name in WAYS}
    said = {
        name: set(Revision.objects.filter(deal__scoresheet=way.sheet).values_list("made_via", flat=True))
        for name, way in ways.items()
    }
    assert said == {name: {via.value} for name, via in WAYS.items()}


def test_what_one_way_recorded_every_other_finds_there(tmp_path: Path) -> None:
    way = Way("rang")
    by_api(way, tmp_path)
    before = kept(way)

    for send in (by_phone, by_slip, by_upload, by_record_page):
        send(way, tmp_path)
    looked = way.post("tournaments:results_file", {"file": SimpleUploadedFile("a.csv", write_csv(rows()))})

    assert looked.context["preview"].same == len(PLAYED)
    assert (kept(way), Revision.objects.count()) == (before, len(PLAYED))
