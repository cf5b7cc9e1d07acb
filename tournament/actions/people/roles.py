"""Roles in an event: granted, or offered by a link until expired or revoked; users without an account.

Acceptance of an invite creates a named user, so each ledger row has an author.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    Command,
    Receipt,
    Work,
    action,
    check,
    fit,
    or_refuse,
    refuse_if,
    table_named,
    writing,
)
from tournament.links import holds, uid_in
from tournament.models import HOST, OWN_LINK, Invite, Membership, Stage, Table, Tournament, User
from tournament.results import Fault, Refused, ids, whole
from tournament.words.text import numbered

__all__ = [
    "Accepted",
    "accept_invite",
    "create_invite",
    "grant_role",
    "place_referee",
    "post_referees",
    "revoke_invite",
    "revoke_role",
    "take_role",
]

LONGEST_NAME = 60  # characters
LONGEST_REFEREE_NAME = 150
LONGEST_VALID = timedelta(days=366)
Role = Membership.Role


@dataclass(frozen=True, slots=True)
class Accepted:
    """The user who has the role, and the receipt."""

    user: User
    receipt: Receipt


@action(least="organiser", says=_("invited referees"), undo="links")
def create_invite(
    work: Work,
    *,
    invite: UUID,
    role: str,
    expires_at: datetime,
    tables: Sequence[UUID] = (),
    label: str = "",
    most: int | None = None,
) -> None:
    """Offer a role by link until `expires_at`, to at most `most` people (None: any number). `tables` limit a table
    referee; `label` says who it is for. Refused `invite_exists`, `tables_of_referee` (other role),
    `expiry_out_of_range`."""
    named = [str(uid) for uid in dict.fromkeys(ids(tables, "/tables"))]
    known = Table.objects.filter(stage__tournament=work.tournament, uid__in=named)
    work.faults.add_if(Invite.objects.filter(uid=invite).exists(), Fault("invite_exists", "/invite"))
    work.faults.add_if(role not in Role.values, Fault("field_invalid_choice", "/role"))
    work.faults.add_if(named and role != Role.TABLE_REFEREE, Fault("tables_of_referee", "/tables"))
    work.faults.add_if(known.count() != len(named), Fault("unknown_table", "/tables"))
    work.faults.add_if(
        not work.at < expires_at <= work.at + LONGEST_VALID,
        Fault("expiry_out_of_range", "/expires_at", {"days": LONGEST_VALID.days}),
    )
    wrong = most is not None and not 1 <= whole(most, "/most") <= 999
    work.faults.add_if(wrong, Fault("field_invalid", "/most"))
    work.add(
        Invite(
            uid=invite,
            tournament=work.tournament,
            role=role,
            tables=named,
            label=fit(label, "/label", 100),
            most=most,
            expires_at=expires_at,
        )
    )


@action(least="organiser", says=_("withdrew an invite"), undo="ledger")
def revoke_invite(work: Work, *, invite: UUID, with_roles: bool = False) -> None:
    """Withdraw an invite and, `with_roles`, the roles it gave. Refused `invite_revoked` (nothing left),
    `last_organiser`."""
    row = or_refuse(
        Invite.objects.filter(tournament=work.tournament, uid=invite).first(),
        Fault("unknown_invite", "/invite"),
    )
    roles = list(row.memberships.all()) if with_roles else []
    refuse_if(row.revoked_at and not roles, Fault("invite_revoked", "/invite"))
    organisers = Membership.objects.filter(tournament=work.tournament, role=Role.ORGANISER)
    refuse_if(
        roles and not organisers.exclude(pk__in=[role.pk for role in roles]).exists(),
        Fault("last_organiser", "/invite"),
    )
    if row.revoked_at is None:
        work.update(row, revoked_at=work.at)
    for membership in roles:
        work.delete(membership)


@action(by_link=True, says=_("accepted an invite"), undo="links")
def take_role(work: Work, *, token: str) -> None:
    """Give the actor the role of the link's invite. Idempotent. Refused `invite_revoked`, `invite_expired`,
    `invite_used_up`, `event_over`, `unknown_table` (no table left)."""
    row = open_invite(work.tournament, token, work.at)
    user = work.command.actor
    new = _new_places(row, user)
    own = Membership.objects.filter(tournament=work.tournament, user=user, role=row.role)
    full = row.most is not None and row.memberships.values("user").distinct().count() >= row.most
    refuse_if(new and full and not own.filter(invite=row).exists(), Fault("invite_used_up", "/invite"))
    for table in new:
        work.add(Membership(tournament=work.tournament, user=user, role=row.role, table=table, invite=row))


def accept_invite(command: UUID, token: str, *, name: str, user: User | None, device: str = "") -> Accepted:
    """Accept a link's invite as `user`, or as a new guest `name`. `command`: the form's secret idempotency key.
    Refused as `take_role`, `field_blank` and `field_max_length` for the name."""
    name = fit(name, "/name", LONGEST_NAME)
    row = or_refuse(invite_of(token), Fault("unknown_invite", "/invite"))
    refuse_if(user is None and not name, Fault("field_blank", "/name"))
    with writing():
        actor = user or guest(command, _free_name(row.tournament, name))
        asked = Command(uuid5(command, "take_role"), actor, device)
        return Accepted(actor, take_role(asked, row.tournament.uid, token=token))


@action(least="organiser", says=_("assigned referees to tables"), undo="ledger")
def post_referees(work: Work, *, stage: UUID) -> None:
    """Give tables without referee one, least busy first. Refused `no_referees`, `no_tables`, `referees_posted`,
    `illegal_move` (stage over)."""
    row = stage_named(work, stage)
    refuse_if(row.state == Stage.State.FINISHED, Fault("illegal_move", "/stage", {"state": str(row.state)}))
    tables = list(Table.objects.filter(stage=row).order_by("number"))
    refuse_if(not tables, Fault("no_tables", "/stage"))
    memberships = Membership.objects.filter(tournament=work.tournament, role=Role.TABLE_REFEREE)
    everywhere = list(memberships.filter(table__isnull=True).select_related("user").order_by("pk"))
    refuse_if(not everywhere, Fault("no_referees", "/stage"))
    here = Counter(memberships.filter(table__stage=row).values_list("user_id", flat=True))
    taken = set(memberships.filter(table__stage=row).values_list("table_id", flat=True))
    free = [table for table in tables if table.pk not in taken]
    refuse_if(not free, Fault("referees_posted", "/stage"))
    for table in free:
        chosen = min(everywhere, key=lambda each: here[each.user_id])
        here[chosen.user_id] += 1
        work.add(
            Membership(
                tournament=work.tournament,
                user=chosen.user,
                role=Role.TABLE_REFEREE,
                table=table,
                invite=chosen.invite,
            )
        )


@action(least="organiser", says=_("chose a referee’s tables"), undo="ledger")
def place_referee(work: Work, *, user: UUID, tables: Sequence[UUID] = ()) -> None:
    """Set a user's tables in unfinished stages; without a role left, all tables. Refused `same_version`."""
    own = Membership.objects.filter(tournament=work.tournament, user__uid=user).select_related(
        "user", "invite"
    )
    roles = list(own.order_by("pk"))
    there = Table.objects.filter(stage__tournament=work.tournament).exclude(stage__state=Stage.State.FINISHED)
    named = set(ids(tables, "/tables"))
    wanted = {table.pk: table for table in there.filter(uid__in=named).order_by("pk")}
    work.faults.add_if(len(wanted) != len(named), Fault("unknown_table", "/tables"))
    refuse_if(not roles, Fault("unknown_user", "/user"))
    open_tables = set(there.values_list("pk", flat=True))
    had = [role for role in roles if role.role == Role.TABLE_REFEREE and role.table_id in open_tables]
    new: list[Table | None] = [
        table for pk, table in wanted.items() if pk not in {role.table_id for role in had}
    ]
    gone = [role for role in had if role.table_id not in wanted]
    if not wanted and len(gone) == len(roles):
        new.append(None)
    refuse_if(not new and not gone, Fault("same_version", "/tables"))
    for role in gone:
        work.delete(role)
    for place in new:
        work.add(
            Membership(
                tournament=work.tournament,
                user=roles[0].user,
                role=Role.TABLE_REFEREE,
                table=place,
                invite=roles[0].invite,
            )
        )


def open_invite(tournament: Tournament, token: str, now: datetime) -> Invite:
    """The link's invite; Refused if it cannot be accepted."""
    unknown = Fault("unknown_invite", "/invite")
    row = or_refuse(invite_of(token), unknown)
    refuse_if(row.tournament_id != tournament.pk, unknown)
    refuse_if(row.revoked_at, Fault("invite_revoked", "/invite"))
    refuse_if(row.expires_at <= now, Fault("invite_expired", "/invite"))
    refuse_if(
        tournament.put_away or tournament.state == Tournament.State.FINISHED, Fault("event_over", "/invite")
    )
    return row


def has_accepted(invite: Invite, user: User) -> bool:
    """Whether the user has all that the invite offers."""
    try:
        return user.is_active and not _new_places(invite, user)
    except Refused:
        return False


def _new_places(invite: Invite, user: User) -> list[Table | None]:
    own = Membership.objects.filter(tournament=invite.tournament, user=user, role=invite.role)
    tables = list(Table.objects.filter(stage__tournament=invite.tournament, uid__in=invite.tables))
    refuse_if(invite.tables and not tables, Fault("unknown_table", "/invite"))
    places: Sequence[Table | None] = tables or [None]
    return [table for table in places if not own.filter(table=table).exists()]


def invite_of(token: str) -> Invite | None:
    """Invite of a link's token; None if invalid, or in a hidden event."""
    uid = uid_in(token)
    shown = Invite.objects.select_related("tournament").filter(tournament__put_away=False)
    row = shown.filter(uid=uid).first() if uid else None
    return row if row and holds(token, "invite", row.uid) else None


def _free_name(tournament: Tournament, name: str) -> str:
    users = User.objects.filter(memberships__tournament=tournament)
    taken = {user.display_name().casefold() for user in users}
    return next(each for each in numbered(name, " ({})") if each.casefold() not in taken)


@action(least="organiser", says=_("gave a role"), undo="ledger", account=True)
def grant_role(work: Work, *, membership: UUID, user: UUID, role: str, table: UUID | None = None) -> None:
    """Grant a role, whose uid is `membership`, at one table or all. Newcomers get roles only from their host."""
    person = User.objects.filter(uid=user, is_active=True).first()
    unknown = person is None or (person.is_newcomer and work.command.actor.uid != HOST)
    work.faults.add_if(unknown, Fault("unknown_user", "/user"))
    row = Membership(uid=membership, tournament=work.tournament, user=person, role=role)
    with work.faults:
        row.table = table_named(work, table) if table else None
    check(row)
    work.add(row)


@action(least="organiser", says=_("removed a role"), undo="ledger")
def revoke_role(work: Work, *, membership: UUID) -> None:
    """Revoke a role. Refused `last_organiser`."""
    row = or_refuse(
        Membership.objects.filter(tournament=work.tournament, uid=membership).first(),
        Fault("unknown_role", "/membership"),
    )
    others = Membership.objects.filter(tournament=work.tournament, role=Membership.Role.ORGANISER).exclude(
        pk=row.pk
    )
    refuse_if(
        row.role == Membership.Role.ORGANISER and not others.exists(), Fault("last_organiser", "/membership")
    )
    work.delete(row)


def guest(secret: UUID, name: str) -> User:
    """Guest of a secret (a form's or command's id); idempotent. The username does not reveal the secret."""
    return without_account(
        User.objects.all(),
        {"username": f"guest-{uuid5(secret, 'guest')}"},
        first_name=name[:LONGEST_REFEREE_NAME],
    )


def own_link_user() -> User:
    """Author of own-link actions, created on first use."""
    with transaction.atomic():
        return without_account(User.objects.all(), {"username": OWN_LINK})


def without_account(rows: QuerySet[User], known: Mapping[str, object], **more: str) -> User:
    """User with the `known` fields; created if missing, with `more`, without password."""
    user, created = rows.get_or_create(defaults=more, **known)
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user
