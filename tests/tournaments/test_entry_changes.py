"""Entries leave, come back, sit out, get other players, seeds and substitutes, and are checked in."""

from http import HTTPStatus
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound
from scoring.models import Partnership, Player, Scoresheet
from scoring.operations import NotAtTheTable, SheetInUse
from tests.accounts.builders import AT, a_browser, a_club
from tests.scoring.builders import player_at
from tests.tournaments.builders import a_match, a_scheduled_tournament, upload
from tests.tournaments.test_entries import ASIF, CHAND, ERUM, a_tournament, publish_round, states, take
from tournaments import queries
from tournaments.errors import (
    ChangedMeanwhile,
    EntriesRefused,
    EntryInUse,
    NearNames,
    ReasonNeeded,
    RoundDrawn,
    SeedRepeated,
    SeedsInUse,
    SitsElsewhere,
    WrongState,
)
from tournaments.models import (
    Absence,
    AbsenceKind,
    Bye,
    ByeKind,
    Draft,
    Entry,
    Match,
    Substitution,
    Tournament,
)
from tournaments.operations.check_in import check_in, clear_check_in, mark_absent
from tournaments.operations.entry_changes import (
    change_entry,
    readmit_entry,
    remove_entry,
    replace_pair,
    set_absence,
    withdraw_entry,
)
from tournaments.operations.seeding import SeedingMethod, seed_entries
from tournaments.operations.standings import compute_standings
from tournaments.operations.substitutions import Sitting, substitute_player, take_back_substitute

pytestmark = pytest.mark.django_db

ROUND_ROBIN = (
    "Asif Khan & Bilal Shah",
    "Chand Rao & Dev Patel",
    "Erum Emerald & Farah Falcon",
    "Gita Garnet & Hema Heron",
)


def withdraw(entry: int, *, reason: str = "Ill", version: int | None = None) -> None:
    withdraw_entry(actor=SERVER, slug="winter", entry=entry, reason=reason, version=version, at=AT)


def check(entry: int, *, is_there: bool = True) -> None:
    check_in(actor=SERVER, slug="winter", entry=entry, is_there=is_there, at=AT)


def sit_out(entry: int, number: int, kind: str | None = "requested") -> None:
    set_absence(actor=SERVER, slug="winter", entry=entry, round_number=number, kind=kind, at=AT)


def absences() -> list[tuple[int, int, str]]:
    rows = Absence.objects.order_by("entry__number", "round_number")
    return list(rows.values_list("entry__number", "round_number", "kind"))


def seeds() -> dict[int, int | None]:
    return dict(Entry.objects.values_list("number", "seed"))


# -- leaving and coming back


def test_a_pair_leaves_after_the_rounds_that_are_published_and_comes_back() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    publish_round(tournament, 1)

    withdraw(2)
    left = Entry.objects.get(number=2)
    publish_round(tournament, 2)
    readmit_entry(actor=SERVER, slug="winter", entry=2, at=AT)

    assert (left.state, left.withdrawn_after) == ("withdrawn", 1)
    back = Entry.objects.get(number=2)
    assert (back.state, back.withdrawn_after, back.version) == ("active", None, 2)
    assert list(Bye.objects.values_list("round__number", "kind")) == [(2, ByeKind.ABSENT)]
    detail = AuditEntry.objects.get(what="entry-withdrawn").detail
    assert (detail["entry"], detail["reason"], detail["after"]) == (2, "Ill", 1)


def test_leaving_needs_a_reason_the_version_that_was_looked_at_and_an_entry_that_plays() -> None:
    a_tournament()
    take(ASIF)

    with pytest.raises(ReasonNeeded):
        withdraw(1, reason=" ")
    with pytest.raises(ChangedMeanwhile):
        withdraw(1, version=7)
    withdraw(1, version=0)
    with pytest.raises(WrongState):
        withdraw(1)
    with pytest.raises(WrongState):
        sit_out(1, 1)
    with pytest.raises(WrongState):
        check(1)


def test_a_pair_typed_by_mistake_goes_with_all_that_was_said_of_it_until_a_round_is_published() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    sit_out(2, 1)

    remove_entry(actor=SERVER, slug="winter", entry=2, at=AT)

    assert states() == [(1, "active")]
    assert absences() == []
    publish_round(tournament, 1)
    with pytest.raises(EntryInUse, match="withdraw"):
        remove_entry(actor=SERVER, slug="winter", entry=1, at=AT)


def test_a_pair_of_a_draft_is_not_taken_out() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    Draft.objects.create(tournament=tournament, number=1, drawn_on=0, seed=1, draw={}, drawn={}, made_at=AT)

    with pytest.raises(EntryInUse, match="draft"):
        remove_entry(actor=SERVER, slug="winter", entry=1, at=AT)


# -- sitting out


def test_a_round_to_come_is_sat_out_and_that_is_taken_back() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    publish_round(tournament, 1)

    sit_out(1, 2)
    sit_out(1, 2)
    sit_out(2, 3, "absent")
    assert absences() == [(1, 2, "requested"), (2, 3, "absent")]
    sit_out(1, 2, None)

    assert absences() == [(2, 3, "absent")]
    with pytest.raises(RoundDrawn):
        sit_out(1, 1)


# -- who is there


def test_who_is_there_is_checked_in_once_and_it_can_be_taken_back() -> None:
    a_tournament()
    take(ASIF, CHAND)

    check(1)
    check(1)

    assert list(Entry.objects.order_by("number").values_list("checked_in_at", "version")) == [
        (AT, 1),
        (None, 0),
    ]
    assert AuditEntry.objects.filter(what="entry-checked-in").count() == 1
    check(1, is_there=False)
    assert Entry.objects.get(number=1).checked_in_at is None


def test_all_who_are_not_checked_in_are_absent_until_they_are() -> None:
    a_tournament()
    take(ASIF, CHAND, ERUM)
    check(1)
    sit_out(2, 1)

    marked = mark_absent(actor=SERVER, slug="winter", at=AT)
    again = mark_absent(actor=SERVER, slug="winter", at=AT)

    assert (marked, again) == ((3,), ())
    assert absences() == [(2, 1, AbsenceKind.REQUESTED), (3, 1, AbsenceKind.ABSENT)]
    check(3)
    assert absences() == [(2, 1, AbsenceKind.REQUESTED)]


def test_every_check_in_is_taken_back_for_another_session() -> None:
    a_tournament()
    take(ASIF, CHAND)
    check(1)

    clear_check_in(actor=SERVER, slug="winter", at=AT)

    assert list(Entry.objects.values_list("checked_in_at", flat=True)) == [None, None]


# -- numbers and seeds


def test_a_rating_changes_and_a_group_only_before_the_first_round() -> None:
    tournament = a_tournament()
    take(ASIF)

    change_entry(actor=SERVER, slug="winter", entry=1, rating=1800, group=2, at=AT)
    publish_round(tournament, 1)
    change_entry(actor=SERVER, slug="winter", entry=1, rating=1900, group=2, at=AT)

    assert list(Entry.objects.values_list("rating", "group", "version")) == [(1900, 2, 2)]
    with pytest.raises(EntryInUse):
        change_entry(actor=SERVER, slug="winter", entry=1, rating=1900, group=3, at=AT)


def test_seeds_are_given_by_rating_by_hand_or_drawn_from_a_number_that_is_written_down() -> None:
    a_tournament()
    take(ASIF, CHAND, ERUM)
    Entry.objects.filter(number=3).update(rating=1900)

    seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.RATING, at=AT)
    assert seeds() == {3: 1, 1: 2, 2: 3}
    by_hand = {1: 5, 2: 4, 3: None}
    seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.HAND, given=by_hand, at=AT)
    assert seeds() == {1: 2, 2: 1, 3: None}
    seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.DRAW, draw_seed=4711, at=AT)
    drawn = seeds()

    seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.DRAW, draw_seed=4711, at=AT)
    assert seeds() == drawn
    page = queries.entry_list("winter", actor=SERVER)
    assert page.seeding == queries.Seeding(method="draw", drawn_from=4711)


def test_a_draw_that_is_sent_again_is_not_drawn_again() -> None:
    a_tournament()
    take(ASIF, CHAND, ERUM)
    act = uuid4()

    for number in (1, 2):
        seed_entries(
            actor=SERVER, slug="winter", method=SeedingMethod.DRAW, draw_seed=number, act_id=act, at=AT
        )

    assert queries.entry_list("winter", actor=SERVER).seeding == queries.Seeding(method="draw", drawn_from=1)


def test_seeds_are_refused_where_two_have_one_others_changed_the_list_or_a_round_was_drawn() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    version = queries.entry_list("winter", actor=SERVER).version

    with pytest.raises(SeedRepeated):
        seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.HAND, given={1: 1, 2: 1}, at=AT)
    take(ERUM)
    with pytest.raises(ChangedMeanwhile):
        seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.RATING, version=version, at=AT)
    publish_round(tournament, 1)
    with pytest.raises(SeedsInUse):
        seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.RATING, at=AT)


# -- other players


def replace(entry: int, *names: str, slug: str = "rang", others: tuple[str, ...] = ()) -> None:
    replace_pair(actor=SERVER, slug=slug, entry=entry, names=(names[0], names[1]), others=others, at=AT)


def test_a_wrong_name_is_put_right_in_the_entry_and_at_its_tables() -> None:
    a_scheduled_tournament(*ROUND_ROBIN, club_id=a_club().pk)

    replace(1, "Asif Khan", "Imran Iris")

    entry = Entry.objects.get(number=1)
    players = {entry.partnership.first.name, entry.partnership.second.name}
    assert players == {"Asif Khan", "Imran Iris"}
    seated = Scoresheet.objects.filter(ns=entry.partnership) | Scoresheet.objects.filter(ew=entry.partnership)
    assert seated.count() == 3
    bilal = Player.objects.get(name="Bilal Shah")
    assert not any(
        bilal.pk in seats for seats in Scoresheet.objects.values_list("north", "south", "east", "west")
    )


def test_a_pair_that_has_played_keeps_its_players() -> None:
    a_scheduled_tournament(*ROUND_ROBIN, club_id=a_club().pk)
    upload(a_match(["EW 7-5"], ns=ROUND_ROBIN[0], ew=ROUND_ROBIN[3], round="1", table="1"))

    with pytest.raises(EntryInUse):
        replace(1, "Asif Khan", "Imran Iris")


def test_a_player_of_another_entry_or_nearly_a_known_one_does_not_replace_anybody() -> None:
    a_scheduled_tournament(*ROUND_ROBIN, club_id=a_club().pk)

    with pytest.raises(EntriesRefused):
        replace(1, "Asif Khan", "Chand Rao")
    with pytest.raises(NearNames):
        replace(1, "Asif Khan", "Bilal Shahh")
    replace(1, "Asif Khan", "Bilal Shahh", others=("Bilal Shahh",))

    assert Partnership.objects.filter(second__name="Bilal Shahh").exists()


# -- substitutes


def sit_in(
    match: Match,
    absent: str,
    substitute: str,
    *,
    reason: str = "Ill",
    is_other: bool = False,
    played_all: bool = False,
) -> None:
    sitting = Sitting(
        absent_id=Player.objects.get(name=absent).pk,
        substitute=substitute,
        reason=reason,
        is_other=is_other,
        played_all=played_all,
    )
    substitute_player(
        actor=SERVER, slug="rang", entry=match.ns.number, match_uid=match.uid, sitting=sitting, at=AT
    )


def seats_of(match: Match) -> set[str]:
    sheet = Scoresheet.objects.get(pk=match.scoresheet_id)
    return {player_at(sheet, seat).name for seat in ("north", "south", "east", "west")}


def a_first_match() -> Match:
    a_scheduled_tournament(*ROUND_ROBIN, club_id=a_club().pk)
    return Match.objects.get(round__number=1, table="1")


def test_somebody_sits_in_for_one_match_and_gives_the_seat_back() -> None:
    match = a_first_match()
    before = Scoresheet.objects.get(pk=match.scoresheet_id)

    sit_in(match, "Bilal Shah", "Imran Iris")

    after = Scoresheet.objects.get(pk=match.scoresheet_id)
    assert seats_of(match) == {"Asif Khan", "Imran Iris", "Gita Garnet", "Hema Heron"}
    assert (after.ns_id, after.ew_id) == (before.ns_id, before.ew_id)
    (line,) = queries.substitutes_of([match.pk])[match.pk]
    assert (line.absent.name, line.substitute.name, line.reason) == ("Bilal Shah", "Imran Iris", "Ill")
    absent = Player.objects.get(name="Bilal Shah")
    take_back_substitute(
        actor=SERVER, slug="rang", entry=match.ns.number, match_uid=match.uid, absent_id=absent.pk, at=AT
    )
    assert seats_of(match) == {"Asif Khan", "Bilal Shah", "Gita Garnet", "Hema Heron"}
    assert Substitution.objects.count() == 0


def test_another_substitute_still_sits_in_for_the_pairs_player() -> None:
    match = a_first_match()
    sit_in(match, "Bilal Shah", "Imran Iris")

    sit_in(match, "Imran Iris", "Kiran Kite")
    (line,) = queries.substitutes_of([match.pk])[match.pk]
    sit_in(match, "Kiran Kite", "Bilal Shah")

    assert (line.absent.name, line.substitute.name) == ("Bilal Shah", "Kiran Kite")
    assert Substitution.objects.count() == 0


def test_a_substitute_who_cannot_sit_there_is_refused() -> None:
    match = a_first_match()

    with pytest.raises(ReasonNeeded):
        sit_in(match, "Bilal Shah", "Imran Iris", reason="")
    with pytest.raises(SitsElsewhere):
        sit_in(match, "Bilal Shah", "Chand Rao")
    with pytest.raises(SitsElsewhere):
        sit_in(match, "Bilal Shah", "Gita Garnet")
    with pytest.raises(NotAtTheTable):
        sit_in(match, "Chand Rao", "Imran Iris")
    with pytest.raises(NearNames):
        sit_in(match, "Bilal Shah", "Asif Khann")
    with pytest.raises(ChangedMeanwhile):
        substitute_player(
            actor=SERVER,
            slug="rang",
            entry=match.ns.number,
            match_uid=match.uid,
            sitting=Sitting(absent_id=1, substitute="Imran Iris", reason="Ill"),
            version=9,
            at=AT,
        )
    sit_in(match, "Bilal Shah", "Asif Khann", is_other=True)
    assert "Asif Khann" in seats_of(match)


def test_a_match_is_changed_by_the_address_of_its_own_entries_and_tournament_only() -> None:
    match = a_first_match()
    a_scheduled_tournament(*ROUND_ROBIN, club_id=match.round.tournament.club_id, slug="other")
    idle = Entry.objects.exclude(pk__in=[match.ns_id, match.ew_id]).filter(tournament__slug="rang")[0]
    sitting = Sitting(absent_id=1, substitute="Imran Iris", reason="Ill")

    for slug, entry in (("rang", idle.number), ("rang", 99), ("other", match.ns.number)):
        with pytest.raises(NotFound):
            substitute_player(
                actor=SERVER, slug=slug, entry=entry, match_uid=match.uid, sitting=sitting, at=AT
            )
        with pytest.raises(NotFound):
            take_back_substitute(
                actor=SERVER, slug=slug, entry=entry, match_uid=match.uid, absent_id=1, at=AT
            )

    assert Substitution.objects.count() == 0


def test_with_deals_the_seat_changes_only_where_the_substitute_played_them_all() -> None:
    match = a_first_match()
    upload(a_match(["EW 7-5"], ns=ROUND_ROBIN[0], ew=ROUND_ROBIN[3], round="1", table="1"))

    with pytest.raises(SheetInUse):
        sit_in(match, "Bilal Shah", "Imran Iris")
    sit_in(match, "Bilal Shah", "Imran Iris", played_all=True)

    assert "Imran Iris" in seats_of(match)


@pytest.mark.parametrize("ns", ["Asif Khan & Imran Iris", "Asif Khan & Bilal Shah"])
def test_records_that_name_the_substitute_or_the_pair_are_of_the_pairs_match(ns: str) -> None:
    match = a_first_match()
    sit_in(match, "Bilal Shah", "Imran Iris")

    report = upload(a_match(["EW 7-5"], ns=ns, ew=ROUND_ROBIN[3], round="1", table="1"))

    assert (report.recorded, Entry.objects.count(), Match.objects.count()) == (1, 4, 6)
    assert seats_of(match) == {"Asif Khan", "Imran Iris", "Gita Garnet", "Hema Heron"}


def test_a_substitute_is_said_beside_the_match_and_on_the_entrys_page() -> None:
    match = a_first_match()
    sit_in(match, "Bilal Shah", "نیا کھلاڑی")
    compute_standings(collection_id=Tournament.objects.get().collection_id, now=AT)

    tournament = a_browser().get(reverse("tournaments:tournament", args=["rang"])).content.decode()
    own = a_browser().get(reverse("tournaments:entry", args=["rang", 1])).content.decode()
    other = a_browser().get(reverse("tournaments:entry", args=["rang", 4])).content.decode()

    said = "<bdi>نیا کھلاڑی</bdi> for <bdi>Bilal Shah</bdi>"
    assert (said in tournament, said in own, said in other) == (True, True, False)


def test_what_is_changed_has_the_standings_computed_anew() -> None:
    a_tournament()
    take(ASIF, CHAND)
    before = Tournament.objects.select_related("collection").get().collection.version

    withdraw(1)

    assert Tournament.objects.select_related("collection").get().collection.version == before + 1


def test_standings_that_are_behind_leave_out_who_was_taken_out_of_the_list(client: Client) -> None:
    tournament = a_tournament()
    take(ASIF, CHAND, ERUM)
    compute_standings(collection_id=tournament.collection_id, now=AT)

    remove_entry(actor=SERVER, slug="winter", entry=2, at=AT)

    page = client.get("/tournaments/winter/standings/")
    rows = client.get("/api/v1/tournaments/winter/standings").json()["rows"]
    assert page.status_code == HTTPStatus.OK
    assert [row["entry"] for row in rows] == [1, 3]
