"""Clubs, scoresheets and records for tests."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from courtpiece.accounts.models import Club, Membership, Role, User
from courtpiece.accounts.permissions import SERVER, Actor, Via
from courtpiece.notation import Reading, read
from scoring import operations
from scoring.models import Collection, Deal, Partnership, Player, Revision, Scoresheet

AT = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
NAMES = (("Asif Khan", "Bilal Shah"), ("Chand Rao", "Dev Patel"))

FULL = """[Deal "{deal}"]
[Rules "court-piece"]
[Dealer "E"]
[Hands "N:K852.T763.98.J72 W:Q6.A95.T764.AT83 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964"]
[Trump "C"]
[Result "EW 7-2"]

1. HT H5 HQ HK
2. C9 C7 CT CK
3. CQ C6 C2 CA
4. C8 C5 C4 CJ
5. SK S6 S7 SA
6. HJ H7 H9 H4
7. SJ S5 SQ DJ
8. C3 DA ST H3
9. HA H2 H8 H6
*
"""
"""The notation's own example: East deals, East and West win by seven tricks to two."""


def a_club(slug: str = "lahore") -> Club:
    return Club.objects.create(slug=slug, name=slug.capitalize(), timezone="Asia/Karachi", created_at=AT)


def a_user(name: str = "Dana") -> User:
    return User.objects.create(email=f"{name.lower()}@example.org", display_name=name)


def an_actor(club: Club, role: Role = Role.DIRECTOR, *, name: str = "", via: Via = Via.PAGE) -> Actor:
    user = a_user(name or role.value.capitalize())
    Membership.objects.create(club=club, user=user, role=role, created_at=AT)
    return Actor(user_id=user.pk, roles={club.pk: role}, via=via)


def a_collection(club: Club, *, visibility: str = "public") -> Collection:
    pk = operations.create_collection(
        actor=SERVER, club_id=club.pk, visibility=visibility, name="Tuesday Rang", path="/tournaments/rang/"
    )
    return Collection.objects.get(pk=pk)


def some_sheets(
    club: Club,
    count: int,
    *,
    names: Sequence[tuple[str, str]] = NAMES,
    rules: str = "court-piece",
    collection: Collection | None = None,
    visibility: str = "public",
) -> tuple[Scoresheet, ...]:
    pairs = operations.find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT).pairs
    new = [
        operations.NewScoresheet(
            ns=pairs[0],
            ew=pairs[1],
            rules=rules,
            event="Tuesday Rang",
            site="Lahore PAK",
            date="2026.11.29",
            round=str(number),
            table="5",
        )
        for number in range(1, count + 1)
    ]
    ids = operations.create_scoresheets(
        actor=SERVER,
        club_id=club.pk,
        sheets=new,
        at=AT,
        collection_id=collection.pk if collection else None,
        visibility=visibility,
    )
    found = Scoresheet.objects.in_bulk(ids)
    return tuple(found[pk] for pk in ids)


def a_sheet(
    club: Club,
    *,
    names: Sequence[tuple[str, str]] = NAMES,
    rules: str = "court-piece",
    collection: Collection | None = None,
    visibility: str = "public",
) -> Scoresheet:
    (sheet,) = some_sheets(club, 1, names=names, rules=rules, collection=collection, visibility=visibility)
    return sheet


def club_of(sheet: Scoresheet) -> Club:
    """Return the club that has it."""
    assert sheet.club is not None
    return sheet.club


def player_at(sheet: Scoresheet, seat: str) -> Player:
    """Return who sits there, ``north`` to ``west``: a scoresheet of a club has players."""
    player = getattr(sheet, seat)
    assert isinstance(player, Player)
    return player


def pair_of(sheet: Scoresheet, side: str) -> Partnership:
    """Return who plays on that side, ``ns`` or ``ew``."""
    pair = getattr(sheet, side)
    assert isinstance(pair, Partnership)
    return pair


def a_record(
    deal: int,
    *,
    dealer: str = "E",
    result: str = "EW 7-2",
    courts: str = "",
    rules: str = "court-piece",
    more: str = "",
) -> str:
    """Return a record of the result only; ``more`` is other tags, each on a line of its own."""
    lines = [
        f'[Deal "{deal}"]',
        f'[Rules "{rules}"]' if rules else "",
        f'[Dealer "{dealer}"]',
        f'[Result "{result}"]' if result else "",
        f'[Courts "{courts}"]' if courts else "",
        more,
    ]
    return "\n".join(line for line in lines if line) + "\n"


def a_full_record(deal: int = 1) -> str:
    return FULL.format(deal=deal)


def a_file(records: Iterable[str]) -> str:
    return "% PCN 1\n\n" + "\n".join(records)


def the_readings(records: Iterable[str]) -> tuple[Reading, ...]:
    return tuple(read(a_file(records)))


def record_file(sheet: Scoresheet, records: Iterable[str]) -> operations.SheetAnswer:
    asked = operations.SheetRecords(
        scoresheet_id=sheet.pk, readings=the_readings(records), file="evening.pcn"
    )
    (answer,) = operations.record_deals(actor=SERVER, sheets=[asked], at=AT)
    return answer


def a_sheet_with(club: Club, records: Iterable[str], *, collection: Collection | None = None) -> Scoresheet:
    sheet = a_sheet(club, collection=collection)
    answer = record_file(sheet, records)
    assert answer.became is operations.Became.CREATED, answer.problems
    return Scoresheet.objects.get(pk=sheet.pk)


def the_deal(sheet: Scoresheet, number: int) -> Deal:
    return Deal.objects.get(scoresheet=sheet, number=number)


def the_revisions(sheet: Scoresheet, number: int) -> list[Revision]:
    return list(Revision.objects.filter(deal__scoresheet=sheet, deal__number=number).order_by("number"))


def correct(sheet: Scoresheet, number: int, text: str, *, actor: Actor = SERVER, base: int = 0) -> UUID:
    operation_id = uuid4()
    deal = the_deal(sheet, number)
    operations.correct_deal(
        actor=actor,
        deal_uid=deal.uid,
        base_revision=base or deal.revision,
        text=text,
        reason="The paper says so.",
        operation_id=operation_id,
        at=LATER,
    )
    return operation_id
