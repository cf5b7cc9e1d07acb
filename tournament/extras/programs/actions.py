"""Access tokens."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from tournament.actions.kernel import Faults, fit, or_refuse, refuse, refuse_if, writing
from tournament.actions.people.roles import LONGEST_NAME
from tournament.models import ApiToken, Tournament, User
from tournament.permissions import is_limited
from tournament.results import Fault, Forbidden

MOST_DAYS = 400  # a season
MOST_TOKENS = 50  # valid ones per user
SEEN_EVERY = timedelta(minutes=1)  # precision of last use

# Each includes the previous ones
SCOPES: Sequence[str] = (ApiToken.Scope.READ, ApiToken.Scope.ENTER, ApiToken.Scope.ORGANISE)


def make_token(
    user: User,
    *,
    name: str,
    scope: str,
    expires_at: datetime,
    tournament: UUID | None = None,
    token: UUID | None = None,
    by: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """Create a token; return it with its secret. `token`: its uid, the idempotency key. `tournament` None: all events.
    `by`: the token that makes it, whose scope, event and expiry are upper bounds. Refused with field faults,
    `unknown_tournament`, `expiry_out_of_range`, `too_many_tokens`, `token_exists`, `account_needed`; Forbidden for
    newcomers and beyond `by`."""
    if user.is_newcomer:
        raise Forbidden("make_token")
    refuse_if(is_limited(user), Fault("account_needed"))
    now, faults = timezone.now(), Faults()
    with faults:
        name = fit(name, "/name", LONGEST_NAME)
    faults.add_if(not name, Fault("field_required", "/name"))
    faults.add_if(scope not in SCOPES, Fault("field_invalid_choice", "/scope"))
    if by and (scope not in by.scopes or (by.tournament and by.tournament.uid != tournament)):
        raise Forbidden("make_token")
    if by and expires_at > by.expires_at:
        end = {"at": by.expires_at.isoformat(), "time_zone": "UTC"}
        raise Forbidden("make_token", Fault("expiry_after_token", "/expires_at", end))
    faults.add_if(
        not now < expires_at <= now + timedelta(days=MOST_DAYS),
        Fault("expiry_out_of_range", "/expires_at", {"days": MOST_DAYS}),
    )
    event = Tournament.objects.visible().filter(uid=tournament).first() if tournament else None
    faults.add_if(tournament and not event, Fault("unknown_tournament", "/tournament"))
    refuse(faults)
    secret = f"lc_{token_urlsafe(32)}"
    with writing():
        User.objects.select_for_update().get(pk=user.pk)
        refuse_if(token and ApiToken.objects.filter(uid=token).exists(), Fault("token_exists", "/token"))
        held = ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now)
        refuse_if(held.count() >= MOST_TOKENS, Fault("too_many_tokens", parameters={"most": MOST_TOKENS}))
        row = ApiToken.objects.create(
            uid=token or uuid4(),
            user=user,
            name=name,
            digest=digest_of(secret),
            scopes=list(SCOPES[: SCOPES.index(scope) + 1]),
            tournament=event,
            made_at=now,
            expires_at=expires_at,
        )
    return row, secret


def revoke_token(user: User, token: UUID) -> None:
    """Revoke a user's token; idempotent. Refused `unknown_token`."""
    with writing():
        row = or_refuse(
            ApiToken.objects.select_for_update().filter(user=user, uid=token).first(),
            Fault("unknown_token", "/token"),
        )
        if row.revoked_at is None:
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])


def token_used(secret: str) -> ApiToken | None:
    """Valid token of this secret, recording its use."""
    now = timezone.now()
    rows = ApiToken.objects.filter(
        digest=digest_of(secret), revoked_at=None, expires_at__gt=now, user__is_active=True
    )
    row = rows.select_related("user", "tournament").first()
    if row and (row.used_at is None or now - row.used_at >= SEEN_EVERY):
        with writing():
            ApiToken.objects.filter(Q(used_at=None) | Q(used_at__lte=now - SEEN_EVERY), pk=row.pk).update(
                used_at=now
            )
    return row


def digest_of(secret: str) -> str:
    """SHA-256: random secrets need no salt or slow hash."""
    return sha256(secret.encode()).hexdigest()
