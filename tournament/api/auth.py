"""Authentication and permissions: a viewer holds a token, is signed in in the browser, or is anonymous; each may
see and do different things.

| scope of a token | allows, besides what is public |
| --- | --- |
| `read` | reads what its user may read, except players' own data |
| `enter` | also does what a table referee may |
| `organise` | also does everything else that its user may, and reads players' own data |

A token may never do more than its user, and a token for one event finds no other event. A user who is signed
in has every scope.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from tournament import permissions
from tournament.actions.people.tokens import SCOPES, token_used
from tournament.live.proved import token_held
from tournament.models import ApiToken, Membership, Tournament, User
from tournament.permissions import RANK, least_role, vouched_for
from tournament.server.rate_limits import WrongTokenThrottle

Role = Membership.Role
Scope = ApiToken.Scope

KEYWORD = "bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer lc_…`. 401 for another scheme, and for a token that is unknown, expired or revoked, or
    whose user is gone."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user and the token; None if the request has no token."""
        words = get_authorization_header(request).split()
        if not words:
            return None
        right = len(words) == 2 and words[0].lower() == KEYWORD.encode()
        token = token_used(words[1].decode("latin-1")) if right else None
        if token is None:
            guesses = WrongTokenThrottle()
            if not guesses.allows():
                raise Throttled(guesses.seconds())
            raise AuthenticationFailed
        if vouched_for(token.user):
            token_held(get_authorization_header(request))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        del request
        return 'Bearer realm="lastcard"'


@dataclass(frozen=True, slots=True)
class Viewer:
    """The sender of a request; `user` is None for an anonymous one, `token` is None for a user signed in in the
    browser."""

    user: User | None
    token: ApiToken | None

    @classmethod
    def of(cls, request: Request) -> "Viewer":
        return cls(
            request.user if isinstance(request.user, User) else None,
            request.auth if isinstance(request.auth, ApiToken) else None,
        )

    @property
    def device(self) -> str:
        """The opaque device name in ledger rows; "" for a browser, which has its own."""
        return f"api-{self.token.uid.hex}" if self.token else ""

    def has(self, scope: Scope) -> bool:
        """Tell whether the token has this scope."""
        if self.token is None:
            return self.user is not None
        return any(SCOPES.index(each) >= SCOPES.index(scope) for each in self.token.scopes if each in SCOPES)

    def finds(self, tournament: Tournament) -> bool:
        """Tell whether this viewer may know that the tournament exists."""
        return not tournament.put_away and (
            not self.token or self.token.tournament_id in {None, tournament.pk}
        )

    def rank(self, tournament: Tournament, table: UUID | None = None) -> int:
        """Give the rank of their highest role in the tournament; 0 without a role."""
        return permissions.rank(self.user, tournament, table) if self.user and self.finds(tournament) else 0

    def referees(self, tournament: Tournament) -> bool:
        """Tell whether they have any role in the tournament, even at one table."""
        return self.finds(tournament) and permissions.has_role(self.user, tournament)

    def runs(self, tournament: Tournament) -> bool:
        """Tell whether they run the event, and so see results that are not public yet."""
        return self.rank(tournament) >= RANK[Role.HEAD_REFEREE]

    def sees_private(self, tournament: Tournament) -> bool:
        """Tell whether they see the data that players gave only to the organisers."""
        return self.rank(tournament) >= RANK[Role.ORGANISER] and self.has(Scope.ORGANISE)

    def may(self, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
        """Tell whether they may call this action; see `permissions.may`."""
        return (
            self.user is not None
            and self.has(scope_of(action))
            and self.finds(tournament)
            and permissions.may(self.user, action, tournament, table)
        )

    def need_scope(self, scope: Scope) -> None:
        """Raise PermissionDenied, with the scope, for a token without it."""
        if not self.has(scope):
            detail = _("This needs an access token with the scope “{scope}”.").format(scope=scope)
            raise PermissionDenied({"detail": detail, "required_scope": scope})


def scope_of(action: str) -> Scope:
    """Give the scope that a token needs for an action: `enter` for what a table referee may do, or `organise`."""
    return Scope.ENTER if least_role(action) == Role.TABLE_REFEREE else Scope.ORGANISE


class Referees(IsAuthenticated):
    """Viewers with a role in the event, even at one table, and a token of this `scope`; with `least` only those with
    that role or a higher one for the whole event."""

    least: Role | None = None
    scope = Scope.READ

    def has_object_permission(self, request: Request, view: Any, obj: Tournament) -> bool:
        """Raises Http404 for a viewer without a role, as the pages do."""
        del view
        viewer = Viewer.of(request)
        found = viewer.rank(obj) if self.least else viewer.referees(obj)
        if not found:
            raise Http404
        if self.least and found < RANK[self.least]:
            return False
        viewer.need_scope(self.scope)
        return True


class HeadReferees(Referees):
    """Viewers who run the event."""

    least = Role.HEAD_REFEREE


class Organisers(Referees):
    """Organisers of the event."""

    least = Role.ORGANISER


class OrganisersAlone(Organisers):
    """Organisers, with a token that may do what they may."""

    scope = Scope.ORGANISE
