"""Authentication and permissions.

| token scope | besides public data |
| --- | --- |
| `read` | reads as its user, except private player data |
| `enter` | acts as a table referee |
| `organise` | acts as its user, reads private player data |

Tokens never exceed their user; event tokens see only their event. Sessions have all scopes.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotFound, PermissionDenied, Throttled
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from tournament import permissions
from tournament.extras.programs.actions import SCOPES, token_used
from tournament.live.proved import token_held
from tournament.models import ApiToken, Tournament, User
from tournament.permissions import RANK, Role, least_role, vouched_for
from tournament.server.rate_limits import WrongTokenThrottle

Scope = ApiToken.Scope


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer lc_…`. 401 for other schemes and unknown, expired, revoked or orphaned tokens."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words:
            return None
        right = len(words) == 2 and words[0].lower() == b"bearer"
        token = token_used(words[1].decode("latin-1")) if right else None
        if token is None:
            if not (guesses := WrongTokenThrottle()).allows():
                raise Throttled(guesses.seconds())
            raise AuthenticationFailed
        if vouched_for(token.user):
            token_held(get_authorization_header(request))
        return token.user, token

    def authenticate_header(self, _request: Request) -> str:
        return 'Bearer realm="lastcard"'


@dataclass(frozen=True, slots=True)
class Viewer:
    """Sender of a request; `user` is None if anonymous, `token` None for a session."""

    user: User | None
    token: ApiToken | None

    @classmethod
    def of(cls, request: Request) -> "Viewer":
        return cls(
            request.user if isinstance(request.user, User) else None,
            request.auth if isinstance(request.auth, ApiToken) else None,
        )

    @property
    def staff(self) -> bool:
        return self.user is not None and (self.user.is_staff or self.user.is_superuser)

    def has(self, scope: Scope) -> bool:
        if self.token is None:
            return self.user is not None
        return any(SCOPES.index(each) >= SCOPES.index(scope) for each in self.token.scopes if each in SCOPES)

    def finds(self, tournament: Tournament) -> bool:
        """Whether the tournament is visible."""
        return not tournament.put_away and (
            not self.token or self.token.tournament_id in {None, tournament.pk}
        )

    def rank(self, tournament: Tournament) -> int:
        """Rank of the highest event-wide role; 0 without."""
        return permissions.rank(self.user, tournament) if self.user and self.finds(tournament) else 0

    def need_scope(self, scope: Scope) -> None:
        """Raise PermissionDenied with the missing scope."""
        if not self.has(scope):
            detail = _("This needs an access token with the scope “{scope}”.").format(scope=scope)
            raise PermissionDenied({"detail": detail, "required_scope": scope})


def scope_of(action: str) -> Scope:
    """Scope for an action: `enter` for table referees' actions, else `organise`."""
    return Scope.ENTER if least_role(action) == Role.TABLE_REFEREE else Scope.ORGANISE


class Referees(IsAuthenticated):
    """Viewers with a role in the event and token `scope`; `least`: minimum event-wide role."""

    least: Role | None = None
    scope = Scope.READ

    def has_object_permission(self, request: Request, _view: Any, obj: Tournament) -> bool:
        """Whether the viewer has the role. Raises NotFound without any, PermissionDenied without `scope`."""
        viewer = Viewer.of(request)
        found = viewer.rank(obj) if self.least else permissions.has_role(viewer.user, obj)
        if not (found and viewer.finds(obj)):
            raise NotFound
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
    """Organisers with full token scope."""

    scope = Scope.ORGANISE
