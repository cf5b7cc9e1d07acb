"""The way back to each earlier version of a play: what would follow, or why it cannot be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from tournament.actions.previews import preview_revert
from tournament.facts import PlayFacts
from tournament.faults import Refused
from tournament.models import Play
from tournament.views.desk._following import following
from tournament.views.desk._scene import Scene
from tournament.words import fault_text

MOST = 10  # versions with a way back on one page; each is scored
NO_WAY = {"same_version", "version_running", "unknown_version"}  # nothing to say of


@dataclass(frozen=True, slots=True)
class Back:
    """The tap that goes back to the version that ledger row `to` left; `follows` in words, or `refused` and why."""

    to: int
    follows: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    command: UUID = field(default_factory=uuid4)


def ways_back(scene: Scene, play: PlayFacts, rows: Iterable[int]) -> Mapping[int, Back]:
    """The ways back to the versions that these ledger rows wrote, the newest first; none where nothing may be entered,
    and none to what stands."""
    if not scene.open or play.state == Play.State.RUNNING:
        return {}
    found: dict[int, Back] = {}
    for to in rows:
        if len(found) == MOST:
            break
        try:
            settled = preview_revert(scene.table, scene.contest, play, to)
        except Refused as refusal:
            if not any(fault.code in NO_WAY for fault in refusal.faults):
                said = [fault_text(fault, scene.names) for fault in refusal.faults]
                found[to] = Back(to, refused=list(dict.fromkeys(said)))
        else:
            found[to] = Back(to, follows=following(scene, settled, play.uid))
    return found
