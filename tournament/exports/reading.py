"""Everything that a workbook shows, read as of one moment and then written without holding the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.models import Decision, Entry, LedgerRow, Stage, Tournament, User
from tournament.results import ContestResults, stage_results


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One row of the ledger as people read it."""

    sequence: int
    at: datetime
    who: str
    device: str
    action: str
    replaces: int | None
    digest: str
    note: str


@dataclass(frozen=True, slots=True)
class StageRead:
    """A stage and its scored contests. `decided` are the ids of entries whom people let through from it,
    `steps_back` of those who do not go on from it by a decision."""

    stage: Stage
    results: tuple[ContestResults, ...]
    decided: frozenset[str]
    steps_back: frozenset[str]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament at one moment. `entries` by uid as text, in the order of start numbers; `written` says when the
    ledger row of a sequence was written; `ledger` is None for readers who may not see it."""

    tournament: Tournament
    entries: Mapping[str, Entry]
    stages: tuple[StageRead, ...]
    written: Mapping[int, datetime]
    ledger: tuple[LedgerLine, ...] | None
    read_at: datetime

    def stages_of(self, *kinds: str) -> list[StageRead]:
        """The stages of these kinds, in their order."""
        return [read for read in self.stages if read.stage.kind in kinds]


def read_event(tournament: Tournament, *, with_ledger: bool) -> Event:
    """Read the tournament; call it inside `snapshot()`, in which the tournament itself was read."""
    entries = Entry.objects.filter(tournament=tournament).taking_part().order_by("start_number")
    stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"))
    decided: dict[tuple[str, int], set[str]] = {}
    for decision in Decision.objects.filter(stage__tournament=tournament).select_related("stage", "entry"):
        # A decision belongs to the stage that it lets somebody into, the heats to the one before.
        key = str(decision.kind), decision.stage.number - 1
        decided.setdefault(key, set()).add(str(decision.entry.uid))
    rows = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
    return Event(
        tournament=tournament,
        entries={str(entry.uid): entry for entry in entries},
        stages=tuple(
            StageRead(
                stage,
                stage_results(stage),
                frozenset(decided.get((Decision.Kind.ADVANCE, stage.number), ())),
                frozenset(decided.get((Decision.Kind.STEPS_BACK, stage.number), ())),
            )
            for stage in stages
        ),
        written=dict(rows.values_list("sequence", "at")),
        ledger=_ledger(tournament) if with_ledger else None,
        read_at=timezone.now(),
    )


def _ledger(tournament: Tournament) -> tuple[LedgerLine, ...]:
    """The rows without their payloads, which are long and for programs."""
    rows = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
    names = {
        user.pk: user.display_name() for user in User.objects.filter(pk__in=rows.order_by().values("actor"))
    }
    values = rows.values_list(
        "sequence", "at", "actor", "device", "action", "replaces", "digest", "note__text"
    )
    return tuple(
        LedgerLine(sequence, at, names[actor], device, action, replaces, digest, note or "")
        for sequence, at, actor, device, action, replaces, digest, note in values.iterator()
    )
