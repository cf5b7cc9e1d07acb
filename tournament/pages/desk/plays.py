"""The plays of a table as its page lists them: who entered each, its state, who won."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tournament.ledger.authors import entry_of
from tournament.models import Play
from tournament.pages.desk.summary import summary
from tournament.pages.desk.table import Scene
from tournament.queries.second_look import look_of
from tournament.results.facts import PlayFacts


@dataclass(frozen=True, slots=True)
class Entered:
    """Who entered a play and when; `proposed`: the players proposed it, and they accepted it (_entered_by.html)."""

    by: str
    at: datetime
    proposed: bool


@dataclass(frozen=True, slots=True)
class PlayLine:
    """One play in the list: how it is called, its state, who won and what they got."""

    uid: UUID
    label: str
    state: str
    text: str


def entered(scene: Scene, play: PlayFacts) -> Entered | None:
    """Who entered this play or corrected it last, and when."""
    row = entry_of(scene.stage.tournament_id, play)
    if row is None:
        return None
    return Entered(row.actor.display_name(), row.at, proposed=row.action == "accept_proposal")


def play_lines(scene: Scene) -> list[PlayLine]:
    """What was played at this table, the newest first."""
    return [
        PlayLine(uid=play.uid, label=scene.label(play), state=look_of(play), text=summary(scene, play))
        for play in scene.plays
        if play.state != Play.State.RUNNING
    ]


def finished_lists(scene: Scene) -> dict[str, Any]:
    """`plays` of this table, the newest first, and the `board` of its contest."""
    return {"plays": play_lines(scene), "board": scene.board()}
