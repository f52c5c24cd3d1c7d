"""Every component on one page, for those who work on the pages. Only there with ``DEBUG``."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from courtpiece.project import words

PLAYS = (
    "HT H5 HQ HK",
    "C9 C7 CT CK",
    "CQ C6 C2 CA",
    "C8 C5 C4 CJ",
    "SK S6 S7 SA",
    "H6 H9 H7 H4",
    "SJ S5 SQ DJ",
    "C3 DA ST H3",
    "HA H2 H8 HJ",
)
LEADERS = "NESWNEEWW"
HANDS = {
    "N": ("Asif Khan", "K852.T763.98.J72"),
    "E": ("देव पटेल", "AJT943.KJ8.3.964"),
    "S": ("بلال شاہ", "7.Q42.AKQJ52.KQ5"),
    "W": ("Chand Rao", "Q6.A95.T764.AT83"),
}
ORDER = "SENW"


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label=_("Name of the tournament"), help_text=_("As players know it."))
    rules = forms.ChoiceField(label=_("Rules"), choices=list(words.RULES.items()))
    text = forms.CharField(label=_("PCN"), widget=forms.Textarea, required=False)
    public = forms.BooleanField(label=_("Anyone may see it"), required=False)


def sample_replay(at: int) -> dict[str, Any]:
    """Return a deal at a step, with a card taken back and a reveal, as a page would hand it over."""
    plays: list[dict[str, Any]] = []
    tricks: list[dict[str, Any]] = []
    score = {"NS": 0, "EW": 0}
    for number, (cards, leader) in enumerate(zip(PLAYS, LEADERS, strict=True), start=1):
        first = len(plays) + 1
        start = ORDER.index(leader)
        winner = LEADERS[number] if number < len(LEADERS) else "W"
        for turn, card in enumerate(cards.split()):
            seat = ORDER[(start + turn) % 4]
            plays.append(
                {
                    "index": first + turn,
                    "seat": seat,
                    "card": card,
                    "winning": seat == winner,
                    "trump": "C",
                    **_oddity(number, turn),
                    **_score(score),
                }
            )
        team = "NS" if winner in "NS" else "EW"
        score[team] += 1
        plays[-1].update(_score(score))
        tricks.append(
            {
                "number": number,
                "leader": leader,
                "winner": winner,
                "team": team,
                "first": first,
                "last": len(plays),
                "counted": True,
            }
        )
    hands = [{"seat": seat, "name": name, "holding": holding} for seat, (name, holding) in HANDS.items()]
    return {
        "at": at,
        "dealer": "E",
        "caller": "N",
        "trump": "C",
        "trump_at_start": "C",
        "hands": hands,
        "plays": plays,
        "tricks": tricks,
    }


def _oddity(number: int, turn: int) -> dict[str, Any]:
    return {"taken_back": ["C8"] if (number, turn) == (5, 2) else [], "reveal": (number, turn) == (4, 3)}


def _score(score: Mapping[str, int]) -> dict[str, int]:
    return {"ns": score["NS"], "ew": score["EW"]}


def sample_standings() -> dict[str, Any]:
    """Return a page's standings with a tie, a withdrawal and names of three scripts."""
    names = [
        "Asif Khan & Bilal Shah",
        "بلال احمد & عائشہ ملک",
        "आशा शर्मा & देव पटेल",
        "Chand Rao & Dev Patel",
        "M. Q. Siddiqui-Farooqui & R. K. Venkataraman",
        "Out & About",
    ]
    lines = [_standing(place, name) for place, name in enumerate(names, start=1)]
    answer = {
        "version": 41,
        "current": False,
        "status": "provisional",
        "after_round": 3,
        "computed_at": "2026-11-29T18:04:05Z",
        "timezone": "Asia/Karachi",
        "ranking": "match-points",
        "matches": {"scheduled": 18, "finished": 17, "open": 1, "void": 0},
        "rows": [line["row"] for line in lines],
    }
    return {"standings": {"answer": answer, "lines": lines}}


def _standing(place: int, name: str) -> dict[str, Any]:
    tied = place in {3, 4}
    lost = place // 2
    courts = {"for": max(57 - 9 * place, 2), "against": 2 + 5 * place}
    row = {
        "rank": 3 if tied else place,
        "tied": tied,
        "entry": place + 6,
        "state": "withdrawn" if name.startswith("Out") else "active",
        "partnership": {"id": uuid5(NAMESPACE_URL, name), "name": name},
        "played": 3,
        "won": 3 - lost,
        "drawn": 0,
        "lost": lost,
        "byes": 0,
        "match_points": 6 - 2 * lost,
        "penalty": 0,
        "courts_for": courts["for"],
        "courts_against": courts["against"],
        "bavneys": int(place == 1),
        "decided_by": "courts-difference" if tied else None,
    }
    return {
        "row": row,
        "level_with": ["Chand Rao & Dev Patel"] if tied else [],
        "tiebreaks": _tiebreaks(courts),
    }


def _tiebreaks(courts: Mapping[str, int]) -> list[dict[str, Any]]:
    met = {
        "opponent": "Asif Khan & Bilal Shah",
        "rounds": "1",
        "amount": "2",
        "own": "3",
        "other": "1",
        "again": 0,
    }
    difference = {"value": str(courts["for"] - courts["against"]), "is_deciding": True, "lines": [met]}
    total = {"value": str(courts["for"]), "is_deciding": False, "lines": []}
    return [{"code": "courts-difference", **difference}, {"code": "courts-for", **total}]


def sample_ledger() -> list[dict[str, Any]]:
    """Return the lines of a scoresheet with every award."""
    awards = [
        ("win", "NS", 7, 4),
        ("court", "EW", 0, 7),
        ("goon-court", "NS", 7, 0),
        ("bavney", "EW", 0, 13),
        ("revoke", "NS", 3, 2),
        ("void", "", 1, 2),
    ]
    lines = []
    total = {"NS": 0, "EW": 0}
    for number, (award, winner, ns, ew) in enumerate(awards, start=1):
        made = {"win": 0, "void": 0, "bavney": 52}.get(award, 1)
        if winner:
            total[winner] += made
        lines.append(
            {
                "number": number,
                "dealer": ORDER[number % 4],
                "caller": ORDER[(number + 1) % 4],
                "trump": "SHDC"[number % 4],
                "tricks_ns": ns,
                "tricks_ew": ew,
                "award": award,
                "winner": winner,
                "courts_ns": made if winner == "NS" else 0,
                "courts_ew": made if winner == "EW" else 0,
                "run_ns": 1,
                "run_ew": 0,
                "total_ns": total["NS"],
                "total_ew": total["EW"],
                "address": "#",
                "corrected": award == "goon-court",
                "ruled": award == "revoke",
            }
        )
    return lines


def sample_problems() -> list[SimpleNamespace]:
    """Return one problem of each severity."""
    return [
        SimpleNamespace(
            code="card-not-held",
            severity="error",
            line=21,
            column=7,
            message="C6 was expected from East, who does not hold it.",
        ),
        SimpleNamespace(
            code="wrong-dealer",
            severity="warning",
            line=9,
            column=10,
            message="After deal 3 North deals; the record says East.",
        ),
    ]


def styleguide(request: HttpRequest) -> TemplateResponse:
    """Show every component in every state."""
    form = SampleForm({"name": "", "rules": "court-piece"})
    asked = request.GET.get("at", "15")
    context = {
        "pack": [[suit + rank for rank in words.RANKS] for suit in words.SUITS],
        "awards": list(words.AWARDS),
        "seats": "NESW",
        "statuses": list(words.STATUSES),
        "replay": sample_replay(int(asked[:4]) if asked.isascii() and asked.isdigit() else 0),
        "page": sample_standings(),
        "lines": sample_ledger(),
        "problems": sample_problems(),
        "form": form,
        "page_obj": Paginator(range(90), 30).page(2),
        "icons": [
            "theme",
            "person",
            "out",
            "next",
            "previous",
            "first",
            "last",
            "upload",
            "download",
            "info",
            "success",
            "warning",
            "error",
            "calendar",
            "place",
            "search",
            "history",
            "edit",
            "gavel",
            "turn",
        ],
        "trumps": [
            "S",
            "S card S7",
            "H turned H9",
            "H named 7 H9",
            "D hidden D7",
            "C blind C4",
            "D discard",
            "-",
        ],
        "levels": ["info", "success", "warning", "error"],
        "holding": "AKJ52.T763.9.J72",
        "played": ["SA", "H7"],
    }
    return TemplateResponse(request, "styleguide.html", context)
