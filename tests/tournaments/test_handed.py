"""A file that a phone at a table saved, taken in on another machine."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring.models import Deal, MadeVia, Operation, Revision
from tests.accounts.builders import AT, a_user, as_actor
from tests.tournaments.tables import (
    Device,
    a_director,
    a_text,
    a_tournament_with_links,
    an_item,
    became,
    texts_of,
    the_match,
    the_secret,
)
from tournaments.errors import UploadTooLarge
from tournaments.evenings import Limits, UploadedFile
from tournaments.models import Confirmation, EnteredRevision, MatchState, Tournament
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.matches import set_match_state
from tournaments.reports import EveningReport, HandedReport

pytestmark = pytest.mark.django_db

MATCH_TAGS = (
    '[Event "Rang"]',
    '[Round "1"]',
    '[Table "1"]',
    '[NS "Asif Khan & Bilal Shah"]',
    '[EW "Chand Rao & Dev Patel"]',
)


def handed(item: dict[str, Any], *, with_match: bool = True) -> str:
    """Return the record as the phone saves it; the order of tags is nothing to a reader."""
    lines = [*(MATCH_TAGS if with_match else ()), *item["pcn"].splitlines()]
    lines += [f'[PhoneOperation "{item["operation_id"]}"]', f'[PhoneScoresheet "{item["scoresheet"]}"]']
    if item["base_revision"]:
        lines.append(f'[PhoneBase "{item["base_revision"]}"]')
    if with_match:
        lines.append('[PhoneAdded "Event Round Table NS EW"]')
    return "\n".join(lines) + "\n"


def uploaded(*items: dict[str, Any] | str, actor: Actor | None = None, slug: str = "rang") -> EveningReport:
    text = "\n".join(one if isinstance(one, str) else handed(one) for one in items)
    return import_evening(
        actor=actor or as_actor(a_scorer()),
        into=Destination(tournament=slug),
        files=[UploadedFile("table-1.pcn", f"% PCN 1\n\n{text}".encode())],
        at=AT,
    )


def a_scorer(name: str = "Sana") -> Any:
    user = a_user(f"{name} {uuid4().hex[:6]}")
    club_id = Tournament.objects.get(slug="rang").club_id
    user.memberships.create(club_id=club_id, role=Role.SCORER, created_at=AT)
    return user


def outcomes(report: EveningReport) -> list[tuple[int, str]]:
    return [(deal.number, deal.became.value) for deal in report.handed]


def codes(deals: Iterable[HandedReport]) -> list[str]:
    return [problem.code for deal in deals for problem in deal.problems]


def test_a_scorer_uploads_what_a_phone_saved_and_it_goes_to_its_match() -> None:
    a_tournament_with_links()
    items = [an_item(a_text(1, "NS 7-4")), an_item(a_text(2, "EW 7-2", dealer="E"))]

    report = uploaded(*items)

    assert outcomes(report) == [(1, "created"), (2, "created")]
    assert (report.recorded, report.is_clean, report.sheets) == (2, True, ())
    assert texts_of(the_match()) == {1: items[0]["pcn"], 2: items[1]["pcn"]}
    assert the_match().state == MatchState.OPEN
    revision = Revision.objects.filter(deal__number=1).get()
    assert (revision.made_via, revision.made_by_id is not None) == (MadeVia.FILE, True)


def test_the_same_file_again_writes_nothing() -> None:
    a_tournament_with_links()
    item = an_item(a_text())
    uploaded(item)

    report = uploaded(item)

    assert (outcomes(report), report.wrote_nothing) == ([(1, "duplicate")], True)
    assert Revision.objects.count() == 1


def test_the_phone_that_comes_back_with_the_same_deals_doubles_nothing() -> None:
    a_tournament_with_links()
    items = [an_item(a_text(1)), an_item(a_text(2))]
    uploaded(*items)

    answers = Device(the_secret()).outcomes(*items)

    assert [answer["revision"] for answer in answers] == [1, 1]
    assert not {"conflict", "rejected"} & {*became(answers)}
    assert (Revision.objects.count(), Operation.objects.count()) == (2, 2)


def test_a_file_of_what_the_phone_sent_meanwhile_doubles_nothing() -> None:
    a_tournament_with_links()
    items = [an_item(a_text(1)), an_item(a_text(2))]
    Device(the_secret()).outcomes(items[0])

    report = uploaded(*items)

    assert outcomes(report) == [(1, "duplicate"), (2, "created")]
    assert (Revision.objects.count(), Operation.objects.count()) == (2, 2)


def test_a_deal_that_was_entered_again_goes_the_same_way() -> None:
    a_tournament_with_links()
    phone = Device(the_secret())
    phone.outcomes(an_item(a_text(1, "NS 7-4")))
    again = an_item(a_text(1, "NS 7-5"), base=1)

    report = uploaded(again, actor=a_director())
    answers = phone.outcomes(again)

    assert outcomes(report) == [(1, "created")]
    assert [answer["revision"] for answer in answers] == [2]
    assert not {"conflict", "rejected"} & {*became(answers)}
    assert texts_of(the_match()) == {1: a_text(1, "NS 7-5")}


def test_a_conflict_shows_both_and_leaves_the_other_deals_alone() -> None:
    a_tournament_with_links()
    Device(the_secret()).outcomes(an_item(a_text(1, "NS 7-4")))

    report = uploaded(an_item(a_text(1, "NS 7-5")), an_item(a_text(2)))

    first, second = report.handed
    assert (first.became.value, second.became.value) == ("conflict", "created")
    assert (first.current, first.offered) == (a_text(1, "NS 7-4"), a_text(1, "NS 7-5"))
    assert first.deal == Deal.objects.get(number=1).uid
    assert texts_of(the_match()) == {1: a_text(1, "NS 7-4"), 2: a_text(2)}
    assert not report.is_clean


def test_a_deal_that_somebody_mended_in_the_file_is_judged_by_its_text() -> None:
    a_tournament_with_links()
    item = an_item(a_text(1, "NS 7-4"))
    Device(the_secret()).outcomes(item)

    report = uploaded({**item, "pcn": a_text(1, "NS 7-5")})

    assert outcomes(report) == [(1, "conflict")]
    assert texts_of(the_match()) == {1: a_text(1, "NS 7-4")}


def test_who_made_a_deal_is_kept_where_another_phone_sends_it() -> None:
    """The pair that took a file over has not agreed with it, and can still be asked."""
    a_tournament_with_links()
    Tournament.objects.update(confirmation=True)
    north, east = Device(the_secret()), Device(the_secret())
    item = {**an_item(a_text()), "side": "NS"}

    east.outcomes({**item, "device": str(north.id)})
    north.outcomes(item)

    entered = EnteredRevision.objects.get()
    assert (entered.device, entered.holder, Confirmation.objects.count()) == (north.id, "NS", 0)


def test_a_match_that_is_over_takes_none_until_it_is_opened_again() -> None:
    a_tournament_with_links()
    director = a_director()
    item = an_item(a_text())
    match = the_match()
    facts: dict[str, Any] = {
        "actor": director,
        "uid": match.uid,
        "act_id": None,
        "even_short": True,
        "at": AT,
    }
    set_match_state(state="finished", version=match.version, **facts)

    closed = uploaded(item)
    set_match_state(state="open", version=the_match().version, **facts)
    opened = uploaded(item)

    assert (outcomes(closed), codes(closed.handed)) == ([(1, "rejected")], ["match-is-over"])
    assert outcomes(opened) == [(1, "created")]


def test_deals_of_another_tournament_are_not_taken_and_not_lost() -> None:
    a_tournament_with_links()
    a_tournament_with_links(slug="other", club=Tournament.objects.get().club.slug)
    other = an_item(a_text(), sheet=the_match(slug="other").scoresheet.uid)

    report = uploaded(other, an_item(a_text(), sheet=uuid4()), an_item(a_text()))

    assert [deal.became.value for deal in report.handed] == ["rejected", "rejected", "created"]
    assert codes(report.handed_left) == ["no-such-scoresheet"] * 2
    assert [deal.offered for deal in report.handed_left] == [a_text()] * 2
    assert texts_of(the_match(slug="other")) == {}


def test_records_that_were_spoilt_on_the_way_are_named() -> None:
    a_tournament_with_links()
    no_id = handed(an_item(a_text(1))).replace("PhoneOperation", 'PhoneOperation "x"]\n[Was')
    no_dealer = handed(an_item(a_text(2))).replace('[Dealer "E"]\n', "")

    report = uploaded(no_id, no_dealer, an_item(a_text(3)))

    assert [(deal.number, deal.became.value) for deal in report.handed] == [
        (1, "rejected"),
        (2, "rejected"),
        (3, "created"),
    ]
    assert codes(report.handed_left) == ["spoilt-tags", "missing-tag"]
    assert report.handed_left[1].problems[0].record == 2


def test_what_a_phone_adds_is_kept_by_no_way_in() -> None:
    """As when the text of the file is sent to the API, or pasted where one deal is expected."""
    a_tournament_with_links()
    item = an_item(a_text())
    pasted = handed(item, with_match=False)

    answers = Device(the_secret()).outcomes(an_item(pasted), item)

    assert became(answers) == ["created", "duplicate"]
    assert texts_of(the_match()) == {1: a_text()}


def test_a_file_may_hold_both_kinds() -> None:
    a_tournament_with_links()
    of_paper = "\n".join(MATCH_TAGS).replace('[Table "1"]', '[Table "2"]')
    of_paper = of_paper.replace("Asif Khan & Bilal Shah", "Erum Ali & Farid Baig").replace(
        "Chand Rao & Dev Patel", "Gita Sen & Hari Das"
    )

    report = uploaded(f"{of_paper}\n{a_text(1)}", an_item(a_text()))

    assert [deal.became.value for deal in report.handed] == ["created"]
    assert len(report.sheets) == 1


def test_who_may_not_upload_is_kept_out() -> None:
    a_tournament_with_links()

    with pytest.raises((Forbidden, NotFound)):
        uploaded(an_item(a_text()), actor=as_actor(a_user("Nobody")))
    with pytest.raises(NotFound):
        uploaded(an_item(a_text()), slug="nowhere")

    assert Revision.objects.count() == 0


def test_more_deals_of_phones_than_are_taken_at_once_are_refused_whole() -> None:
    a_tournament_with_links()
    text = "\n".join(handed(an_item(a_text(number))) for number in (1, 2, 3))

    with pytest.raises(UploadTooLarge, match="At most 2 deals of phones"):
        import_evening(
            actor=a_director(),
            into=Destination(tournament="rang"),
            files=[UploadedFile("a.pcn", text.encode())],
            limits=Limits(handed=2),
            at=AT,
        )

    assert Revision.objects.count() == 0


def test_the_page_takes_a_pasted_text_and_shows_what_became_of_it(client: Client) -> None:
    a_tournament_with_links()
    scorer = a_scorer()
    client.force_login(scorer)
    address = reverse("tournaments:upload", args=["rang"])
    Device(the_secret()).outcomes(an_item(a_text(1, "NS 7-4")))
    text = handed(an_item(a_text(1, "NS 7-5"))) + "\r\n" + handed(an_item(a_text(2))).replace("\n", "\r\n")

    shown = client.post(address, {"text": text}).content.decode()
    empty = client.post(address, {"text": "  "}).content.decode()

    assert "1 deal of a phone was not recorded." in shown
    assert "Deal 1 is recorded already and says something else" in shown
    assert "NS 7-4" in shown
    assert "NS 7-5" in shown
    assert "Deals recorded now" in shown
    assert reverse("scoring:deal", args=[Deal.objects.get(number=1).uid]) in shown
    assert "Choose a file" in empty


def test_the_command_takes_it_too_and_says_what_is_left(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    tournament = a_tournament_with_links()
    path = tmp_path / "table-1.pcn"
    path.write_text(handed(an_item(a_text())) + "\n" + handed(an_item(a_text(2), sheet=UUID(int=0))))

    with pytest.raises(CommandError, match="left out"):
        call_command("import_pcn", str(path), "--club", tournament.club.slug, "--tournament", "rang")

    said = capsys.readouterr().out
    assert "created: deal 1 of round 1, table 1, Asif Khan & Bilal Shah – Chand Rao & Dev Patel" in said
    assert "table-1.pcn:14:1: record 2: error: no-such-scoresheet" in said
    assert texts_of(the_match()) == {1: a_text()}
