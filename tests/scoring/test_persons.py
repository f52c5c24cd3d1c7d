"""Who a player is: claims, merges that can be undone, names that are hidden or gone."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from courtpiece.accounts.models import AuditEntry, Club, Role, User
from courtpiece.accounts.parts import Asked
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring import operations, queries
from scoring.models import Collection, PersonRequest, Player, RequestState, Scoresheet
from scoring.operations import persons
from scoring.queries import found, lists
from scoring.queries.lists import DealFilter, PeopleFilter
from scoring.queries.persons import club_people, my_people
from scoring.queries.searching import Sought
from tests.accounts.builders import a_browser
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    a_user,
    an_actor,
    pair_of,
    player_at,
    record_file,
)

pytestmark = pytest.mark.django_db

ASIF = "Asif Khan"


def by(user: User) -> Actor:
    return Actor(user_id=user.pk)


def the_player(name: str = ASIF) -> Player:
    return Player.objects.get(name=name)


def two_names(club: Club) -> tuple[Player, Player]:
    """Return Asif under two names, each with a match."""
    a_sheet_with(club, [a_record(1)])
    record_file(a_sheet(club, names=(("Asif Kahn", "Gita Rao"), ("Chand Rao", "Dev Patel"))), [a_record(1)])
    return the_player(), the_player("Asif Kahn")


def an_account_of(player: Player, name: str = "Asif") -> User:
    user = a_user(name)
    operations.link_player(actor=SERVER, player_id=player.pk, user_id=user.pk, at=AT)
    return user


def matches_of(player: Player) -> int:
    return queries.player_page(player.uid, actor=ANONYMOUS).tally.matches


# -- claims


def test_a_player_is_claimed_and_a_director_approves() -> None:
    club = a_club()
    a_sheet_with(club, [a_record(1)])
    user, director = a_user("Asif"), an_actor(club)

    request = operations.claim_player(actor=by(user), player_uid=the_player().uid, note="It is me.", at=AT)
    again = operations.claim_player(actor=by(user), player_uid=the_player().uid, note="", at=AT)
    (waiting,) = club_people("lahore", actor=director, typed="", asked=Asked()).open
    operations.approve_request(actor=director, request_uid=request, at=LATER)

    assert (again, waiting.note, waiting.asked_by) == (request, "It is me.", "Asif")
    assert the_player().user_id == user.pk
    mine = my_people(actor=by(user))
    assert [line.name for line in mine.players] == [ASIF]
    assert [(line.state, line.answered_by) for line in mine.asked] == [("approved", "Director")]
    told = AuditEntry.objects.filter(club=club).order_by("pk").values_list("what", flat=True)
    assert list(told) == ["person-asked", "player-linked"]


def test_a_claimed_history_is_the_accounts_own_though_it_is_private() -> None:
    club = a_club()
    sheet = a_sheet(club, visibility="private")
    record_file(sheet, [a_record(1)])
    user = an_account_of(player_at(sheet, "north"))

    assert queries.player_page(the_player().uid, actor=by(user)).tally.matches == 1


def test_a_claim_that_is_declined_says_why_and_changes_nothing() -> None:
    club = a_club()
    a_sheet_with(club, [a_record(1)])
    user, director = a_user("Asif"), an_actor(club)
    request = operations.claim_player(actor=by(user), player_uid=the_player().uid, note="", at=AT)

    operations.decline_request(actor=director, request_uid=request, reason="Another Asif.", at=LATER)

    assert the_player().user_id is None
    assert [(one.state, one.reason) for one in my_people(actor=by(user)).asked] == [
        ("declined", "Another Asif.")
    ]
    with pytest.raises(operations.RequestAnswered):
        operations.approve_request(actor=director, request_uid=request, at=LATER)


def test_a_request_is_taken_back_by_who_asked_and_by_nobody_else() -> None:
    a_sheet_with(a_club(), [a_record(1)])
    user, other = a_user("Asif"), a_user("Omar")
    request = operations.claim_player(actor=by(user), player_uid=the_player().uid, note="", at=AT)

    with pytest.raises(NotFound):
        operations.take_request_back(actor=by(other), request_uid=request, at=AT)
    operations.take_request_back(actor=by(user), request_uid=request, at=LATER)

    assert PersonRequest.objects.get().state == RequestState.TAKEN_BACK
    with pytest.raises(operations.RequestAnswered):
        operations.take_request_back(actor=by(user), request_uid=request, at=LATER)


def test_what_cannot_be_claimed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    asif, omar = an_account_of(player_at(sheet, "north")), a_user("Omar")
    operations.anonymise_player(actor=SERVER, player_id=player_at(sheet, "west").pk, at=AT)

    def claim(user: User, seat: str) -> None:
        operations.claim_player(actor=by(user), player_uid=player_at(sheet, seat).uid, note="", at=AT)

    with pytest.raises(operations.AccountTaken):
        claim(omar, "north")
    with pytest.raises(operations.AccountTaken):
        claim(asif, "south")
    with pytest.raises(operations.NameGone):
        claim(omar, "west")
    with pytest.raises(Forbidden):
        operations.claim_player(actor=ANONYMOUS, player_uid=player_at(sheet, "south").uid, note="", at=AT)
    with pytest.raises(NotFound):
        operations.claim_player(actor=by(omar), player_uid=uuid4(), note="", at=AT)
    monkeypatch.setattr(persons, "MOST_OPEN_REQUESTS", 0)
    with pytest.raises(operations.TooManyRequests):
        claim(omar, "south")


def test_nobody_answers_for_another_club() -> None:
    a_sheet_with(a_club(), [a_record(1)])
    request = operations.claim_player(actor=by(a_user("Asif")), player_uid=the_player().uid, note="", at=AT)

    for actor in (
        an_actor(a_club("goa"), Role.OWNER),
        an_actor(Club.objects.get(slug="lahore"), Role.SCORER),
    ):
        with pytest.raises(Forbidden):
            operations.approve_request(actor=actor, request_uid=request, at=LATER)

    assert PersonRequest.objects.get().state == RequestState.OPEN


# -- merges


def test_a_merge_counts_both_for_one_and_undoing_it_parts_them() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    director = an_actor(club)

    merge = operations.merge_players(actor=director, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)
    merged = (
        matches_of(kept),
        matches_of(duplicate),
        queries.player_page(duplicate.uid, actor=ANONYMOUS).name,
    )
    operations.undo_merge(actor=director, request_uid=merge, reason="Two cousins.", at=LATER)

    assert merged == (2, 2, ASIF)
    assert (matches_of(kept), matches_of(duplicate)) == (1, 1)
    with pytest.raises(operations.AlreadyMerged):
        operations.undo_merge(actor=director, request_uid=merge, reason="", at=LATER)
    (line,) = club_people("lahore", actor=director, typed="", asked=Asked()).merges
    assert (line.state, line.reason) == ("undone", "Two cousins.")


def test_a_merged_player_is_listed_once_and_found_by_either_name() -> None:
    kept, duplicate = two_names(a_club())
    operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)

    def names(typed: str) -> list[str]:
        part = lists.players(actor=ANONYMOUS, wanted=PeopleFilter(search=typed), asked=Asked())
        return [line.name for line in part.items]

    deals = found.found_deals(
        actor=ANONYMOUS, wanted=DealFilter(sought=Sought(name="kahn")), asked=Asked(), now=AT
    )

    assert (names("kahn"), names("asif")) == ([ASIF], [ASIF])
    assert len(deals.items) == 2


def test_partnerships_of_the_same_two_persons_are_counted_together() -> None:
    club = a_club()
    one = a_sheet_with(club, [a_record(1)])
    other = a_sheet(club, names=(("Asif Kahn", "Bilal Shah"), ("Chand Rao", "Dev Patel")))
    record_file(other, [a_record(1)])
    operations.merge_players(
        actor=SERVER, duplicate_uid=player_at(other, "north").uid, kept_uid=the_player().uid, at=AT
    )

    pages = [queries.partnership_page(pair_of(sheet, "ns").uid, actor=ANONYMOUS) for sheet in (one, other)]

    assert [page.tally.matches for page in pages] == [2, 2]


def test_what_was_recorded_under_a_merged_name_is_recorded_so_again() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)

    found_again = operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[("Asif Kahn", "Gita Rao")], at=LATER
    )
    with pytest.raises(operations.SamePlayerTwice):
        operations.find_or_make_partnerships(
            actor=SERVER, club_id=club.pk, names=[("Asif Kahn", ASIF)], at=LATER
        )

    assert found_again.pairs[0].player_ids[0] == duplicate.pk
    assert found_again.players_made == ()


def test_an_account_goes_with_a_merge_and_comes_back() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    user = an_account_of(duplicate)

    merge = operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)
    moved = Player.objects.get(user=user).pk
    operations.undo_merge(actor=SERVER, request_uid=merge, reason="", at=LATER)

    assert (moved, Player.objects.get(user=user).pk) == (kept.pk, duplicate.pk)


def test_a_player_asks_for_a_merge_with_the_own_one() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    user = an_account_of(kept)
    request = operations.ask_for_merge(
        actor=by(user), duplicate_uid=duplicate.uid, kept_uid=kept.uid, note="A slip.", at=AT
    )

    operations.approve_request(actor=an_actor(club), request_uid=request, at=LATER)

    assert matches_of(kept) == 2
    with pytest.raises(Forbidden):
        operations.ask_for_merge(
            actor=by(a_user("Omar")), duplicate_uid=duplicate.uid, kept_uid=kept.uid, note="", at=AT
        )


def test_two_people_are_not_merged() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    chand = the_player("Chand Rao")
    a_sheet_with(a_club("goa"), [a_record(1)])
    far = Player.objects.get(name=ASIF, club__slug="goa")
    kept = Player.objects.get(name=ASIF, club=club)

    def merge(one: Player, other: Player) -> None:
        operations.merge_players(actor=SERVER, duplicate_uid=one.uid, kept_uid=other.uid, at=AT)

    with pytest.raises(operations.PlayedTogether):
        merge(kept, chand)
    with pytest.raises(operations.SamePlayer):
        merge(kept, kept)
    with pytest.raises(NotFound):
        merge(kept, far)
    merge(duplicate, kept)
    for one, other in ((duplicate, the_player("Gita Rao")), (kept, the_player("Gita Rao"))):
        with pytest.raises(operations.AlreadyMerged):
            merge(one, other)
    gita, bilal = the_player("Gita Rao"), Player.objects.get(name="Bilal Shah", club=club)
    an_account_of(gita, "Gita")
    an_account_of(bilal, "Bilal")
    with pytest.raises(operations.AccountTaken):
        merge(gita, bilal)


# -- names that are hidden or gone


def everywhere(client: Client, sheet: Scoresheet) -> dict[str, str]:
    """Return what is shown of a match and of North, by address."""
    north, deal = player_at(sheet, "north"), sheet.deals.get()
    addresses = [
        f"/scoresheets/{sheet.uid}/",
        f"/scoresheets/{sheet.uid}/pcn",
        f"/deals/{deal.uid}/",
        f"/deals/{deal.uid}/pcn",
        f"/deals/{deal.uid}/pbn",
        f"/deals/{deal.uid}/image.svg",
        f"/deals/{deal.uid}/embed/",
        f"/players/{north.uid}/",
        f"/partnerships/{pair_of(sheet, 'ns').uid}/",
        "/search/?what=deals&name=bilal",
        "/search/?what=matches&name=bilal",
        "/search/?what=partnerships&name=bilal",
        f"/api/v1/players/{north.uid}",
        f"/api/v1/players/{north.uid}/history",
        "/api/v1/players/",
        "/api/v1/partnerships/",
        f"/api/v1/scoresheets/{sheet.uid}",
        f"/api/v1/scoresheets/{sheet.uid}/deals?format=pcn",
        f"/api/v1/deals/{deal.uid}",
        f"/api/v1/deals/{deal.uid}/revisions",
    ]
    answers = {address: client.get(address).content.decode() for address in addresses}
    for form in ("pcn", "csv", "ndjson"):
        address = f"/api/v1/deals/?format={form}&name=bilal&player={north.uid}"
        answers[address] = b"".join(client.get(address).streaming_content).decode()  # type: ignore[attr-defined]
    return answers


def told(shown: dict[str, str], name: str = ASIF) -> list[str]:
    return [address for address, text in shown.items() if name in text]


def test_a_hidden_name_is_read_by_nobody_but_directors_and_comes_back(client: Client) -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet_with(club, [a_full_record()], collection=collection)
    user = an_account_of(player_at(sheet, "north"))
    before = told(everywhere(client, sheet))
    version = Collection.objects.get().version

    operations.hide_name(actor=by(user), player_uid=player_at(sheet, "north").uid, at=AT)
    sheet = Scoresheet.objects.get()
    hidden, made = everywhere(client, sheet), player_at(sheet, "north").name
    director = an_actor(club)
    for_directors = queries.player_page(player_at(sheet, "north").uid, actor=director).hidden_name
    operations.show_name(actor=by(user), player_uid=player_at(sheet, "north").uid, at=LATER)

    assert (told(hidden), len(told(hidden, made))) == ([], len(before))
    assert for_directors == ASIF
    assert told(everywhere(client, sheet)) == before
    assert Collection.objects.get().version == version + 2


def test_a_hidden_name_is_searched_for_by_directors_of_the_club_only() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    director, far = an_actor(club), an_actor(a_club("goa"), Role.OWNER)
    operations.hide_name(actor=director, player_uid=player_at(sheet, "north").uid, at=AT)

    def count(actor: Actor) -> int:
        part = lists.players(actor=actor, wanted=PeopleFilter(search="आसिफ"), asked=Asked())
        return len(part.items)

    assert [count(actor) for actor in (ANONYMOUS, far, an_actor(club, Role.SCORER), director)] == [0, 0, 0, 1]


def test_files_with_a_hidden_name_are_taken_in_as_the_same_player() -> None:
    club = a_club()
    sheet = a_sheet(club)
    operations.hide_name(actor=SERVER, player_uid=player_at(sheet, "north").uid, at=AT)

    pairs = operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[(ASIF, "Bilal Shah")], at=LATER
    )
    answer = operations.record_deal(
        actor=SERVER,
        scoresheet_id=sheet.pk,
        text=a_record(1, more='[NS "Asif Khan & Bilal Shah"]'),
        operation_id=uuid4(),
        at=LATER,
    )

    assert pairs.players_made == ()
    assert pairs.pairs[0].player_ids[0] == player_at(sheet, "north").pk
    assert answer.problems == ()
    assert operations.find_or_make_player(actor=SERVER, club_id=club.pk, name=ASIF, at=LATER) == (
        player_at(sheet, "north").pk
    )


def test_a_name_is_not_hidden_by_a_stranger() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    for actor in (ANONYMOUS, by(a_user("Omar")), an_actor(a_club("goa"), Role.OWNER)):
        with pytest.raises(Forbidden):
            operations.hide_name(actor=actor, player_uid=player_at(sheet, "north").uid, at=AT)


def test_a_name_that_another_has_by_now_is_not_shown_again() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    operations.hide_name(actor=SERVER, player_uid=player_at(sheet, "north").uid, at=AT)
    Player.objects.create(club=club, name=ASIF, search_key="asif khan", created_at=AT)

    with pytest.raises(operations.NameTakenMeanwhile):
        operations.show_name(actor=SERVER, player_uid=player_at(sheet, "north").uid, at=LATER)


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_name_is_taken_away_for_good_with_its_duplicates_and_what_was_said(
    is_hidden: bool, client: Client
) -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    user = an_account_of(kept)
    operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)
    if is_hidden:
        operations.hide_name(actor=SERVER, player_uid=kept.uid, at=AT)
    Scoresheet.objects.filter(north=kept).update(north_name=ASIF)
    request = operations.ask_for_anonymity(actor=by(user), player_uid=kept.uid, note="Asif Khan asks.", at=AT)

    operations.approve_request(actor=an_actor(club), request_uid=request, at=LATER)

    for player in Player.objects.filter(pk__in=[kept.pk, duplicate.pk]):
        assert (player.hidden_name, player.user_id, player.anonymised_at) == ("", None, LATER)
        assert player.name.startswith("Player ")
        assert set(player.name_keys.values_list("key", flat=True)) & {"asif", "khan", "kahn"} == set()
    assert set(PersonRequest.objects.values_list("note", flat=True)) == {""}
    assert not Scoresheet.objects.filter(north_name=ASIF).exists()
    assert not any("Asif" in str(entry.detail) for entry in AuditEntry.objects.all())
    assert told(everywhere(client, Scoresheet.objects.get(north=kept)), "Asif") == []
    with pytest.raises(operations.NameGone):
        operations.hide_name(actor=SERVER, player_uid=kept.uid, at=LATER)


def test_a_made_name_is_nobody_elses() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    made = f"Player {player_at(sheet, 'north').uid.hex[:8]}"
    Player.objects.create(club=club, name=made, search_key=made.lower(), created_at=AT)

    operations.hide_name(actor=SERVER, player_uid=player_at(sheet, "north").uid, at=AT)

    assert Player.objects.get(hidden_name=ASIF).name == f"Player {player_at(sheet, 'north').uid.hex[:9]}"


# -- pages


def test_the_whole_way_through_the_pages() -> None:
    club = a_club()
    kept, duplicate = two_names(club)
    director = an_actor(club, name="Dina")
    asif = a_browser(a_user("Asif"))
    desk = a_browser(User.objects.get(pk=director.user_id or 0))

    assert "This is me" in asif.get(f"/players/{kept.uid}/").content.decode()
    asif.post(f"/people/{kept.uid}/claim/", {"note": "me"})
    claim = PersonRequest.objects.get(kind="claim")
    desk.post(f"/people/requests/{claim.uid}/answer/", {"do": "approve"})
    assert "This is me, too" in asif.get(f"/players/{duplicate.uid}/").content.decode()
    asif.post(f"/people/{kept.uid}/ask/", {"do": "merge", "with_player": str(duplicate.uid)})
    merge = PersonRequest.objects.get(kind="merge")
    assert str(merge.uid) in desk.get("/clubs/lahore/people/").content.decode()
    desk.post(f"/people/requests/{merge.uid}/answer/", {"do": "approve"})
    moved = asif.get(f"/players/{duplicate.uid}/")
    asif.post(f"/people/{kept.uid}/hide/", {"do": "hide"})
    shown = asif.get("/people/mine/").content.decode()
    desk.post(f"/people/merges/{merge.uid}/undo/", {"reason": "Two after all."})

    assert moved.headers["Location"] == f"/players/{kept.uid}/"
    assert ASIF in shown
    assert f"Player {kept.uid.hex[:8]}" in shown
    kept.refresh_from_db()
    duplicate.refresh_from_db()
    assert (kept.hidden_name, duplicate.merged_into) == (ASIF, None)


@pytest.mark.parametrize(
    ("address", "data"),
    [
        ("/people/{uid}/ask/", {"do": "merge", "with_player": "nobody"}),
        ("/people/{uid}/ask/", {}),
        ("/people/{uid}/hide/", {"do": "?"}),
        ("/clubs/lahore/people/merge/", {}),
        ("/clubs/lahore/people/merge/", {"kept": "{uid}", "duplicate": "{uid}"}),
        ("/people/{uid}/claim/", {"note": "x" * 4000}),
    ],
)
def test_odd_forms_are_answered_with_a_page(address: str, data: dict[str, str]) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    director = an_actor(club, Role.OWNER)
    north = player_at(sheet, "north")
    operations.link_player(actor=SERVER, player_id=north.pk, user_id=director.user_id, at=AT)
    uid = str(north.uid)

    answer = a_browser(User.objects.get(pk=director.user_id or 0)).post(
        address.format(uid=uid), {name: value.format(uid=uid) for name, value in data.items()}
    )

    assert answer.status_code == 302


@pytest.mark.parametrize("count", [1, 3])
def test_a_clubs_players_take_as_many_queries_for_more(count: int, django_assert_num_queries: Any) -> None:
    club = a_club()
    director = an_actor(club)
    for number in range(count):
        a_sheet(club, names=((f"A {number}", f"B {number}"), (f"C {number}", f"D {number}")))

    with django_assert_num_queries(5):
        page = club_people("lahore", actor=director, typed="", asked=Asked())

    assert len(page.players.items) == 4 * count
    with pytest.raises(Refused):
        club_people("lahore", actor=director, typed="", asked=Asked(cursor="?"))
