"""The rate limit of signing in: the tenth wrong password in a row for an account from one place makes the next attempt
wait, each further one twice as long.

A place is a device that signed in to this account before or a session, else a network address (`place_of` in
tournament/server/rate_limits.py). So everybody behind one address shares one limit for each account, nobody elsewhere
is kept out, and a phone that signed in before waits for its own wrong attempts only, whatever others try.

Trying one account after another from an address makes the second attempt at each of them wait there, once more accounts
failed within an hour than a hall mistypes. The first attempt at an account is always allowed, so that anybody with the
right password gets in.

An attempt is counted before the password is checked, so that simultaneous attempts cannot exceed ten either.
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

FREE = 10  # tries without a wait
FIRST = 5  # seconds
MANY = 50  # accounts tried in vain from one address
FIRST_OF_MANY = 60  # seconds
LONGEST = 15 * 60  # seconds
FORGOTTEN = timedelta(hours=1)  # since the last try; then a row goes, so there are few

_OWN = "own: "  # no address begins so


def begin_try(account: str, place: str) -> int:
    """Count an attempt at the account from the place. Give the seconds to wait if it must not be made now, else 0.
    After a right password call `was_right`."""
    with writing():
        now = timezone.now()
        row, first = WrongTries.objects.select_for_update().get_or_create(
            digest=_digest(account, place), defaults={"tries": 0, "at": now, "until": now}
        )
        now = timezone.now()  # a simultaneous attempt was first
        left = (row.until - now).total_seconds()
        if 0 < left <= LONGEST:
            return ceil(left)
        # A clock that was put back ends the wait, too.
        row.tries = 1 if now - row.at > FORGOTTEN else row.tries + 1
        among_many = not _is_own(place) and _accounts_tried(place, now, more=row.tries == 1) > MANY
        row.at, row.until = now, now + timedelta(seconds=wait_after(row.tries, among_many=among_many))
        row.save()
        if first:
            WrongTries.objects.filter(at__lt=now - FORGOTTEN).delete()
    return 0


def end_sessions(user: User) -> None:
    """Sign the user out everywhere, so that an account which is activated again starts without its old sessions."""
    with writing():
        for session in Session.objects.filter(expire_date__gt=timezone.now()):
            if session.get_decoded().get(SESSION_KEY) == str(user.pk):
                session.delete()


def was_right(account: str, place: str) -> None:
    """Forget the wrong attempts at the account from the place."""
    with writing():
        forgotten, _ = WrongTries.objects.filter(digest=_digest(account, place)).delete()
        if forgotten and not _is_own(place):
            WrongTries.objects.filter(digest=_digest_of(place), tries__gt=0).update(tries=F("tries") - 1)


def wait_after(tries: int, *, among_many: bool = False) -> int:
    """Give the wait (seconds) after so many wrong attempts at an account; `among_many` others from the same address."""
    if among_many:
        return min(FIRST_OF_MANY << min(tries - 1, 20), LONGEST)
    return 0 if tries < FREE else min(FIRST << min(tries - FREE, 20), LONGEST)


def mark_of(account: str, place: str) -> str:
    """Give the mark of an attempt for the log: the same for the same account and place, and revealing neither."""
    return _digest(account, place)[:12]


def name_of(account: str) -> str:
    """Normalise a name, however it was typed."""
    return normalize("NFKC", account).casefold().strip()


def own_place(kind: str, name: str) -> str:
    """Give the place of a device or a session, wherever it is carried."""
    return f"{_OWN}{kind} {name}"


def _is_own(place: str) -> bool:
    return place.startswith(_OWN)


def _accounts_tried(place: str, now: datetime, *, more: bool) -> int:
    """Count the accounts tried from the address within the hour and not signed in; one `more` by this attempt."""
    row, _ = WrongTries.objects.select_for_update().get_or_create(
        digest=_digest_of(place), defaults={"tries": 0, "at": now, "until": now}
    )
    if not timedelta(0) < row.until - now <= FORGOTTEN:
        row.tries, row.until = 0, now + FORGOTTEN  # of such a row: the hour's end
    row.tries, row.at = row.tries + more, now
    row.save()
    return row.tries


def _digest_of(place: str) -> str:
    return salted_hmac("tournament.guessing.accounts", place, algorithm="sha256").hexdigest()


def _digest(account: str, place: str) -> str:
    return salted_hmac("tournament.guessing", f"{name_of(account)}\n{place}", algorithm="sha256").hexdigest()
