"""Capability links, as in QR codes.

Token: uid plus keyed digest of uid, purpose and number; the database stores no secret. A new SECRET_KEY revokes all
links, a new number those of one object.

| purpose | object | grants |
| --- | --- | --- |
| `player` | Entry, `link_number` | check in, come late, cancel, leave; own data |
| `invite` | Invite | the invite's referee role |
| `table` | Table, `link_number` | propose, accept, contest results during play; call a referee |
| `hello` | Tournament | report that the phone connects |
| `ask` | Ask | read the answer; if yes, the table |
| `stage` | Stage with open tables | sit down to a game during play |
| `first` | installation | create the first account |

A table's typed short code is such a digest: it opens the public page during play; wrong tries must be limited.
"""

import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

DIGEST = 16  # 128 bits
PURPOSES = frozenset({"player", "invite", "hello", "table", "short", "ask", "first", "stage"})

LETTERS = "23456789acdefhjkmnpqrtwxy"  # unambiguous
LIKE = str.maketrans("bgsz", "8952", " -")  # lookalikes, separators
SHORT_CODE = re.compile(f"t[{LETTERS}]{{7}}")

TOKEN = re.compile(rf"(?<=/)(?:[A-Za-z0-9_-]{{43}}|(?i:{SHORT_CODE.pattern}))(?=[/?\s]|$)")


class WithoutTokens(logging.Filter):
    """Redacts tokens from logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact tokens; no record is dropped."""
        said = record.getMessage()
        if TOKEN.search(said):
            record.msg, record.args = TOKEN.sub("·", said), None
        return True


def token_for(purpose: str, uid: UUID, number: int = 0) -> str:
    """Token of a link: 43 URL-safe characters."""
    return urlsafe_b64encode(uid.bytes + _digest(purpose, uid, number)).decode().rstrip("=")


def short_code(table: UUID, number: int) -> str:
    """Short code of a table and its link number: "t" and seven of 25 letters."""
    rest = int.from_bytes(_digest("short", table, number))
    return "t" + "".join(LETTERS[rest // 25**place % 25] for place in range(7))


def read_short(typed: str) -> str:
    """Normalise a typed code: case, spaces, lookalikes."""
    return typed.strip().lower().translate(LIKE)


def uid_in(token: str) -> UUID | None:
    """Claimed uid of a token, unverified (see `holds`); None if malformed."""
    read = _bytes(token)
    return UUID(bytes=read[:16]) if read else None


def holds(token: str, purpose: str, uid: UUID, number: int = 0) -> bool:
    """Verify a token for purpose, uid and number."""
    read = _bytes(token)
    return bool(read) and constant_time_compare(read, uid.bytes + _digest(purpose, uid, number))


def _bytes(token: str) -> bytes:
    if len(token) != 43 or not token.isascii():
        return b""
    try:
        return urlsafe_b64decode(token + "=")
    except (Error, ValueError):
        return b""


def _digest(purpose: str, uid: UUID, number: int) -> bytes:
    if purpose not in PURPOSES:
        raise ValueError(purpose)
    value = uid.bytes + number.to_bytes(4, "big")
    return salted_hmac(f"tournament.links.{purpose}", value, algorithm="sha256").digest()[:DIGEST]
