"""Who asks: a token's holder, somebody signed in in the browser, or anybody; and what they may see and do.

| scope of a token | beside what everybody sees |
| --- | --- |
| `read` | reads what its user may read, but for players' own data |
| `enter` | also does what a table referee may |
| `organise` | also does everything else that its user may, and reads players' own data |

A token never does more than its user, and one of a tournament finds nothing of another. Somebody who is signed in has
every scope.
"""

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from tournament import permissions
from tournament.actions.people.tokens import SCOPES, token_used
from tournament.models import ApiToken, Membership, Tournament, User
from tournament.permissions import RANK, least_role
from tournament.server.rate_limits import WrongTokenThrottle

Role = Membership.Role
Scope = ApiToken.Scope

KEYWORD = "bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer lc_…`. 401 for a token that is unknown, expired or revoked, or whose user is gone."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user and the token; None where the request carries none."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD.encode():
            return None
        token = token_used(words[1].decode("latin-1")) if len(words) == 2 else None
        if token is None:
            guesses = WrongTokenThrottle()
            if not guesses.allows(request):
                raise Throttled(guesses.seconds())
            raise AuthenticationFailed
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        del request
        return 'Bearer realm="lastcard"'


class PageAuthentication(SessionAuthentication):
    """Somebody signed in in the browser; what writes needs the CSRF token."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks; `user` is None for anybody, `token` for who is signed in in the browser."""

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
        """The opaque name that rows of the ledger carry; "" for a browser, which has a name of its own."""
        return f"api-{self.token.uid.hex}" if self.token else ""

    def has(self, scope: Scope) -> bool:
        """Whether the token reaches as far as this scope."""
        if self.token is None:
            return self.user is not None
        return any(SCOPES.index(each) >= SCOPES.index(scope) for each in self.token.scopes if each in SCOPES)

    def finds(self, tournament: Tournament) -> bool:
        """Whether there is such a tournament for this viewer."""
        return not tournament.put_away and (
            not self.token or self.token.tournament_id in {None, tournament.pk}
        )

    def rank(self, tournament: Tournament, table: UUID | None = None) -> int:
        """The rank of their highest role there; 0 for somebody without one."""
        return permissions.rank(self.user, tournament, table) if self.user and self.finds(tournament) else 0

    def referees(self, tournament: Tournament) -> bool:
        """Whether they have any role there, be it at one table."""
        return self.finds(tournament) and permissions.has_role(self.user, tournament)

    def runs(self, tournament: Tournament) -> bool:
        """Whether they run the event, and so see results that others do not see yet."""
        return self.rank(tournament) >= RANK[Role.HEAD_REFEREE]

    def sees_private(self, tournament: Tournament) -> bool:
        """Whether they see what players gave of themselves for the organisers alone."""
        return self.rank(tournament) >= RANK[Role.ORGANISER] and self.has(Scope.ORGANISE)

    def may(self, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
        """Whether they may call this action; see `permissions.may`."""
        return (
            self.user is not None
            and self.has(scope_of(action))
            and self.finds(tournament)
            and permissions.may(self.user, action, tournament, table)
        )

    def need(self, least: Role, tournament: Tournament, table: UUID | None = None) -> None:
        """Http404 for somebody without a role there, PermissionDenied for one that is too low, as the pages do."""
        found = self.rank(tournament, table)
        if not found:
            raise Http404
        if found < RANK[least]:
            raise PermissionDenied

    def need_scope(self, scope: Scope) -> None:
        """PermissionDenied for a token that does not reach as far as this scope."""
        if not self.has(scope):
            raise PermissionDenied


def scope_of(action: str) -> Scope:
    """The scope that a token needs for an action: `enter` for what a table referee may, else `organise`."""
    return Scope.ENTER if least_role(action) == Role.TABLE_REFEREE else Scope.ORGANISE
