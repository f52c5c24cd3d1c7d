"""What is hidden, merged and taken away together: nothing is hidden by half, and nothing is told by a second record."""

import pytest

from courtpiece.accounts.parts import Asked
from courtpiece.accounts.permissions import ANONYMOUS, SERVER
from scoring import operations, queries
from scoring.models import Player
from scoring.queries import lists
from scoring.queries.lists import PeopleFilter
from tests.scoring.builders import AT, LATER, a_club, a_user
from tests.scoring.test_persons import ASIF, an_account_of, by, the_player, two_names

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_kept", [True, False])
def test_who_hides_one_of_two_names_hides_both_when_they_are_merged(is_kept: bool) -> None:
    kept, duplicate = two_names(a_club())
    operations.hide_name(actor=SERVER, player_uid=(kept if is_kept else duplicate).uid, at=AT)

    operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)

    found = [
        lists.players(actor=ANONYMOUS, wanted=PeopleFilter(search=word), asked=Asked()).items
        for word in ("asif", "kahn")
    ]
    assert found == [(), ()]
    assert Player.objects.filter(name__startswith="Asif").count() == 0


def test_an_account_does_not_come_back_to_who_was_taken_away_for_good() -> None:
    kept, duplicate = two_names(a_club())
    user = an_account_of(duplicate)
    merge = operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)
    operations.anonymise_player(actor=SERVER, player_id=kept.pk, at=AT)

    operations.undo_merge(actor=SERVER, request_uid=merge, reason="", at=LATER)

    assert not Player.objects.filter(user=user).exists()


def test_who_was_merged_is_claimed_hidden_and_taken_away_as_the_one_person() -> None:
    kept, duplicate = two_names(a_club())
    an_account_of(kept)
    operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)

    with pytest.raises(operations.AccountTaken):
        operations.claim_player(actor=by(a_user("Omar")), player_uid=duplicate.uid, note="", at=AT)
    operations.hide_name(actor=SERVER, player_uid=duplicate.uid, at=AT)
    hidden = Player.objects.exclude(hidden_name="").count()
    operations.anonymise_player(actor=SERVER, player_id=duplicate.pk, at=AT)

    assert (hidden, Player.objects.exclude(anonymised_at=None).count()) == (2, 2)


def test_a_hidden_name_that_is_written_again_makes_no_second_player() -> None:
    club = a_club()
    two_names(club)
    asif = the_player()
    operations.hide_name(actor=SERVER, player_uid=asif.uid, at=AT)

    uid = operations.name_player(actor=SERVER, club=club.slug, name=ASIF, at=AT)

    assert uid == asif.uid
    assert not Player.objects.filter(name=ASIF).exists()


@pytest.mark.parametrize("names", [(ASIF, "Omar Opal"), ("Omar Opal", ASIF)])
def test_nobody_learns_who_hides_by_entering_with_the_name(names: tuple[str, str]) -> None:
    club = a_club()
    two_names(club)
    operations.hide_name(actor=SERVER, player_uid=the_player().uid, at=AT)

    with pytest.raises(operations.AccountTaken) as refusal:
        operations.propose_partnership(actor=SERVER, club_id=club.pk, names=names, at=AT)

    assert "Player" not in str(refusal.value)


def test_who_was_merged_has_one_line_in_the_table_of_players_until_it_is_undone() -> None:
    kept, duplicate = two_names(a_club())

    def lines() -> dict[str, int]:
        found = queries.leaders_page(actor=ANONYMOUS).lines.items
        return {line.name: line.figures.matches for line in found if line.name.startswith("Asif")}

    apart = lines()
    merge = operations.merge_players(actor=SERVER, duplicate_uid=duplicate.uid, kept_uid=kept.uid, at=AT)
    together = lines()
    operations.undo_merge(actor=SERVER, request_uid=merge, reason="", at=LATER)

    assert (apart, together) == ({ASIF: 1, "Asif Kahn": 1}, {ASIF: 2})
    assert lines() == apart
