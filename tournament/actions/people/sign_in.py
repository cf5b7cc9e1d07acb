"""From the tenth consecutive wrong password, exponential backoff per account and place: a known device, session or
address, so that attackers lock out no one.

Against spraying, an address where over MANY_FAILED_ACCOUNTS failed within an hour waits from the second attempt at
each. Attempts count before the check, against races.
"""

from datetime import datetime, timedelta
from math import ceil
from unicodedata import normalize

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.actions.kernel import writing
from tournament.models import User, WrongTries
from tournament.queries.installation import somebody_can_sign_in

FREE = 10  # tries without a wait
FIRST = 5  # seconds
MANY_FAILED_ACCOUNTS = 50  # failed accounts per address
FIRST_OF_MANY = 60  # seconds
LONGEST_WAIT_S = 15 * 60  # seconds
FORGOTTEN = timedelta(hours=1)  # since the last try; then rows are deleted

_OWN = "own: "  # no address begins like this


def begin_try(account: str, place: str) -> int:
    """Count an attempt; seconds to wait, 0 if allowed. Call `was_right` after success."""
    with writing():
        now = timezone.now()
        row, first = WrongTries.objects.select_for_update().get_or_create(
            digest=_digest(account, place), defaults={"tries": 0, "at": now, "until": now}
        )
        now = timezone.now()  # another attempt may have held the row
        left = (row.until - now).total_seconds()
        if 0 < left <= LONGEST_WAIT_S:  # a clock set back ends the wait
            return ceil(left)
        row.tries = 1 if now - row.at > FORGOTTEN else row.tries + 1
        among_many = (
            not _is_own(place) and _accounts_tried(place, now, more=row.tries == 1) > MANY_FAILED_ACCOUNTS
        )
        row.at, row.until = now, now + timedelta(seconds=wait_after(row.tries, among_many=among_many))
        row.save()
        if first:
            WrongTries.objects.filter(at__lt=now - FORGOTTEN).delete()
    return 0


def end_sessions(user: User) -> None:
    """Delete all sessions, so that reactivation does not revive them."""
    with writing():
        for session in Session.objects.filter(expire_date__gt=timezone.now()):
            if session.get_decoded().get(SESSION_KEY) == str(user.pk):
                session.delete()


def was_right(account: str, place: str) -> None:
    """Forget the account's wrong attempts from the place."""
    with writing():
        forgotten, _ = WrongTries.objects.filter(digest=_digest(account, place)).delete()
        if forgotten and not _is_own(place):
            WrongTries.objects.filter(digest=_digest_of(place), tries__gt=0).update(tries=F("tries") - 1)


def wait_after(tries: int, *, among_many: bool = False) -> int:
    """Seconds to wait after so many wrong tries; `among_many`: of an address that is spraying."""
    if among_many:
        return min(FIRST_OF_MANY << min(tries - 1, 20), LONGEST_WAIT_S)
    return 0 if tries < FREE else min(FIRST << min(tries - FREE, 20), LONGEST_WAIT_S)


def mark_of(account: str, place: str) -> str:
    """A mark for the log that reveals neither account nor place."""
    return _digest(account, place)[:12]


def name_of(account: str) -> str:
    """Normalise an account name as typed."""
    return normalize("NFKC", account).casefold().strip()


def own_place(kind: str, name: str) -> str:
    """Place of a device or session, whatever its address."""
    return f"{_OWN}{kind} {name}"


def _is_own(place: str) -> bool:
    return place.startswith(_OWN)


def _accounts_tried(place: str, now: datetime, *, more: bool) -> int:
    row, _ = WrongTries.objects.select_for_update().get_or_create(
        digest=_digest_of(place), defaults={"tries": 0, "at": now, "until": now}
    )
    if not timedelta(0) < row.until - now <= FORGOTTEN:
        row.tries, row.until = 0, now + FORGOTTEN  # `until` is the hour's end
    row.tries, row.at = row.tries + more, now
    row.save()
    return row.tries


def _digest_of(place: str) -> str:
    return salted_hmac("tournament.guessing.accounts", place, algorithm="sha256").hexdigest()


def _digest(account: str, place: str) -> str:
    return salted_hmac("tournament.guessing", f"{name_of(account)}\n{place}", algorithm="sha256").hexdigest()


# ---- The first account of an installation ----


def make_first_account(*, username: str, password: str) -> User | None:
    """Create a superuser; None if an account can sign in."""
    with writing():
        if somebody_can_sign_in():
            return None
        user = User(username=username, is_staff=True, is_superuser=True)
        user.set_password(password)
        user.save()
    return user
