"""Invites: who may accept one, until when, what it gives, and that taking it back ends it."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    recorded_round,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.actions import Command
from tournament.actions.kernel import work
from tournament.actions.people.roles import LONGEST_VALID, has_accepted
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Invite, Membership, Table, Tournament, User
from tournament.permissions import RANK, organisers_of, rank
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db

Role = Membership.Role


def invited(made: Event, role: str = Role.TABLE_REFEREE, **more: Any) -> str:
    """An invite's token."""
    uid = uuid4()
    until = timezone.now() + timedelta(hours=5)
    made.act(actions.create_invite, invite=uid, role=role, **{"expires_at": until, **more})
    return token_for("invite", uid)


def accepted(token: str, name: str = "Kim", **more: Any) -> User:
    return actions.accept_invite(uuid4(), token, name=name, **{"user": None, **more}).user


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [fault.code for fault in refused.value.faults]


def test_accepted_invite_makes_a_referee_with_a_name_and_no_password() -> None:
    made = running_match(players=3)
    user = accepted(invited(made, label="For the front row"))
    assert user.display_name() == "Kim"
    assert not user.has_usable_password()
    membership = Membership.objects.get(user=user)
    assert (membership.role, membership.table, membership.invite) == (
        Role.TABLE_REFEREE,
        None,
        Invite.objects.get(),
    )
    made.user = user
    recorded_round(made)
    assert made.tournament.ledger.latest("sequence").actor == user
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_invite_for_tables_gives_those_tables_only() -> None:
    made = running_heats(players=9, tables=3)
    first, second, third = made.tables
    user = accepted(invited(made, tables=[first.uid, third.uid]))
    assert set(Membership.objects.filter(user=user).values_list("table", flat=True)) == {first.pk, third.pk}
    with pytest.raises(Forbidden):
        record(made, user, second)
    record(made, user, third)


def record(made: Event, user: User, table: Table) -> None:
    actions.record_heat(
        actions.Command(uuid4(), user),
        made.tournament.uid,
        table=table.uid,
        play=uuid4(),
        number=1,
        finish_order=made.at(table)[:1],
    )


def test_sent_twice_it_makes_one_guest() -> None:
    made = event()
    token, form = invited(made), uuid4()
    first = actions.accept_invite(form, token, name="Kim", user=None)
    again = actions.accept_invite(form, token, name="Kim", user=None)
    assert again.user == first.user
    assert again.receipt.replayed
    assert Membership.objects.filter(user=first.user).count() == 1


def test_who_is_signed_in_keeps_the_own_name_and_one_role() -> None:
    made = event()
    user, token = UserFactory(), invited(made)
    assert not has_accepted(Invite.objects.get(), user)
    assert accepted(token, name="", user=user) == user
    assert accepted(token, name="", user=user) == user
    assert Membership.objects.filter(user=user).count() == 1
    assert has_accepted(Invite.objects.get(), user)
    user.is_active = False
    assert not has_accepted(Invite.objects.get(), user)


def test_the_role_elsewhere_and_another_role_here_are_not_what_the_invite_gives() -> None:
    made, elsewhere = event(), event()
    user = elsewhere.referee(Role.TABLE_REFEREE)
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role=Role.HEAD_REFEREE)
    accepted(invited(made), user=user)
    roles = Membership.objects.filter(tournament=made.tournament, user=user)
    assert set(roles.values_list("role", flat=True)) == {Role.HEAD_REFEREE, Role.TABLE_REFEREE}


def test_namesakes_are_told_apart() -> None:
    made = event()
    UserFactory(first_name="Kim")  # has no role in this event
    token = invited(made)
    assert [accepted(token, name).display_name() for name in ("Kim", "kim", "Kim")] == [
        "Kim",
        "kim (2)",
        "Kim (3)",
    ]


@pytest.mark.parametrize(
    ("name", "code"), [("", "field_blank"), (" \t", "field_blank"), ("x" * 61, "field_max_length")]
)
def test_guest_has_a_name(name: str, code: str) -> None:
    token = invited(event())
    with pytest.raises(Refused) as refused:
        accepted(token, name)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [(code, "/name")]
    assert not User.objects.filter(username__startswith="guest-").exists()


@pytest.mark.beside
def test_expired_used_up_revoked_and_foreign_invites_are_refused() -> None:
    made, other = event(), event()
    expired, once, revoked, alien = invited(made), invited(made, most=1), invited(made), invited(other)
    Invite.objects.filter(uid=uid_of(expired)).update(expires_at=timezone.now())
    accepted(once)
    made.act(actions.revoke_invite, invite=uid_of(revoked))
    with pytest.raises(Refused) as refused:
        accepted(expired)
    assert codes(refused) == ["invite_expired"]
    with pytest.raises(Refused) as refused:
        accepted(once, "Sam")
    assert codes(refused) == ["invite_used_up"]
    with pytest.raises(Refused) as refused:
        accepted(revoked)
    assert codes(refused) == ["invite_revoked"]
    user = UserFactory()
    with pytest.raises(Refused) as refused:
        actions.take_role(actions.Command(uuid4(), user), made.tournament.uid, token=alien)
    assert codes(refused) == ["unknown_invite"]
    assert not Membership.objects.filter(user=user).exists()


@pytest.mark.parametrize("token", ["", "x", "A" * 43, token_for("player", UUID(int=7))])
def test_other_links_are_no_invites(token: str) -> None:
    with pytest.raises(Refused) as refused:
        accepted(token)
    assert codes(refused) == ["unknown_invite"]


def test_revoked_with_its_roles_nobody_may_go_on() -> None:
    made = running_heats(players=6, tables=2)
    token = invited(made)
    user = accepted(token)
    record(made, user, made.tables[0])
    made.act(actions.revoke_invite, invite=uid_of(token), with_roles=True)
    with pytest.raises(Forbidden):
        record(made, user, made.tables[1])
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_revoked_without_its_roles_who_came_stays_and_goes_later() -> None:
    made = running_heats(players=6, tables=2)
    token = invited(made)
    user = accepted(token)
    made.act(actions.revoke_invite, invite=uid_of(token))
    record(made, user, made.tables[0])
    made.act(actions.revoke_invite, invite=uid_of(token), with_roles=True)
    assert not Membership.objects.filter(user=user).exists()
    with pytest.raises(Refused) as refused:
        made.act(actions.revoke_invite, invite=uid_of(token), with_roles=True)
    assert codes(refused) == ["invite_revoked"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"role": "king"}, "field_invalid_choice"),
        ({"tables": [UUID(int=1)]}, "unknown_table"),
        ({"role": "head_referee", "tables": [UUID(int=1)]}, "tables_of_referee"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "expiry_out_of_range"),
        ({"expires_at": timezone.now() + LONGEST_VALID + timedelta(days=2)}, "expiry_out_of_range"),
        ({"most": 0}, "field_invalid"),
        ({"most": True}, "malformed"),
        ({"label": "x" * 101}, "field_max_length"),
    ],
)
def test_bad_invites_are_refused(more: dict[str, Any], code: str) -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        invited(made, **more)
    assert codes(refused) == [code]


@pytest.mark.parametrize(
    ("more", "fault"),
    [({"tables": "all"}, ("malformed", "/tables")), ({"most": 1000}, ("field_invalid", "/most"))],
)
def test_what_is_wrong_with_an_invite_is_said_at_its_field(
    more: dict[str, Any], fault: tuple[str, str]
) -> None:
    with pytest.raises(Refused) as refused:
        invited(event(), **more)
    assert [(each.code, each.path) for each in refused.value.faults] == [fault]


def test_an_invite_is_for_as_many_as_999_and_for_tables_of_its_own_event() -> None:
    made, other = event(), running_match(players=2)
    invited(made, most=999)
    assert Invite.objects.get().most == 999
    with pytest.raises(Refused) as refused:
        invited(made, tables=[other.table.uid])
    assert codes(refused) == ["unknown_table"]


def test_an_invite_ends_at_its_last_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    made, now = event(), timezone.now()
    monkeypatch.setattr(work, "now", lambda: now)
    with pytest.raises(Refused) as refused:
        invited(made, expires_at=now)
    assert codes(refused) == ["expiry_out_of_range"]
    token = invited(made, expires_at=now + LONGEST_VALID)
    monkeypatch.setattr(work, "now", lambda: now + LONGEST_VALID)
    with pytest.raises(Refused) as refused:
        accepted(token)
    assert codes(refused) == ["invite_expired"]


@pytest.mark.beside
def test_an_invite_to_an_event_that_is_put_away_is_none() -> None:
    made = event()
    token = invited(made)
    Tournament.objects.update(put_away=True)
    with pytest.raises(Refused) as refused:
        accepted(token)
    assert codes(refused) == ["unknown_invite"]


def test_the_last_organisers_role_does_not_go_with_the_invite() -> None:
    event()  # has an organiser of its own
    made = event()
    made.referee()
    token = invited(made, Role.ORGANISER)
    kim = accepted(token)
    first = Membership.objects.get(tournament=made.tournament, user=made.user)
    actions.revoke_role(Command(uuid4(), kim), made.tournament.uid, membership=first.uid)
    command = Command(uuid4(), kim)
    with pytest.raises(Refused) as refused:
        actions.revoke_invite(command, made.tournament.uid, invite=uid_of(token), with_roles=True)
    assert codes(refused) == ["last_organiser"]
    actions.revoke_invite(command, made.tournament.uid, invite=uid_of(token))
    assert Membership.objects.filter(tournament=made.tournament, user=kim).exists()


def test_who_has_the_role_elsewhere_counts_among_those_who_accept() -> None:
    made = running_match(players=4, tables=2)
    one, other = made.tables
    riku = accepted(invited(made, tables=[one.uid]), "Riku")
    token = invited(made, tables=[other.uid], most=1)
    accepted(token, "Kim")
    with pytest.raises(Refused) as refused:
        accepted(token, user=riku)
    assert codes(refused) == ["invite_used_up"]
    assert [each.table for each in Membership.objects.filter(user=riku)] == [one]


def test_only_an_organiser_invites() -> None:
    made = event()
    made.user = made.referee(Role.HEAD_REFEREE)
    with pytest.raises(Forbidden):
        invited(made)


def test_referees_are_posted_evenly_at_tables_that_have_none() -> None:
    event().referee(Role.TABLE_REFEREE)  # of another event
    made = running_heats(players=24, tables=8)
    heats = made.stage
    token = invited(made)
    kim, sam = (accepted(token, name) for name in ("Kim", "Sam"))
    made.referee(Role.TABLE_REFEREE, made.tables[0])
    for user, table in [(kim, made.tables[1]), (kim, made.tables[2])]:
        role = {"user": user.uid, "role": Role.TABLE_REFEREE, "table": table.uid}
        made.act(actions.grant_role, membership=uuid4(), **role)
    add_stage(
        made, "match", tables=2, start=False
    )  # Sam is at its tables already, and others are not wanted yet
    role = {"user": sam.uid, "role": Role.TABLE_REFEREE, "table": made.table.uid}
    made.act(actions.grant_role, membership=uuid4(), **role)
    before = set(Membership.objects.values_list("pk", flat=True))
    made.act(actions.post_referees, stage=heats.uid)
    made.stage = heats
    posted = Membership.objects.exclude(pk__in=before).order_by("pk")
    assert list(posted.values_list("table__number", "user__first_name")) == [
        (4, "Sam"),
        (5, "Sam"),
        (6, "Kim"),
        (7, "Sam"),
        (8, "Kim"),
    ]
    assert {(row.table.stage, row.invite) for row in posted if row.table} == {(heats, Invite.objects.get())}
    with pytest.raises(Refused) as refused:
        made.act(actions.post_referees, stage=made.stage.uid)
    assert codes(refused) == ["referees_posted"]


def test_without_referees_nobody_is_posted() -> None:
    made = running_heats()
    with pytest.raises(Refused) as refused:
        made.act(actions.post_referees, stage=made.stage.uid)
    assert codes(refused) == ["no_referees"]


def test_staff_keep_their_account() -> None:
    made = event()
    staff = StaffFactory()
    assert accepted(invited(made), name="Somebody", user=staff) == staff


def uid_of(token: str) -> UUID:
    from tournament.links import uid_in

    uid = uid_in(token)
    assert uid
    return uid


def test_organiser_by_invite_runs_that_event_and_no_other_of_its_club() -> None:
    made = event()
    user = accepted(invited(made, Role.ORGANISER))
    assert rank(user, made.tournament) == RANK[Role.ORGANISER]
    assert not organisers_of(user)
    asked: dict[str, Any] = {
        "name": "Mine",
        "starts_on": date(2026, 5, 9),
        "ruleset": "tite-2022",
        "listed": False,
    }
    with pytest.raises(Forbidden):
        actions.create_tournament(
            actions.Command(uuid4(), user), uuid4(), organiser=made.tournament.organiser.uid, **asked
        )


def test_an_event_that_is_over_takes_no_more_referees() -> None:
    made = running_match(players=2)
    token = invited(made)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    with pytest.raises(Refused) as refused:
        accepted(token)
    assert codes(refused) == ["event_over"]
    assert not User.objects.filter(first_name="Kim").exists()


def test_an_invite_for_tables_that_are_gone_gives_nothing() -> None:
    made = running_heats(players=4, tables=2)
    token = invited(made, tables=[made.tables[1].uid])
    made.act(actions.seat_stage, stage=made.stage.uid, tables=[{"number": 1, "entries": made.uids}])
    with pytest.raises(Refused) as refused:
        accepted(token)
    assert codes(refused) == ["unknown_table"]
    assert not has_accepted(Invite.objects.get(), made.user)
