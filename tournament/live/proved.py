"""Tells in the event loop, without the database, who proved themselves. Referees' threads and connections are theirs,
and they wait for nobody's turn (tournament/live/turns.py). This gives precedence and nothing else.

| proof | until |
| --- | --- |
| a device's signed cookie, from a sign-in or, where it is missing, the desk | a year after, also signed out |
| an access token that Django accepted | an hour after, also where it was revoked |

A guest without a password has them only in an event that somebody with a password organises (`vouched_for`). A table's
link proves nothing: everybody in the hall can scan it. But where somebody with a password organises, a table's or
player's link that Django accepted is known for an hour, and has turns of its own.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, parse_cookie

from tournament.links import TOKEN

KNOWN_COOKIE = f"{settings.COOKIE_PREFIX}known"
KNOWN_SALT = "tournament.known-device"
KNOWN_AGE = 365 * 24 * 3600  # seconds
TOKEN_AGE = 3600  # seconds

_tokens = caches["tokens"]  # threads of Django write, the event loop reads


def has_proved(scope: Any) -> bool:
    """Tell whether a request comes from a known device or with a token that held."""
    return any(
        (name == b"authorization" and _tokens.get(sha256(value).hexdigest()))
        or (name == b"cookie" and known_in(parse_cookie(value.decode("latin-1")))[0])
        for name, value in scope["headers"]
    )


def token_held(header: bytes) -> None:
    """Remember an Authorization header that Django accepted."""
    _tokens.set(sha256(header).hexdigest(), True, TOKEN_AGE)


def link_held(token: str, event: UUID) -> None:
    """Remember the token of a link that Django accepted, of an event that somebody with a password organises."""
    _tokens.set(_name_of(token), str(event), TOKEN_AGE)


def event_of_link(path: str) -> tuple[str, str]:
    """Give the name of the link in this path and its event's uid; the latter "" for none that is known."""
    found = TOKEN.search(path)
    name = _name_of(found[0]) if found else ""
    return name, str(_tokens.get(name, "") if found else "")


def _name_of(token: str) -> str:
    return sha256(f"link {token}".encode()).hexdigest()


def known_in(cookies: Any) -> tuple[str, list[str]]:
    """Give this device's name and the accounts that signed in on it by password; ("", []) for an unknown one."""
    try:
        device, accounts = signing.loads(cookies.get(KNOWN_COOKIE, ""), salt=KNOWN_SALT, max_age=KNOWN_AGE)
    except (signing.BadSignature, ValueError):
        return "", []
    return device, accounts


def make_known(request: HttpRequest, response: HttpResponse, accounts: Sequence[str] = ()) -> None:
    """Have the device keep its name, a new one if it has none, and the digests of these accounts."""
    response.set_cookie(
        KNOWN_COOKIE,
        signing.dumps([known_in(request.COOKIES)[0] or uuid4().hex, list(accounts)], salt=KNOWN_SALT),
        max_age=KNOWN_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
