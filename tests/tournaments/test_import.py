"""An evening's files: what is written of them, what is not, and what is said."""

import pytest

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Seat
from scoring import queries as scoring
from scoring.models import Revision
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_file,
    a_match,
    a_record,
    a_scheduled_tournament,
)
from tournaments.errors import OtherClub, UploadTooLarge
from tournaments.evenings import UploadedFile
from tournaments.models import Entry, Match, MatchState, Round, Tournament
from tournaments.operations.evenings import Destination, import_evening
from tournaments.reports import EveningReport, SheetOutcome

pytestmark = pytest.mark.django_db

TWO_TABLES = (
    a_match(["EW 7-5", "NS 7-4", "NS 7-0 court"], round="1", table="1", event="Tuesday Rang"),
    a_match(["NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2", event="Tuesday Rang"),
)


def imported(
    *files: UploadedFile, actor: Actor = SERVER, create: bool = True, finish: bool = True
) -> EveningReport:
    into = Destination(tournament="rang", club="lahore", create=create)
    return import_evening(actor=actor, into=into, files=files, finish=finish, at=AT)


def outcomes(report: EveningReport) -> list[tuple[str, int, int]]:
    return [(sheet.outcome.value, sheet.recorded, sheet.duplicates) for sheet in report.sheets]


def faults(report: EveningReport) -> list[tuple[str, int, int, int, str]]:
    return [
        (found.file, found.record, found.line, found.column, found.code)
        for sheet in report.sheets
        for found in sheet.problems
    ]


def test_create_makes_the_club_and_a_public_round_robin_under_the_files_rules() -> None:
    report = imported(a_file(*TWO_TABLES))

    tournament = Tournament.objects.get()
    assert (report.made_club, report.made_tournament) == (True, True)
    assert (tournament.slug, tournament.name, tournament.club.slug) == ("rang", "Tuesday Rang", "lahore")
    assert (tournament.format, tournament.visibility, tournament.rules) == (
        "round-robin",
        "public",
        "court-piece",
    )


def test_players_pairs_entries_rounds_and_matches_are_made_and_said() -> None:
    report = imported(a_file(*TWO_TABLES))

    assert outcomes(report) == [("recorded", 3, 0), ("recorded", 1, 0)]
    assert report.partnerships_made == (ASIF, CHAND, ERUM, GITA)
    assert len(report.players_made) == 8
    assert list(Entry.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4]
    matches = Match.objects.order_by("table").values_list("round__number", "table", "state")
    assert list(matches) == [(1, "1", "finished"), (1, "2", "finished")]


def test_the_scoresheet_says_what_the_records_said() -> None:
    imported(
        a_file(
            a_match(["NS 7-0 court"], round="1", table="1", event="Rang", site="Lahore", date="2026.11.??")
        )
    )

    page = scoring.scoresheet_page(Match.objects.get().scoresheet.uid, actor=SERVER)
    assert (page.header.event, page.header.site, page.header.date) == ("Rang", "Lahore", "2026.11.??")
    assert (page.header.round, page.header.table, page.header.north.name) == ("1", "1", "Asif Khan")
    assert (page.ns.courts, page.ew.courts, page.winner) == (1, 0, "NS")


def test_the_same_file_again_writes_nothing_and_says_so() -> None:
    imported(a_file(*TWO_TABLES))
    before = Tournament.objects.get().collection.version

    report = imported(a_file(*TWO_TABLES, name="again.pcn"))

    assert outcomes(report) == [("duplicate", 0, 3), ("duplicate", 0, 1)]
    assert report.wrote_nothing
    assert (report.made_club, report.made_tournament, report.players_made) == (False, False, ())
    assert Tournament.objects.get().collection.version == before


def test_more_deals_of_a_match_are_added_to_it() -> None:
    imported(a_file(a_match(["EW 7-5"], round="1", table="1")))

    report = imported(a_file(a_match(["EW 7-5", "NS 7-4"], round="1", table="1")))

    assert outcomes(report) == [("recorded", 1, 1)]
    assert Match.objects.count() == 1


def test_another_text_of_a_recorded_deal_is_a_conflict_and_nothing_is_written() -> None:
    imported(a_file(a_match(["EW 7-5"], round="1", table="1")))

    report = imported(a_file(a_match(["NS 7-5", "NS 7-4"], round="1", table="1")))

    assert outcomes(report)[0][0] == "conflict"
    assert [(file, record, code) for file, record, _line, _column, code in faults(report)] == [
        ("evening.pcn", 1, "deal-conflict")
    ]
    assert scoring.match_results(Tournament.objects.get().collection_id)[0].deals == 1


def test_one_bad_record_leaves_out_its_scoresheet_and_nothing_else() -> None:
    bad = a_match(["NS 7-4", "NS 8-4", "NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2")

    report = imported(a_file(TWO_TABLES[0], bad))

    assert outcomes(report) == [("recorded", 3, 0), ("refused", 0, 0)]
    assert faults(report) == [("evening.pcn", 5, 49, 10, "result-mismatch")]
    assert report.partnerships_made == (ASIF, CHAND)
    assert Match.objects.count() == 1


def test_a_record_that_cannot_be_read_leaves_out_its_scoresheet_too() -> None:
    file = a_file(*TWO_TABLES)
    broken = UploadedFile(file.name, file.content.replace(b'[Dealer "N"]', b'[Dealer "North"]', 1))

    report = imported(broken)

    assert [sheet.outcome.value for sheet in report.sheets] == ["refused", "recorded"]
    assert [(found[4], found[1]) for found in faults(report)] == [("bad-value", 1)]


def test_a_file_of_nothing_but_bad_records_makes_no_tournament() -> None:
    report = imported(UploadedFile("notes.txt", b"Dear director,\nwe won.\n"))

    assert [sheet.outcome.value for sheet in report.sheets] == ["refused"]
    assert not report.made_tournament
    assert not Tournament.objects.exists()


def test_a_record_under_other_rules_than_the_tournament_is_refused_in_a_sentence() -> None:
    imported(a_file(*TWO_TABLES))

    report = imported(a_file(a_match(["NS 7-4"], ns=ASIF, ew=ERUM, rules="double-sir", round="2", table="1")))

    (problem,) = report.sheets[0].problems
    assert (problem.code, report.sheets[0].outcome) == ("other-rules", SheetOutcome.REFUSED)
    assert "“court-piece”" in problem.message
    assert "“double-sir”" in problem.message


def test_a_discrepant_courts_tag_is_found_in_the_match_that_is_recorded() -> None:
    imported(a_file(a_match(["NS 7-0 court"], round="1", table="1")))
    second = a_record(2, Seat.W, "NS 7-4", ns=ASIF, ew=CHAND, round="1", table="1", courts="NS 4 EW 0")

    report = imported(a_file(second))

    assert [found[4] for found in faults(report)] == ["courts-mismatch"]
    assert outcomes(report)[0][0] == "refused"


def test_warnings_are_said_and_the_scoresheet_is_written() -> None:
    wrong = a_record(1, Seat.N, "NS 7-4", ns=ASIF, ew=CHAND, round="1", table="1")
    after = a_record(2, Seat.N, "NS 7-4", ns=ASIF, ew=CHAND, round="1", table="1")

    report = imported(a_file(wrong, after))

    assert outcomes(report) == [("recorded", 2, 0)]
    assert [(found.code, found.severity) for found in report.sheets[0].warnings] == [
        ("wrong-dealer", "warning")
    ]


def test_a_match_in_two_files_says_of_each_problem_in_which() -> None:
    one = a_file(a_match(["NS 7-4"], round="1", table="1"), name="a.pcn")
    two = a_file(a_match(["NS 9-9"], round="1", table="1", first_deal=2), name="b.pcn")

    report = imported(one, two)

    assert [(found[0], found[1]) for found in faults(report)] == [("b.pcn", 1)]
    assert report.sheets[0].files == ("a.pcn", "b.pcn")


def test_each_deal_keeps_the_name_of_its_own_file_in_its_history() -> None:
    one = a_file(a_match(["NS 7-4"], round="1", table="1"), name="a.pcn")
    two = a_file(a_match(["EW 7-4"], round="1", table="1", first_deal=2), name="b.pcn")
    three = a_file(a_match(["NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2"), name="c.pcn")

    imported(one, two, three)

    kept = Revision.objects.order_by("deal__scoresheet__table", "deal__number").values_list(
        "source", flat=True
    )
    assert list(kept) == ["a.pcn", "b.pcn", "c.pcn"]


def test_near_duplicates_of_names_are_said() -> None:
    imported(a_file(*TWO_TABLES))

    report = imported(a_file(a_match(["NS 7-4"], ns="Asif Kahn & Bilal Shah", ew=ERUM, round="2", table="1")))

    assert [(near.name, near.existing) for near in report.near_duplicates] == [("Asif Kahn", "Asif Khan")]


@pytest.mark.parametrize(
    ("ns", "code"),
    [
        ("Asif Khan & Asif Khan", "player-twice"),
        ("Dev Patel & Bilal Shah", "player-twice"),
        ("... & Bilal", "bad-name"),
    ],
)
def test_names_that_cannot_be_those_of_four_players_are_refused(ns: str, code: str) -> None:
    report = imported(a_file(a_match(["NS 7-4"], ns=ns, round="1", table="1")))

    assert [found[4] for found in faults(report)] == [code]


def test_records_without_names_are_refused_where_nothing_tells_who_played() -> None:
    report = imported(a_file(a_match(["NS 7-4"], ns="", ew="", round="1", table="1")))

    assert [found[4] for found in faults(report)] == ["names-missing"]


def test_records_without_round_and_table_are_taken_in_and_it_is_said_how() -> None:
    report = imported(
        a_file(a_match(["NS 7-4"]), a_match(["NS 7-4"], ns=ERUM, ew=GITA), a_match(["NS 7-5"], ew=ERUM))
    )

    assert [sheet.notes for sheet in report.sheets] == [
        ("Without a round: taken as round 1.", "Without a table: taken as table 1."),
        ("Without a round: taken as round 1.", "Without a table: taken as table 2."),
        ("Without a round: taken as round 2.", "Without a table: taken as table 1."),
    ]
    again = imported(a_file(a_match(["NS 7-4"])))
    assert again.wrote_nothing


def test_records_of_one_match_that_name_it_differently_are_one_scoresheet() -> None:
    named = a_match(["NS 7-4"], round="1", table="1")
    nameless = a_match(["NS 7-5"], ns="", ew="", round="1", table="1", first_deal=2)

    report = imported(a_file(named, nameless))

    assert outcomes(report) == [("recorded", 2, 0)]


def test_a_named_round_has_its_name() -> None:
    imported(a_file(a_match(["NS 7-4"], round="1", table="1"), a_match(["NS 7-5"], round="Final", table="1")))

    assert list(Round.objects.order_by("number").values_list("number", "label")) == [(1, ""), (2, "Final")]


def test_a_scheduled_match_is_found_with_the_pairs_the_other_way_round() -> None:
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)
    scheduled = Match.objects.get(round__number=1, table="1")

    report = imported(a_file(a_match(["NS 7-0 court"], ns=GITA, ew=ASIF, round="1", table="1")), create=False)

    played = Match.objects.get(round__number=1, table="1")
    assert outcomes(report) == [("recorded", 1, 0)]
    assert (played.pk, played.ns.number, played.ew.number) == (scheduled.pk, 4, 1)
    result = next(one for one in scoring.match_results(tournament.collection_id) if one.deals)
    assert (result.scoresheet_id, result.ns_id, result.courts_ns) == (
        played.scoresheet_id,
        played.ns.partnership_id,
        1,
    )


def test_a_pair_that_is_not_at_its_table_is_refused_and_nothing_is_made() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)

    report = imported(a_file(a_match(["NS 7-4"], ns="Asif Kahn & Bilal Shah", ew=GITA, round="1", table="1")))

    assert [found[4] for found in faults(report)] == ["table-taken"]
    assert report.players_made == ()
    assert Entry.objects.count() == 4


def test_with_matches_that_go_on_nothing_is_finished() -> None:
    imported(a_file(*TWO_TABLES), finish=False)

    assert set(Match.objects.values_list("state", flat=True)) == {MatchState.OPEN}


def test_a_tournament_that_is_missing_is_not_made_unasked() -> None:
    a_club()

    with pytest.raises(NotFound):
        imported(a_file(*TWO_TABLES), create=False)


def test_a_tournament_of_another_club_is_not_taken_for_ones_own() -> None:
    imported(a_file(*TWO_TABLES))
    a_club("delhi")

    with pytest.raises(OtherClub):
        import_evening(
            actor=SERVER,
            into=Destination(tournament="rang", club="delhi", create=True),
            files=[a_file(*TWO_TABLES)],
            at=AT,
        )


@pytest.mark.parametrize("role", [None, Role.PLAYER])
def test_who_is_no_scorer_may_not_upload(role: Role | None) -> None:
    imported(a_file(*TWO_TABLES))
    user = a_user()
    if role is not None:
        club = Club.objects.get()
        club.memberships.create(user=user, role=role, created_at=AT)

    with pytest.raises(Forbidden):
        imported(a_file(*TWO_TABLES), actor=as_actor(user), create=False)


def test_a_scorer_may_upload_and_is_named_in_the_revision() -> None:
    user = a_user()
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club(members=[(user, Role.SCORER)]).pk)

    report = imported(a_file(a_match(["NS 7-4"], round="1", table="1")), actor=as_actor(user), create=False)

    assert outcomes(report) == [("recorded", 1, 0)]


@pytest.mark.parametrize("looks_with_time", [0, 1])
def test_an_upload_that_takes_too_long_while_it_is_written_leaves_nothing(looks_with_time: int) -> None:
    a_club()
    imported(a_file(TWO_TABLES[0]))
    before = (Match.objects.count(), Entry.objects.count(), Revision.objects.count())
    looks = iter([False] * looks_with_time)

    with pytest.raises(UploadTooLarge):
        import_evening(
            actor=SERVER,
            into=Destination(tournament="rang", club="lahore"),
            files=[a_file(a_match(["NS 7-4"], ns=ERUM, ew=GITA, round="2", table="1", event="Tuesday Rang"))],
            at=AT,
            out_of_time=lambda: next(looks, True),
        )

    assert (Match.objects.count(), Entry.objects.count(), Revision.objects.count()) == before
