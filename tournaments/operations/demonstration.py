"""The demonstration club: what a new site shows, and what may be tried on.

Every step finds what an earlier run made, so that running it again changes nothing. All names are made up.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from courtpiece.accounts import operations as accounts
from courtpiece.accounts.models import Role
from courtpiece.accounts.operations import AlreadyMember, EmailTaken
from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound, club_by_slug
from courtpiece.engine import Level, Rules
from courtpiece.notation import write_file
from courtpiece.notation.simulator import Habits, Heading, simulate_match
from tournaments.domain.entering import NewPair
from tournaments.domain.plans import LengthKind, MatchLength, SwissPlan
from tournaments.evenings import COMMAND_LIMITS, UploadedFile
from tournaments.models import Format, Status, Tournament, Webhook
from tournaments.operations import webhooks
from tournaments.operations.closing import close_for_results, make_final, make_official
from tournaments.operations.creating import create_tournament
from tournaments.operations.entries import take_entries
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.links import make_table_links
from tournaments.operations.ratings import rate_matches
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries import MatchLine, tournament_body, tournament_front
from tournaments.queries.webhooks import KINDS
from tournaments.schemes import NewTournament

CLUB: Final = "gulmohar"
EMAIL: Final = "director@gulmohar.example"
EVENING: Final = "gulmohar-evening"
SWISS: Final = "gulmohar-swiss"
LEAGUE: Final = "monsoon-round-robin"
CHALLENGE: Final = "verandah-challenge"

SWISS_PAIRS: Final = (
    ("Mr Almond", "Mrs Pistachio"),
    ("Captain Lantern", "Doctor Umbrella"),
    ("Ustad Sitar", "Pandit Tabla"),
    ("Miss Mango", "Miss Papaya"),
    ("Professor Monsoon", "Major Drizzle"),
    ("चाचा चौसर", "मामा मोहरा"),
    ("Begum Bulbul", "Baji Baya"),
    ("Nawab Neem", "Raja Raat-ki-Rani"),
    ("استاد چنار", "بابا بادام"),
    ("Madam Marigold", "Master Tulsi"),
    ("Hakim Henna", "Havaldar Haldi"),
    ("Lala Lassi", "Lady Lychee"),
)
LEAGUE_PAIRS: Final = (
    ("Mr Almond", "Mrs Pistachio"),
    ("Captain Lantern", "Doctor Umbrella"),
    ("Ustad Sitar", "Pandit Tabla"),
    ("Miss Mango", "Miss Papaya"),
    ("Professor Monsoon", "Major Drizzle"),
    ("चाचा चौसर", "मामा मोहरा"),
)
CHALLENGE_PAIRS: Final = (("Begum Bulbul", "Baji Baya"), ("Nawab Neem", "Raja Raat-ki-Rani"))
LEVELS: Final = (Level.FULL, Level.FULL, Level.TRICKS, Level.RESULT)
ROUNDS_PLAYED: Final = 2
DEALS: Final = 7
SWISS_ROUNDS: Final = 3
SWISS_DEALS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """What was made."""

    club: str
    email: str
    has_new_account: bool
    """Whether the account was made just now, with the password that was given."""
    tournaments: tuple[str, ...]
    """Their addresses."""


def make_demonstration(*, password: str, evening: Sequence[UploadedFile], at: datetime) -> Demonstration:
    """Make what is missing of the demonstration club, its director's account and its four tournaments.

    ``evening`` is the files of an evening that was played out; without any there is one tournament less.
    """
    club_id = _club(at)
    has_new_account = _director(club_id, password, at)
    _webhook(club_id, at)
    made = [_evening(evening, at)] if evening else []
    made += [_swiss(club_id, at), _league(club_id, at), _challenge(club_id, at)]
    for slug in made:
        bring_up_to_date(slug=slug, now=at)
    for collection_id in Tournament.objects.filter(slug__in=made).values_list("collection_id", flat=True):
        rate_matches(collection_id=collection_id)
    return Demonstration(club=CLUB, email=EMAIL, has_new_account=has_new_account, tournaments=tuple(made))


def _club(at: datetime) -> int:
    try:
        return club_by_slug(CLUB, actor=SERVER).id
    except NotFound:
        return accounts.create_club(
            actor=SERVER,
            name="Gulmohar Court Piece Club",
            slug=CLUB,
            timezone="Asia/Karachi",
            city="Gulmohar",
            country="Nowhere",
            at=at,
        )


def _webhook(club_id: int, at: datetime) -> None:
    """Make a webhook that is paused: the demonstration sends nothing to anybody."""
    if Webhook.objects.filter(club=club_id).exists():
        return
    made = webhooks.make_webhook(
        actor=SERVER, club_slug=CLUB, url="https://hooks.gulmohar.example/deals", kinds=list(KINDS), at=at
    )
    webhooks.pause_webhook(actor=SERVER, club_slug=CLUB, uid=made.uid, at=at)


def _director(club_id: int, password: str, at: datetime) -> bool:
    """Return whether the account was made."""
    try:
        accounts.create_account(
            actor=SERVER, email=EMAIL, password=password, display_name="Dana Director", at=at
        )
        is_new = True
    except EmailTaken:
        is_new = False
    with suppress(AlreadyMember):
        accounts.add_member(actor=SERVER, club_id=club_id, email=EMAIL, role=Role.OWNER, at=at)
    return is_new


def _evening(files: Sequence[UploadedFile], at: datetime) -> str:
    """Take in an evening that was written down, all its matches finished."""
    into = Destination(tournament=EVENING, club=CLUB, create=True)
    import_evening(actor=SERVER, into=into, files=files, limits=COMMAND_LIMITS, at=at)
    return EVENING


def _swiss(club_id: int, at: datetime) -> str:
    """Make a Swiss whose pairs have entered: everything else is there to be tried."""
    if Tournament.objects.filter(slug=SWISS).exists():
        return SWISS
    plan = SwissPlan(rounds=SWISS_ROUNDS, match=MatchLength(LengthKind.DEALS, SWISS_DEALS))
    new = NewTournament(name="Gulmohar Swiss", slug=SWISS, format=Format.SWISS, plan=plan, appeal_minutes=1)
    create_tournament(actor=SERVER, club_id=club_id, new=new, at=at)
    pairs = [NewPair(row=row, names=names, seed=row) for row, names in enumerate(SWISS_PAIRS, start=1)]
    others = {name for pair in SWISS_PAIRS for name in pair}
    take_entries(actor=SERVER, slug=SWISS, pairs=pairs, others=others, at=at)
    return SWISS


def _league(club_id: int, at: datetime) -> str:
    """Make a round robin in its third round: one match of it is over, one goes on, the others wait."""
    new = NewTournament(name="Monsoon round robin", slug=LEAGUE, rules="double-sir goon=3")
    if _make(club_id, new, LEAGUE_PAIRS, at):
        make_table_links(actor=SERVER, slug=LEAGUE, session=1, at=at)
    rounds = tournament_body(tournament_front(LEAGUE, actor=SERVER)).shown
    over = [(one.number, match) for one in rounds[:ROUNDS_PLAYED] for match in one.matches]
    third = [(rounds[ROUNDS_PLAYED].number, match) for match in rounds[ROUNDS_PLAYED].matches]
    _upload(LEAGUE, list(_records(new, over + third[:1])), at, finish=True)
    _upload(LEAGUE, list(_records(new, third[1:2])), at, finish=False)
    return LEAGUE


def _challenge(club_id: int, at: datetime) -> str:
    """Make one match between two pairs, over and final."""
    new = NewTournament(name="Verandah challenge", slug=CHALLENGE, format=Format.SINGLE, rules="hidden-trump")
    is_new = _make(club_id, new, CHALLENGE_PAIRS, at)
    if Tournament.objects.filter(slug=CHALLENGE, status=Status.FINAL).exists():
        return CHALLENGE
    (only,) = tournament_body(tournament_front(CHALLENGE, actor=SERVER)).shown
    _upload(CHALLENGE, list(_records(new, [(only.number, match) for match in only.matches])), at, finish=True)
    if is_new:
        closed = at - timedelta(hours=1)
        close_for_results(actor=SERVER, slug=CHALLENGE, at=closed)
        make_official(actor=SERVER, slug=CHALLENGE, at=at)
        make_final(actor=SERVER, slug=CHALLENGE, at=at)
    return CHALLENGE


def _make(club_id: int, new: NewTournament, pairs: Sequence[tuple[str, str]], at: datetime) -> bool:
    """Return whether the tournament was made."""
    if Tournament.objects.filter(slug=new.slug).exists():
        return False
    create_tournament(actor=SERVER, club_id=club_id, new=new, pairs=pairs, at=at)
    return True


def _records(new: NewTournament, matches: Sequence[tuple[int, MatchLine]]) -> Iterator[UploadedFile]:
    """Yield a file for each match, the same one every time."""
    for number, match in matches:
        records = simulate_match(
            rng=Random(f"{new.slug} {number} {match.table}"),  # noqa: S311 - cards for show
            rules=Rules.parse(new.rules),
            heading=Heading(
                event=new.name,
                round=str(number),
                table=match.table,
                ns=match.ns.pair.name,
                ew=match.ew.pair.name,
            ),
            deals=DEALS + number,
            habits=Habits(levels=LEVELS),
        )
        text = "".join(write_file(records))
        yield UploadedFile(f"{new.slug}-{number}-{match.table}.pcn", text.encode())


def _upload(slug: str, files: Sequence[UploadedFile], at: datetime, *, finish: bool) -> None:
    import_evening(
        actor=SERVER, into=Destination(tournament=slug, club=CLUB), files=files, finish=finish, at=at
    )
