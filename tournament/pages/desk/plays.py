"""Plays of a table as its page lists them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from tournament.ledger.authors import entry_of
from tournament.models import Play, Result
from tournament.pages.desk.play import ENDINGS
from tournament.pages.desk.table import Scene
from tournament.pages.public.standings import isolated
from tournament.queries.second_look import look_of
from tournament.results import PlayFacts, Settled
from tournament.words.text import elapsed_text


@dataclass(frozen=True, slots=True)
class PlayLine:
    """Listed play: label, state, winner with points."""

    uid: UUID
    label: str
    state: str
    text: str


def entered(scene: Scene, play: PlayFacts) -> dict[str, Any] | None:
    """Context of desk/_entered_by.html: `by` entered, corrected or, if `proposed`, accepted it."""
    row = entry_of(scene.stage.tournament_id, play)
    if row is None:
        return None
    return {"by": row.actor.display_name(), "at": row.at, "proposed": row.action == "accept_proposal"}


def play_lines(scene: Scene) -> list[PlayLine]:
    """Plays not running, newest first."""
    return [
        PlayLine(uid=play.uid, label=scene.label(play), state=look_of(play), text=summary(scene, play))
        for play in scene.plays
        if play.state != Play.State.RUNNING
    ]


def finished_lists(scene: Scene) -> dict[str, Any]:
    """Context: the table's `plays`, newest first, and `board`."""
    return {"plays": play_lines(scene), "board": scene.board()}


Outcome = Result.Outcome


def summary(scene: Scene, play: PlayFacts, settled: Settled | None = None) -> str:
    """The play in a few words, now or as `settled`."""
    names, points = scene.names, scene.points(play.uid, settled)
    for row in play.results:
        name = isolated([names.get(str(row.entry), "")])
        if row.outcome == Outcome.WON:
            won = points.get(str(row.entry))
            return f"{name} +{won}" if won else name
    finished = sorted(play.with_outcome(Outcome.FINISHED), key=lambda row: row.finish or 0)
    if finished:
        return isolated([names.get(str(row.entry), "") for row in finished])
    out = sorted(play.with_outcome(Outcome.OUT), key=lambda row: row.elapsed_s or 0)
    if out:
        return _("%(name)s first, after %(time)s") % {
            "name": isolated([names.get(str(out[0].entry), "")]),
            "time": elapsed_text(out[0].elapsed_s or 0),
        }
    return str(ENDINGS.get(play.ended, ""))
