"""Results awaiting acceptance: proposals, second looks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from tournament.ledger.past import entry_rows
from tournament.models import Play, Proposal, Stage, Table, User
from tournament.pages.desk.play import Line, notes_of
from tournament.pages.desk.table import Scene
from tournament.queries.incidents import ACCEPT_WITHIN, seen_text, waits
from tournament.results import Fault, PlayFacts, Settled
from tournament.words.faults import fault_text


@dataclass(frozen=True, slots=True)
class Looked:
    """Play awaiting a second look. `until`: the players' deadline; `own`: by the reader; `proposed`: by players."""

    scene: Scene
    play: PlayFacts
    label: str
    lines: Sequence[Line]
    notes: Sequence[tuple[str, str]]
    by: str
    at: datetime | None
    until: datetime | None
    own: bool
    proposed: bool

    @property
    def contested(self) -> bool:
        return self.play.second_look == Play.SecondLook.CONTESTED


@dataclass(frozen=True, slots=True)
class Stack:
    """Plays waiting at a table; `acceptable` by the reader at once (`seen_text`), if several."""

    scene: Scene
    looked: Sequence[Looked]

    @property
    def acceptable(self) -> list[str]:
        found = [seen_text(each.play) for each in self.looked if not each.contested and not each.own]
        return found if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class Proposed:
    """A result proposed by players, or its `faults`; `taken`: a referee entered that number."""

    scene: Scene
    row: Proposal
    label: str
    lines: Sequence[Line] = ()
    notes: Sequence[tuple[str, str]] = ()
    faults: Sequence[str] = ()
    taken: bool = False


def proposed_at(
    scene: Scene, proposal: Proposal, settled: Settled | None, faults: Sequence[Fault] = ()
) -> Proposed:
    """The proposal read back; `settled`: contest with it, None if faulty or taken."""
    taken = is_taken(scene, proposal)
    play = settled.contest.play(proposal.play) if settled and not taken else None
    label = scene.label(PlayFacts(proposal.play, scene.table.uid, proposal.number, "entered"))
    if play is None:
        texts = () if taken else [fault_text(fault, scene.names) for fault in faults]
        return Proposed(scene, proposal, label, faults=texts, taken=taken)
    return Proposed(scene, proposal, label, scene.lines(play, settled), notes_of(play, scene))


def is_taken(scene: Scene, proposal: Proposal) -> bool:
    """Whether the proposed number is taken."""
    return any(play.number == proposal.number for play in scene.plays)


def looked_at(scenes: Sequence[Scene], user: User | None = None) -> list[Looked]:
    """Plays awaiting a second look, by table: contested first, then newest."""
    plays = [(scene, play) for scene in scenes for play in scene.plays if waits(play)]
    rows = entry_rows((scene.stage.tournament_id, play.uid, play.version) for scene, play in plays)
    found = [
        Looked(
            scene=scene,
            play=play,
            label=scene.label(play),
            lines=scene.lines(play),
            notes=notes_of(play, scene),
            by=row.actor.display_name() if row else "",
            at=row.at if row else None,
            until=row.at + ACCEPT_WITHIN if row else None,
            own=bool(row and user and row.actor_id == user.pk),
            proposed=bool(row and row.action == "accept_proposal"),
        )
        for scene, play in plays
        for row in [rows.get(play.uid)]
    ]
    order = {scene.table.pk: number for number, scene in enumerate(scenes)}
    return sorted(found, key=lambda each: (order[each.scene.table.pk], not each.contested, -each.play.number))


def stacks_of(looked: Sequence[Looked]) -> list[Stack]:
    """Group the plays by table."""
    tables = groupby(looked, key=lambda each: each.scene.table.pk)
    return [Stack(found[0].scene, found) for _table, group in tables if (found := list(group))]


def waiting_tables(tables: Sequence[Table]) -> dict[int, int]:
    """Number of waiting results by table key; two queries."""
    running = [table.pk for table in tables if table.stage.state == Stage.State.RUNNING]
    looks = [Play.SecondLook.WANTED, Play.SecondLook.CONTESTED]
    plays = Play.objects.filter(table__in=running, state=Play.State.ENTERED, second_look__in=looks)
    proposed = Proposal.objects.filter(table__in=running, state=Proposal.State.WAITING)
    return Counter(
        key for rows in (plays, proposed) for key in rows.order_by().values_list("table_id", flat=True)
    )
