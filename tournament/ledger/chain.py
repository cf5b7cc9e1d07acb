"""Digests of the ledger and their chain."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from tournament.models import LedgerRow, Stage, Tournament


def canonical(value: object) -> str:
    """Canonical JSON: equal values give equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def digest(value: object) -> str:
    """SHA-256 of the canonical text, 64 hex digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def content_digest(value: object) -> str:
    """Keyed digest (HMAC) of a command's content, so that a ledger reader cannot confirm a guessed name after its
    erasure."""
    return salted_hmac("lastcard.command", canonical(value), algorithm="sha256").hexdigest()


def digest_of(row: LedgerRow) -> str:
    """Digest of a row without its free text, chained to the previous digest ("" at first). Time in UTC to the
    microsecond, as databases store it."""
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


SHORT_DIGEST = 16  # hex digits on pages and paper
DIGEST = re.compile(rf"[0-9a-f]{{{SHORT_DIGEST},64}}")


def digest_in(text: str) -> str:
    """Normalise a typed digest, also short or spaced; "" if invalid."""
    cleaned = "".join(text.split()).lower().rstrip("…")
    return cleaned if DIGEST.fullmatch(cleaned) else ""


def rows_of_digest(digest: str, tournament: Tournament | None = None) -> QuerySet[LedgerRow]:
    """Rows whose digest begins with this one."""
    rows = LedgerRow.objects.filter(digest__startswith=digest) if digest else LedgerRow.objects.none()
    if tournament is not None:
        rows = rows.filter(tournament=tournament)
    return rows.order_by("tournament_id", "sequence").select_related("tournament")


def end_shown(
    tournament: Tournament, stages: Iterable[Stage], stage: Stage | None = None
) -> LedgerRow | None:
    """Last ledger row public for the event or one `stage`: none after a freeze of `stages`, since even the fact of an
    entry is secret."""
    frozen = [each.frozen_after for each in stages if each.frozen_after is not None]
    last = min([tournament.version if stage is None else stage.version, *frozen])
    return LedgerRow.objects.filter(tournament=tournament, sequence=last).first()
