"""The lines that the checker prints: a deal each, then a match each."""

import io

from courtpiece.engine import Kind
from courtpiece.notation import MatchChecker, check, read
from courtpiece.notation.checker import JsonObject
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, pcn, places
from tests.notation.test_reading import EXAMPLE


def deals_and_matches(*records: str) -> tuple[list[JsonObject], list[JsonObject]]:
    lines = list(check("\n".join(records), file="t5.pcn"))
    deals = [line for line in lines if line["type"] == "deal"]
    assert lines[: len(deals)] == deals
    return deals, lines[len(deals) :]


def test_the_line_of_a_deal() -> None:
    (deal,), _ = deals_and_matches(EXAMPLE)

    assert deal == {
        "type": "deal",
        "file": "t5.pcn",
        "record": 1,
        "line": 1,
        "deal": 1,
        "level": "full",
        "rules": "court-piece",
        "dealer": "E",
        "caller": "N",
        "trump": "C",
        "winner": "EW",
        "tricks": {"NS": 2, "EW": 7},
        "award": "win",
        "courts": {"NS": 0, "EW": 0},
        "trick_winners": "ESWNEEWWW",
        "revokes": [],
        "problems": [],
    }


def test_the_line_of_a_match() -> None:
    _, (match,) = deals_and_matches(EXAMPLE)

    assert match == {
        "type": "match",
        "file": "t5.pcn",
        "event": "Tuesday Rang",
        "date": "2026.11.29",
        "round": "2",
        "table": "5",
        "ns": "Asif Khan & Bilal Shah",
        "ew": "Chand Rao & Dev Patel",
        "rules": "court-piece",
        "deals": 1,
        "courts": {"NS": 0, "EW": 0},
        "bavneys": {"NS": 0, "EW": 0},
        "streak": {"NS": 0, "EW": 1},
        "next_dealer": "N",
        "winner": None,
        "problems": [],
    }


def test_what_is_absent_or_not_known_is_null() -> None:
    _, (match,) = deals_and_matches(pcn(Event="?", NS="?", Result="void"))

    assert [match[key] for key in ("event", "date", "round", "table", "ns", "ew")] == [None] * 6


def test_trick_winners_are_absent_from_a_record_of_the_result_only() -> None:
    deals, _ = deals_and_matches(pcn(Result="NS 7-4"), pcn(Deal="2", Dealer="E", Tricks="N", Result="void"))

    assert ["trick_winners" in deal for deal in deals] == [False, True]
    assert [deal["level"] for deal in deals] == ["result", "tricks"]


def test_revokes_are_listed_by_trick_and_within_it_by_play() -> None:
    play = "1. C2 D7>CA C8 C4\n2. DA D8 C5 S8>C3\n!E2"

    (deal,), _ = deals_and_matches(pcn(play.replace("D7>", "DA>"), Hands=WEST_AND_EAST_VOID, Trump="H"))

    assert deal["revokes"] == [
        {"seat": "W", "trick": 1, "card": "DA", "led": "C", "corrected": True},
        {"seat": "E", "trick": 2, "card": "C5", "led": "D", "corrected": False},
        {"seat": "N", "trick": 2, "card": "S8", "led": "D", "corrected": True},
        {"seat": "N", "trick": 2, "card": "C3", "led": "D", "corrected": False},
    ]


def test_a_stated_revoke_has_no_card() -> None:
    (deal,), _ = deals_and_matches(pcn(Tricks="N N W", Revoke="W 4"))

    assert deal["revokes"] == [{"seat": "W", "trick": 4, "card": None, "led": None, "corrected": False}]


def test_a_record_that_cannot_be_adjudicated_has_the_keys_that_were_read() -> None:
    deals, matches = deals_and_matches(
        pcn(Rules="double-sir goon=1", Result="NS 6-5"),
        '[Deal "7"]\n[Dealer "W"]\n[Rules "rang"]\n',
        "nonsense",
    )

    assert [(deal["winner"], deal["award"]) for deal in deals] == [(None, None)] * 3
    assert [(deal.get("deal"), deal.get("dealer"), deal.get("rules")) for deal in deals] == [
        (1, "E", "double-sir"),
        (7, "W", None),
        (None, None, None),
    ]
    assert len(matches) == 1


def test_trump_is_the_suit_of_the_indicator_revealed_or_not() -> None:
    hidden = {"Rules": "hidden-trump", "Trump": "D hidden D2", "Hands": WEST_AND_EAST_VOID, "Result": "void"}

    deals, _ = deals_and_matches(
        pcn("1. C2 CA C8 C4\n*", **hidden), pcn(Deal="2", Trump="H", Result="NS 7-4")
    )

    assert [deal["trump"] for deal in deals] == ["D", "H"]


class TestWhichRecordsAreOneMatch:
    FIRST = {"Event": "A", "Date": "2026.11.29", "Round": "1", "Table": "2", "NS": "N & S", "EW": "E & W"}

    def test_neighbours_with_the_same_tags(self) -> None:
        _, matches = deals_and_matches(
            pcn(**self.FIRST, Result="NS 7-4"),
            pcn(**{**self.FIRST, "Deal": "2"}, Result="NS 7-4", Site="Goa"),
        )

        assert [match["deals"] for match in matches] == [2]

    def test_any_other_of_them_begins_another(self) -> None:
        for name, value in (("Event", "B"), ("Date", "?"), ("Round", "2"), ("Table", "1"), ("NS", "X & Y")):
            _, matches = deals_and_matches(
                pcn(**self.FIRST, Result="NS 7-4"), pcn(**{**self.FIRST, name: value}, Result="NS 7-4")
            )
            assert len(matches) == 2, name

    def test_a_question_mark_is_as_absent(self) -> None:
        _, matches = deals_and_matches(
            pcn(Result="NS 7-4"), pcn(Deal="2", Event="?", EW="?", Result="EW 7-4")
        )

        assert len(matches) == 1

    def test_rules_are_the_same_by_meaning(self) -> None:
        _, same = deals_and_matches(
            pcn(Result="void"), pcn(Deal="2", Rules="court-piece goon=1", Result="void")
        )
        _, other = deals_and_matches(pcn(Result="void"), pcn(Rules="court-piece goon=2", Result="void"))

        assert (len(same), len(other)) == (1, 2)

    def test_a_match_played_again_after_another_is_a_new_one(self) -> None:
        _, matches = deals_and_matches(*[pcn(Table=table, Result="void") for table in "121"])

        assert [match["table"] for match in matches] == ["1", "2", "1"]

    def test_a_malformed_record_is_of_no_match_and_ends_none(self) -> None:
        deals, matches = deals_and_matches(
            pcn(Result="NS 7-4"), '[Deal "x"]\n', pcn(Deal="2", Dealer="N", Result="NS 7-4")
        )

        assert [places(deal) for deal in deals] == [
            [],
            [("missing-tag", 5, 1), ("bad-value", 5, 8)],
            [("wrong-dealer", 8, 10)],
        ]
        assert [match["deals"] for match in matches] == [2]

    def test_one_with_nothing_adjudicated_has_a_line_too(self) -> None:
        _, (match,) = deals_and_matches(pcn(Result="NS 6-5"))

        assert (match["deals"], match["next_dealer"], match["winner"]) == (0, None, None)


class TestWhatCounts:
    def test_a_discrepant_record_counts_by_what_was_found(self) -> None:
        seven = "\n".join(
            f"{n}. S{high} H{low} D{low} C{low}"
            for n, high, low in zip(range(1, 8), "AKQJT98", "2345678", strict=True)
        )

        _, (match,) = deals_and_matches(pcn(f"{seven}\n*", Hands=A_SUIT_EACH, Trump="S", Result="EW 7-4"))

        assert (match["courts"], match["deals"], match["winner"]) == ({"NS": 1, "EW": 0}, 1, "NS")

    def test_one_not_adjudicated_does_not(self) -> None:
        _, (match,) = deals_and_matches(pcn(Result="EW 7-4"), pcn(Deal="2"), pcn(Deal="3", Result="EW 7-4"))

        assert (match["deals"], match["streak"], match["next_dealer"]) == (2, {"NS": 0, "EW": 2}, "N")

    def test_bavneys_and_runs(self) -> None:
        rules = "court-piece streak=2"

        _, (match,) = deals_and_matches(
            pcn(Rules=rules, Result="NS 13-0 bavney"),
            pcn(Rules=rules, Deal="2", Dealer="W", Result="NS 7-4"),
            pcn(Rules=rules, Deal="3", Dealer="W", Result="NS 7-4"),
        )

        assert match["courts"] == {"NS": 53, "EW": 0}
        assert match["bavneys"] == {"NS": 1, "EW": 0}
        assert match["streak"] == {"NS": 0, "EW": 0}
        assert match["next_dealer"] == "E"

    def test_stated_courts_are_the_matchs_after_the_deal(self) -> None:
        deals, _ = deals_and_matches(
            pcn(Result="NS 7-0 court", Courts="NS 1 EW 0"),
            pcn(Deal="2", Dealer="W", Result="EW 7-0 goon-court", Courts="NS 1 EW 1"),
            pcn(Deal="3", Dealer="S", Result="EW 7-4", Courts="NS 1 EW 2"),
        )

        assert [places(deal) for deal in deals] == [[], [], [("courts-mismatch", 14, 10)]]

    def test_they_are_not_compared_after_a_gap_or_a_record_not_adjudicated(self) -> None:
        for second in (pcn(Deal="3", Result="NS 7-4"), pcn(Deal="2", Courts="NS 9 EW 9")):
            deals, _ = deals_and_matches(
                pcn(Result="EW 7-4", Courts="NS 0 EW 0"),
                second,
                pcn(Deal="4", Result="EW 7-4", Courts="NS 9 EW 9"),
            )

            assert ("courts-mismatch", 10, 10) not in [place for deal in deals for place in places(deal)]


def test_a_match_checker_gives_what_check_prints() -> None:
    text = "\n".join([EXAMPLE, pcn(Deal="2", Result="NS 7-4"), EXAMPLE])
    checker = MatchChecker()

    checked = [checker.feed(reading) for reading in read(io.BytesIO(text.encode()))]
    last = checker.finish()

    ended = [deal.ends_match for deal in checked if deal.ends_match is not None]
    assert [match.first.event for match in ended] == ["Tuesday Rang", None]
    assert last is not None
    assert last.match.state.deals == 1
    assert [deal.worst for deal in checked] == [None, Kind.WARNING, None]  # a match that begins with deal 2
