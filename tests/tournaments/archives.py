"""Archives for tests: written, changed on purpose, and taken into a site that has nothing."""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection

from courtpiece.accounts.guards import PREFIX
from courtpiece.accounts.models import AuditEntry, Role
from courtpiece.accounts.permissions import SERVER, Actor
from courtpiece.engine import Rules, Team
from courtpiece.notation import write_file
from courtpiece.notation.simulator import simulate_match
from scoring.domain.typed_json import canonical
from scoring.models import Deal
from scoring.operations import record_sheet
from tests.accounts.builders import AT, a_user, as_actor
from tests.tournaments import drawn
from tournaments.domain.clock import ClockAction
from tournaments.models import Entry, Forfeit, Match, Tournament
from tournaments.operations import appeals, clocks, closing, decisions, seeding, substitutions
from tournaments.operations.archives import ImportedArchive, import_archive, write_archive
from tournaments.operations.matches import set_match_state
from tournaments.operations.rulings import NewRuling, make_ruling
from tournaments.operations.running import change_regulations
from tournaments.queries.state import kept_rounds
from tournaments.schemes import clean_scheme

LATER = AT + timedelta(days=30)


def archive_of(slug: str, *, actor: Actor = SERVER) -> bytes:
    """Return the tournament's archive."""
    file = BytesIO()
    write_archive(slug=slug, actor=actor, file=file, now=LATER)
    return file.getvalue()


def take_in(archive: bytes, *, actor: Actor = SERVER, club: str = "lahore", **more: Any) -> ImportedArchive:
    """Take the archive into the club."""
    return import_archive(actor=actor, club=club, file=BytesIO(archive), at=LATER, **more)


def empty_the_site() -> None:
    """Leave only the clubs, as a site has them on which nothing was played: past every guard of the database."""
    with connection.cursor() as cursor:
        guards = _lift(cursor)
        for label in ("tournaments", "scoring"):
            models = list(apps.get_app_config(label).get_models())
            waiting = [model._meta.db_table for model in models]
            for table in waiting:
                cursor.execute(f'DELETE FROM "{table}"')
        AuditEntry.objects.all()._raw_delete(AuditEntry.objects.db)
        for statement in guards:
            cursor.execute(statement)
    kept_rounds.cache_clear()


def _lift(cursor: Any) -> list[str]:
    """Take the guards away, and return what sets them again."""
    if connection.vendor == "sqlite":
        cursor.execute(
            f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '{PREFIX}%'"
        )
        found = cursor.fetchall()
        for name, _sql in found:
            cursor.execute(f"DROP TRIGGER {name}")
        return [sql for _name, sql in found]
    cursor.execute("SET session_replication_role = replica")
    return ["SET session_replication_role = DEFAULT"]


def changed(archive: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the archive with something changed in it, and every digest that can be made without the engine anew."""
    whole = json.loads(archive)
    change(whole)
    for sheet in whole["scoresheets"]:
        sheet["sha256"] = sha256(
            canonical({name: value for name, value in sheet.items() if name != "sha256"}).encode()
        ).hexdigest()
    return resealed(written(whole))


def written(whole: dict[str, Any]) -> bytes:
    """Return an archive's JSON as the file has it, without the seal."""
    lines = [f'{{"format":{canonical(whole["format"])},']
    for name, value in whole.items():
        if name in ("format", "sha256"):
            continue
        if isinstance(value, list):
            lines.append(f'"{name}":[')
            lines += [f"{canonical(one)}," for one in value[:-1]]
            lines += [canonical(one) for one in value[-1:]]
            lines.append("],")
        else:
            lines.append(f'"{name}":{canonical(value)},')
    return "".join(f"{line}\n" for line in lines).encode()


def resealed(lines: bytes) -> bytes:
    """Return the lines with their digest after them."""
    return lines + f'"sha256":"{sha256(lines).hexdigest()}"}}\n'.encode()


def a_cup_with_everything(*, first: tuple[str, str] | None = None) -> Actor:
    """Play a Swiss of five pairs in which all happens that can, up to official standings; return its director."""
    tournament = drawn.a_tournament("swiss", 5, first=first, rounds=2)
    Tournament.objects.filter(pk=tournament.pk).update(appeal_minutes=0)
    director = an_owner(tournament.club_id)
    seeding.seed_entries(
        actor=director, slug=drawn.SLUG, method=seeding.SeedingMethod.DRAW, draw_seed=11, at=AT
    )
    _play_first_round(director)
    _play_second_round(director)
    closing.close_for_results(actor=director, slug=drawn.SLUG, at=AT)
    closing.make_official(actor=director, slug=drawn.SLUG, at=LATER)
    closing.reopen_tournament(actor=director, slug=drawn.SLUG, reason="A slip was found.", at=LATER)
    closing.close_for_results(actor=director, slug=drawn.SLUG, at=LATER)
    return director


def matches_of(number: int) -> list[Match]:
    rows = Match.objects.filter(round__tournament__slug=drawn.SLUG, round__number=number)
    return list(rows.select_related("ns__partnership", "ew", "scoresheet").order_by("pk"))


def _play_first_round(director: Actor) -> None:
    drawn.a_round()
    match, other = matches_of(1)
    sitting = substitutions.Sitting(
        absent_id=match.ns.partnership.first_id, substitute="Zafar Zircon", reason="ill"
    )
    substitutions.substitute_player(
        actor=director, slug=drawn.SLUG, entry=match.ns.number, match_uid=match.uid, sitting=sitting, at=AT
    )
    cards = simulate_match(rng=Random(3), rules=Rules.parse("court-piece"), deals=2)
    record_sheet(
        actor=director,
        scoresheet_uid=match.scoresheet.uid,
        text="".join(write_file(cards)) + a_record(3, "NS 7-5"),
        operation_id=uuid4(),
        at=AT,
    )
    deal = Deal.objects.get(scoresheet=match.scoresheet, number=3)
    text = a_record(3, "NS 7-5", note="as on paper")
    rule(decisions.CorrectDeal(deal=deal.uid, base_revision=1, text=text), director)
    rule(decisions.AwardCourt(deal=deal.uid, base_revision=2, team=Team.NS), director, law="10.1")
    second = Deal.objects.get(scoresheet=match.scoresheet, number=2)
    rule(decisions.VoidDeal(deal=second.uid, base_revision=1), director)
    set_match_state(actor=director, uid=match.uid, state="finished", at=AT)
    drawn.finish(other, courts=2)
    turn = clocks.ClockTurn(action=ClockAction.START.value, version=0)
    clocks.turn_clock(actor=director, slug=drawn.SLUG, round_number=1, turn=turn, at=AT)
    scheme = clean_scheme(ranking="match-points", tiebreaks=["buchholz", "courts-for"])
    change_regulations(actor=director, slug=drawn.SLUG, scheme=scheme, reason="by vote", at=AT)


def _play_second_round(director: Actor) -> None:
    drawn.a_round()
    one, other = matches_of(2)
    drawn.finish(one)
    version = Match.objects.get(pk=one.pk).version
    rule(decisions.AdjustMatch(match=one.uid, version=version, courts_ns=3, courts_ew=1), director)
    rule(decisions.GiveMatchAway(match=other.uid, version=0, by=Forfeit.NS), director)
    late = rule(penalty(1, 1), director)
    appeal: dict[str, Any] = {"slug": drawn.SLUG, "actor": director, "ruling": late, "at": AT}
    appeals.lodge_appeal(**appeal, entry=1, reason="We were not.")
    appeals.decide_appeal(**appeal, outcome="dismissed", reason="You were.")
    rule(penalty(2, 2), SERVER)
    entry = Entry.objects.get(number=5)
    disqualified = rule(decisions.Disqualify(entry=5, version=entry.version), director)
    rule(decisions.TakeBack(ruling=disqualified), director)


def a_record(number: int, result: str, note: str = "") -> str:
    """Return a deal, result only."""
    said = f'[Note "{note}"]\n' if note else ""
    return f'\n[Deal "{number}"]\n[Dealer "E"]\n[Result "{result}"]\n{said}'


def penalty(entry: int, amount: int) -> decisions.Penalise:
    return decisions.Penalise(entry=entry, version=Entry.objects.get(number=entry).version, penalty=amount)


def rule(decision: decisions.Decision, actor: Actor, law: str = "") -> int:
    """Rule, and return the number of the ruling."""
    new = NewRuling(decision=decision, reason="So it was seen.", law=law)
    return make_ruling(actor=actor, slug=drawn.SLUG, new=new, at=AT)


def an_owner(club_id: int) -> Actor:
    """Return an owner of the club, by the name of Dina."""
    user = a_user("Dina")
    user.memberships.create(club_id=club_id, role=Role.OWNER, created_at=AT)
    return as_actor(user)
