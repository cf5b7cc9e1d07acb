"""Who may do what in an event: give a user a role, take it back."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel.fields import check
from tournament.actions.kernel.plays import table_named
from tournament.actions.kernel.refusing import or_refuse
from tournament.actions.kernel.work import Work, action
from tournament.models import Membership, User
from tournament.models.people import HOST
from tournament.results.faults import Fault, Refused

__all__ = ["grant_role", "revoke_role"]


@action(least="organiser", says=_("gave a role"), undo="ledger")
def grant_role(work: Work, *, membership: UUID, user: UUID, role: str, table: UUID | None = None) -> None:
    """Give a user a role in the tournament, at one table or at all; `membership` is its uid. Newcomers get one from
    their host alone. Raises Refused `unknown_user`, `unknown_table`, and faults of single fields."""
    person = User.objects.filter(uid=user, is_active=True).first()
    if person is None or (person.is_newcomer and work.command.actor.uid != HOST):
        raise Refused(Fault("unknown_user", "/user"))
    place = table_named(work, table) if table else None
    row = Membership(uid=membership, tournament=work.tournament, user=person, role=role, table=place)
    check(row)
    work.add(row)


@action(least="organiser", says=_("took a role back"), undo="ledger")
def revoke_role(work: Work, *, membership: UUID) -> None:
    """Take a role back. Raises Refused `unknown_role`, and `last_organiser` for the only organiser's."""
    row = or_refuse(
        Membership.objects.filter(tournament=work.tournament, uid=membership).first(),
        Fault("unknown_role", "/membership"),
    )
    others = Membership.objects.filter(tournament=work.tournament, role=Membership.Role.ORGANISER).exclude(
        pk=row.pk
    )
    if row.role == Membership.Role.ORGANISER and not others.exists():
        raise Refused(Fault("last_organiser", "/membership"))
    work.delete(row)
