"""Every code of the notation: when it is given, and the line and column where it stands."""

import pytest

from courtpiece.engine.faults import Code, Kind
from courtpiece.notation import Problem
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, checked, pcn, places, problems

TAGS = pcn(Hands=WEST_AND_EAST_VOID, Trump="H", Result="void")
"""Five lines; the play section below them begins at line 7."""


def with_play(*lines: str) -> str:
    return f"{TAGS}\n" + "".join(f"{line}\n" for line in lines)


def hidden(*lines: str, trump: str = "H hidden H2") -> str:
    """Return a record of six lines of tags; its play begins at line 8."""
    tags = pcn(Rules="hidden-trump", Hands=WEST_AND_EAST_VOID, Trump=trump, Result="void")
    return f"{tags}\n" + "".join(f"{line}\n" for line in lines)


def test_the_kinds_and_their_severities() -> None:
    kinds = {code.value: code.kind for code in Code}

    assert [code for code, kind in kinds.items() if kind is Kind.MALFORMED] == [
        "bad-syntax",
        "bad-encoding",
        "record-too-long",
        "duplicate-tag",
        "missing-tag",
        "bad-value",
        "unknown-rules",
    ]
    assert [code for code, kind in kinds.items() if kind is Kind.DISCREPANCY] == [
        "result-mismatch",
        "courts-mismatch",
    ]
    assert [code.value for code in Code if Problem(code, 1, 1, "").severity == "warning"] == [
        "wrong-dealer",
        "deal-gap",
        "uncalled-revoke",
    ]
    assert len(kinds) == 22


class TestMalformed:
    """The record could not be read."""

    @pytest.mark.parametrize(
        ("line", "column"),
        [
            ("[Event Rang]", 1),  # no quotes
            ('  [Event "Rang"', 3),
            ('[Event: "Rang"]', 1),
            ('[1st "Rang"]', 1),
            ('[Ev_ent "Rang"]', 1),
            (r'[Event "Ra\ng"]', 1),  # no such escape
            ('[Event "Ra"ng"]', 1),
            ('[Event "Rang"] [Site "Goa"]', 1),  # not on a line of its own
            ("Dealer: North", 1),
            ("\tanything", 2),
        ],
    )
    def test_bad_syntax_among_the_tags(self, line: str, column: int) -> None:
        assert problems(f'[Deal "1"]\n{line}\n[Dealer "E"]\n[Result "void"]\n') == [("bad-syntax", 2, column)]

    @pytest.mark.parametrize(
        ("line", "column"),
        [
            ("1. C2 CA C8 C44", 13),
            ("1. C2 XA C8 C4", 7),
            ("1. C2 CA C8 C4 1-0", 16),
            ("1. C2 CA _^C8 C4", 10),  # one sign at most
            ("1. C2 CA C8>_C3 C4", 10),  # before the first card
            ("1. C2 CA C8 C4 !W0", 16),
            ("1. C2 CA C8 C4 !X1", 16),
            ("1. C2 CA C8 C4 } *", 16),
            ("* 1. C2", 3),  # nothing follows the end
            ("* *", 3),
            ("!W1 *", 5),
            ("1.", 1),  # neither a card nor an end
        ],
    )
    def test_bad_syntax_in_the_play(self, line: str, column: int) -> None:
        assert problems(with_play(line)) == [("bad-syntax", 7, column)]

    def test_several_in_one_play_section_are_one_problem(self) -> None:
        assert problems(with_play("1. C2 XX C8 C4", "2. YY", "ZZ")) == [("bad-syntax", 7, 7)]

    def test_several_tags_are_several(self) -> None:
        assert problems('[Deal 1]\n[Dealer "E"]\n[Event x]\n') == [("bad-syntax", 1, 1), ("bad-syntax", 3, 1)]

    def test_an_unclosed_comment_stands_at_its_brace(self) -> None:
        assert problems(with_play("1. C2 CA {slow", "C8 C4", "*")) == [("bad-syntax", 7, 10)]

    @pytest.mark.parametrize(
        ("text", "place"),
        [
            (TAGS.replace("E", "E\0", 1).encode(), (2, 11)),
            (pcn(Event="Café", Result="void").encode("latin-1"), (3, 12)),
            (with_play("1. C2 CA \0 C8 C4").encode(), (7, 10)),
            (with_play("1. C2 {a", "b \0 c} CA C8 C4").encode(), (8, 3)),
        ],
    )
    def test_bad_encoding(self, text: bytes, place: tuple[int, int]) -> None:
        assert problems(text) == [("bad-encoding", *place)]

    def test_bad_encoding_hides_what_follows_from_it(self) -> None:
        assert problems(b'[Deal "\xff"]\n[Deal "2"]\n') == [("bad-encoding", 1, 8)]

    def test_record_too_long(self) -> None:
        assert problems(pcn(Note="x" * 65_536, Result="void")) == [("record-too-long", 1, 1)]

    def test_duplicate_tag(self) -> None:
        assert problems(pcn(Result="void") + '[Deal "1"]\n') == [("duplicate-tag", 4, 8)]
        assert problems(pcn(Result="void") + '[My "a"]\n [My  "b"]\n') == [("duplicate-tag", 5, 8)]

    def test_missing_tag(self) -> None:
        assert problems('% PCN 1\n\n[Dealer "E"]\n[Result "void"]\n') == [("missing-tag", 3, 1)]
        assert problems('[Deal "1"]\n[Result "void"]\n') == [("missing-tag", 1, 1)]
        assert problems('[Result "void"]\n') == [("missing-tag", 1, 1)] * 2
        assert problems('[deal "1"]\n[Dealer "E"]\n[Result "void"]\n') == [("missing-tag", 1, 1)]

    @pytest.mark.parametrize(
        ("tag", "value"),
        [
            *[("Deal", value) for value in ("0", "01", "-1", "one", "1.5", "", "?")],
            *[("Dealer", value) for value in ("X", "n", "North", "", "?")],
            *[
                ("Date", value)
                for value in ("2026.02.30", "2026-11-29", "26.11.29", "2026.13.01", "", "0000.01.01")
            ],
            *[("NS", value) for value in ("Asif", "A & B & C", "A&B", " & B", "A & ", "", "? & ?&")],
            *[("EW", value) for value in ("Asif", "A and B")],
            *[
                ("Hands", value)
                for value in ("", "?", "N:AK.Q.J", "X:A.K.Q.J W:... S:... E:...", "N:A.K.Q W:... S:... E:...")
            ],
            ("Hands", A_SUIT_EACH.replace("E:", "W:")),
            ("Hands", A_SUIT_EACH.replace("98765432...", "9876543X...")),
            *[
                ("FirstFive", value)
                for value in ("SA SK SQ SJ", "SA SK SQ SJ ST S9", "SA SA SQ SJ ST", "S1 SK SQ SJ ST")
            ],
            *[
                ("Trump", value)
                for value in (
                    "",
                    "?",
                    "X",
                    "NT",
                    "S hidden",
                    "S card H7",
                    "S named S7",
                    "- discard",
                    "S discard S7",
                )
            ],
            *[("Tricks", value) for value in ("N X", "NNW", "N N N N N N N N N N N N N N")],
            *[("Revoke", value) for value in ("W", "W 0", "W 14", "X 4", "4 W", "W 4 D2", "?")],
            *[
                ("Result", value)
                for value in (
                    "",
                    "NS",
                    "NS 7",
                    "7-4",
                    "NS 7:4",
                    "ns 7-4",
                    "NS 7-4 win",
                    "Void",
                    "NS 07-4",
                    "draw",
                )
            ],
            *[
                ("Courts", value)
                for value in ("", "?", "2 3", "NS 2", "EW 2 NS 3", "NS -1 EW 0", "NS 01 EW 0")
            ],
        ],
    )
    def test_bad_value(self, tag: str, value: str) -> None:
        lines = {"Deal": "1", "Dealer": "E", tag: value}
        text = "".join(f'[{name} "{text}"]\n' for name, text in lines.items())
        line = list(lines).index(tag) + 1

        assert problems(text) == [("bad-value", line, len(tag) + 4)]

    @pytest.mark.parametrize(
        "value", ["rang", "hokm-3", "court-piece goon=0", "court-piece goon=2 goon=2", ""]
    )
    def test_unknown_rules(self, value: str) -> None:
        assert problems(pcn(Rules=value, Result="void")) == [("unknown-rules", 3, 9)]

    def test_all_bad_values_of_a_record_are_reported(self) -> None:
        assert problems('[Deal "0"]\n[Dealer "X"]\n[Rules "rang"]\n[Date "now"]\n') == [
            ("bad-value", 1, 8),
            ("bad-value", 2, 10),
            ("unknown-rules", 3, 9),
            ("bad-value", 4, 8),
        ]


class TestImpossible:
    """The record could not be adjudicated."""

    @pytest.mark.parametrize(
        "hands",
        [
            A_SUIT_EACH.replace("N:A", "N:"),  # twelve cards
            A_SUIT_EACH.replace("N:A", "N:").replace("W:.", "W:A."),  # twelve and fourteen
            A_SUIT_EACH.replace("N:AK", "N:KK"),  # a card twice
            A_SUIT_EACH.replace("N:A", "N:").replace("...", ".K..", 1),  # another's card
        ],
    )
    def test_bad_hands(self, hands: str) -> None:
        assert problems(pcn(Hands=hands, Result="void")) == [("bad-hands", 3, 9)]

    def test_bad_hands_of_first_five_that_are_not_the_callers(self) -> None:
        text = pcn(Hands=A_SUIT_EACH, FirstFive="SA SK SQ SJ HT", Result="void")

        assert problems(text) == [("bad-hands", 4, 13)]

    def test_card_repeated(self) -> None:
        assert problems(with_play("1. C2 CA C8 C2", "*")) == [("card-repeated", 7, 13)]
        assert problems(with_play("1. C2 CA C8 C4", "2. CA", "*")) == [("card-repeated", 8, 4)]

    def test_card_repeated_in_a_play_that_is_to_tell_the_hands(self) -> None:
        lines = [f"{n}. S{rank} H{rank} D{rank} C{rank}" for n, rank in enumerate("AKQJT98765433", start=1)]

        assert problems(pcn("\n".join([*lines, "*"]), Trump="S")) == [("card-repeated", 17, 5)]

    def test_card_not_held(self) -> None:
        assert problems(with_play("1. C2 CA C9 C8", "*")) == [("card-not-held", 7, 13)]
        assert problems(with_play("1. C2 CA C8 C4", "2. S2", "*")) == [("card-not-held", 8, 4)]
        assert problems(with_play("1. C2 CA S2>S9 C4", "*")) == [("card-not-held", 7, 10)]

    def test_bad_trick(self) -> None:
        assert problems(with_play("1. C2 CA C8", "2. DA D8 D3 D2", "*")) == [("bad-trick", 7, 1)]
        assert problems(with_play("1. C2 CA C8 C4 DA", "2. D8", "*")) == [("bad-trick", 7, 1)]
        assert problems(with_play("2. C2 CA C8 C4", "*")) == [("bad-trick", 7, 1)]
        assert problems(with_play("1. C2 CA C8 C4", "3. DA", "*")) == [("bad-trick", 8, 1)]

    def test_bad_trick_of_a_fourteenth(self) -> None:
        lines = [f"{n}. S{high} H{low} D{low} C{low}" for n, high, low in _thirteen()]
        text = pcn("\n".join([*lines, "14. SA", "*"]), Hands=A_SUIT_EACH, Trump="S", Rules="double-sir")

        assert problems(text) == [("bad-trick", 20, 1)]

    @pytest.mark.parametrize(
        ("rules", "trump"),
        [
            ("court-piece", "H hidden H2"),  # not a method of the rules
            ("hidden-trump", "H"),
            ("hidden-trump", "H hidden ?"),  # known to nobody, with cards
            ("hidden-trump", "H hidden HA"),  # law 4.8
            ("be-ranga", "H"),
        ],
    )
    def test_bad_trump(self, rules: str, trump: str) -> None:
        text = pcn("1. C2 CA C8 C4\n*", Rules=rules, Hands=WEST_AND_EAST_VOID, Trump=trump, Result="void")

        assert problems(text) == [("bad-trump", 5, 9)]

    def test_bad_trump_missing_stands_at_the_records_first_line(self) -> None:
        text = "\n" + pcn("1. C2 CA C8 C4\n*", Hands=WEST_AND_EAST_VOID, Result="void")

        assert problems(text) == [("bad-trump", 2, 1)]

    def test_no_trump_is_needed_without_a_card_or_where_a_discard_makes_it(self) -> None:
        for rules, play in (("court-piece", "*"), ("be-ranga", "1. C2 CA C8 C4\n*")):
            assert problems(pcn(play, Rules=rules, Hands=WEST_AND_EAST_VOID, Result="void")) == []

    @pytest.mark.parametrize(
        ("line", "column"),
        [
            ("1. C2 ^CA C8 C4", 7),  # can follow
            ("1. SA ^H8 S7 ^HT", 14),  # twice
            ("1. ^SA HK S7 HT", 4),  # no trump led after it
            ("1. H2 HK HQ HT", 4),  # the indicator, unrevealed
            ("1. SA _DJ S7 C7", 7),  # not the caller
        ],
    )
    def test_bad_reveal(self, line: str, column: int) -> None:
        assert problems(hidden(line, "*")) == [("bad-reveal", 8, column)]

    def test_bad_correction(self) -> None:
        assert problems(with_play("1. C2 CA>CK C8 C4", "*")) == [("bad-correction", 7, 7)]

    def test_no_such_revoke_stands_at_the_claim(self) -> None:
        assert problems(with_play("1. C2 CA C8 C4", "  !W1").replace('[Result "void"]\n', "")) == [
            ("no-such-revoke", 7, 3)
        ]

    def test_no_such_revoke_past_the_tricks_given(self) -> None:
        assert problems(pcn(Tricks="N N", Revoke="W 4")) == [("no-such-revoke", 4, 10)]

    def test_hands_needed(self) -> None:
        assert problems("\n\n" + pcn("1. C2 CA C8 C4\n*", Trump="H", Result="void")) == [
            ("hands-needed", 3, 1)
        ]

    def test_undecided(self) -> None:
        text = with_play("1. C2 CA C8 C4", "*").replace('[Result "void"]\n', "")

        assert problems(f"% PCN 1\n\n{text}") == [("undecided", 3, 1)]
        assert problems(pcn(Tricks="N N N N N N")) == [("undecided", 1, 1)]
        assert problems(pcn()) == [("undecided", 1, 1)]


def _thirteen() -> list[tuple[int, str, str]]:
    return list(zip(range(1, 14), "AKQJT98765432", "23456789TJQKA", strict=True))


class TestDiscrepant:
    """The record states what it does not show, and the finding stands."""

    @pytest.mark.parametrize(
        ("tag", "value"),
        [("Tricks", "N"), ("Revoke", "W 1"), ("Trump", "D discard"), ("Result", "EW 7-1")],
    )
    def test_result_mismatch(self, tag: str, value: str) -> None:
        lines = [
            "1. SA H2 D2 C2",
            *[f"{n}. H{high} D{n + 1} C{n + 1} S{n}" for n, high in enumerate("AKQJT9", 2)],
        ]
        known = {"Rules": "be-ranga gather=single", "Hands": A_SUIT_EACH, tag: value}

        found = problems(pcn("\n".join([*lines, "*"]), **known))

        assert found == [("result-mismatch", 5, len(tag) + 4)]

    def test_each_statement_that_is_wrong_is_reported_and_the_finding_stands(self) -> None:
        lines = [f"{n}. S{high} H{low} D{low} C{low}" for n, high, low in _thirteen()[:7]]
        text = pcn(
            "\n".join([*lines, "*"]),
            Hands=A_SUIT_EACH,
            Trump="S",
            Tricks="N N N",
            Revoke="W 3",
            Result="NS 7-2",
        )

        (line,) = checked(text)

        assert places(line) == [
            ("result-mismatch", 5, 10),
            ("result-mismatch", 6, 10),
            ("result-mismatch", 7, 10),
        ]
        assert (line["winner"], line["award"], line["trick_winners"]) == ("NS", "court", "NNNNNNN")

    def test_courts_mismatch(self) -> None:
        assert problems(pcn(Result="NS 7-0 court", Courts="NS 1 EW 0")) == []
        assert problems(pcn(Result="NS 7-0 court", Courts="NS 0 EW 1")) == [("courts-mismatch", 4, 10)]


class TestWarnings:
    """The record counts as it stands."""

    def test_wrong_dealer(self) -> None:
        text = pcn(Result="NS 7-4") + "\n" + pcn(Deal="2", Dealer="N", Result="NS 7-4")

        assert problems(text) == [("wrong-dealer", 6, 10)]

    def test_deal_gap(self) -> None:
        text = pcn(Deal="2", Result="NS 7-4") + "\n" + pcn(Deal="4", Result="NS 7-4")

        assert problems(text) == [("deal-gap", 1, 8), ("deal-gap", 5, 8)]

    def test_uncalled_revoke_stands_at_the_card(self) -> None:
        text = pcn("1. C2 CA C8 C4\n2. DA D8 D3 S8>C3\n*", Hands=WEST_AND_EAST_VOID, Trump="H")

        assert problems(text) == [("uncalled-revoke", 7, 13)]


class TestOneCauseIsOneProblem:
    """What follows from a problem is not reported too; what does not, is."""

    def test_a_wrong_hand_says_nothing_of_the_cards_played(self) -> None:
        text = with_play("1. C2 CA C8 C2", "*").replace("N:A", "N:")

        assert problems(text) == [("bad-hands", 3, 9)]

    def test_a_card_not_held_says_nothing_of_the_result(self) -> None:
        assert problems(with_play("1. H9", "*").replace("void", "NS 7-4")) == [("card-not-held", 7, 4)]

    def test_an_odd_trick_after_an_impossible_card_is_another_cause(self) -> None:
        found = problems(with_play("1. H9 CA C8 C4", "2. DA D8 D3", "3. CK C9 C5 C3", "*"))

        assert found == [("card-not-held", 7, 4), ("bad-trick", 8, 1)]

    def test_only_the_first_odd_trick_is_reported(self) -> None:
        assert problems(with_play("1. C2 CA C8", "2. DA D8 D3", "3. CK", "*")) == [("bad-trick", 7, 1)]


UNCALLED = ("uncalled-revoke", 8, 13)


class TestAfterTheEnd:
    """After the decision, or an established revoke, only three codes are reported."""

    ENDED = ("1. C2 CA C8 C4", "2. DA D8 D3 S8", "3. DK D9 D4 D2")

    @pytest.mark.parametrize(
        ("line", "found"),
        [
            ("4. ^DQ DT D5 C3", [UNCALLED]),
            ("4. DQ DT>C9 D5 C3", [UNCALLED]),
            ("4. DQ DT D5 _C3", [UNCALLED]),
            ("4. DQ DT D5 DK", [("card-repeated", 10, 13)]),
            ("4. DQ DT D5 H5", [("card-not-held", 10, 13)]),
            ("5. DQ DT D5 C3", [("bad-trick", 10, 1)]),
        ],
    )
    def test_what_is_reported(self, line: str, found: list[tuple[str, int, int]]) -> None:
        text = with_play(*self.ENDED, line, "*").replace('[Result "void"]\n', '[Note "x"]\n')

        assert problems(text) == found
