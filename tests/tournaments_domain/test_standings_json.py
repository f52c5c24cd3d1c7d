"""The standings as they are stored: what a tie-break's working leaves out, and what a league adds."""

from scoring.domain.league import LeagueScheme, SessionResults, rank_league
from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import (
    Bye,
    ByeKind,
    DummyOpponent,
    Entrant,
    MatchResult,
    Ranking,
    Scheme,
    Side,
    TiebreakCode,
)
from tournaments.domain.standings import (
    EntryNames,
    Heading,
    MatchCounts,
    PartnershipJson,
    StandingsTable,
    TournamentJson,
    in_order,
    reasons,
    standings_table,
)

ENTRANTS = [Entrant(number=1), Entrant(number=2), Entrant(number=3)]


def match(round_number: int, first: int, courts: tuple[int, int], second: int) -> MatchResult:
    sides = (Side(entry=first, courts=courts[0]), Side(entry=second, courts=courts[1]))
    return MatchResult(round=round_number, sides=sides)


def table_of(scheme: Scheme, rows: tuple[Row, ...]) -> StandingsTable:
    heading = Heading(
        tournament=TournamentJson(slug="rang", name="Rang", rules="court-piece", rules_version=1),
        version=1,
        status="provisional",
        after_round=1,
        computed_at=None,
        timezone="Asia/Karachi",
        matches=MatchCounts(scheduled=1, finished=1, open=0, void=0),
    )
    names = {
        row.tally.entry: EntryNames(
            state="active", partnership=PartnershipJson(id=str(row.tally.entry), name="A & B", players=[])
        )
        for row in rows
    }
    return standings_table(heading, scheme, rows, names)


def test_a_line_says_which_kind_of_round_it_was_what_was_adjusted_and_what_was_cut() -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.MEDIAN_BUCHHOLZ,), dummy=DummyOpponent.OWN_SCORE_CAPPED)
    byes = [
        Bye(round=2, entry=1, kind=ByeKind.FORFEIT_WIN, opponent=3),
        Bye(round=2, entry=3, kind=ByeKind.FORFEIT_LOSS, opponent=1),
        Bye(round=2, entry=2, kind=ByeKind.REQUESTED),
        Bye(round=1, entry=3),
    ]

    found = reasons(scheme, rank_entries(ENTRANTS, [match(1, 1, (1, 0), 2)], byes, scheme=scheme))

    assert {reason["entry"]: reason["tiebreaks"][0]["lines"] for reason in found} == {
        1: [
            {"opponent": 2, "rounds": [1], "amount": "1", "cut": "lowest"},
            {
                "opponent": 3,
                "rounds": [2],
                "amount": "2",
                "bye": "forfeit-win",
                "dummy": True,
                "cut": "highest",
                "before": "4",
            },
        ],
        2: [
            {"opponent": 1, "rounds": [1], "amount": "4", "cut": "highest"},
            {
                "opponent": None,
                "rounds": [2],
                "amount": "1",
                "bye": "requested",
                "dummy": True,
                "cut": "lowest",
            },
        ],
        3: [
            {"opponent": None, "rounds": [1], "amount": "2", "dummy": True, "cut": "highest"},
            {
                "opponent": 1,
                "rounds": [2],
                "amount": "2",
                "bye": "forfeit-loss",
                "dummy": True,
                "cut": "lowest",
            },
        ],
    }


def test_a_league_adds_what_its_sessions_brought_to_the_row_and_to_the_reason() -> None:
    held = [
        SessionResults(number=1, matches=(match(1, 1, (1, 0), 2),)),
        SessionResults(number=2, matches=(match(2, 1, (0, 0), 2),)),
    ]
    scheme = Scheme(ranking=Ranking.SESSION_POINTS)
    rows = rank_league(ENTRANTS, held, scheme=scheme, league=LeagueScheme(points_by_place=(10, 5), best_of=1))

    table, found = in_order(table_of(scheme, rows)), reasons(scheme, rows)

    assert [(row["entry"], row["session_points"], row["match_points"]) for row in table["rows"]] == [
        (1, 10, 3),
        (2, "15/2", 1),
        (3, 0, 0),
    ]
    assert found[1]["sessions"] == [
        {"session": 1, "rank": 2, "tied": False, "score": "0", "points": "5", "counts": False},
        {"session": 2, "rank": 1, "tied": True, "score": "1", "points": "15/2", "counts": True},
    ]
    assert found[2]["sessions"] == []


def test_a_league_is_ranked_by_its_sessions_whatever_orders_them() -> None:
    held = [SessionResults(number=1, matches=(match(1, 1, (1, 0), 2),))]
    scheme = Scheme(ranking=Ranking.COURTS)
    rows = rank_league(ENTRANTS, held, scheme=scheme, league=LeagueScheme(session_ranking=Ranking.COURTS))

    table = table_of(scheme, rows)

    assert (table["ranking"], table["rows"][0].get("session_points")) == ("session-points", 1)


def test_elsewhere_neither_key_is_there() -> None:
    rows = rank_entries(ENTRANTS, [match(1, 1, (1, 0), 2)], scheme=Scheme())

    table, found = table_of(Scheme(), rows), reasons(Scheme(), rows)

    assert [name for row in table["rows"] for name in row if name == "session_points"] == []
    assert [name for reason in found for name in reason if name == "sessions"] == []


def test_byes_of_the_row_are_those_of_the_draw_and_those_asked_for() -> None:
    byes = [Bye(round=number, entry=1, kind=kind) for number, kind in enumerate(ByeKind, start=1)]

    table = table_of(Scheme(), rank_entries(ENTRANTS[:1], [], byes, scheme=Scheme()))

    assert table["rows"][0]["byes"] == 2
