"""Digests of the ledger: what each covers, and how a row follows the one before."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


def canonical(value: object) -> str:
    """The one JSON text of a value made of ids, numbers, texts, lists and dicts; equal values give equal
    texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def digest(value: object) -> str:
    """SHA-256 of the canonical text, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def row_digest(
    *,
    tournament: UUID,
    sequence: int,
    at: datetime,
    actor: UUID,
    device: str,
    command: UUID,
    action: str,
    replaces: int | None,
    payload: dict[str, Any],
    content: str,
    previous: str,
) -> str:
    """The digest of a ledger row: everything in it but free text, and the digest of the row before (empty for
    the first). `at` is an aware time; it is taken in UTC to the microsecond, as both databases keep it."""
    return digest(
        {
            "tournament": tournament,
            "sequence": sequence,
            "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
            "actor": actor,
            "device": device,
            "command": command,
            "action": action,
            "replaces": replaces,
            "payload": payload,
            "content": content,
            "previous": previous,
        }
    )
