"""Declarations of actions, and users' permissions.

Action decorators (tournament/actions/kernel/work.py) declare; tests/roles/table.py lists rights by URL.

Each role includes the next: organiser, head referee, table referee (own tables). Staff are head referees everywhere,
superusers organisers.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.functional import Promise

from tournament.models import Membership, Organiser, Tournament, User
from tournament.results import Fault, Forbidden, Refused

Role = Membership.Role
RANK = {Role.TABLE_REFEREE: 1, Role.HEAD_REFEREE: 2, Role.ORGANISER: 3}

# How to undo, or why not (tournament/words/faults.py).
Undo = Literal[
    "ledger",  # from the ledger row
    "at_table",  # at the table's page
    "come_back",  # on the player's page
    "again",  # set anew; names and texts are not in the ledger
    "whole_event",
    "names_gone",  # it deleted a name
    "links",  # ended or issued a link or a role by link
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declaration of an action. `least` is None for `by_link` (the action checks link or open registration) and for
    creating tournaments. `says`: a past-tense verb phrase without subject ("entered a result"). `account` excludes
    guests."""

    least: Membership.Role | None
    by_link: bool
    says: str | Promise
    undo: Undo
    account: bool = False


class Declarations(Mapping[str, Declaration]):
    """Declarations by action name. A read before `complete` calls `load`."""

    def __init__(self) -> None:
        self.load: Callable[[], object] | None = None
        self._declared: dict[str, Declaration] = {}
        self._complete = False

    def declare(
        self,
        action: str,
        least: str | None,
        by_link: bool,
        says: str | Promise,
        undo: Undo | None,
        *,
        account: bool = False,
    ) -> None:
        """Add a declaration. Raises TypeError if incomplete or duplicate."""
        if action in self._declared:
            raise TypeError(f"{action}: another action has this name")
        if not says:
            raise TypeError(
                f"{action}: give its decorator says=..., what a ledger row says that somebody did"
            )
        if undo is None:
            raise TypeError(f'{action}: give its decorator undo=..., "ledger" or why not')
        self._declared[action] = Declaration(Role(least) if least else None, by_link, says, undo, account)

    def complete(self) -> None:
        """Mark as complete; called by tournament/actions/every.py."""
        self._complete = True

    def __getitem__(self, action: str) -> Declaration:
        return self._read()[action]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def _read(self) -> Mapping[str, Declaration]:
        if not self._complete and self.load:
            self.load()
        if not self._complete:
            raise RuntimeError("ACTIONS was read before every action was declared: read it inside a function")
        return self._declared


ACTIONS = Declarations()


def least_role(action: str) -> Membership.Role | None:
    """Least role for an action, if any."""
    declared = ACTIONS.get(action)
    return declared.least if declared else None


def may(user: User, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
    """Whether the user may call the action, at `table` if given. Put-away events only allow `bring_back`. Without least
    role only link actions are allowed, not to newcomers."""
    if tournament.put_away and action != "bring_back":
        return False
    declared = ACTIONS.get(action)
    if declared and declared.by_link:
        return user.is_active and not user.is_newcomer
    least = declared.least if declared else None
    return least is not None and reaches(user, least, tournament, table)


def reaches(user: User, least: Role, tournament: Tournament, table: UUID | None = None) -> bool:
    """Whether the user has at least this role."""
    if user.is_active and user.is_staff and RANK[least] <= RANK[Role.HEAD_REFEREE]:
        return True
    return RANK[least] <= rank(user, tournament, table)


def may_somewhere(user: User, action: str, tournament: Tournament) -> bool:
    """Whether the user may call the action event-wide or at any table."""
    tables = Membership.objects.filter(user=user, tournament=tournament, table__isnull=False)
    return any(
        may(user, action, tournament, table) for table in (None, *tables.values_list("table__uid", flat=True))
    )


def rank(user: User, tournament: Tournament, table: UUID | None = None) -> int:
    """Rank of the user's highest role; 0 without."""
    if not user.is_authenticated or not user.is_active:
        return 0
    if user.is_superuser:
        return RANK[Role.ORGANISER]
    ranks = [RANK[Role.HEAD_REFEREE]] if user.is_staff else []
    memberships = Membership.objects.filter(user=user, tournament=tournament).select_related("table")
    ranks += [
        RANK[Role(membership.role)]
        for membership in memberships
        if membership.table is None or membership.table.uid == table
    ]
    return max(ranks, default=0)


def has_role(user: User | None, tournament: Tournament) -> bool:
    """Whether the user has any role, even at one table."""
    if user is None or not user.is_active:
        return False
    roles = Membership.objects.filter(user=user, tournament=tournament)
    return user.is_staff or user.is_superuser or roles.exists()


def run_by_account(tournament: Tournament) -> bool:
    """Whether an account with password organises the event."""
    return _organisers_with_password().filter(tournament=tournament).exists()


def vouched_for(user: User) -> bool:
    """Whether the user has an account, or a role where one organises."""
    return (
        not user.is_guest or _organisers_with_password().filter(tournament__memberships__user=user).exists()
    )


def _organisers_with_password() -> QuerySet[Membership]:
    organisers = Membership.objects.filter(role=Role.ORGANISER, user__is_active=True)
    return organisers.exclude(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)


def is_limited(user: User | AnonymousUser, tournament: Tournament | None = None) -> bool:
    """Whether guest limits apply: to guests and player links, without a password organiser."""
    return (
        settings.GUEST_LIMITS
        and isinstance(user, User)
        and not user.has_usable_password()  # cheapest check first
        and (user.is_guest or user.writes_by_link)
        and (tournament is None or not run_by_account(tournament))
    )


def admit(user: User, action: str, tournament: Tournament, table: UUID | None) -> bool:
    """Whether the call counts as a guest's. Raises Forbidden, or Refused `account_needed` if not for guests."""
    if not may(user, action, tournament, table):
        raise Forbidden(action)
    limited = is_limited(user, tournament)
    if limited and ACTIONS[action].account:
        raise Refused(Fault("account_needed"))
    return limited and ACTIONS[action].undo != "names_gone"  # erasing is unlimited


def organisers_of(user: User) -> QuerySet[Organiser]:
    """Organisers whose tournaments the user runs; an invite reaches one event."""
    roles = Membership.objects.filter(user=user, role=Role.ORGANISER, invite__isnull=True)
    return Organiser.objects.filter(pk__in=roles.values("tournament__organiser"))


def runs_organiser(user: User, organiser: Organiser) -> bool:
    """Whether the user runs the organiser's tournaments, or any as a superuser."""
    return user.is_superuser or organisers_of(user).contains(organiser)


def may_list(user: User, organiser: Organiser) -> bool:
    """Whether the user may list the organiser's events: staff, or after staff listed one."""
    return user.is_staff or Tournament.objects.filter(organiser=organiser, listed=True).exists()
