"""Answers of a site of the tests, recorded as the examples that the API's schema shows."""

import json
import re
from typing import Any

from django.test import Client

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import SERVER, Scope
from courtpiece.project.described import OF_LINES, operations_of
from scoring.models import Deal, Partnership, Player, Scoresheet
from tests.accounts.builders import AT
from tests.api.builders import API, JSON, PCN, Scene, a_program
from tests.scoring.builders import FULL, a_record
from tests.scoring.games import NAMES_AT_HOME
from tournaments.link_secrets import secret_of
from tournaments.models import Round, Session, TableLink
from tournaments.operations.links import make_table_links

ID = "3f0c5b1e-7a44-4d0e-9a53-2f5c8d1e{:04x}"
MOST_LINES = 2
"""Of each list in an example."""


def addresses(scene: Scene) -> dict[str, str]:
    """Return an address of each kind that is in the schema."""
    found = {
        "clubs": "lahore",
        "tournaments": "rang",
        "players": Player.objects.get(name="Asif Khan").uid,
        "partnerships": Partnership.objects.get(first__name="Asif Khan").uid,
        "scoresheets": Scoresheet.objects.get(deals_count=2).uid,
        "deals": Deal.objects.get(number=2).uid,
        "matches": scene.match.uid,
        "rounds": Round.objects.get(number=1).uid,
        "sessions": Session.objects.get().uid,
    }
    return {name: str(value) for name, value in found.items()}


def a_device() -> Client:
    """Return a program that comes with the link of the first table."""
    make_table_links(actor=SERVER, slug="rang", session=1, at=AT)
    return Client(headers={"Authorization": f"Table {secret_of(TableLink.objects.get(table='1').uid)}"})


def recorded(schema: dict[str, Any], scene: Scene) -> dict[str, Any]:
    """Return what the site answers to each operation that the schema has, with what was sent."""
    scene.club.memberships.filter(user=scene.director).update(role=Role.OWNER)
    program = a_program(user=scene.director, scopes=Scope.values)
    ids = addresses(scene)
    found: dict[str, Any] = {}
    reader, device = a_program(), a_device()
    for path, method, operation in operations_of(schema):
        if method == "get":
            name = path.removeprefix(API).split("/")[0]
            asked = device if name == "table" else reader
            address = re.sub(r"\{\w+\}", ids.get(name, ""), path)
            found[operation["operationId"]] = _kept(asked.get(address)) | _in_lines(asked, address, operation)
    for number, (operation_id, method, path, body) in enumerate(_writes(ids)):
        sent = _with_id(body, number)
        answer = _send(program, method, path, sent)
        found[operation_id] = {"request": sent} | _kept(answer) if sent else _kept(answer)
    found |= _an_analysis(program, ids["scoresheets"])
    found |= _not_made_here(found["archive"]["response"])
    return {name: found[name] for name in sorted(found) if name}


def _in_lines(program: Client, address: str, operation: Any) -> dict[str, Any]:
    """Return the first lines of the forms that are made of lines, where the operation has such."""
    content = operation["responses"]["200"].get("content", {})
    forms = {
        form: program.get(address, {"format": name}).getvalue().decode()
        for form, name in OF_LINES.items()
        if form in content
    }
    first = {form: "".join(text.splitlines(keepends=True)[:MOST_LINES]) for form, text in forms.items()}
    return {"forms": first} if first else {}


def _send(program: Client, method: str, path: str, sent: Any) -> Any:
    form = PCN if isinstance(sent, str) else JSON
    data = sent if isinstance(sent, str) else json.dumps(sent)
    answer = program.generic(
        method, f"{API}{path}", data.encode(), content_type=form, headers={"If-Match": "*"}
    )
    assert answer.status_code in (200, 201, 202, 204), (method, path, answer.content.decode())
    return answer


def _an_analysis(program: Client, sheet: str) -> dict[str, Any]:
    """Return how the analysis of a deal is asked for, and what is found: all four hands must be known."""
    _send(
        program,
        "POST",
        f"scoresheets/{sheet}/deals",
        {"operation_id": ID.format(0xDEA), "pcn": FULL.format(deal=4)},
    )
    address = f"deals/{Deal.objects.get(number=4, scoresheet__uid=sheet).uid}/analysis"
    asked = _kept(_send(program, "POST", address, None))
    return {"ask_deal_analysis": asked, "deal_analysis": _kept(program.get(f"{API}{address}"))}


def _with_id(body: Any, number: int) -> Any:
    if isinstance(body, dict) and "operation_id" in body:
        return {**body, "operation_id": ID.format(number)}
    return body


def _writes(ids: dict[str, str]) -> list[tuple[str, str, str, Any]]:
    deal, sheet = ids["deals"], ids["scoresheets"]
    game, op = ID.format(0xABC), {"operation_id": ""}
    multan = {"slug": "multan", "name": "Multan", "timezone": "Asia/Karachi", "city": "Multan"}
    pair = {"club": "lahore", "players": ["Sadia Sapphire", "Tariq Topaz"]}
    third = {"pcn": a_record(3, dealer="S", result="NS 7-2")}
    correction = {"base_revision": 1, "reason": "The paper says so.", "pcn": a_record(2, result="EW 7-4")}
    cup = {"club": "lahore", "name": "Garden Cup", "slug": "garden-cup", "kind": "swiss"}
    entries = [
        {"players": ["Omar Opal", "Pari Pearl"], "seed": 1},
        {"players": ["Qadir Quartz", "Rani Ruby"]},
    ]
    length = {"kind": "minutes", "amount": 40}
    sessions = [{"place": "The garden room", "starts_at": "2026-12-05T14:00:00Z", "length": length}]
    at_home = {"seats": NAMES_AT_HOME, "date": "2026.11.29"}
    new_game = {"id": game, "rules": "court-piece", **at_home}
    return [
        ("create_club", "POST", "clubs/", op | multan),
        ("change_club", "PATCH", "clubs/multan", {"city": "Old Multan"}),
        ("name_player", "POST", "players/", {"club": "lahore", "name": "Sadia Sapphire"}),
        ("name_partnership", "POST", "partnerships/", pair),
        ("record_deals", "POST", f"scoresheets/{sheet}/deals", op | third),
        ("correct_deal", "POST", f"deals/{deal}/revisions", op | correction),
        ("set_match_state", "PUT", f"matches/{ids['matches']}", {"state": "finished"}),
        ("set_round_state", "PUT", f"rounds/{ids['rounds']}", {"state": "closed"}),
        ("create_tournament", "POST", "tournaments/", op | cup),
        ("change_tournament", "PATCH", "tournaments/garden-cup", {"name": "Garden Cup 2026"}),
        ("enter_pairs", "POST", "tournaments/garden-cup/entries", op | {"entries": entries}),
        ("plan_sessions", "PUT", "tournaments/garden-cup/sessions", {"sessions": sessions}),
        ("publish_next_round", "POST", "tournaments/garden-cup/rounds", op | {"seed": 7}),
        ("record_game", "POST", "scoresheets/", new_game),
        ("describe_game", "PUT", f"scoresheets/{game}/facts", at_home | {"event": "At home"}),
        ("share_game", "PUT", f"scoresheets/{game}/link", None),
        ("unshare_game", "DELETE", f"scoresheets/{game}/link", None),
        ("", "POST", f"scoresheets/{game}/deals", op | {"pcn": a_record(1)}),
        ("offer_game", "PUT", f"scoresheets/{game}/offer", {"club": "lahore"}),
        ("take_offer_back", "DELETE", f"scoresheets/{game}/offer", None),
        ("check", "POST", "check", FULL.format(deal=1)),
    ]


def _not_made_here(archive: Any) -> dict[str, Any]:
    """Return examples of what this site cannot be sent, as it has it already or is no table."""
    imported = {"tournament": "rang", "entries": 4, "scoresheets": 6, "deals": 3, "revisions": 3}
    return {
        "import_archive": {"request": _short(archive), "status": 201, "response": imported},
        "live": {"status": 200, "response": {"kept": True}},
    }


def _kept(answer: Any) -> dict[str, Any]:
    """Return what an example keeps of an answer."""
    kept: dict[str, Any] = {"status": answer.status_code}
    content = answer.getvalue()
    if not content:
        return kept
    is_json = answer["Content-Type"].startswith(JSON)
    return kept | {"response": _short(json.loads(content)) if is_json else content.decode()}


def _short(value: Any) -> Any:
    """Return the value with the first items of its lists only."""
    if isinstance(value, dict):
        return {name: _short(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value[:MOST_LINES]]
    return value
