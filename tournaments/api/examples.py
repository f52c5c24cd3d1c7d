"""What the schema shows of a table and of what is sent from it."""

from typing import Any, Final

_KHAN: Final = {"id": "0f0f6c3e-5a53-4c8e-9f6a-0c1b7f7f0a01", "name": "Asif Khan"}
_SHAH: Final = {"id": "0f0f6c3e-5a53-4c8e-9f6a-0c1b7f7f0a02", "name": "Bilal Shah"}
_RAO: Final = {"id": "0f0f6c3e-5a53-4c8e-9f6a-0c1b7f7f0a03", "name": "Chand Rao"}
_PATEL: Final = {"id": "0f0f6c3e-5a53-4c8e-9f6a-0c1b7f7f0a04", "name": "Dev Patel"}
_SHEET: Final = "7f1f5c1a-3c53-4c0e-8f57-2c4f5b9d1e55"
_DEAL: Final = "b1d1c6de-6a5f-4a5e-9d1b-6f3b0a5c7e10"
_FIRST: Final = '[Deal "1"]\n[Rules "court-piece"]\n[Dealer "N"]\n[Result "EW 7-2"]\n'
_OTHER: Final = '[Deal "1"]\n[Rules "court-piece"]\n[Dealer "N"]\n[Result "EW 7-3"]\n'
_SECOND: Final = '[Deal "2"]\n[Rules "court-piece"]\n[Dealer "N"]\n[Result "EW 7-4"]\n'


def _side(entry: int, first: dict[str, str], second: dict[str, str], won: int) -> dict[str, Any]:
    return {
        "partnership": {
            "id": f"0f0f6c3e-5a53-4c8e-9f6a-0c1b7f7f0b0{entry}",
            "name": f"{first['name']} & {second['name']}",
            "players": [first, second],
        },
        "courts": 0,
        "deals_won": won,
        "bavneys": 0,
        "goon_courts": 0,
        "revokes": 0,
        "run": won,
        "entry": entry,
    }


TABLE: Final[dict[str, Any]] = {
    "tournament": {
        "slug": "rang",
        "name": "Tuesday Rang",
        "club": {"slug": "lahore", "name": "Lahore"},
        "confirmation": True,
    },
    "rules": "court-piece",
    "session": {"number": 1, "place": None, "starts_at": "2026-11-29T14:00:00Z"},
    "table": "5",
    "timezone": "Asia/Karachi",
    "version": 41,
    "server_time": "2026-11-29T14:25:03.120Z",
    "takes_deals": True,
    "matches": [
        {
            "id": "1c5b7a52-4f5a-4a0c-8a46-6b1d0c3f9a77",
            "round": {"number": 1, "name": None},
            "name": None,
            "state": "open",
            "version": 0,
            "agreed": {"kind": "deals", "amount": 12},
            "first_dealer": "N",
            "scoresheet": _SHEET,
            "scoresheet_version": 1,
            "rules": "court-piece",
            "seats": {"N": _KHAN, "E": _RAO, "S": _SHAH, "W": _PATEL},
            "ns": _side(3, _KHAN, _SHAH, 0),
            "ew": _side(8, _RAO, _PATEL, 1),
            "next_dealer": "N",
            "deals": [
                {
                    "id": _DEAL,
                    "number": 1,
                    "revision": 1,
                    "kind": "record",
                    "ruled": False,
                    "counts": True,
                    "level": "result",
                    "dealer": "N",
                    "caller": "W",
                    "trump": None,
                    "trump_method": None,
                    "winner": "EW",
                    "award": "win",
                    "tricks": {"NS": 2, "EW": 7},
                    "courts": {"NS": 0, "EW": 0},
                    "run_courts": {"NS": 0, "EW": 0},
                    "total": {"NS": 0, "EW": 0},
                    "run": {"NS": 0, "EW": 1},
                    "problems": [],
                    "cards_from": None,
                    "pcn": _FIRST,
                    "made_by": "table",
                    "confirmation": {"state": "waiting", "entered_by": "EW", "said": [], "difference": None},
                }
            ],
        }
    ],
}

BATCH: Final[dict[str, Any]] = {
    "device": "9a1f0f9e-4c2b-4d55-8b7e-3c3e7f6a2d01",
    "unsent": 2,
    "items": [
        {
            "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f001",
            "scoresheet": _SHEET,
            "base_revision": None,
            "pcn": _OTHER,
            "side": "EW",
        },
        {
            "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f002",
            "scoresheet": _SHEET,
            "base_revision": None,
            "pcn": _SECOND,
            "side": "EW",
        },
    ],
}

OUTCOMES: Final[dict[str, Any]] = {
    "server_time": "2026-11-29T14:31:40.003Z",
    "outcomes": [
        {
            "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f001",
            "scoresheet": _SHEET,
            "outcome": "conflict",
            "number": 1,
            "deal": _DEAL,
            "revision": 1,
            "current": {"revision": 1, "pcn": _FIRST},
            "offered": {"pcn": _OTHER},
            "problems": [],
        },
        {
            "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f002",
            "scoresheet": _SHEET,
            "outcome": "created",
            "number": 2,
            "deal": "b1d1c6de-6a5f-4a5e-9d1b-6f3b0a5c7e11",
            "revision": 1,
            "current": None,
            "offered": None,
            "problems": [],
        },
    ],
}

CONFIRMING: Final[dict[str, Any]] = {
    "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f003",
    "device": "4e2d8c11-77a0-4b4f-a3f2-1f0c5f6a2d02",
    "side": "NS",
    "scoresheet": _SHEET,
    "deal": _DEAL,
    "revision": 1,
    "verdict": "dispute",
    "pcn": _OTHER,
}

CONFIRMED: Final[dict[str, Any]] = {
    "outcome": "created",
    "operation_id": "5b0f7a1c-27c5-4a77-9b1f-64a1b7a5f003",
    "confirmation": {
        "state": "disputed",
        "entered_by": "EW",
        "said": [
            {
                "by": "NS",
                "verdict": "dispute",
                "pcn": _OTHER,
                "reason": None,
                "at": "2026-11-29T14:33:10Z",
            }
        ],
        "difference": {
            "point": "tricks",
            "trick": None,
            "seat": None,
            "recorded": "7-2",
            "offered": "7-3",
            "text": "Tricks: recorded is 7–2, the other side has 7–3.",
        },
    },
}
