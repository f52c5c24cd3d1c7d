"""The client of the documents works, against a site that is served."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from courtpiece.accounts import operations
from courtpiece.accounts.permissions import Scope
from scoring.models import Deal, Scoresheet
from tests.accounts.builders import AT, as_actor
from tests.api.builders import Scene, a_scene
from tests.scoring.builders import a_record

FILE = Path(__file__).parents[2] / "docs" / "court_piece_client.py"


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return a_scene()


def a_client(live_server: LiveServer, scene: Scene) -> Any:
    spec = importlib.util.spec_from_file_location("court_piece_client", FILE)
    assert spec
    assert spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    token = operations.create_token(
        actor=as_actor(scene.director), name="client", scopes=list(Scope.values), at=AT
    )
    return module.Client(live_server.url, token=token.text)


def test_it_is_short() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < 60


def test_it_reads_and_writes(live_server: LiveServer, scene: Scene) -> None:
    client = a_client(live_server, scene)
    sheet = Scoresheet.objects.get(deals_count=2)

    names = [player["name"] for player in client.list("players/", limit=3)]
    first, again = (client.get("tournaments/rang/standings") for _ in range(2))
    written = client.post(f"scoresheets/{sheet.uid}/deals", pcn=a_record(3, dealer="S", result="NS 7-2"))
    deals = list(client.list("deals/", scoresheet=sheet.uid))

    assert (len(names), names[0]) == (8, "Asif Khan")
    assert again is first
    assert (written["became"], len(deals)) == ("created", 3)
    assert Deal.objects.filter(scoresheet=sheet, number=3).exists()
    with pytest.raises(RuntimeError, match="Not Found: There is nothing here"):
        client.get("tournaments/nowhere")
