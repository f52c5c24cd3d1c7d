"""The template library ``cp``: what pages write and what readers get."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import translation

from courtpiece.accounts.auditing import Event
from courtpiece.engine import Award, Card, Code, Seat, Suit, Team, TrumpMethod
from courtpiece.project import words
from scoring.events import Event as ScoringEvent
from tournaments.events import Event as TournamentEvent


def rendered(source: str, **context: object) -> str:
    """Return ``source`` rendered with the library loaded."""
    return Template("{% load cp %}" + source).render(Context(context)).strip()


def test_a_name_is_escaped_and_kept_apart_from_the_direction_around_it() -> None:
    assert rendered("{{ name|bdi }}", name="<b>بلال") == "<bdi>&lt;b&gt;بلال</bdi>"


def test_partners_are_kept_apart_from_each_other() -> None:
    answer = rendered("{{ name|pair }}", name="Asif Khan & بلال شاہ")

    assert answer == (
        '<span class="pair"><bdi>Asif Khan</bdi> <span class="amp">&amp;</span> <bdi>بلال شاہ</bdi></span>'
    )


def test_a_score_reads_from_left_to_right() -> None:
    assert rendered("{% score 7 2 %}") == '<bdi class="score" dir="ltr">7<i>–</i>2</bdi>'


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "+3"), (-55, "−55"), (0, "0"), ("7/2", "+7/2"), ("-1/3", "−1/3")],
)
def test_a_difference_has_its_sign(value: object, text: str) -> None:
    assert rendered("{{ value|signed }}", value=value) == f'<bdi class="num" dir="ltr">{text}</bdi>'


def test_what_could_not_be_computed_is_a_dash_and_no_zero() -> None:
    assert rendered("{{ value|number }}", value=None) == '<span class="none">–</span>'
    assert rendered("{{ value|signed }}", value=None) == '<span class="none">–</span>'


def test_the_engines_own_values_are_as_good_as_codes() -> None:
    seat = rendered("{{ one|seat_label }} {{ two|seat_label }}", one=Seat.N, two="N")
    team = rendered("{{ one|team_label }} {{ two|team_label }}", one=Team.EW, two="EW")
    suit = rendered("{{ one|suit_label }} {{ two|suit_label }}", one=Suit.HEARTS, two="H")
    card = rendered("{{ one|card_label }}, {{ two|card_label }}", one=Card.of("HT"), two="HT")

    assert (seat, team, suit) == ("North North", "East–West East–West", "Hearts Hearts")
    assert card == "Ten of Hearts, Ten of Hearts"


def test_a_card_says_its_name_and_takes_its_face_from_the_sheet() -> None:
    assert rendered('{% card "HT" state="winner" %}') == (
        '<svg class="card card--H is-winner" viewBox="0 0 100 140" role="img" aria-label="Ten of Hearts">'
        '<use href="/static/img/cards.svg#HT"/></svg>'
    )


def test_a_small_card_has_a_face_of_its_own() -> None:
    assert '<use href="/static/img/cards.svg#sC2"/>' in rendered('{% card "C2" size="small" %}')


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ("S", ["Spades"]),
        ("S card S7", ["Spades", "laid face up", "Seven of Spades"]),
        ("H named 7 H9", ["Hearts", "on the named card", "Nine of Hearts"]),
        ("D hidden ?", ["Diamonds", "hidden"]),
        ("D discard", ["Diamonds", "made by a discard"]),
        ("-", ["No trump"]),
        ("", ["No trump"]),
    ],
)
def test_a_stated_trump_is_said_in_words(stated: str, words: list[str]) -> None:
    answer = rendered("{% trump stated %}", stated=stated)

    assert [word for word in words if word not in answer] == []


def test_a_hand_strikes_out_what_was_played() -> None:
    answer = rendered('{% hand "AK.T..2" played=played %}', played=["SK"])

    assert '<s data-card="SK">K</s>' in answer
    assert '<span data-card="HT">10</span>' in answer


def test_a_hand_may_be_given_as_cards_in_any_order() -> None:
    answer = rendered('{% hand cards style="fan" %}', cards=["C2", "SK", "SA"])

    assert answer.index("Ace of Spades") < answer.index("King of Spades") < answer.index("Two of Clubs")


def test_an_unknown_code_is_shown_as_it_is() -> None:
    assert rendered("{{ code|award_label }}", code="something-new") == "something-new"


def test_words_follow_the_active_language() -> None:
    with translation.override("de"):
        assert rendered("{{ code|award_label }}", code="court") == "Court"


def test_a_problem_says_where_it_is_and_what_to_do() -> None:
    found = {
        "code": "deal-gap",
        "severity": "warning",
        "line": 9,
        "column": 7,
        "message": "Deal 3 is missing.",
    }

    answer = rendered('{% problem found file="t5.pcn" record=4 %}', found=found)

    for part in (
        "t5.pcn",
        "record 4",
        "line 9, column 7",
        "deal-gap",
        "Deal 3 is missing.",
        "The deal stands.",
    ):
        assert part in answer


def test_rules_keep_their_options_as_written() -> None:
    assert rendered("{{ rules|rules_label }}", rules="double-sir goon=3") == "Double Sir · goon=3"


def test_every_code_of_a_problem_has_words_and_a_remedy() -> None:
    codes = {code.value for code in Code}

    assert set(words.PROBLEMS) == codes
    assert set(words.REMEDIES) == codes


def test_every_award_has_words_and_a_meaning() -> None:
    codes = {award.value for award in Award}

    assert codes - set(words.AWARDS) == set()
    assert set(words.AWARDS) == set(words.AWARD_MEANINGS)


def test_every_method_of_making_trump_has_words() -> None:
    assert {method.value for method in TrumpMethod} == set(words.TRUMP_METHODS)


def test_a_number_below_0_has_a_minus_sign() -> None:
    assert rendered("{{ value|number }}", value="-7/2") == '<bdi class="num" dir="ltr">−7/2</bdi>'


def test_an_instant_is_told_in_the_time_of_the_club() -> None:
    answer = rendered('{{ instant|moment:"Asia/Karachi" }}', instant="2026-11-29T18:04:05Z")

    assert answer == "29 November 2026, 23:04"


@pytest.mark.parametrize(("second", "shown"), [(0, "23:04"), (1, "23:05")])
def test_a_time_until_which_something_can_be_done_is_never_shown_too_early(second: int, shown: str) -> None:
    instant = datetime(2026, 11, 29, 18, 4, second, tzinfo=UTC)

    answer = rendered('{{ instant|until:"Asia/Karachi" }}', instant=instant)

    assert answer == f"29 November 2026, {shown}"


def test_everything_that_is_written_down_of_a_club_has_words() -> None:
    events = {event.value for source in (Event, ScoringEvent, TournamentEvent) for event in source}

    assert events == set(words.EVENTS)
