"""Digests of the ledger: what each covers, how rows are chained, and which row a noted digest belongs to."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from tournament.models import LedgerRow, Stage, Tournament


def canonical(value: object) -> str:
    """Write the canonical JSON text of a value made of ids, numbers, texts, lists and dicts; equal values give equal
    texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def digest(value: object) -> str:
    """Give the SHA-256 of the canonical text, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def content_digest(value: object) -> str:
    """Give the digest of a command's content, which may hold names: keyed with this installation's secret, so that
    nobody who reads the ledger can confirm a guessed name after it was erased."""
    return salted_hmac("lastcard.command", canonical(value), algorithm="sha256").hexdigest()


def digest_of(row: LedgerRow) -> str:
    """Compute the digest that a ledger row should have: of everything in it but free text, and of the digest of the
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


SHORT = 16  # digits of the short form on pages and paper
DIGEST = re.compile(rf"[0-9a-f]{{{SHORT},64}}")


def digest_in(text: str) -> str:
    """Read a digest that somebody typed or pasted, also in the short form or with the spaces of a printed one; "" if it
    is none."""
    cleaned = "".join(text.split()).lower().rstrip("…")
    return cleaned if DIGEST.fullmatch(cleaned) else ""


def rows_of_digest(digest: str, tournament: Tournament | None = None) -> QuerySet[LedgerRow]:
    """Find the rows with this digest, or whose digest begins with it; of one tournament if it is given."""
    rows = LedgerRow.objects.filter(digest__startswith=digest) if digest else LedgerRow.objects.none()
    if tournament is not None:
        rows = rows.filter(tournament=tournament)
    return rows.order_by("tournament_id", "sequence").select_related("tournament")


def end_shown(
    tournament: Tournament, stages: Iterable[Stage], stage: Stage | None = None
) -> LedgerRow | None:
    """Give the ledger row after which the public sees this event, or the one `stage` of it: the last one; while any of
    its `stages` is frozen, none after the freeze, since even the fact that something was entered is not public."""
    frozen = [each.frozen_after for each in stages if each.frozen_after is not None]
    last = min([tournament.version if stage is None else stage.version, *frozen])
    return LedgerRow.objects.filter(tournament=tournament, sequence=last).first()
