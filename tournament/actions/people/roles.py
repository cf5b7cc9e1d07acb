"""Roles in an event, and users without an account."""

from collections.abc import Mapping
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, check, or_refuse, refuse_if, table_named
from tournament.models import HOST, OWN_LINK, Membership, User
from tournament.results import Fault

__all__ = ["grant_role", "revoke_role"]

LONGEST_REFEREE_NAME = 150  # characters


@action(least="organiser", says=_("gave a role"), undo="ledger", account=True)
def grant_role(work: Work, *, membership: UUID, user: UUID, role: str, table: UUID | None = None) -> None:
    """Grant a role, whose uid is `membership`, at one table or all. Newcomers get roles only from their host. Refused
    with field faults."""
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
