"""Whether a digest that somebody kept is of a row of our ledgers: it then was the end of a ledger once."""

import re

from django.db.models import QuerySet

from tournament.models import LedgerRow, Tournament

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
