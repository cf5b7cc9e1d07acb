"""Tries at a password: the tenth wrong one in a row at an account from one place makes the next wait, each further one
twice as long.

A place is a device that signed in to this account before, else a network address (of IPv6 the /64 that one customer
has). So a hall behind one address guesses at no more than an account has coming from there, nobody elsewhere is kept
out, and a phone that signed in before waits for its own wrong tries only, whatever its neighbours try.

A try is counted before the password is looked at, so that many at once are no more than ten either.
"""

from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from unicodedata import normalize

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.actions._work import writing
from tournament.models import WrongTries

FREE = 10  # tries without a wait
FIRST = 5  # seconds
LONGEST = 15 * 60  # seconds
FORGOTTEN = timedelta(hours=1)  # since the last try
KEPT = timedelta(days=1)


def begin_try(account: str, place: str) -> int:
    """Count a try at the account from the place; the seconds it has to wait, when it is not to be made, else 0. When it
    was right, say so by `was_right`."""
    with writing():
        now = timezone.now()
        rows = WrongTries.objects.select_for_update()
        row, first = rows.get_or_create(
            digest=_digest(account, place), defaults={"tries": 0, "at": now, "until": now}
        )
        now = timezone.now()  # who tried at once was first
        left = (row.until - now).total_seconds()
        if 0 < left <= LONGEST:
            return ceil(left)
        # A clock that was put back ends the wait, too.
        row.tries = 1 if now - row.at > FORGOTTEN else row.tries + 1
        row.at, row.until = now, now + timedelta(seconds=wait_after(row.tries))
        row.save()
        if first:
            WrongTries.objects.filter(at__lt=now - KEPT).delete()
    return 0


def was_right(account: str, place: str) -> None:
    """Forget the wrong tries at the account from the place."""
    with writing():
        WrongTries.objects.filter(digest=_digest(account, place)).delete()


def wait_after(tries: int) -> int:
    """The seconds to wait after so many wrong tries."""
    if tries < FREE:
        return 0
    return min(FIRST << min(tries - FREE, 20), LONGEST)


def mark_of(account: str, place: str) -> str:
    """What a log says of a try: the same for the same account and place, and of neither anything."""
    return _digest(account, place)[:12]


def name_of(account: str) -> str:
    """One spelling of a name, however it was typed."""
    return normalize("NFKC", account).casefold().strip()


def place_of(address: str) -> str:
    """The place that a network address is; "" for none."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((int(found), 64), strict=False))
    return str(found)


def _digest(account: str, place: str) -> str:
    said = f"{name_of(account)}\n{place}"
    return salted_hmac("tournament.guessing", said, algorithm="sha256").hexdigest()
