"""Digests of the ledger: what each covers, and how a row follows the one before."""

import hashlib
import json
from datetime import UTC

from django.utils.crypto import salted_hmac

from tournament.models import LedgerRow


def canonical(value: object) -> str:
    """The one JSON text of a value made of ids, numbers, texts, lists and dicts; equal values give equal
    texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def digest(value: object) -> str:
    """SHA-256 of the canonical text, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def content_digest(value: object) -> str:
    """The digest of what a command asked for, which may hold names: keyed with this installation's secret, so that
    nobody who reads the ledger can confirm a guessed name after it was erased."""
    return salted_hmac("lastcard.command", canonical(value), algorithm="sha256").hexdigest()


def digest_of(row: LedgerRow) -> str:
    """The digest that a ledger row should have: of everything in it but free text, and of the digest of the
    row before (empty for the first). The time is taken in UTC to the microsecond, as both databases keep it."""
    return digest(
        {
            "tournament": row.tournament.uid,
            "sequence": row.sequence,
            "at": row.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "actor": row.actor.uid,
            "device": row.device,
            "command": row.command,
            "action": row.action,
            "replaces": row.replaces,
            "payload": row.payload,
            "content": row.content,
            "previous": row.previous,
        }
    )
