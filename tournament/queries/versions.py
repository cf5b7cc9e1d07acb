"""Staleness of what a command's sender saw. Reads only."""

from dataclasses import dataclass
from uuid import UUID

from tournament.models import LedgerRow, Stage, Tournament

# Kinds covered by the version of their stage, with its lookup.
OF_STAGE = {"stage": "uid", "table": "tables__uid"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sender saw: object `uid` of ledger `kind` ("": the whole event), at this ledger version."""

    version: int
    kind: str = ""
    uid: UUID | None = None

    def is_stale(self, tournament: Tournament) -> bool:
        """Whether it changed since, or the version is unknown to the event."""
        if not self.kind or self.version > tournament.version:
            return self.version != tournament.version
        if lookup := OF_STAGE.get(self.kind):
            stages = Stage.objects.filter(tournament=tournament, version__gt=self.version)
            return stages.filter(**{lookup: self.uid}).exists()
        rows = LedgerRow.objects.filter(tournament=tournament, sequence__gt=self.version)
        if self.kind == "registration":  # unique, keyed by event
            return rows.filter(payload__has_key=self.kind).exists()
        return rows.filter(**{f"payload__{self.kind}__has_key": str(self.uid)}).exists()
