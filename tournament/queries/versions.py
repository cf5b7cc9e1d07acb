"""Whether a thing of an event has changed since somebody read it. Reads only."""

from dataclasses import dataclass
from uuid import UUID

from tournament.models import LedgerRow, Stage, Tournament

# What is read together with everything in its stage, whose version says when readers see something new.
OF_STAGE = {"stage": "uid", "table": "tables__uid"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sender of a command saw: the thing of this uid, as of this version of the event's ledger. `kind` is as
    in the ledger; "" is the event with everything in it."""

    version: int
    kind: str = ""
    uid: UUID | None = None

    def is_stale(self, tournament: Tournament) -> bool:
        """Tell whether it has changed since, or is of a version that the event does not have."""
        if not self.kind or self.version > tournament.version:
            return self.version != tournament.version
        if lookup := OF_STAGE.get(self.kind):
            stages = Stage.objects.filter(tournament=tournament, version__gt=self.version)
            return stages.filter(**{lookup: self.uid}).exists()
        rows = LedgerRow.objects.filter(tournament=tournament, sequence__gt=self.version)
        if self.kind == "registration":  # the event's only one, named by the event
            return rows.filter(payload__has_key=self.kind).exists()
        return rows.filter(**{f"payload__{self.kind}__has_key": str(self.uid)}).exists()
