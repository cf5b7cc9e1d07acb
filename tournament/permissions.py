"""The declarations of actions, and the permissions of users.

The decorator of an action (tournament/actions/kernel/work.py) declares its least role (`least=`), the words of its
ledger row and how it is undone. Nothing here names an action: `ACTIONS` imports them when it is first read, by the
function that tournament/apps.py hands over. tests/roles/table.py lists what each role gets at each address.

An organiser may do what a head referee may, and a head referee what a table referee may. A table referee acts
at their own tables. Staff users referee any event as head referees; superusers may do everything.
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

# How an action is undone: from its ledger row, or why not (tournament/words/faults.py has a sentence for each reason).
Undo = Literal[
    "ledger",  # from its ledger row, whatever it touched
    "at_table",  # the table's own page corrects or voids it
    "come_back",  # the player's own page: they leave and come back by other actions
    "again",  # its own page sets it again; names and texts are not in the ledger
    "whole_event",
    "names_gone",  # what it deleted had a name
    "links",  # it ended a link or gave one to somebody, or gave a role by a link
]


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of an action.

    `least` is the least role that may call it; None where a link lets its holder do it (`by_link`: the action itself
    asks for the link or for an open registration) and for what makes a tournament. `says` is the words for it in a
    ledger row: in every language a verb phrase in the past tense, without its subject ("entered a round", "kirjasi
    kierroksen"), since sentences put a name before it. With `account` it is not for guests.
    """

    least: Membership.Role | None
    by_link: bool
    says: str | Promise
    undo: Undo
    account: bool = False


class Declarations(Mapping[str, Declaration]):
    """The declarations by the names of their actions, readable only when complete: until `complete` is called, a read
    calls `load`, and raises RuntimeError where that does not complete them."""

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
        """Add a declaration. Raises TypeError, which says how to fix it, if it is incomplete or its name is taken."""
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
        """Mark the declarations as complete: tournament/actions/every.py has imported every action."""
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
    """The least role that may call the action; None for one that no role is asked for, and for an unknown name."""
    declared = ACTIONS.get(action)
    return declared.least if declared else None


def may(user: User, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
    """Tell whether the user may call the action in this tournament; `table` is the table it is called for, if any. An
    event that was put away can only be brought back.

    Nobody may call an action without a least role, except one that a link allows, which a newcomer may not call under
    their own name.
    """
    if tournament.put_away and action != "bring_back":
        return False
    declared = ACTIONS.get(action)
    if declared and declared.by_link:
        return user.is_active and not user.is_newcomer
    least = declared.least if declared else None
    if least is None or not user.is_active:
        return False
    return user.is_superuser or RANK[least] <= rank(user, tournament, table)


def may_somewhere(user: User, action: str, tournament: Tournament) -> bool:
    """Tell whether there is a table, or the event as a whole, for which the user may call the action in this
    tournament."""
    tables = Membership.objects.filter(user=user, tournament=tournament, table__isnull=False)
    return any(
        may(user, action, tournament, table) for table in (None, *tables.values_list("table__uid", flat=True))
    )


def rank(user: User, tournament: Tournament, table: UUID | None = None) -> int:
    """The rank of the user's highest role here; 0 for somebody without one."""
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
    """Tell whether the user has any role here, be it at one table."""
    if user is None or not user.is_active:
        return False
    roles = Membership.objects.filter(user=user, tournament=tournament)
    return user.is_staff or user.is_superuser or roles.exists()


def run_by_account(tournament: Tournament) -> bool:
    """Tell whether somebody with a password organises the event. Guests' events and practice have nobody who does."""
    return _organisers_with_password().filter(tournament=tournament).exists()


def vouched_for(user: User) -> bool:
    """Tell whether the user has an account, or a role in an event that somebody with a password organises: a guest who
    founded an event is a stranger, one whom an organiser invited is none."""
    return (
        not user.is_guest or _organisers_with_password().filter(tournament__memberships__user=user).exists()
    )


def _organisers_with_password() -> QuerySet[Membership]:
    organisers = Membership.objects.filter(role=Role.ORGANISER, user__is_active=True)
    return organisers.exclude(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)


def is_limited(user: User | AnonymousUser, tournament: Tournament | None = None) -> bool:
    """Tell whether the limits of guests (tournament/actions/kernel/guests.py) hold for this user in this event, or in
    none. They hold where nobody with a password organises, for guests and for players with their own links."""
    return (
        settings.GUEST_LIMITS
        and isinstance(user, User)
        and not user.has_usable_password()  # asked first: most users have one
        and (user.is_guest or user.writes_by_link)
        and (tournament is None or not run_by_account(tournament))
    )


def admit(user: User, action: str, tournament: Tournament, table: UUID | None) -> bool:
    """Tell whether the user's call of the action is limited as a guest's. Raises Forbidden where they may not call
    it, and Refused `account_needed` where no guest may."""
    if not may(user, action, tournament, table):
        raise Forbidden(action)
    limited = is_limited(user, tournament)
    if limited and ACTIONS[action].account:
        raise Refused(Fault("account_needed"))
    return limited and ACTIONS[action].undo != "names_gone"  # nobody is kept from erasing


def organisers_of(user: User) -> QuerySet[Organiser]:
    """The organisers whose tournaments this user runs. An invite gives a role in one event only: not in the organiser's
    other events, nor access to their players."""
    roles = Membership.objects.filter(user=user, role=Role.ORGANISER, invite__isnull=True)
    return Organiser.objects.filter(pk__in=roles.values("tournament__organiser"))


def may_list(user: User, organiser: Organiser) -> bool:
    """Tell whether the user may show an event of this organiser in the list of tournaments: staff may, and others once
    staff have listed one, so that a guest's table does not list itself."""
    return user.is_staff or Tournament.objects.filter(organiser=organiser, listed=True).exists()
