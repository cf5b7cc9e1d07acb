"""What waits for somebody to accept it: results that players proposed, and plays that want a second look."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tournament.ledger.authors import entry_rows
from tournament.models import LedgerRow, Play, Proposal, Table, User
from tournament.pages.desk.play import Line, lines_of, notes_of
from tournament.pages.desk.table import Scene, scene_of
from tournament.pages.desk.waiting_counts import waiting_tables
from tournament.queries.second_look import ACCEPT_WITHIN, waits
from tournament.results.facts import PlayFacts
from tournament.results.faults import Refused
from tournament.views.desk.tables import new_play
from tournament.views.entry._entry import Entering
from tournament.words.faults import fault_text


@dataclass(frozen=True, slots=True)
class Looked:
    """A play that wants a second look: what it says, who entered it when, and until when the players may say so.
    `own`: whoever looks at it entered it; `proposed`: the players proposed it."""

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
class Proposed:
    """A result that players propose: what it says, or why it cannot be entered as it is (`faults`). `taken`: a referee
    entered that number in the meantime."""

    scene: Scene
    row: Proposal
    label: str
    lines: Sequence[Line] = ()
    notes: Sequence[tuple[str, str]] = ()
    faults: Sequence[str] = ()
    taken: bool = False


def entering_of(scene: Scene, proposal: Proposal) -> Entering:
    """The referee's form as the players filled it."""
    data = {**proposal.fields, "play": str(proposal.play), "number": str(proposal.number)}
    return new_play(scene, data)


def proposed_at(scene: Scene, proposal: Proposal) -> Proposed:
    """The proposed result, read back. It needs no query."""
    entering = entering_of(scene, proposal)
    arguments = entering.arguments()
    taken = any(play.number == proposal.number for play in scene.plays)
    shown = Proposed(scene, proposal, entering.title(), taken=taken)
    faults = tuple(entering.typed.faults)
    if taken:
        return shown
    if not faults:
        try:
            settled = entering.settled(arguments, scene.contest)
        except Refused as refused:
            faults = refused.faults
        else:
            play = settled.contest.play(proposal.play)
            assert play is not None
            scored = scene.scored(play.uid, settled)
            points = scene.points(play.uid, settled)
            lines = lines_of(play, scene.names, scene.ruleset, points, scored=scored)
            return Proposed(scene, proposal, entering.title(), lines, notes_of(play, scene.names))
    return Proposed(
        scene, proposal, entering.title(), faults=[fault_text(fault, scene.names) for fault in faults]
    )


def looked_at(scenes: Sequence[Scene], user: User | None = None) -> list[Looked]:
    """The plays of these tables that want a second look, contested ones first, then as they were entered."""
    plays = [(scene, play) for scene in scenes for play in scene.plays if waits(play)]
    rows = entry_rows((scene.stage.tournament_id, play.uid, play.version) for scene, play in plays)
    found = [_looked(scene, play, rows.get(play.uid), user) for scene, play in plays]
    return sorted(found, key=lambda each: (not each.contested, each.play.version))


def _looked(scene: Scene, play: PlayFacts, row: LedgerRow | None, user: User | None) -> Looked:
    return Looked(
        scene=scene,
        play=play,
        label=scene.label(play),
        lines=lines_of(
            play, scene.names, scene.ruleset, scene.points(play.uid), scored=scene.scored(play.uid)
        ),
        notes=notes_of(play, scene.names),
        by=row.actor.display_name() if row else "",
        at=row.at if row else None,
        until=row.at + ACCEPT_WITHIN if row else None,
        own=bool(row and user and row.actor_id == user.pk),
        proposed=bool(row and row.action == "accept_proposal"),
    )


def queue_of(
    tables: Sequence[Table], user: User, *, only: UUID | None = None
) -> tuple[list[Proposed], list[Looked]]:
    """What waits at these tables: the proposed results as they came, and the plays that want a second look."""
    waiting = waiting_tables(tables)
    here = [table for table in tables if table.pk in waiting and only in {None, table.uid}]
    scenes = {table.pk: scene_of(table) for table in here}
    proposals = Proposal.objects.filter(table__in=here, state=Proposal.State.WAITING).order_by("at", "pk")
    return [proposed_at(scenes[row.table_id], row) for row in proposals], looked_at(
        list(scenes.values()), user
    )
