"""Tokens with which other programs act in a person's name: made, used and revoked.

They are no facts of a tournament, so no ledger holds them. Only a digest of a token's secret is stored.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from tournament.actions.kernel import fit, or_refuse, refuse_if, writing
from tournament.models import ApiToken, Tournament, User
from tournament.permissions import is_limited
from tournament.results import Fault, Forbidden, Refused

PREFIX = "lc_"
SECRET_BYTES = 32
LONGEST_NAME = 60  # characters
MOST_DAYS = 400  # until a token expires: a season and a little
MOST_TOKENS = 50  # of one user that are still valid
SEEN_EVERY = timedelta(minutes=1)  # precision of the time of last use

# Each scope reaches as far as those before it.
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
    """Make a token for the user; return it with its secret, which nobody can see again. `token` is its uid, if the
    form has made one, so that a form sent twice makes one token. `by` is the token of a program that makes another: it
    gives no more than it has itself, in no other event and no longer.

    It reaches as far as `scope`, in that `tournament` only, or everywhere for None. Raises Refused `field_required`,
    `field_max_length`, `field_invalid_choice`, `unknown_tournament`, `expiry_out_of_range`, `too_many_tokens` and
    `token_exists`, `account_needed` for a guest, and Forbidden for a newcomer and for more than `by` has.
    """
    if user.is_newcomer:
        raise Forbidden("make_token")
    refuse_if(is_limited(user), Fault("account_needed"))
    now = timezone.now()
    name = fit(name, "/name", LONGEST_NAME)
    refuse_if(not name, Fault("field_required", "/name"))
    refuse_if(scope not in SCOPES, Fault("field_invalid_choice", "/scope"))
    if by and (
        scope not in by.scopes
        or expires_at > by.expires_at
        or (by.tournament and by.tournament.uid != tournament)
    ):
        raise Forbidden("make_token")
    if not now < expires_at <= now + timedelta(days=MOST_DAYS):
        raise Refused(Fault("expiry_out_of_range", "/expires_at", {"days": MOST_DAYS}))
    secret = PREFIX + token_urlsafe(SECRET_BYTES)
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
            tournament=None if tournament is None else _tournament(tournament),
            made_at=now,
            expires_at=expires_at,
        )
    return row, secret


def revoke_token(user: User, token: UUID) -> None:
    """Revoke a token of the user's now; one that ended already stays as it is. Raises Refused `unknown_token`."""
    with writing():
        row = or_refuse(
            ApiToken.objects.select_for_update().filter(user=user, uid=token).first(),
            Fault("unknown_token", "/token"),
        )
        if row.revoked_at is None:
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])


def token_used(secret: str) -> ApiToken | None:
    """Find the token of this secret with its user, and note its use now; None if it is not valid."""
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
    """Give the stored digest of a secret. A secret is as random as a key, so it needs no salt and no slow hash."""
    return sha256(secret.encode()).hexdigest()


def _tournament(uid: UUID) -> Tournament:
    return or_refuse(
        Tournament.objects.visible().filter(uid=uid).first(), Fault("unknown_tournament", "/tournament")
    )
