"""The story of a match: a bar for each deal, in words too."""

from courtpiece.project.charts import story_of
from courtpiece.project.styleguide import sample_ledger


def test_a_deal_stands_on_its_winners_side_of_the_line() -> None:
    story = story_of(sample_ledger())

    sides = [(bar.team, bar.y < story.middle) for bar in story.bars if bar.team]

    assert sides == [("NS", True), ("EW", False), ("NS", True), ("EW", False), ("NS", True)]


def test_a_deal_that_nobody_won_has_no_bar() -> None:
    story = story_of(sample_ledger())

    assert [bar.award for bar in story.bars if not bar.height] == ["void"]


def test_the_story_is_told_in_words() -> None:
    story = story_of(sample_ledger()[2:4])

    assert story.description == "Deal 3: North–South, Goon court. Deal 4: East–West, Bavney."


def test_a_match_without_a_deal_has_an_empty_line() -> None:
    assert story_of([]).bars == ()
