"""Games that are recorded at home: their owner's alone, until shared by a link or taken by a club."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from courtpiece.accounts.models import AuditEntry, Club, Role, User
from courtpiece.accounts.permissions import ANONYMOUS, Actor, Forbidden, Scope
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import RulesError
from scoring import operations, queries
from scoring.link_secrets import secret_of
from scoring.models import GameOffer, Partnership, Player, Scoresheet
from scoring.operations import NewGame
from tests.scoring.builders import AT, LATER, NAMES, a_club, a_record, a_sheet, a_user, an_actor, record_file
from tests.scoring.games import NAMES_AT_HOME, a_game, facts

pytestmark = pytest.mark.django_db


def person(user: User) -> Actor:
    return Actor(user_id=user.pk)


def written_down() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))


def offered(sheet: Scoresheet, club: Club) -> GameOffer:
    owner = Actor(user_id=sheet.owner_id)
    uid = operations.offer_game(actor=owner, uid=sheet.uid, club=club.slug, at=AT)
    return GameOffer.objects.get(uid=uid)


def taken(sheet: Scoresheet, club: Club, director: Actor, *, visibility: str = "public") -> Scoresheet:
    offer = offered(sheet, club)
    operations.attach_game(
        actor=director, offer_uid=offer.uid, names=NAMES_AT_HOME, visibility=visibility, at=LATER
    )
    return Scoresheet.objects.get(pk=sheet.pk)


# -- kept


def test_a_game_is_kept_as_its_owners_own_with_names_and_no_players() -> None:
    asif = a_user("Asif")

    game = a_game(asif, rules="double-sir goon=1 court=1", deals=3)

    assert (game.owner, game.club, game.rules, game.visibility) == (asif, None, "double-sir", "private")
    assert (game.north_name, game.south_name) == ("Asif", "Bilal")
    assert (game.deals_ns, game.deals_count) == (3, 3)
    assert not Player.objects.exists()
    assert written_down() == ["game-recorded"]


def test_a_game_that_is_sent_again_is_made_once_and_keeps_the_names_it_has_by_now() -> None:
    asif = a_user("Asif")
    game = a_game(asif)
    operations.describe_game(actor=person(asif), uid=game.uid, facts=facts(N="Asif Khan"), at=LATER)

    again = operations.record_game(
        actor=person(asif), game=NewGame(uid=game.uid, rules="court-piece", facts=facts()), at=LATER
    )

    assert not again.is_new
    assert Scoresheet.objects.get().north_name == "Asif Khan"
    assert written_down() == ["game-recorded", "game-described"]


@pytest.mark.parametrize("rules", ["court-piece", "be-ranga"])
def test_an_id_is_one_game_of_one_person_under_one_set_of_rules(rules: str) -> None:
    game = a_game(a_user("Asif"))
    other = person(a_user("Erum")) if rules == "court-piece" else Actor(user_id=game.owner_id)

    with pytest.raises(operations.GameExists):
        operations.record_game(actor=other, game=NewGame(uid=game.uid, rules=rules, facts=facts()), at=LATER)
    assert Scoresheet.objects.get().rules == "court-piece"


def test_a_name_that_cannot_be_one_is_refused_by_its_seat() -> None:
    asif = person(a_user("Asif"))

    with pytest.raises(operations.SeatNameRefused, match=r"^E: “&” joins partners") as refused:
        operations.record_game(
            actor=asif, game=NewGame(uid=uuid4(), rules="court-piece", facts=facts(E="A & B")), at=AT
        )
    assert refused.value.seat == "E"
    with pytest.raises(operations.SamePlayerTwice):
        operations.record_game(
            actor=asif, game=NewGame(uid=uuid4(), rules="court-piece", facts=facts(E="Asif")), at=AT
        )
    with pytest.raises(RulesError):
        operations.record_game(actor=asif, game=NewGame(uid=uuid4(), rules="whist", facts=facts()), at=AT)
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize("date", ["29/11/2026", "٢٠٢٦.١١.٣٠", "2026.99.99", "2026.02.30", "0000.01.01"])
def test_a_date_that_no_record_can_have_is_refused(date: str) -> None:
    """A game's deals are written with it, and read again."""
    new = NewGame(uid=uuid4(), rules="court-piece", facts=replace(facts(), date=date))

    with pytest.raises(operations.BadDate, match=r"2026\.11\.30"):
        operations.record_game(actor=person(a_user("Asif")), game=new, at=AT)

    assert not Scoresheet.objects.exists()


def test_nobody_keeps_no_game_and_a_token_needs_the_scope() -> None:
    new = NewGame(uid=uuid4(), rules="court-piece", facts=facts())
    reader = Actor(user_id=a_user("Asif").pk, scopes=frozenset({Scope.READ}))

    with pytest.raises(Forbidden):
        operations.record_game(actor=ANONYMOUS, game=new, at=AT)
    with pytest.raises(Forbidden) as forbidden:
        operations.record_game(actor=reader, game=new, at=AT)
    assert forbidden.value.needs_scope is Scope.DEALS_WRITE


def test_the_database_knows_no_game_of_nobody_and_none_that_is_half_a_clubs() -> None:
    game, club = a_game(a_user("Asif")), a_club()

    for half in ({"owner": None}, {"club": club}, {"visibility": "public"}, {"north_name": ""}):
        with (
            pytest.raises(IntegrityError, match="scoresheet_is_a_clubs_or_somebodys_own"),
            transaction.atomic(),
        ):
            Scoresheet.objects.filter(pk=game.pk).update(**half)


# -- whose it is


def test_a_game_looks_to_others_as_if_there_were_none() -> None:
    game, club = a_game(a_user("Asif"), deals=1), a_club()
    deal = game.deals.get()
    stranger, owner = person(a_user("Omar")), an_actor(club, Role.OWNER, name="Olga")

    for other in (ANONYMOUS, stranger, owner):
        with pytest.raises(Forbidden):
            queries.scoresheet_page(game.uid, actor=other)
        with pytest.raises(Forbidden):
            queries.deal_page(deal.uid, actor=other)
        with pytest.raises(Forbidden):
            queries.game_panel(game.uid, actor=other)
        with pytest.raises(Forbidden):
            operations.share_game(actor=other, uid=game.uid, at=AT)
        assert not queries.visible_scoresheets(other).exists()


def test_its_owner_sees_records_and_corrects_it_and_rules_on_nothing() -> None:
    asif = a_user("Asif")
    game = a_game(asif, deals=2)
    deal = game.deals.get(number=1)

    operations.correct_deal(
        actor=person(asif),
        deal_uid=deal.uid,
        base_revision=1,
        text=a_record(1, result="EW 7-4"),
        reason="We wrote it down wrong.",
        operation_id=uuid4(),
        at=LATER,
    )
    page = queries.scoresheet_page(game.uid, actor=person(asif))

    assert [(line.number, line.winner, line.revision) for line in page.deals] == [(1, "EW", 2), (2, "NS", 1)]
    header = page.header
    assert (header.may_record, header.may_correct, header.may_rule, header.may_manage_game) == (
        True,
        True,
        False,
        True,
    )
    assert [person.name for person in (*header.ns, *header.ew)] == ["Asif", "Bilal", "Chand", "Dev"]
    assert list(queries.visible_scoresheets(person(asif))) == [game]


def test_its_file_names_who_sat_where() -> None:
    asif = a_user("Asif")
    text = queries.scoresheet_pcn(a_game(asif, deals=1).uid, actor=person(asif))

    assert '[NS "Asif & Bilal"]\n[EW "Chand & Dev"]' in text


def test_what_is_put_away_is_left_out_of_the_list_and_nothing_of_it_is_lost() -> None:
    asif = a_user("Asif")
    game = a_game(asif, deals=1)

    operations.put_game_away(actor=person(asif), uid=game.uid, at=LATER)

    assert queries.my_games(actor=person(asif), page=1).count == 0
    (line,) = queries.my_games(actor=person(asif), page=1, with_away=True).items
    assert (line.uid, line.is_away, line.deals_count) == (game.uid, True, 1)
    operations.put_game_away(actor=person(asif), uid=game.uid, at=LATER, is_away=False)
    assert queries.my_games(actor=person(asif), page=1).count == 1
    assert written_down() == ["game-recorded", "game-put-away", "game-taken-out"]


# -- shared by a link


def test_a_link_lets_whoever_has_it_read_the_game_until_it_is_revoked() -> None:
    asif = a_user("Asif")
    game = a_game(asif, deals=2)
    uid = operations.share_game(actor=person(asif), uid=game.uid, at=AT)
    secret = secret_of(uid)

    page = queries.shared_sheet(secret, actor=ANONYMOUS)
    deal = queries.shared_deal(secret, 1, actor=ANONYMOUS)

    assert (page.ns.deals_won, len(page.deals), deal.line.number) == (2, 2, 1)
    assert page.deals[0].address == deal.line.address == f"/games/shared/{secret}/deals/1/"
    assert deal.next is not None
    assert deal.next.address == f"/games/shared/{secret}/deals/2/"
    assert (page.header.may_record, page.header.may_manage_game) == (False, False)
    assert operations.share_game(actor=person(asif), uid=game.uid, at=LATER) == uid

    assert operations.unshare_game(actor=person(asif), uid=game.uid, at=LATER)
    assert not operations.unshare_game(actor=person(asif), uid=game.uid, at=LATER)
    with pytest.raises(NotFound):
        queries.shared_sheet(secret, actor=ANONYMOUS)
    assert secret_of(operations.share_game(actor=person(asif), uid=game.uid, at=LATER)) != secret
    assert written_down() == ["game-recorded", "game-shared", "game-unshared", "game-shared"]


def test_a_link_opens_its_own_game_only_and_no_secret_opens_nothing() -> None:
    asif = a_user("Asif")
    game, _other = a_game(asif, deals=1), a_game(asif, deals=2)
    secret = secret_of(operations.share_game(actor=person(asif), uid=game.uid, at=AT))

    for wrong in ("", "x" * 43, secret[:-1] + ("A" if secret[-1] != "A" else "B")):
        with pytest.raises(NotFound):
            queries.shared_sheet(wrong, actor=ANONYMOUS)
    with pytest.raises(NotFound):
        queries.shared_deal(secret, 2, actor=ANONYMOUS)


# -- taken by a club


def test_a_director_takes_an_offered_game_and_it_counts_in_the_histories_of_its_players() -> None:
    club = a_club()
    director = an_actor(club)
    record_file(a_sheet(club, names=(("Asif", "Bilal"), ("Gita", "Hema"))), [a_record(1, result="NS 7-3")])
    game = taken(a_game(a_user("Asif Khan"), deals=3), club, director)

    asif = Player.objects.get(name="Asif")
    assert (game.club, game.visibility, game.north, game.south_name) == (club, "public", asif, "Bilal")
    assert Player.objects.filter(name__in=NAMES_AT_HOME.values()).count() == 4
    assert Partnership.objects.count() == 3
    history = queries.player_page(asif.uid, actor=ANONYMOUS)
    assert (history.tally.matches, history.tally.deals_won) == (2, 4)
    assert "game-taken" in written_down()
    assert AuditEntry.objects.get(what="game-taken").club == club


def test_names_that_are_nearly_known_are_asked_about_first() -> None:
    club = a_club()
    director = an_actor(club)
    a_sheet(club, names=NAMES)
    offer = offered(a_game(a_user("Owner"), deals=1), club)
    names = NAMES_AT_HOME | {"N": "Asif Kahn"}

    def take(*, sure: bool) -> None:
        operations.attach_game(
            actor=director, offer_uid=offer.uid, names=names, visibility="public", at=LATER, sure=sure
        )

    with pytest.raises(operations.NearlyKnown, match="“Asif Kahn” – “Asif Khan”"):
        take(sure=False)
    assert not Player.objects.filter(name="Asif Kahn").exists()
    take(sure=True)
    assert Player.objects.filter(name="Asif Kahn").exists()


def test_from_then_on_it_is_the_clubs_and_its_link_opens_nothing() -> None:
    club, asif = a_club(), a_user("Asif Khan")
    director = an_actor(club)
    game = a_game(asif, deals=1)
    secret = secret_of(operations.share_game(actor=person(asif), uid=game.uid, at=AT))

    taken(game, club, director, visibility="private")

    with pytest.raises(NotFound):
        queries.shared_sheet(secret, actor=ANONYMOUS)
    with pytest.raises(Forbidden):
        queries.scoresheet_page(game.uid, actor=ANONYMOUS)
    assert not queries.scoresheet_page(game.uid, actor=person(asif)).header.may_record
    with pytest.raises(Forbidden):
        operations.record_deal(
            actor=person(asif),
            scoresheet_id=game.pk,
            text=a_record(2, dealer="S"),
            operation_id=uuid4(),
            at=LATER,
        )
    with pytest.raises(Forbidden):
        operations.describe_game(actor=person(asif), uid=game.uid, facts=facts(), at=LATER)
    assert queries.scoresheet_page(game.uid, actor=director).header.may_correct
    (line,) = queries.my_games(actor=person(asif), page=1).items
    assert line.club_name == "Lahore"


def test_a_director_sees_an_offered_game_before_taking_it_and_nobody_else_of_the_club_does() -> None:
    club = a_club()
    director, scorer = an_actor(club), an_actor(club, Role.SCORER)
    far = an_actor(a_club("far"), name="Farah")
    game = a_game(a_user("Asif"), deals=1)
    offer = offered(game, club)

    assert queries.scoresheet_page(game.uid, actor=director).deals_count == 1
    assert not queries.visible_scoresheets(director).exists()
    for other in (scorer, far):
        with pytest.raises(Forbidden):
            queries.scoresheet_page(game.uid, actor=other)
        with pytest.raises(Forbidden):
            operations.attach_game(
                actor=other, offer_uid=offer.uid, names=NAMES_AT_HOME, visibility="public", at=LATER
            )
        with pytest.raises(Forbidden):
            queries.offered_games("lahore", actor=other)
    operations.take_offer_back(actor=Actor(user_id=game.owner_id), uid=game.uid, at=LATER)
    with pytest.raises(Forbidden):
        queries.scoresheet_page(game.uid, actor=director)


def test_a_declined_game_stays_its_owners_who_reads_why() -> None:
    club = a_club()
    director, asif = an_actor(club), a_user("Asif")
    game = a_game(asif, deals=1)
    offer = offered(game, club)

    operations.decline_game(actor=director, offer_uid=offer.uid, reason="None of you plays here.", at=LATER)

    panel = queries.game_panel(game.uid, actor=person(asif))
    assert panel.offer is not None
    assert (panel.offer.state, panel.offer.reason) == ("declined", "None of you plays here.")
    with pytest.raises(operations.OfferAnswered):
        operations.attach_game(
            actor=director, offer_uid=offer.uid, names=NAMES_AT_HOME, visibility="public", at=LATER
        )
    assert offered(game, club).state == "open"


def test_a_game_is_offered_to_one_club_at_a_time_and_with_a_deal() -> None:
    club, far, asif = a_club(), a_club("far"), a_user("Asif")
    empty, game = a_game(asif), a_game(asif, deals=1)

    with pytest.raises(operations.NothingToOffer):
        offered(empty, club)
    offer = offered(game, club)
    assert offered(game, club) == offer
    with pytest.raises(operations.GameOffered):
        offered(game, far)
    operations.take_offer_back(actor=person(asif), uid=game.uid, at=AT)
    assert offered(game, far).club == far


def test_taking_a_game_again_changes_nothing() -> None:
    club = a_club()
    director = an_actor(club)
    game = taken(a_game(a_user("Asif"), deals=1), club, director)
    offer = GameOffer.objects.get()

    again = operations.attach_game(
        actor=director, offer_uid=offer.uid, names={}, visibility="private", at=LATER
    )

    assert again == game.uid
    assert Scoresheet.objects.get().visibility == "public"
