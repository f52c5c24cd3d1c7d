"""Jobs go where the workers look, from whatever process starts them; where nobody looks they are left out."""

from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import transaction
from kombu.exceptions import OperationalError

from courtpiece.project.celery import app
from scoring.jobs import RECOMPUTE_STANDINGS, enqueue_after_commit
from tests.processes import manage
from tests.tournaments.tables import Device, a_text, a_tournament_with_links, an_item, became, the_secret
from tournaments.publishing import StandingsNews, publish_after_commit


def test_a_command_sends_its_jobs_through_the_app_of_the_site(tmp_path: object) -> None:
    program = "from celery import current_app; print(current_app.main, current_app.conf.broker_url)"

    said = manage(
        "shell", "--no-imports", "--command", program, variables={"DATABASE_URL": f"sqlite:///{tmp_path}/x"}
    )

    assert said.splitlines()[-1] == "courtpiece memory://localhost/"


def break_(*_asked: Any, **_options: Any) -> None:
    raise OperationalError("Error 111 connecting to 127.0.0.1:6379. Connection refused.")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_in_a_transaction", [True, False])
def test_a_queue_that_is_away_is_written_down_and_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_in_a_transaction: bool
) -> None:
    monkeypatch.setattr(app.tasks[RECOMPUTE_STANDINGS].__class__, "apply_async", break_)

    if is_in_a_transaction:
        with transaction.atomic():
            enqueue_after_commit(RECOMPUTE_STANDINGS, collection_id=1, version=1)
    else:
        enqueue_after_commit(RECOMPUTE_STANDINGS, collection_id=1, version=1)

    assert "Connection refused" in caplog.text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_in_a_transaction", [True, False])
def test_sockets_that_cannot_be_told_are_written_down_and_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_in_a_transaction: bool
) -> None:
    monkeypatch.setattr(type(get_channel_layer()), "group_send", break_, raising=False)
    news = StandingsNews(version=1, status="provisional", computed_at=None)

    if is_in_a_transaction:
        with transaction.atomic():
            publish_after_commit(tournament_id=1, news=news)
    else:
        publish_after_commit(tournament_id=1, news=news)

    assert "on_commit" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_deal_is_created_and_answered_so_while_the_queue_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    a_tournament_with_links()
    monkeypatch.setattr(app.tasks[RECOMPUTE_STANDINGS].__class__, "apply_async", break_)

    outcomes = Device(the_secret()).outcomes(an_item(a_text(1)), an_item(a_text(2)))

    assert became(outcomes) == ["created", "created"]
