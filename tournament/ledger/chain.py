"""Digests of the ledger: what each covers, how a row follows the one before, and which row a kept digest is of."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from tournament.models import LedgerRow, Stage, Tournament


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


SHORT = 16  # digits of the short form on pages and paper
DIGEST = re.compile(rf"[0-9a-f]{{{SHORT},64}}")


def digest_in(text: str) -> str:
    """The digest that somebody typed or pasted, with the spaces of a printed one; "" where it is none. The short form
    is one too."""
    cleaned = "".join(text.split()).lower().rstrip("…")
    return cleaned if DIGEST.fullmatch(cleaned) else ""


def rows_of_digest(digest: str, tournament: Tournament | None = None) -> QuerySet[LedgerRow]:
    """The rows with this digest, or whose digest begins so; of one tournament where it is named."""
    rows = LedgerRow.objects.filter(digest__startswith=digest) if digest else LedgerRow.objects.none()
    if tournament is not None:
        rows = rows.filter(tournament=tournament)
    return rows.order_by("tournament_id", "sequence").select_related("tournament")


def end_shown(
    tournament: Tournament, stages: Iterable[Stage], stage: Stage | None = None
) -> LedgerRow | None:
    """The row of the ledger after which everybody sees this event, or the one `stage` of it: the last one; while any of
    its `stages` is frozen, none after the freeze, since that something was entered is not told either."""
    frozen = [each.frozen_after for each in stages if each.frozen_after is not None]
    last = min([tournament.version if stage is None else stage.version, *frozen])
    return LedgerRow.objects.filter(tournament=tournament, sequence=last).first()
