"""The replay of each golden deal: whatever its rules, it ends as the record is known to, and shows how it came so."""

import json
from pathlib import Path
from typing import Any

import pytest

from courtpiece.notation import Record, read
from scoring.replays import Replay, replay_of

CASES = Path(__file__).parents[1] / "golden" / "cases" / "good"
NAMES = sorted(path.name.partition(".")[0] for path in CASES.glob("*.expected.jsonl"))


def records_of(case: str) -> list[Record]:
    """Return the records of a golden file, of which each can be read."""
    found = [reading.record for reading in read((CASES / f"{case}.pcn").read_bytes())]
    assert None not in found
    return [record for record in found if record is not None]


def expected_of(case: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (CASES / f"{case}.expected.jsonl").read_text().splitlines()]
    return [line for line in lines if line["type"] == "deal"]


def shown(record: Record) -> Replay:
    found = replay_of(record, record.finding(), names={}, at=0)
    assert found is not None
    return found


def golden(case: str, number: int) -> Replay:
    """Return the replay of one record of a golden file; ``number`` counts from 1."""
    return shown(records_of(case)[number - 1])


def taken(replay: Replay) -> dict[str, int]:
    """Return the tricks of each side in the last step that counts."""
    counted = [trick.last for trick in replay.tricks if trick.counted]
    if not counted:
        return {"NS": 0, "EW": 0}
    last = replay.plays[counted[-1] - 1]
    return {"NS": last.ns, "EW": last.ew}


def revoked(replay: Replay) -> list[tuple[str, int, str, bool]]:
    return [
        (play.seat, play.trick, card, card != play.card) for play in replay.plays for card in play.revoked
    ]


@pytest.mark.parametrize("case", NAMES)
def test_a_replay_ends_as_the_record_is_known_to_end(case: str) -> None:
    known = [
        (record, line)
        for record, line in zip(records_of(case), expected_of(case), strict=True)
        if record.facts.tricks and line["award"] is not None
    ]

    found = [
        {
            "trick_winners": "".join(trick.winner for trick in replay.tricks if trick.counted),
            "tricks": taken(replay),
            "revokes": revoked(replay),
        }
        for record, _line in known
        for replay in [shown(record)]
    ]

    assert found == [
        {
            "trick_winners": line["trick_winners"],
            "tricks": line["tricks"],
            "revokes": [
                (one["seat"], one["trick"], one["card"], one["corrected"]) for one in line["revokes"]
            ],
        }
        for _record, line in known
    ]


def test_a_trump_card_lies_face_down_until_it_is_turned_up_in_the_middle() -> None:
    replay = golden("000003", 1)

    covered = [play.index for play in replay.plays if play.covered]
    turned = replay.plays[replay.revealed - 1]

    assert replay.trump_at_start == ""
    assert covered == list(range(1, replay.revealed))
    assert {play.trump for play in replay.plays[: replay.revealed - 1]} == {""}
    assert (turned.reveal, turned.trump) == (True, replay.indicator[0])
    assert replay.revealed_in == turned.trick


def test_a_card_played_face_down_is_marked() -> None:
    replay = golden("000003", 2)

    assert [(play.seat, play.winning) for play in replay.plays if play.face_down] == [(replay.caller, False)]


def test_a_corrected_revoke_stands_beside_the_card_that_took_its_place() -> None:
    replay = golden("000001", 5)

    corrected = [play for play in replay.plays if play.revoked]

    assert corrected
    assert [play.card in play.revoked for play in corrected] == [False] * len(corrected)
    assert all(set(play.revoked) <= set(play.taken_back) for play in corrected)


def test_a_revoke_that_was_claimed_takes_its_trick_from_everybody() -> None:
    replay = golden("000003", 1)

    (stood,) = [play for play in replay.plays if play.card in play.revoked]
    trick = replay.tricks[stood.trick - 1]

    assert (stood.seat, stood.trick, trick.counted) == ("S", 5, False)
    assert trick.note == "S revoked with S6: the revoke is established."


def test_fifty_two_courts_are_thirteen_tricks_of_one_side() -> None:
    replay = golden("000001", 6)

    assert sorted(taken(replay).values()) == [0, 13]
    assert len({trick.team for trick in replay.tricks}) == 1
    assert [trick.note for trick in replay.tricks if trick.note][-1] == "The deal is decided."


def test_what_lies_in_the_centre_grows_until_somebody_gathers_it() -> None:
    replay = golden("000007", 2)

    after_each = [(play.ns, play.pile, play.ew) for play in replay.plays[3::4]]

    assert replay.gathers
    assert after_each == [
        *((0, pile, 0) for pile in range(1, 7)),
        (0, 0, 7),
        *((0, pile, 7) for pile in range(1, 4)),
        (0, 0, 11),
        (0, 1, 11),
        (2, 0, 11),
    ]


def test_trump_made_by_a_discard_is_known_from_that_card_on() -> None:
    replay = golden("000019", 4)

    first = next(play for play in replay.plays if play.trump)
    led = replay.plays[replay.tricks[first.trick - 1].first - 1].card

    assert (replay.indicator, replay.revealed) == ("", 0)
    assert first.trump == first.card[0] != led[0]
