"""Clubs and their members: made, changed, refused, never without an owner."""

import pytest
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts import operations, queries
from courtpiece.accounts.models import AuditEntry, Club, Membership, Role, User
from courtpiece.accounts.names import BadName
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor, Forbidden, Scope
from courtpiece.accounts.queries import ClubLine, ClubPage, MemberLine, NotFound
from courtpiece.accounts.refusals import Refused
from tests.accounts.builders import AT, a_club, a_user, as_actor

pytestmark = pytest.mark.django_db


def _create(
    actor: Actor, name: str = "Lahore Club", slug: str = "lahore", timezone: str = "Asia/Karachi"
) -> int:
    return operations.create_club(
        actor=actor, name=name, slug=slug, timezone=timezone, city="Lahore", country="Pakistan", at=AT
    )


def _roles(club: Club) -> dict[str, str]:
    return dict(Membership.objects.filter(club=club).values_list("user__display_name", "role"))


def _events(club: Club) -> list[str]:
    return list(AuditEntry.objects.filter(club=club).order_by("pk").values_list("what", flat=True))


# -- Making and changing one


def test_whoever_makes_a_club_owns_it() -> None:
    user = a_user()

    club_id = _create(as_actor(user))

    club = Club.objects.get()
    assert queries.club_by_slug("lahore", actor=ANONYMOUS) == ClubLine(
        id=club_id,
        slug="lahore",
        name="Lahore Club",
        timezone="Asia/Karachi",
        city="Lahore",
        country="Pakistan",
    )
    assert (club.created_by, _roles(club), _events(club)) == (user, {"Asif": "owner"}, ["club-created"])


def test_a_club_that_the_server_makes_waits_for_its_owner() -> None:
    user = a_user()

    club_id = _create(SERVER)
    operations.add_member(actor=SERVER, club_id=club_id, email=user.email, role="owner", at=AT)

    assert _roles(Club.objects.get()) == {"Asif": "owner"}


def test_a_visitor_makes_no_club() -> None:
    with pytest.raises(Forbidden):
        _create(ANONYMOUS)


@pytest.mark.parametrize(
    "slug", ["", "Lahore", "la hore", "-lahore", "lahore-", "la--hore", "لاہور", "x" * 51]
)
def test_an_address_of_other_signs_is_refused(slug: str) -> None:
    with pytest.raises(operations.BadSlug) as caught:
        _create(as_actor(a_user()), slug=slug)

    assert caught.value.field == "slug"
    assert Club.objects.count() == 0


def test_an_address_is_taken_once() -> None:
    actor = as_actor(a_user())
    _create(actor)

    with pytest.raises(operations.SlugTaken) as caught:
        _create(actor)

    assert str(caught.value) == "Another club has this address. Choose another."
    assert (Club.objects.count(), Membership.objects.count()) == (1, 1)


@pytest.mark.parametrize("timezone", ["", "Lahore", "asia/karachi", "../etc/passwd", "UTC+5"])
def test_a_time_zone_that_does_not_exist_is_refused(timezone: str) -> None:
    with pytest.raises(operations.UnknownTimezone) as caught:
        _create(as_actor(a_user()), timezone=timezone)

    assert caught.value.field == "timezone"


def test_a_club_has_a_name() -> None:
    with pytest.raises(BadName):
        _create(as_actor(a_user()), name=" ")


def test_an_owner_changes_the_club_and_its_address_stays() -> None:
    owner = a_user()
    club = a_club(members=[(owner, Role.OWNER)])

    operations.change_club(
        actor=as_actor(owner), club_id=club.pk, name="Lahore  Rang", timezone="UTC", city="Lahore", at=AT
    )

    assert queries.club_by_slug("lahore", actor=ANONYMOUS) == ClubLine(
        id=club.pk, slug="lahore", name="Lahore Rang", timezone="UTC", city="Lahore", country=""
    )
    assert _events(club) == ["club-changed"]


def test_a_club_that_does_not_exist_is_not_found() -> None:
    with pytest.raises(NotFound):
        queries.club_by_slug("nowhere", actor=ANONYMOUS)
    with pytest.raises(NotFound):
        operations.change_club(actor=SERVER, club_id=0, name="X", timezone="UTC", at=AT)


# -- Members


def test_an_owner_adds_changes_and_removes_members() -> None:
    owner, bilal = a_user("Owner"), a_user("Bilal")
    club = a_club(members=[(owner, Role.OWNER)])
    actor = as_actor(owner)

    operations.add_member(actor=actor, club_id=club.pk, email=" Bilal@Example.org", role="scorer", at=AT)
    after_adding = _roles(club)
    operations.change_role(actor=actor, club_id=club.pk, user_id=bilal.pk, role="director", at=AT)
    after_changing = _roles(club)
    operations.remove_member(actor=actor, club_id=club.pk, user_id=bilal.pk, at=AT)

    assert after_adding == {"Owner": "owner", "Bilal": "scorer"}
    assert after_changing == {"Owner": "owner", "Bilal": "director"}
    assert _roles(club) == {"Owner": "owner"}
    assert list(
        AuditEntry.objects.filter(club=club).order_by("pk").values_list("what", "user", "detail")
    ) == [
        ("member-added", owner.pk, {"user": bilal.pk, "role": "scorer"}),
        ("role-changed", owner.pk, {"user": bilal.pk, "from": "scorer", "to": "director"}),
        ("member-removed", owner.pk, {"user": bilal.pk, "role": "director"}),
    ]


def test_a_role_that_does_not_exist_is_refused() -> None:
    owner, bilal = a_user("Owner"), a_user("Bilal")
    club = a_club(members=[(owner, Role.OWNER)])

    with pytest.raises(operations.UnknownRole) as of_adding:
        operations.add_member(actor=as_actor(owner), club_id=club.pk, email=bilal.email, role="king", at=AT)
    with pytest.raises(operations.UnknownRole) as of_changing:
        operations.change_role(actor=as_actor(owner), club_id=club.pk, user_id=owner.pk, role="king", at=AT)

    assert (of_adding.value.field, of_changing.value.field) == ("role", "role")
    assert _roles(club) == {"Owner": "owner"}


@pytest.mark.parametrize(
    ("email", "error"), [("nobody", operations.BadEmail), ("nobody@example.org", operations.UnknownUser)]
)
def test_only_somebody_with_an_account_is_added(email: str, error: type[Refused]) -> None:
    owner = a_user("Owner")
    club = a_club(members=[(owner, Role.OWNER)])

    with pytest.raises(error) as caught:
        operations.add_member(actor=as_actor(owner), club_id=club.pk, email=email, role="player", at=AT)

    assert caught.value.field == "email"


def test_a_closed_account_is_not_added() -> None:
    owner, gone = a_user("Owner"), a_user("Gone")
    club = a_club(members=[(owner, Role.OWNER)])
    User.objects.filter(pk=gone.pk).update(is_active=False)

    with pytest.raises(operations.UnknownUser):
        operations.add_member(actor=as_actor(owner), club_id=club.pk, email=gone.email, role="player", at=AT)


def test_a_member_is_added_once() -> None:
    owner = a_user("Owner")
    club = a_club(members=[(owner, Role.OWNER)])

    with pytest.raises(operations.AlreadyMember) as caught:
        operations.add_member(actor=as_actor(owner), club_id=club.pk, email=owner.email, role="player", at=AT)

    assert str(caught.value) == "Owner is a member already."
    assert _roles(club) == {"Owner": "owner"}


def test_the_last_owner_stays() -> None:
    owner, director = a_user("Owner"), a_user("Director")
    club = a_club(members=[(owner, Role.OWNER), (director, Role.DIRECTOR)])
    actor = as_actor(owner)

    with pytest.raises(operations.LastOwner) as caught:
        operations.remove_member(actor=actor, club_id=club.pk, user_id=owner.pk, at=AT)
    with pytest.raises(operations.LastOwner):
        operations.change_role(actor=actor, club_id=club.pk, user_id=owner.pk, role="director", at=AT)
    with pytest.raises(operations.LastOwner):
        operations.remove_member(actor=SERVER, club_id=club.pk, user_id=owner.pk, at=AT)

    assert str(caught.value) == "A club needs an owner. Make somebody else an owner first."
    assert _roles(club) == {"Owner": "owner", "Director": "director"}
    assert _events(club) == []


def test_of_two_owners_one_may_go() -> None:
    owner, other = a_user("Owner"), a_user("Other")
    club = a_club(members=[(owner, Role.OWNER), (other, Role.OWNER)])

    operations.remove_member(actor=as_actor(owner), club_id=club.pk, user_id=owner.pk, at=AT)

    assert _roles(club) == {"Other": "owner"}


def test_the_last_owner_may_be_made_owner_again() -> None:
    owner = a_user("Owner")
    club = a_club(members=[(owner, Role.OWNER)])

    operations.change_role(actor=as_actor(owner), club_id=club.pk, user_id=owner.pk, role="owner", at=AT)

    assert _roles(club) == {"Owner": "owner"}


def test_everyone_may_leave() -> None:
    owner, player = a_user("Owner"), a_user("Player")
    club = a_club(members=[(owner, Role.OWNER), (player, Role.PLAYER)])

    operations.remove_member(actor=as_actor(player), club_id=club.pk, user_id=player.pk, at=AT)

    assert _roles(club) == {"Owner": "owner"}


def test_who_is_no_member_is_not_found() -> None:
    owner, stranger = a_user("Owner"), a_user("Stranger")
    club = a_club(members=[(owner, Role.OWNER)])

    with pytest.raises(NotFound):
        operations.change_role(
            actor=as_actor(owner), club_id=club.pk, user_id=stranger.pk, role="player", at=AT
        )
    with pytest.raises(NotFound):
        operations.remove_member(actor=as_actor(owner), club_id=club.pk, user_id=stranger.pk, at=AT)


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER, Role.DIRECTOR])
def test_nobody_but_an_owner_changes_a_club_or_its_members(role: Role | None) -> None:
    owner, third = a_user("Owner"), a_user("Third")
    club = a_club(members=[(owner, Role.OWNER), *([(third, role)] if role else [])])
    a_club("other", members=[(third, Role.OWNER)])
    before = _roles(club)

    for actor in (as_actor(third), ANONYMOUS):
        with pytest.raises(Forbidden):
            operations.change_club(actor=actor, club_id=club.pk, name="Mine", timezone="UTC", at=AT)
        with pytest.raises(Forbidden):
            operations.add_member(actor=actor, club_id=club.pk, email=third.email, role="owner", at=AT)
        with pytest.raises(Forbidden):
            operations.change_role(actor=actor, club_id=club.pk, user_id=third.pk, role="owner", at=AT)
        with pytest.raises(Forbidden):
            operations.remove_member(actor=actor, club_id=club.pk, user_id=owner.pk, at=AT)
        with pytest.raises(Forbidden):
            queries.managed_club("lahore", actor=actor)
        with pytest.raises(Forbidden):
            queries.audit_page("lahore", actor=actor)

    assert (_roles(club), _events(club)) == (before, [])


def test_a_token_needs_the_scope_to_manage_a_club() -> None:
    owner, bilal = a_user("Owner"), a_user("Bilal")
    club = a_club(members=[(owner, Role.OWNER)])

    with pytest.raises(Forbidden) as caught:
        operations.add_member(
            actor=as_actor(owner, scopes=[Scope.READ]),
            club_id=club.pk,
            email=bilal.email,
            role="player",
            at=AT,
        )
    operations.add_member(
        actor=as_actor(owner, scopes=[Scope.CLUBS_WRITE]),
        club_id=club.pk,
        email=bilal.email,
        role="player",
        at=AT,
    )

    assert caught.value.needs_scope is Scope.CLUBS_WRITE
    assert _roles(club) == {"Owner": "owner", "Bilal": "player"}


# -- Reading


@pytest.mark.parametrize("others", [0, 2])
def test_members_are_listed_owners_first_in_two_queries(
    others: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    owner = a_user("Zahid")
    players = [a_user(f"Player {n}") for n in range(others)]
    club = a_club(members=[*((player, Role.PLAYER) for player in players), (owner, Role.OWNER)])
    actor = as_actor(owner)

    with django_assert_num_queries(2):
        page = queries.members_page("lahore", actor=actor)

    assert page.club.id == club.pk
    assert (page.may_manage_club, page.reader_id) == (True, owner.pk)
    assert page.members == (
        MemberLine(user_id=owner.pk, name="Zahid", email="zahid@example.org", role=Role.OWNER, since=AT),
        *(
            MemberLine(
                user_id=player.pk,
                name=f"Player {n}",
                email=f"player.{n}@example.org",
                role=Role.PLAYER,
                since=AT,
            )
            for n, player in enumerate(players)
        ),
    )


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER])
def test_who_is_a_member_is_not_shown_to_all(role: Role | None) -> None:
    third = a_user("Third")
    a_club(members=[(third, role)] if role else [])

    with pytest.raises(Forbidden):
        queries.members_page("lahore", actor=as_actor(third))
    with pytest.raises(Forbidden):
        queries.members_page("lahore", actor=ANONYMOUS)


def test_a_director_sees_the_members_and_does_not_manage_them() -> None:
    director = a_user("Director")
    a_club(members=[(director, Role.DIRECTOR)])

    assert not queries.members_page("lahore", actor=as_actor(director)).may_manage_club


@pytest.mark.parametrize("clubs", [1, 3])
def test_clubs_are_listed_by_name_in_one_query(
    clubs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for n in reversed(range(clubs)):
        a_club(f"club-{n}")

    with django_assert_num_queries(1):
        listed = queries.visible_clubs(actor=ANONYMOUS)

    assert [club.slug for club in listed] == [f"club-{n}" for n in range(clubs)]


def test_a_clubs_page_says_what_its_reader_may_do(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    director = a_user("Director")
    club = a_club(members=[(director, Role.DIRECTOR)])
    line = ClubLine(id=club.pk, slug="lahore", name="Lahore", timezone="Asia/Karachi", city="", country="")
    actor = as_actor(director)

    with django_assert_num_queries(1):
        page = queries.club_page("lahore", actor=actor)

    assert page == ClubPage(
        club=line,
        role=Role.DIRECTOR,
        may_view_members=True,
        may_manage_club=False,
        may_manage_tournaments=True,
    )
    assert queries.club_page("lahore", actor=ANONYMOUS) == ClubPage(
        club=line, role=None, may_view_members=False, may_manage_club=False, may_manage_tournaments=False
    )
    assert queries.clubs_by_id([club.pk, 0]) == {club.pk: line}


@pytest.mark.parametrize("entries", [1, 3])
def test_the_log_shows_an_owner_the_newest_first_in_three_queries(
    entries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    owner = a_user("Owner")
    club = a_club(members=[(owner, Role.OWNER)])
    actor = Actor(user_id=owner.pk, roles={club.pk: Role.OWNER}, address="192.0.2.7")
    players = [a_user(f"Player {n}") for n in range(entries)]
    for player in players:
        operations.add_member(actor=actor, club_id=club.pk, email=player.email, role="player", at=AT)

    with django_assert_num_queries(3):
        page = queries.audit_page("lahore", actor=actor)

    assert page.lines == tuple(
        queries.AuditLine(
            made_at=AT,
            who="Owner",
            via="page",
            address="192.0.2.7",
            what="member-added",
            whom=f"Player {n}",
            details=(("role", "player"),),
        )
        for n in reversed(range(entries))
    )
