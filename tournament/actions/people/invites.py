"""Invites: a role for whoever holds a link, until it expires or is revoked; and referees posted at tables.

An accepted invite makes a user without a password and their Memberships, so that every ledger row has an actor with a
name. Permissions are read from the Memberships at every request, so a revoked one ends at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import Command, Receipt, Work, action, fit, or_refuse, refuse_if, writing
from tournament.actions.people.roles import guest
from tournament.links import holds, uid_in
from tournament.models import Invite, Membership, Stage, Table, Tournament, User
from tournament.results import Fault, Refused, ids, whole

__all__ = [
    "Accepted",
    "accept_invite",
    "create_invite",
    "place_referee",
    "post_referees",
    "revoke_invite",
    "take_role",
]

LONGEST_NAME = 60  # characters of a referee's name
LONGEST_VALID = timedelta(days=366)
Role = Membership.Role


@dataclass(frozen=True, slots=True)
class Accepted:
    """The user who has the role now, and the receipt."""

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
    """Offer a role to everyone who opens the invite's link: until `expires_at`, to at most `most` people (None: any
    number), for a table referee at these `tables` only (none: at every table). `label` says who it is for.

    Raises Refused `invite_exists`, `unknown_table`, `tables_of_referee` (only a table referee's invite has tables),
    `expiry_out_of_range`, and faults of single fields.
    """
    named = [str(uid) for uid in dict.fromkeys(ids(tables, "/tables"))]
    known = Table.objects.filter(stage__tournament=work.tournament, uid__in=named)
    refuse_if(Invite.objects.filter(uid=invite).exists(), Fault("invite_exists", "/invite"))
    refuse_if(role not in Role.values, Fault("field_invalid_choice", "/role"))
    refuse_if(named and role != Role.TABLE_REFEREE, Fault("tables_of_referee", "/tables"))
    refuse_if(known.count() != len(named), Fault("unknown_table", "/tables"))
    if not work.at < expires_at <= work.at + LONGEST_VALID:
        raise Refused(Fault("expiry_out_of_range", "/expires_at", {"days": LONGEST_VALID.days}))
    refuse_if(most is not None and not 1 <= whole(most, "/most") <= 999, Fault("field_invalid", "/most"))
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
    """Withdraw an invite: nobody can accept it any more. `with_roles` also removes the roles that it gave. Raises
    Refused `unknown_invite`, `invite_revoked` if there is nothing left to withdraw, and `last_organiser` if no one
    would be left who may do everything."""
    row = or_refuse(
        Invite.objects.filter(tournament=work.tournament, uid=invite).first(),
        Fault("unknown_invite", "/invite"),
    )
    roles = list(row.memberships.all()) if with_roles else []
    refuse_if(row.revoked_at and not roles, Fault("invite_revoked", "/invite"))
    organisers = Membership.objects.filter(tournament=work.tournament, role=Role.ORGANISER)
    if roles and not organisers.exclude(pk__in=[role.pk for role in roles]).exists():
        raise Refused(Fault("last_organiser", "/invite"))
    if row.revoked_at is None:
        work.update(row, revoked_at=work.at)
    for membership in roles:
        work.delete(membership)


@action(by_link=True, says=_("accepted an invite"), undo="links")
def take_role(work: Work, *, token: str) -> None:
    """Give the actor the role that the invite of this link offers; anybody who has it already keeps it.

    Raises Refused `unknown_invite`, `invite_revoked`, `invite_expired`, `invite_used_up`, `event_over`, and
    `unknown_table` where none of its tables is left.
    """
    row = open_invite(work.tournament, token, work.at)
    user = work.command.actor
    new = _new_places(row, user)
    own = Membership.objects.filter(tournament=work.tournament, user=user, role=row.role)
    # People who have a role by it; those who lost theirs do not count.
    full = row.most is not None and row.memberships.values("user").distinct().count() >= row.most
    refuse_if(new and full and not own.filter(invite=row).exists(), Fault("invite_used_up", "/invite"))
    for table in new:
        work.add(Membership(tournament=work.tournament, user=user, role=row.role, table=table, invite=row))


def accept_invite(command: UUID, token: str, *, name: str, user: User | None, device: str = "") -> Accepted:
    """Accept the invite of this link: as the signed-in `user`, else as a new guest called `name`; return who that is.

    `command` is a secret of the form that was sent: sent twice, it makes one guest. All or nothing. Raises Refused
    as `take_role`, `field_blank` and `field_max_length` for the name.
    """
    name = fit(name, "/name", LONGEST_NAME)
    row = or_refuse(invite_of(token), Fault("unknown_invite", "/invite"))
    refuse_if(user is None and not name, Fault("field_blank", "/name"))
    with writing():
        actor = user or guest(command, _free_name(row.tournament, name))
        asked = Command(uuid5(command, "take_role"), actor, device)
        return Accepted(actor, take_role(asked, row.tournament.uid, token=token))


@action(least="organiser", says=_("assigned referees to tables"), undo="ledger")
def post_referees(work: Work, *, stage: UUID) -> None:
    """Give every table of the stage without its own referee one of the event's table referees, starting with the one
    with the fewest tables. Raises Refused `no_referees`, `no_tables`, `referees_posted` if every table has one."""
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
    """Give a user with a role in the event exactly these tables of the unfinished stages. A user without another role
    then referees every table. Raises Refused `unknown_user`, `unknown_table`, `same_version`."""
    own = Membership.objects.filter(tournament=work.tournament, user__uid=user).select_related(
        "user", "invite"
    )
    roles = list(own.order_by("pk"))
    refuse_if(not roles, Fault("unknown_user", "/user"))
    there = Table.objects.filter(stage__tournament=work.tournament).exclude(stage__state=Stage.State.FINISHED)
    named = set(ids(tables, "/tables"))
    wanted = {table.pk: table for table in there.filter(uid__in=named).order_by("pk")}
    refuse_if(len(wanted) != len(named), Fault("unknown_table", "/tables"))
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
    """Find the invite of this link while it can be accepted; Refused, with the reason, otherwise."""
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
    """Tell whether the user already has everything that the invite gives."""
    try:
        return user.is_active and not _new_places(invite, user)
    except Refused:
        return False


def _new_places(invite: Invite, user: User) -> list[Table | None]:
    """List the tables at which the invite gives this user a role that they do not have yet (None: all of them). Refused
    `unknown_table` where none of its tables is left."""
    own = Membership.objects.filter(tournament=invite.tournament, user=user, role=invite.role)
    tables = list(Table.objects.filter(stage__tournament=invite.tournament, uid__in=invite.tables))
    refuse_if(invite.tables and not tables, Fault("unknown_table", "/invite"))
    places: Sequence[Table | None] = tables or [None]
    return [table for table in places if not own.filter(table=table).exists()]


def invite_of(token: str) -> Invite | None:
    """Find the invite whose link has this token; None for any other token, and for a rehearsal that was put away."""
    uid = uid_in(token)
    shown = Invite.objects.select_related("tournament").filter(tournament__put_away=False)
    row = shown.filter(uid=uid).first() if uid else None
    return row if row and holds(token, "invite", row.uid) else None


def _free_name(tournament: Tournament, name: str) -> str:
    """Give the name, with a number if somebody with a role in the event has it: results show who entered them."""
    users = User.objects.filter(memberships__tournament=tournament)
    taken = {user.display_name().casefold() for user in users}
    free, number = name, 1
    while free.casefold() in taken:
        number += 1
        free = f"{name} ({number})"
    return free
