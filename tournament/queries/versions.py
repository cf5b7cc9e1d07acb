"""Staleness of what a command's sender saw. Reads only."""

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db.models import QuerySet

from tournament.models import LedgerRow, Season, SeasonEvening, Stage, Tournament

# Kinds covered by the version of their stage, with its lookup.
OF_STAGE = {"stage": "uid", "table": "tables__uid"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sender saw: object `uid` of ledger `kind` ("": the whole event), at this ledger version."""

    version: int
    kind: str = ""
    uid: UUID | None = None

    def is_stale(self, tournament: Tournament) -> bool:
        """Whether it changed since, or the version is unknown to the event. Locks a season."""
        if self.kind == "season":
            return (
                season_version(Season.objects.select_for_update().filter(uid=str(self.uid))) != self.version
            )
        if not self.kind or self.version > tournament.version:
            return self.version != tournament.version
        if lookup := OF_STAGE.get(self.kind):
            stages = Stage.objects.filter(tournament=tournament, version__gt=self.version)
            return stages.filter(**{lookup: self.uid}).exists()
        rows = LedgerRow.objects.filter(tournament=tournament, sequence__gt=self.version)
        if self.kind == "registration":  # unique, keyed by event
            return rows.filter(payload__has_key=self.kind).exists()
        return rows.filter(**{f"payload__{self.kind}__has_key": str(self.uid)}).exists()


def season_version(season: QuerySet[Season]) -> int:
    """Digest of a season's row and evenings, as a number: no ledger counts its changes."""
    rows = list(season.values())
    evenings = SeasonEvening.objects.filter(season__in=[row["id"] for row in rows]).order_by("pk")
    content = repr((rows, list(evenings.values_list("tournament", flat=True))))
    return int(sha256(content.encode()).hexdigest()[:14], 16)
