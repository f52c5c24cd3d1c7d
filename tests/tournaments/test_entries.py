"""Pairs come into a tournament: by hand, because they asked, late, once, and never a player twice."""

from collections.abc import Sequence
from uuid import uuid4

import pytest
from django.test import Client

from courtpiece.accounts.models import AuditEntry, Club, Role
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.models import Player
from scoring.operations import AccountTaken, anonymise_player, hide_name
from scoring.queries.refs import seated_pair
from tests.accounts.builders import AT, a_club, a_user, as_actor
from tests.tournaments import drawn
from tests.tournaments.builders import a_match, upload
from tournaments.domain.entering import NewPair
from tournaments.errors import (
    ActReused,
    AlreadyAsked,
    ChangedMeanwhile,
    EntriesClosed,
    EntriesRefused,
    NearNames,
    TournamentIsFinal,
    WrongState,
)
from tournaments.models import (
    Bye,
    ByeKind,
    Entry,
    EntryState,
    Match,
    Round,
    Session,
    Standings,
    Status,
    Tournament,
)
from tournaments.operations.creating import create_tournament
from tournaments.operations.entries import answer_request, ask_to_play, take_back_request, take_entries
from tournaments.operations.standings import bring_up_to_date
from tournaments.schemes import NewTournament

pytestmark = pytest.mark.django_db

ASIF = ("Asif Khan", "Bilal Shah")
CHAND = ("Chand Rao", "Dev Patel")
ERUM = ("Erum Emerald", "Farah Falcon")


def a_tournament(*, format: str = "swiss", visibility: str = "public", open_to: bool = True) -> Tournament:  # noqa: A002 - the word of the design
    made = create_tournament(
        actor=SERVER,
        club_id=a_club().pk,
        new=NewTournament(name="Winter", slug="winter", format=format, visibility=visibility),
        at=AT,
    )
    Tournament.objects.update(players_may_enter=open_to)
    return Tournament.objects.get(pk=made.id)


def pairs_of(*names: tuple[str, str]) -> list[NewPair]:
    return [NewPair(row=row, names=pair) for row, pair in enumerate(names, start=1)]


def take(*names: tuple[str, str], others: Sequence[str] = ()) -> tuple[int, ...]:
    return take_entries(actor=SERVER, slug="winter", pairs=pairs_of(*names), others=others, at=AT)


def publish_round(tournament: Tournament, number: int) -> None:
    session = Session.objects.get(tournament=tournament)
    Round.objects.create(tournament=tournament, session=session, number=number)


def a_player(name: str = "Omar Onyx") -> Actor:
    return as_actor(a_user(name))


def ask(actor: Actor, *, own: str = "Omar Onyx", partner: str = "Pavan Pearl") -> int:
    return ask_to_play(actor=actor, slug="winter", own_name=own, partner=partner, note="After six", at=AT)


def states() -> list[tuple[int, str]]:
    return list(Entry.objects.order_by("number").values_list("number", "state"))


# -- by a director


def test_pairs_enter_with_the_next_numbers() -> None:
    a_tournament()

    numbers = [*take(ASIF), *take(CHAND, ERUM)]

    assert numbers == [1, 2, 3]
    assert states() == [(1, "active"), (2, "active"), (3, "active")]
    assert AuditEntry.objects.filter(what="entries-taken").count() == 2


def test_the_same_act_again_enters_nobody_and_answers_the_same() -> None:
    a_tournament()
    act = uuid4()

    first = take_entries(actor=SERVER, slug="winter", pairs=pairs_of(ASIF), act_id=act, at=AT)
    again = take_entries(actor=SERVER, slug="winter", pairs=pairs_of(ASIF), act_id=act, at=AT)

    assert (first, again, Entry.objects.count()) == ((1,), (1,), 1)
    with pytest.raises(ActReused):
        take_entries(actor=SERVER, slug="winter", pairs=pairs_of(CHAND), act_id=act, at=AT)


def test_a_player_is_in_one_entry() -> None:
    a_tournament()
    take(ASIF)

    with pytest.raises(EntriesRefused, match="“Asif Khan” plays in entry 1 already"):
        take(CHAND, ("Asif Khan", "Erum Emerald"))

    assert Entry.objects.count() == 1
    assert not Player.objects.filter(name="Erum Emerald").exists()


def test_a_name_that_is_nearly_a_known_one_is_asked_about_before_anything_is_saved() -> None:
    a_tournament()
    take(ASIF)

    with pytest.raises(NearNames) as refused:
        take(("Asif Khann", "Erum Emerald"))

    assert [(near.name, near.existing) for near in refused.value.near] == [("Asif Khann", "Asif Khan")]
    assert Player.objects.count() == 2
    assert take(("Asif Khann", "Erum Emerald"), others=["Asif Khann"]) == (2,)


def test_two_new_names_of_one_list_are_held_beside_each_other_once() -> None:
    a_tournament()

    with pytest.raises(NearNames) as refused:
        take(("Asif Khan", "Bilal Shah"), ("Asif Khann", "Erum Emerald"))

    assert [(near.name, near.existing) for near in refused.value.near] == [("Asif Khann", "Asif Khan")]


def test_a_late_pair_plays_from_the_next_round_and_its_missed_rounds_are_written_down() -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    publish_round(tournament, 1)
    publish_round(tournament, 2)

    take(ERUM)

    late = Entry.objects.get(number=3)
    assert late.joined_round == 3
    assert list(Bye.objects.values_list("round__number", "entry__number", "kind")) == [
        (1, 3, ByeKind.LATE),
        (2, 3, ByeKind.LATE),
    ]


@pytest.mark.parametrize("format_name", ["knockout", "round-robin", "single", "groups-knockout"])
def test_where_all_follows_from_the_first_draw_nobody_comes_late(format_name: str) -> None:
    tournament = a_tournament(format=format_name)
    take(ASIF, CHAND)
    publish_round(tournament, 1)

    with pytest.raises(EntriesClosed):
        take(ERUM)


def test_nobody_enters_what_is_final() -> None:
    a_tournament()
    Tournament.objects.update(status=Status.FINAL)

    with pytest.raises(TournamentIsFinal):
        take(ASIF)


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER])
def test_only_who_runs_the_tournament_takes_entries(role: Role | None) -> None:
    a_tournament()
    user = a_user("Somebody")
    if role is not None:
        Club.objects.get().memberships.create(user=user, role=role, created_at=AT)

    with pytest.raises(Forbidden):
        take_entries(actor=as_actor(user), slug="winter", pairs=pairs_of(ASIF), at=AT)


# -- players who ask


def test_a_player_asks_and_a_director_accepts() -> None:
    a_tournament()
    take(ASIF)

    number = ask(a_player())

    assert states() == [(1, "active"), (2, "requested")]
    answer_request(actor=SERVER, slug="winter", entry=number, accept=True, at=AT)
    assert states() == [(1, "active"), (2, "active")]


def test_what_was_not_accepted_can_still_be() -> None:
    a_tournament()
    number = ask(a_player())

    answer_request(actor=SERVER, slug="winter", entry=number, accept=False, at=AT)
    assert states() == [(1, "declined")]
    answer_request(actor=SERVER, slug="winter", entry=number, accept=True, at=AT)

    assert states() == [(1, "active")]


def test_an_answer_is_given_once() -> None:
    a_tournament()
    number = ask(a_player())
    act = uuid4()

    for _time in range(2):
        answer_request(actor=SERVER, slug="winter", entry=number, accept=True, version=0, act_id=act, at=AT)

    with pytest.raises(ChangedMeanwhile, match="Omar Onyx & Pavan Pearl, active"):
        answer_request(actor=SERVER, slug="winter", entry=number, accept=False, version=0, at=AT)
    with pytest.raises(WrongState):
        answer_request(actor=SERVER, slug="winter", entry=number, accept=False, at=AT)


def test_a_request_is_not_accepted_while_a_player_of_it_is_in_another_entry() -> None:
    a_tournament()
    number = ask(a_player(), partner="Asif Khan")
    take(ASIF)

    with pytest.raises(EntriesRefused):
        answer_request(actor=SERVER, slug="winter", entry=number, accept=True, at=AT)


def test_a_director_who_enters_a_pair_that_asked_accepts_it() -> None:
    a_tournament()
    ask(a_player())

    numbers = take(("Pavan Pearl", "Omar Onyx"))

    assert numbers == (1,)
    assert states() == [(1, "active")]


def test_nobody_asks_twice() -> None:
    a_tournament()
    player = a_player()
    ask(player)

    with pytest.raises(AlreadyAsked):
        ask(player, partner="Qasim Quartz")
    with pytest.raises(AlreadyAsked):
        ask(a_player("Pavan Pearl"), own="Pavan Pearl", partner="Omar Onyx")


def test_a_request_is_taken_back_and_can_be_made_anew() -> None:
    a_tournament()
    player = a_player()
    ask(player)

    take_back_request(actor=player, slug="winter", at=AT)

    assert Entry.objects.count() == 0
    with pytest.raises(NotFound):
        take_back_request(actor=player, slug="winter", at=AT)
    assert ask(player) == 1


def test_nobody_asks_where_players_may_not_or_once_a_round_is_published() -> None:
    tournament = a_tournament(open_to=False)
    player = a_player()
    with pytest.raises(EntriesClosed):
        ask(player)

    Tournament.objects.update(players_may_enter=True)
    publish_round(tournament, 1)

    with pytest.raises(EntriesClosed):
        ask(player)


def test_nobody_asks_for_a_place_in_what_they_may_not_see() -> None:
    a_tournament(visibility="private")

    with pytest.raises(Forbidden):
        ask(a_player())
    with pytest.raises(Forbidden):
        ask(ANONYMOUS)


def test_who_has_a_player_in_the_club_asks_as_that_player() -> None:
    a_tournament()
    take(ASIF)
    user = a_user("Omar Onyx")
    Player.objects.create(club=Club.objects.get(), name="عمر", search_key="عمر", user=user, created_at=AT)

    ask(as_actor(user), own="Somebody Else")

    row = Entry.objects.get(state=EntryState.REQUESTED)
    names = {row.partnership.first.name, row.partnership.second.name}
    assert names == {"عمر", "Pavan Pearl"}


def test_nobody_asks_as_a_player_with_another_account() -> None:
    a_tournament()
    take(ASIF)
    Player.objects.filter(name="Asif Khan").update(user=a_user("Asif Khan"))

    with pytest.raises(AccountTaken):
        ask(a_player(), own="Asif Khan")


def test_an_upload_of_what_a_pair_played_that_only_asked_accepts_it() -> None:
    a_tournament()
    ask(a_player(), partner="Pavan Pearl")

    report = upload(a_match(["EW 7-5"], ns="Omar Onyx & Pavan Pearl", round="1", table="1"), slug="winter")

    assert report.recorded == 1
    assert states() == [(1, "active"), (2, "active")]


def test_a_pair_sits_and_is_shown_in_the_order_in_which_it_was_typed() -> None:
    drawn.a_tournament("swiss", 2, first=("Zoya Zircon", "Asif Amber"), rounds=1)
    match = Match.objects.select_related("ns", "ew", "scoresheet").get(round=drawn.a_round())

    entry, side = (match.ns, "ns") if match.ns.number == 1 else (match.ew, "ew")
    names = scoring.pair_names([entry.partnership_id])
    assert list(names.values()) == ["Zoya Zircon & Asif Amber"]
    assert seated_pair(match.scoresheet, side).name == "Zoya Zircon & Asif Amber"


@pytest.mark.parametrize("takes_away", [False, True])
def test_who_is_hidden_before_the_first_match_is_named_in_no_standings(
    client: Client, takes_away: bool
) -> None:
    tournament = a_tournament()
    take(ASIF, CHAND)
    bring_up_to_date(slug="winter", now=AT)
    asif = Player.objects.get(name="Asif Khan")
    before = client.get("/api/v1/tournaments/winter/standings").content.decode()

    if takes_away:
        anonymise_player(actor=SERVER, player_id=asif.pk, at=AT)
    else:
        hide_name(actor=SERVER, player_uid=asif.uid, at=AT)
    behind = client.get("/api/v1/tournaments/winter/standings").content.decode()
    bring_up_to_date(slug="winter", now=AT)
    computed = client.get("/api/v1/tournaments/winter/standings").content.decode()

    assert ["Asif Khan" in told for told in (before, behind, computed)] == [True, False, False]
    assert "Asif" not in str(Standings.objects.get(pk=tournament.pk).table)
