"""The pages of entries: who may see which, what they say, and how often they ask the database."""

import io
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring.models import Player
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import a_match, a_scheduled_tournament, upload
from tests.tournaments.test_entries import ASIF, CHAND, ERUM, a_tournament, ask, publish_round, states, take
from tournaments.models import Absence, Entry, Match, Substitution, Tournament
from tournaments.operations.seeding import SeedingMethod, seed_entries

pytestmark = pytest.mark.django_db

URDU = ("عمران خان", "نعمان شیخ")
HINDI = ("देव पटेल", "चंद राव")
PAGES = (
    "entries_manage",
    "entries_search",
    "entries_file",
    "entries_csv",
    "entries_xlsx",
    "entries_seeds",
    "entries_check_in",
)


def address(name: str, *args: object) -> str:
    return reverse(f"tournaments:{name}", args=["winter", *args])


def a_member(role: Role, name: str = "") -> Client:
    user = a_user(name or role.value.capitalize())
    Club.objects.get(slug="lahore").memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def a_director() -> Client:
    return a_member(Role.DIRECTOR)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def post(client: Client, name: str, *args: object, **data: object) -> Any:
    return client.post(address(name, *args), {"act": str(uuid4()), **data})


def send_file(client: Client, text: str, name: str = "pairs.csv") -> Any:
    return client.post(address("entries_file"), {"file": SimpleUploadedFile(name, text.encode())})


def kept(response: Any) -> dict[str, str]:
    """Return the hidden fields of the second step."""
    found = re.findall(r'<input type="hidden" name="(act|pairs)" value="([^"]+)"', text_of(response))
    return dict(found)


# -- who may see them


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_of_a_director_are_a_directors(name: str) -> None:
    a_tournament()
    take(ASIF)
    other_club = a_club("delhi")
    stranger = a_user("Stranger")
    other_club.memberships.create(user=stranger, role=Role.DIRECTOR, created_at=AT)

    assert a_browser().get(address(name)).status_code == 302
    assert a_browser(a_user("Nobody")).get(address(name)).status_code == 404
    assert a_browser(stranger).get(address(name)).status_code == 404
    assert a_member(Role.PLAYER).get(address(name)).status_code == 404
    assert a_member(Role.SCORER).get(address(name)).status_code == 404
    assert a_director().get(address(name)).status_code == 200


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("entries_add", ()),
        ("entries_file_save", ()),
        ("entries_absent", ()),
        ("entries_clear", ()),
        ("entry_check", (1,)),
        ("entry_answer", (1,)),
        ("entry_change", (1,)),
        ("entry_replace", (1,)),
        ("entry_withdraw", (1,)),
        ("entry_readmit", (1,)),
        ("entry_remove", (1,)),
        ("entry_absence", (1,)),
        ("entry_presence", (1, 1)),
    ],
)
def test_nobody_else_changes_anything(name: str, args: tuple[int, ...]) -> None:
    a_tournament()
    take(ASIF)
    before = list(Entry.objects.values())

    asked = {
        "pair": "Chand Rao & Dev Patel",
        "version": "0",
        "reason": "x",
        "round_number": "1",
        "kind": "absent",
    }
    answers = [
        post(client, name, *args, **asked).status_code
        for client in (a_browser(), a_browser(a_user("Nobody")), a_member(Role.SCORER))
    ]

    assert answers == [302, 404, 404]
    assert list(Entry.objects.values()) == before


def test_the_public_list_is_public_and_leaves_out_who_only_asked() -> None:
    a_tournament()
    take(ASIF, URDU, HINDI)
    user = a_user("Omar Onyx")
    ask(as_actor(user))

    page = text_of(a_browser().get(address("entries")))

    assert all(f"<bdi>{name}</bdi>" in page for pair in (ASIF, URDU, HINDI) for name in pair)
    assert "Omar Onyx" not in page
    assert "Omar Onyx" in text_of(a_director().get(address("entries_manage")))


def test_the_list_of_a_private_tournament_is_not_public() -> None:
    a_tournament(visibility="private")

    assert a_browser().get(address("entries")).status_code == 404


# -- how often they ask the database


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("name", "queries"),
    [("entries_manage", 15), ("entries_seeds", 15), ("entries_check_in", 15)],
)
def test_a_directors_list_asks_as_often_whatever_its_length(
    name: str, queries: int, count: int, django_assert_max_num_queries: Any
) -> None:
    a_tournament()
    take(*(ASIF, URDU, HINDI)[:count])
    client = a_director()

    with django_assert_max_num_queries(queries):
        client.get(address(name))


@pytest.mark.parametrize("count", [1, 3])
def test_the_public_list_asks_as_often_whatever_its_length(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament()
    take(*(ASIF, URDU, HINDI)[:count])

    with django_assert_num_queries(9):
        a_browser().get(address("entries"))


@pytest.mark.parametrize("pairs", [2, 4])
def test_an_entrys_page_asks_as_often_whatever_it_played(
    pairs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = ("Asif Khan & Bilal Shah", "Chand Rao & Dev Patel", "Erum Emerald & Farah Falcon", "Gita & Hema")
    a_scheduled_tournament(*names[:pairs], club_id=a_club().pk, slug="winter")
    client = a_director()

    with django_assert_num_queries(20):
        client.get(address("entry_manage", 1))


def test_a_file_is_told_every_fault_at_once() -> None:
    a_tournament()

    page = text_of(
        send_file(a_director(), "player 1,player 2,seed\nAsif,Bilal,2\nChand,,2\nErum,Farah,two\n")
    )

    faults = ("There is no name.", "“two” is no whole number.", "Seed 2 stands in row 2 too.")
    assert [words in page for words in faults] == [True] * 3


def test_groups_in_a_file_are_not_read_where_the_format_has_none() -> None:
    a_tournament()
    client = a_director()

    filled = text_of(send_file(client, "player 1,player 2,group\nAsif,Bilal,1\n"))
    empty = text_of(send_file(client, "player 1,player 2,group\nAsif,Bilal,\n"))

    assert "These columns are not read: <bdi>group</bdi>." in filled
    assert "These columns are not read" not in empty


# -- by hand


def test_a_pair_enters_from_one_field() -> None:
    a_tournament()
    client = a_director()

    answer = post(client, "entries_add", pair="Asif Khan & Bilal Shah", rating="1500")

    assert answer.status_code == 302
    assert list(Entry.objects.values_list("number", "rating")) == [(1, 1500)]
    assert "Asif Khan" in text_of(client.get(address("entries_manage")))


def test_a_double_click_enters_once() -> None:
    a_tournament()
    client = a_director()
    act = str(uuid4())

    for _time in range(2):
        assert post(client, "entries_add", act=act, pair="Asif Khan & Bilal Shah").status_code == 302

    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "pair", ["", "Asif Khan", "Asif & ", "Asif & Bilal & Chand", "? & Bilal", "Asif & Asif"]
)
def test_what_is_no_pair_is_refused_beside_the_field(pair: str) -> None:
    a_tournament()

    answer = post(a_director(), "entries_add", pair=pair)

    assert answer.status_code == 422
    assert "field__error" in text_of(answer) or 'role="alert"' in text_of(answer)
    assert Entry.objects.count() == 0


def test_the_search_finds_known_players_in_any_script_and_their_partners() -> None:
    a_tournament()
    take(ASIF, URDU)
    client = a_director()

    assert "Asif Khan &amp; Bilal Shah" not in text_of(client.get(address("entries_search")))
    latin = text_of(client.get(address("entries_search"), {"pair": "khan"}))
    urdu = text_of(client.get(address("entries_search"), {"pair": "خان"}))
    second = text_of(client.get(address("entries_search"), {"pair": "Asif Khan & "}))

    assert [name in latin for name in ("<bdi>Asif Khan</bdi>", "<bdi>عمران خان</bdi>")] == [True, True]
    assert latin.index("Asif Khan") < latin.index("عمران خان")
    assert "<bdi>عمران خان</bdi>" in urdu
    assert "<bdi>Bilal Shah</bdi>" in second


def test_a_known_pair_in_another_script_is_asked_about_side_by_side() -> None:
    a_tournament()
    take(("آصف خان", "بلال شاہ"))
    client = a_director()

    refused = client.post(address("entries_add"), {"pair": "Asif Khan & Bilal Shah", "act": str(uuid4())})

    page = text_of(refused)
    assert Entry.objects.count() == 1
    for typed, known in (("Asif Khan", "آصف خان"), ("Bilal Shah", "بلال شاہ")):
        asked = page.partition(f'name="who:{typed}" value="{known}"')[2].partition("</fieldset>")[0]
        assert f"<b><bdi>{known}</bdi></b>" in asked
        assert f"<b><bdi>{typed}</bdi></b>" in asked


def test_without_javascript_the_search_is_a_step_of_its_own() -> None:
    a_tournament()
    take(ASIF)

    page = text_of(a_director().get(address("entries_manage"), {"pair": "asif"}))

    assert 'value="asif"' in page
    assert "?pair=Asif%20Khan%20%26%20Bilal%20Shah#add" in page


def test_a_pick_brings_the_field_with_it() -> None:
    a_tournament()
    take(ASIF)

    field = text_of(a_director().get(address("entries_search"), {"pair": "Asif Khan & ", "pick": "1"}))

    assert 'value="Asif Khan &amp; "' in field
    assert "data-caret" in field


def test_a_nearly_known_name_is_shown_beside_it_and_either_can_be_meant() -> None:
    a_tournament()
    take(ASIF)
    client = a_director()
    typed = "Asif Khann & Erum Emerald"

    asked = post(client, "entries_add", pair=typed)
    known = post(
        client, "entries_add", pair="Bilal Shahh & Erum Emerald", **{"who:Bilal Shahh": "Bilal Shah"}
    )
    other = post(client, "entries_add", pair=typed, **{"who:Asif Khann": "Asif Khann"})

    assert asked.status_code == 422
    assert 'name="who:Asif Khann" value="Asif Khan"' in text_of(asked)
    assert 'name="who:Asif Khann" value="Asif Khann"' in text_of(asked)
    assert known.status_code == 422
    assert "plays in entry 1 already" in text_of(known)
    assert other.status_code == 302
    assert Player.objects.filter(name="Asif Khann").exists()


# -- from a file


def test_a_file_is_previewed_and_then_saved_as_it_was_looked_at() -> None:
    a_tournament()
    client = a_director()

    preview = send_file(client, "Player 1;PLAYER_2;Seed;e-mail\nآصف خان;बिलाल;2;x\nChand Rao;Dev Patel;1;y\n")

    assert preview.status_code == 200
    assert "2 pairs would enter" in text_of(preview)
    assert "e-mail" in text_of(preview)
    assert Entry.objects.count() == 0
    hidden = kept(preview)
    for _time in range(2):
        assert client.post(address("entries_file_save"), hidden).status_code == 302
    assert list(Entry.objects.order_by("number").values_list("number", "seed")) == [(1, 2), (2, 1)]


def test_every_fault_of_a_file_is_named_with_row_column_and_remedy_and_nothing_is_saved() -> None:
    a_tournament(format="groups-knockout")
    take(ASIF)
    rows = [
        "player 1,player 2,seed,rating,group",
        "Asif Khan,Chand Rao,1,,",
        ",Dev Patel,0,x,999",
        "Erum Emerald,Erum Emerald,1,,",
        "=A1,Chand Rao,,,",
    ]

    page = send_file(a_director(), "\n".join(rows))

    text = re.sub(r"\s+", " ", text_of(page))
    assert page.status_code == 422
    assert "“Asif Khan” plays in entry 1 already." in text
    assert "There is no name." in text
    assert "0 is not from 1 to 500." in text
    assert "“x” is no whole number." in text
    assert "999 is not from 1 to 64." in text
    assert "“Erum Emerald” is both players of the pair." in text
    assert "There is a formula" in text
    assert "Seed 1 stands in row 2 too." in text
    assert 'name="pairs"' not in text
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Asif,Bilal\nChand,Dev\n", "there is no “player 1”, “player 2”"),
        ("player 1,player 2,player 1\na,b,c\n", "names a column twice"),
        ("player 1,player 2\n", "no pair under it"),
    ],
)
def test_a_header_that_does_not_name_the_columns_is_refused(text: str, words: str) -> None:
    a_tournament()

    answer = send_file(a_director(), text)

    assert answer.status_code == 422
    assert words in text_of(answer)


def test_nearly_known_names_of_a_file_are_decided_one_by_one() -> None:
    a_tournament()
    take(ASIF)
    client = a_director()
    preview = send_file(client, "player 1,player 2\nAsif Khann,Erum Emerald\nBilal Shahh,Gita Garnet\n")
    assert 'name="who:Bilal Shahh" value="Bilal Shah"' in text_of(preview)

    undecided = client.post(address("entries_file_save"), {**kept(preview), "who:Asif Khann": "Asif Khann"})
    decided = client.post(
        address("entries_file_save"),
        {**kept(undecided), "who:Asif Khann": "Asif Khann", "who:Bilal Shahh": "Bilal Shahh"},
    )

    assert 'name="who:Bilal Shahh"' in text_of(undecided)
    assert decided.status_code == 302
    assert Entry.objects.count() == 3


def test_what_was_not_looked_at_is_not_saved() -> None:
    a_tournament()
    client = a_director()
    hidden = kept(send_file(client, "player 1,player 2\nErum Emerald,Gita Garnet\n"))

    answer = client.post(address("entries_file_save"), {**hidden, "pairs": hidden["pairs"][:-2] + "xx"})

    assert answer.status_code == 422
    assert Entry.objects.count() == 0


def test_what_changed_after_the_preview_is_named_instead_of_saved() -> None:
    a_tournament()
    client = a_director()
    hidden = kept(send_file(client, "player 1,player 2\nAsif Khan,Gita Garnet\n"))
    take(ASIF)

    answer = client.post(address("entries_file_save"), hidden)

    assert answer.status_code == 422
    assert "plays in entry 1 already" in text_of(answer)


def test_the_empty_files_name_the_columns() -> None:
    a_tournament()
    client = a_director()
    columns = ["player 1", "player 2", "seed", "rating", "group"]

    csv = client.get(address("entries_csv"))
    sheet = load_workbook(io.BytesIO(client.get(address("entries_xlsx")).content)).worksheets[0]

    assert csv.content.decode("utf-8-sig").strip().split(",") == columns
    assert [cell.value for cell in sheet[1]] == columns


# -- players who ask


def test_a_player_asks_sees_the_answer_and_takes_it_back() -> None:
    a_tournament()
    player = a_browser(a_user("Omar Onyx"))
    director = a_director()

    post(player, "entries_ask", own_name="Omar Onyx", partner="Pavan Pearl", note="After six")
    asked = text_of(player.get(address("entries_ask")))
    assert "After six" in text_of(director.get(address("entries_manage")))
    post(director, "entry_answer", 1, version="0", answer="decline")
    declined = text_of(player.get(address("entries_ask")))
    post(director, "entry_answer", 1, version="1", answer="accept")

    assert "badge--requested" in asked
    assert "badge--declined" in declined
    assert states() == [(1, "active")]


def test_a_request_goes_when_it_is_taken_back() -> None:
    a_tournament()
    player = a_browser(a_user("Omar Onyx"))
    post(player, "entries_ask", own_name="Omar Onyx", partner="Pavan Pearl")

    answer = post(player, "entries_take_back")

    assert answer.status_code == 302
    assert Entry.objects.count() == 0


def test_the_page_says_when_nobody_can_ask() -> None:
    tournament = a_tournament()
    publish_round(tournament, 1)
    player = a_browser(a_user("Omar Onyx"))

    page = player.get(address("entries_ask"))
    answer = post(player, "entries_ask", own_name="Omar Onyx", partner="Pavan Pearl")

    assert "Players cannot ask to play here" in text_of(page)
    assert answer.status_code == 409
    assert a_browser().get(address("entries_ask")).status_code == 302


def test_the_second_director_sees_what_the_first_did() -> None:
    a_tournament()
    player = a_browser(a_user("Omar Onyx"))
    post(player, "entries_ask", own_name="Omar Onyx", partner="Pavan Pearl")
    first, second = a_director(), a_member(Role.DIRECTOR, "Second")

    post(first, "entry_answer", 1, version="0", answer="accept")
    answer = post(second, "entry_answer", 1, version="0", answer="decline")

    assert answer.status_code == 409
    assert "Somebody changed this entry in the meantime" in text_of(answer)


# -- seeds and check-in


def test_seeds_are_moved_typed_drawn_and_shown_with_their_number() -> None:
    a_tournament()
    take(ASIF, CHAND, ERUM)
    client = a_director()

    def version() -> str:
        found = re.search(r'name="version" value="(\w+)"', text_of(client.get(address("entries_seeds"))))
        assert found
        return found[1]

    post(client, "entries_seeds", version=version(), move="up-3")
    moved = dict(Entry.objects.values_list("number", "seed"))
    typed = {"seed-1": "9", "seed-2": "4", "seed-3": ""}
    post(client, "entries_seeds", version=version(), method="hand", **typed)
    by_hand = dict(Entry.objects.values_list("number", "seed"))
    old = version()
    post(client, "entries_seeds", version=old, method="draw", draw_seed="4711")

    assert (moved, by_hand) == ({1: 1, 3: 2, 2: 3}, {1: 2, 2: 1, 3: None})
    page = text_of(client.get(address("entries_seeds")))
    assert ">4711</bdi>" in page
    stale = post(client, "entries_seeds", version=old, method="rating")
    assert stale.status_code == 409
    repeated = post(
        client, "entries_seeds", version=version(), method="hand", **{"seed-1": "1", "seed-2": "1"}
    )
    assert repeated.status_code == 422


def test_a_pair_is_checked_in_with_one_tap_and_counted() -> None:
    a_tournament()
    take(ASIF, CHAND)
    client = a_director()

    plain = post(client, "entry_check", 1, is_there="1", version="0")
    tapped = client.post(
        address("entry_check", 2), {"is_there": "1", "version": "0"}, headers={"HX-Request": "true"}
    )

    assert plain.status_code == 302
    assert "2 of 2 checked in" in text_of(tapped)
    assert "<html" not in text_of(tapped)
    post(client, "entry_check", 2, is_there="0", version="1")
    post(client, "entries_absent")
    assert list(Absence.objects.values_list("entry__number", "round_number", "kind")) == [(2, 1, "absent")]
    post(client, "entries_clear")
    assert "0 of 2 checked in" in text_of(client.get(address("entries_check_in")))


def test_a_tap_that_comes_late_or_again_does_not_undo_what_came_after() -> None:
    a_tournament()
    take(ASIF, CHAND)
    client = a_director()
    taps = {"is_there": "1", "version": "0"}
    hx = {"HX-Request": "true"}
    client.post(address("entry_check", 1), taps, headers=hx)
    same = client.post(address("entry_check", 1), taps, headers=hx)
    client.post(address("entry_check", 1), {"is_there": "0", "version": "1"}, headers=hx)

    replayed = client.post(address("entry_check", 1), taps, headers=hx)
    plain = client.post(address("entry_check", 1), taps, follow=True)
    strange = client.post(address("entry_check", 1), {"is_there": "?"}, follow=True)

    assert "1 of 2 checked in" in text_of(same)
    assert "0 of 2 checked in" in text_of(replayed)
    for page in (replayed, plain):
        assert "Somebody changed this entry in the meantime." in text_of(page)
    assert "Tap once more." in text_of(strange)


def test_all_absent_and_nobody_checked_in_are_said_once() -> None:
    a_tournament()
    take(ASIF, CHAND)
    client = a_director()
    absent, clear = str(uuid4()), str(uuid4())
    client.post(address("entries_absent"), {"act": absent})
    client.post(address("entries_clear"), {"act": clear})
    post(client, "entry_check", 1, is_there="1", version="0")

    client.post(address("entries_absent"), {"act": absent})
    client.post(address("entries_clear"), {"act": clear})

    assert Entry.objects.get(number=1).checked_in_at is not None
    assert list(Absence.objects.values_list("entry__number", flat=True)) == [2]


# -- one entry


def test_an_entry_sits_out_leaves_comes_back_and_is_taken_out() -> None:
    a_tournament()
    take(URDU, HINDI)
    client = a_director()

    def version() -> int:
        return Entry.objects.get(number=1).version

    post(client, "entry_absence", 1, round_number="1", kind="requested")
    assert Absence.objects.count() == 1
    post(client, "entry_presence", 1, 1)
    assert Absence.objects.count() == 0
    post(client, "entry_withdraw", 1, version=version(), reason="بیمار")
    assert "بیمار" in text_of(client.get(address("entry_manage", 1)))
    post(client, "entry_readmit", 1, version=version())
    post(client, "entry_change", 1, version=version(), rating="1700", group="")
    assert list(Entry.objects.filter(number=1).values_list("state", "rating")) == [("active", 1700)]
    stale = post(client, "entry_withdraw", 1, version="0", reason="Ill")
    assert stale.status_code == 409
    post(client, "entry_remove", 1, version=version())
    assert states() == [(2, "active")]
    assert client.get(address("entry_manage", 1)).status_code == 404


def test_the_players_of_an_entry_are_put_right_after_saying_who_is_meant() -> None:
    a_tournament()
    take(ASIF, CHAND)
    client = a_director()

    asked = post(client, "entry_replace", 1, version="0", pair="Asif Khan & Bilal Shahh")
    saved = post(
        client,
        "entry_replace",
        1,
        version="0",
        pair="Asif Khan & Bilal Shahh",
        **{"who:Bilal Shahh": "Bilal Shahh"},
    )

    assert asked.status_code == 422
    assert 'name="who:Bilal Shahh"' in text_of(asked)
    assert saved.status_code == 302


def test_with_everybody_in_check_in_leads_on_to_the_draw() -> None:
    a_tournament()
    take(ASIF, CHAND)
    slug = Tournament.objects.get().slug
    client = a_member(Role.DIRECTOR)
    absent, draw = (reverse(f"tournaments:{name}", args=[slug]) for name in ("entries_absent", "draw"))

    before = text_of(client.get(reverse("tournaments:entries_check_in", args=[slug])))
    Entry.objects.update(checked_in_at=AT)
    after = text_of(client.get(reverse("tournaments:entries_check_in", args=[slug])))

    assert (f'action="{absent}"' in before, "All are there: draw" in before) == (True, False)
    assert (f'action="{absent}"' in after, f'<a class="button" href="{draw}">' in after) == (False, True)


def test_a_substitute_sits_in_and_is_taken_back() -> None:
    names = ("Asif Khan & Bilal Shah", "Chand Rao & Dev Patel")
    a_scheduled_tournament(*names, club_id=a_club().pk, slug="winter")
    match = Match.objects.get()
    bilal = Player.objects.get(name="Bilal Shah")
    client = a_director()
    asked = {"version": "0", "absent": str(bilal.pk), "reason": "Ill"}

    refused = post(client, "entry_substitute", 1, match.uid, **asked, substitute="Chand Rao")
    near = post(client, "entry_substitute", 1, match.uid, **asked, substitute="Asif Khann")
    post(client, "entry_substitute", 1, match.uid, **asked, substitute="نیا کھلاڑی")

    assert (refused.status_code, near.status_code) == (422, 422)
    assert 'name="who:Asif Khann"' in text_of(near)
    page = text_of(client.get(address("entry_manage", 1)))
    assert "<b><bdi>نیا کھلاڑی</bdi></b>" in page
    upload(a_match(["EW 7-5"], ns="Asif Khan & نیا کھلاڑی", ew=names[1], round="1", table="1"), slug="winter")
    back = post(client, "entry_substitute_back", 1, match.uid, bilal.pk, played_all="1")
    assert back.status_code == 302
    assert Substitution.objects.count() == 0


def test_the_seeds_and_the_draw_are_said_to_everybody() -> None:
    a_tournament()
    take(ASIF, CHAND)
    seed_entries(actor=SERVER, slug="winter", method=SeedingMethod.DRAW, draw_seed=99, at=AT)

    assert ">99</bdi>" in text_of(a_browser().get(address("entries")))
