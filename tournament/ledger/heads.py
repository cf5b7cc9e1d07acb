"""Whether a digest that somebody kept is of a row of our ledgers: it then was the end of a ledger once."""

import re
from collections.abc import Iterable

from django.db.models import QuerySet

from tournament.models import LedgerRow, Stage, Tournament

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
