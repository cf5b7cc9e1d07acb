"""Secrets, and the signature of a message, by the Standard Webhooks scheme (standardwebhooks.com, 1.0.0).

A signature covers the message's id, the second at which it is sent and its bytes, so none of them can be changed and a
message that somebody kept is too old to be sent again.
"""

from base64 import b64decode, b64encode
from datetime import datetime
from hashlib import sha256
from hmac import digest
from secrets import token_bytes
from uuid import UUID

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """A secret as a receiver takes it: `whsec_` and base64."""
    return PREFIX + b64encode(token_bytes(SECRET_BYTES)).decode()


def headers_of(message: UUID, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """The three headers of a message that is sent at that time."""
    second = str(int(at.timestamp()))
    signed = b".".join((str(message).encode(), second.encode(), body))
    key = b64decode(secret.removeprefix(PREFIX))
    return {
        "webhook-id": str(message),
        "webhook-timestamp": second,
        "webhook-signature": f"v1,{b64encode(digest(key, signed, sha256)).decode()}",
    }
