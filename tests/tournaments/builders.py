"""Evenings for tests: the text of a match as a scorer writes it, and tournaments made of such texts."""

from collections.abc import Sequence
from typing import Any

from courtpiece.accounts.permissions import SERVER, Actor
from courtpiece.engine import Award, MatchState, Outcome, Rules, Score, Seat, Team
from tests.accounts.builders import AT
from tournaments import queries
from tournaments.evenings import UploadedFile
from tournaments.models import Entry, Tournament
from tournaments.operations.creating import create_tournament
from tournaments.operations.decisions import Penalise
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.rulings import NewRuling, make_ruling
from tournaments.reports import EveningReport
from tournaments.schemes import NewTournament

ASIF = "Asif Khan & Bilal Shah"
CHAND = "Chand Rao & Dev Patel"
ERUM = "Erum Emerald & Farah Falcon"
GITA = "Gita Garnet & Hema Heron"

COURTS = {"court": Award.COURT, "goon-court": Award.GOON_COURT, "bavney": Award.BAVNEY}


def a_match(
    results: Sequence[str],
    *,
    ns: str = ASIF,
    ew: str = CHAND,
    rules: str = "court-piece",
    first_deal: int = 1,
    **tags: str,
) -> str:
    """Return the records of a match, result only (``EW 7-0 court``), each dealt by whom law 12 says.

    More tags by their names in small letters: ``round="1"``, ``table="2"``. An empty one is left out.
    """
    match = MatchState(Rules.parse(rules))
    dealer = Seat.N
    records = []
    for number, result in enumerate(results, start=first_deal):
        records.append(a_record(number, dealer, result, ns=ns, ew=ew, rules=rules, **tags))
        match, line = match.after(number=number, dealer=dealer, outcome=outcome_of(result, match.rules))
        dealer = line.next_dealer or dealer
    return "\n".join(records)


def a_record(number: int, dealer: Seat, result: str, **tags: str) -> str:
    """Return the record of one deal, result only."""
    names = {"ns": "NS", "ew": "EW"}
    written = {names.get(name, name.capitalize()): value for name, value in tags.items() if value}
    written |= {"Deal": str(number), "Dealer": dealer.letter, "Result": result}
    return "".join(f'[{name} "{value}"]\n' for name, value in written.items())


def outcome_of(result: str, rules: Rules) -> Outcome:
    """Return what a stated result counts for; of the courts only those that these tests need."""
    team_name, tricks, *award = result.split()
    team = Team[team_name]
    won, lost = map(int, tricks.split("-"))
    made = COURTS.get(award[0], Award.WIN) if award else Award.WIN
    courts = {Award.COURT: rules.court, Award.GOON_COURT: rules.goon, Award.BAVNEY: rules.bavney}.get(made, 0)
    return Outcome(team, made, Score().plus(team, won).plus(team.other, lost), Score().plus(team, courts))


def a_file(*matches: str, name: str = "evening.pcn") -> UploadedFile:
    """Return a file of these matches."""
    return UploadedFile(name, ("% PCN 1\n\n" + "\n".join(matches)).encode())


def a_scheduled_tournament(
    *names: str, slug: str = "rang", club_id: int, cycles: int = 1, **new: Any
) -> Tournament:
    """Return a round robin of these pairs; ``format="single"`` and the like go to the new tournament."""
    pairs = [tuple(name.split(" & ")) for name in names]
    made = create_tournament(
        actor=SERVER,
        club_id=club_id,
        new=NewTournament(name=new.pop("name", "Tuesday Rang"), slug=slug, **new),
        pairs=[(one, two) for one, two in pairs],
        cycles=cycles,
        at=AT,
    )
    return Tournament.objects.get(pk=made.id)


def upload(
    *matches: str, slug: str = "rang", finish: bool = True, name: str = "evening.pcn"
) -> EveningReport:
    """Record the matches in the tournament."""
    return import_evening(
        actor=SERVER,
        into=Destination(tournament=slug),
        files=[a_file(*matches, name=name)],
        finish=finish,
        at=AT,
    )


def whole_page(slug: str, *, actor: Actor = SERVER) -> queries.TournamentBody:
    """Return what a tournament's page shows; its front is in it."""
    return queries.tournament_body(queries.tournament_front(slug, actor=actor))


def penalise(entry: int, penalty: int, *, slug: str = "rang", reason: str = "late") -> int:
    """Rule that an entry loses so much in all, and return the number of the ruling."""
    version = Entry.objects.get(tournament__slug=slug, number=entry).version
    decision = Penalise(entry=entry, version=version, penalty=penalty)
    return make_ruling(actor=SERVER, slug=slug, new=NewRuling(decision=decision, reason=reason), at=AT)
