"""Law 14: the named rules and their options."""

import pytest

from courtpiece.engine import Gather, Rules, RulesError, TrumpMethod

OPEN = (TrumpMethod.ANNOUNCED, TrumpMethod.CARD, TrumpMethod.TURNED, TrumpMethod.NAMED)
HIDDEN = (TrumpMethod.HIDDEN, TrumpMethod.BLIND)
NAMES = ["court-piece", "hidden-trump", "double-sir", "double-sir-ace", "hidden-rung", "be-ranga"]


@pytest.mark.parametrize(
    ("name", "methods", "gather", "claims"),
    [
        ("court-piece", OPEN, Gather.SINGLE, (0, 0)),
        ("hidden-trump", HIDDEN, Gather.SINGLE, (0, 0)),
        ("double-sir", OPEN, Gather.DOUBLE, (2, 12)),
        ("double-sir-ace", OPEN, Gather.ACE, (2, 12)),
        ("hidden-rung", HIDDEN, Gather.DOUBLE, (3, 11)),
        ("be-ranga", (TrumpMethod.DISCARD,), Gather.DOUBLE, (2, 12)),
    ],
)
def test_the_table(
    name: str, methods: tuple[TrumpMethod, ...], gather: Gather, claims: tuple[int, int]
) -> None:
    rules = Rules.parse(name)

    assert (rules.trump, rules.gather, (rules.first_claim, rules.last_claim)) == (methods, gather, claims)
    assert (rules.court, rules.goon, rules.bavney, rules.revoke) == (1, 1, 52, 1)
    assert (rules.streak, rules.streak_court) == (7, 1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "option",
    [
        "court=2",
        "goon=3",
        "bavney=13",
        "revoke=999",
        "streak=2",
        "streak-court=4",
        "streak-and-court=both",
        "reveal-from=trick",
        "trump=announced,discard",
    ],
)
def test_every_option_on_every_rule(name: str, option: str) -> None:
    assert str(Rules.parse(f"{name} {option}")) == f"{name} {option}"


def test_options_are_written_in_the_laws_order_and_methods_in_that_of_law_4() -> None:
    text = "be-ranga trump=discard,blind,card reveal-from=trick gather=ace last-claim=9 first-claim=4 court=2"

    assert str(Rules.parse(text)) == (
        "be-ranga court=2 first-claim=4 last-claim=9 gather=ace reveal-from=trick trump=card,blind,discard"
    )


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("court-piece court=1 goon=1 bavney=52 revoke=1 streak=7 streak-court=1", "court-piece"),
        ("court-piece streak-and-court=one reveal-from=card gather=single", "court-piece"),
        ("court-piece trump=named,turned,card,announced", "court-piece"),
        ("double-sir first-claim=2 last-claim=12", "double-sir"),
        ("hidden-rung first-claim=3 last-claim=11 gather=double", "hidden-rung"),
        ("court-piece first-claim=3", "court-piece"),  # single has no use for claims
        ("hidden-rung gather=single first-claim=5", "hidden-rung gather=single"),
    ],
)
def test_an_option_equal_to_the_rules_own_value_changes_nothing(text: str, meaning: str) -> None:
    assert Rules.parse(text) == Rules.parse(meaning)
    assert str(Rules.parse(text)) == meaning


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("court-piece gather=double", (2, 12)),
        ("hidden-rung gather=ace", (2, 12)),
        ("hidden-rung first-claim=3 gather=ace", (3, 12)),
        ("double-sir last-claim=5 gather=ace", (2, 5)),
        ("double-sir gather=single", (0, 0)),
    ],
)
def test_where_gather_is_changed_the_claims_are_those_it_brings(text: str, claims: tuple[int, int]) -> None:
    rules = Rules.parse(text)

    assert (rules.first_claim, rules.last_claim) == claims
    assert str(rules) == text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rang", "rang"),
        ("Court-Piece", "Court-Piece"),
        ("hokm-3", "hokm-3"),
        ("hokm-2", "hokm-2"),
        ("twenty-eight", "twenty-eight"),
        ("twenty-nine", "twenty-nine"),
        ("court-piece jokers=2", "jokers=2"),
        ("court-piece court", "court"),
        ("court-piece court=0", "court=0"),
        ("court-piece court=1000", "court=1000"),
        ("court-piece court=01", "court=01"),
        ("court-piece court=+1", "court=+1"),
        ("court-piece court=two", "court=two"),
        ("court-piece streak=1", "streak=1"),
        ("court-piece streak=100", "streak=100"),
        ("double-sir first-claim=0", "first-claim=0"),
        ("double-sir last-claim=14", "last-claim=14"),
        ("double-sir first-claim=13", "first-claim=13"),
        ("double-sir last-claim=1", "first-claim=2"),
        ("double-sir first-claim=5 last-claim=4", "first-claim=5"),
        ("court-piece gather=triple", "gather=triple"),
        ("court-piece reveal-from=ace", "reveal-from=ace"),
        ("court-piece streak-and-court=none", "streak-and-court=none"),
        ("court-piece streak_court=2", "streak_court=2"),
        ("court-piece trump=", "trump="),
        ("court-piece trump=announced,announced", "trump=announced,announced"),
        ("court-piece trump=spades", "trump=spades"),
        ("court-piece goon=3 goon=3", "goon=3"),
    ],
)
def test_what_names_no_rules(text: str, part: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)

    assert caught.value.part == part
