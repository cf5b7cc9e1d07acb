"""Links that let their holder do something: a player's own, an invite, a phone's greeting. Each stands in a QR code.

A token is the uid of what it is for and a keyed digest of it, the purpose and a number, so nothing secret lies in the
database and a link can be shown again. A new SECRET_KEY ends every link, a new number the links of one thing.

| purpose | for | lets its holder |
| --- | --- | --- |
| `player` | an Entry and its `link_number` | check in, come late, cancel, leave; see and change their own data |
| `invite` | an Invite | become a referee, as the invite says |
| `table` | a Table and its `link_number` | propose, accept and contest results during play, call a referee |
| `hello` | a Tournament | say that this phone gets through |
| `ask` | an Ask | read the answer, and go on to the table where it is yes |
| `first` | the installation | make its first account, while nobody can sign in |

A table's short code, which can be typed, is such a digest too: it opens the table's public page while its stage is
played, and lets its holder ask to join the table. It is short, so whoever reads one counts wrong tries.

A badge is none of these: it carries the entry's public uid only, and lets nobody do anything.
"""

import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hmac import compare_digest
from uuid import UUID

from django.utils.crypto import salted_hmac

DIGEST = 16  # bytes of the keyed digest: 128 bits
PURPOSES = frozenset({"player", "invite", "hello", "table", "short", "ask", "first"})

LETTERS = "23456789acdefhjkmnpqrtwxy"  # none looks like another
LIKE = str.maketrans("bgsz", "8952", " -")  # what is read for one of them, and what may stand between
SHORT = re.compile(f"t[{LETTERS}]{{7}}")

TOKEN = re.compile(rf"(?<=/)(?:[A-Za-z0-9_-]{{43}}|(?i:{SHORT.pattern}))(?=[/?\s]|$)")


class WithoutTokens(logging.Filter):
    """Keeps tokens out of the log, so that nobody who reads it can act in somebody's name."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put a dot where a token stood; every record is written."""
        said = record.getMessage()
        if TOKEN.search(said):
            record.msg, record.args = TOKEN.sub("·", said), None
        return True


def token_for(purpose: str, uid: UUID, number: int = 0) -> str:
    """The token of a link: 43 letters that an address may hold as they are."""
    return urlsafe_b64encode(uid.bytes + _digest(purpose, uid, number)).decode().rstrip("=")


def short_code(table: UUID, number: int) -> str:
    """The code of a table that can be typed: "t" and seven letters of 25."""
    rest = int.from_bytes(_digest("short", table, number))
    return "t" + "".join(LETTERS[rest // 25**place % 25] for place in range(7))


def read_short(typed: str) -> str:
    """Read a short code as it was typed: in capitals, with spaces, with letters that look like one of ours."""
    return typed.strip().lower().translate(LIKE)


def uid_in(token: str) -> UUID | None:
    """Read the uid of what a token claims to be for; None where it is no token. Ask `holds` before trusting it."""
    read = _bytes(token)
    return UUID(bytes=read[:16]) if read else None


def holds(token: str, purpose: str, uid: UUID, number: int = 0) -> bool:
    """Tell whether this is the token of that purpose, thing and number."""
    read = _bytes(token)
    return bool(read) and compare_digest(read, uid.bytes + _digest(purpose, uid, number))


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
