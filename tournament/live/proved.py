"""Recognises authenticated clients without the database, for priority only (threads, connections, no queue).

| proof | valid |
| --- | --- |
| signed device cookie, from sign-in or desk | a year, even signed out |
| access token accepted by Django | an hour, even revoked |

Guests count only in events organised by an account with a password (`vouched_for`). Links prove nothing, since the
whole hall can scan them; in such events accepted ones get own limits for an hour.
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

_tokens = caches["tokens"]


def has_proved(scope: Any) -> bool:
    """Whether the request has a known device's cookie or an accepted token."""
    return any(
        (name == b"authorization" and _tokens.get(sha256(value).hexdigest()))
        or (name == b"cookie" and known_in(parse_cookie(value.decode("latin-1")))[0])
        for name, value in scope["headers"]
    )


def token_held(header: bytes) -> None:
    """Remember an accepted Authorization header."""
    _tokens.set(sha256(header).hexdigest(), True, TOKEN_AGE)


def link_held(token: str, event: UUID) -> None:
    """Remember an accepted link's token of `event`, whose organiser has a password."""
    _tokens.set(_name_of(token), str(event), TOKEN_AGE)


def event_of_link(path: str) -> tuple[str, str]:
    """Return (link name, event uid) of the link in a path, each "" if unknown."""
    found = TOKEN.search(path)
    name = _name_of(found[0]) if found else ""
    return name, str(_tokens.get(name, "") if found else "")


def _name_of(token: str) -> str:
    return sha256(f"link {token}".encode()).hexdigest()


def known_in(cookies: Any) -> tuple[str, list[str]]:
    """Return (device name, digests of accounts signed in by password); ("", []) if unknown."""
    try:
        device, accounts = signing.loads(cookies.get(KNOWN_COOKIE, ""), salt=KNOWN_SALT, max_age=KNOWN_AGE)
    except (signing.BadSignature, ValueError):
        return "", []
    return device, accounts


def make_known(request: HttpRequest, response: HttpResponse, accounts: Sequence[str] = ()) -> None:
    """Set the device cookie: the device's name (new if missing) and `accounts`, account digests."""
    response.set_cookie(
        KNOWN_COOKIE,
        signing.dumps([known_in(request.COOKIES)[0] or uuid4().hex, list(accounts)], salt=KNOWN_SALT),
        max_age=KNOWN_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
