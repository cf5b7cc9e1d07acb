"""Plays of a table as its page lists them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from tournament.actions.table.plays import preview_revert
from tournament.ledger.past import entry_of
from tournament.models import LedgerRow, Play, Result
from tournament.pages.desk.play import ending_text
from tournament.pages.desk.standings_changes import following
from tournament.pages.desk.table import Scene
from tournament.pages.public.standings import isolated
from tournament.queries.incidents import look_of
from tournament.results import PlayFacts, Refused, Settled
from tournament.words.faults import fault_text
from tournament.words.formats import to_the_second
from tournament.words.text import amount_text, elapsed_text


@dataclass(frozen=True, slots=True)
class PlayLine:
    """Listed play: label, state, winner with points."""

    uid: UUID
    label: str
    state: str
    text: str


def entered(scene: Scene, play: PlayFacts) -> dict[str, Any] | None:
    """Context of desk/_entered_by.html: `by` entered, corrected or, if `proposed`, accepted."""
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
            return f"{name} +{amount_text(won)}" if won else name
    finished = sorted(play.with_outcome(Outcome.FINISHED), key=lambda row: row.finish or 0)
    if finished:
        return isolated([names.get(str(row.entry), "") for row in finished])
    out = sorted(play.with_outcome(Outcome.OUT), key=lambda row: row.elapsed_s or 0)
    if out:
        return _("%(name)s first, after %(time)s") % {
            "name": isolated([names.get(str(out[0].entry), "")]),
            "time": elapsed_text(out[0].elapsed_s or 0),
        }
    return ending_text(play)


# ---- Reverts to earlier versions of a play ----

MOST_VERSIONS = 10  # versions on a page; each is scored
NO_WAY = {"same_version", "version_running", "unknown_version"}  # refusals not shown


@dataclass(frozen=True, slots=True)
class Back:
    """Revert to ledger row `to`: button `words`, consequences `follows`, or reasons `refused`."""

    to: int
    words: str = ""
    follows: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    command: UUID = field(default_factory=uuid4)


def ways_back(scene: Scene, play: PlayFacts, rows: Iterable[int]) -> Mapping[int, Back]:
    """Reverts to these ledger rows; {} if nothing may be entered."""
    if not scene.open or play.state == Play.State.RUNNING:
        return {}
    ways = (back for to in rows if (back := way_back(scene, play, to)))
    return {back.to: back for back in islice(ways, MOST_VERSIONS)}


def way_back(scene: Scene, play: PlayFacts, to: int) -> Back | None:
    """Revert to ledger row `to`; None for the current version and hidden refusals."""
    try:
        settled = preview_revert(scene.table, scene.contest, play, to)
    except Refused as refusal:
        if any(fault.code in NO_WAY for fault in refusal.faults):
            return None
        return Back(
            to, refused=list(dict.fromkeys(fault_text(fault, scene.names) for fault in refusal.faults))
        )
    return Back(to, _words(scene, play, settled, to), following(scene, settled, play.uid))


def _words(scene: Scene, play: PlayFacts, settled: Settled, to: int) -> str:
    """Button text: whether it then counts, else the winner, else the time."""
    then = settled.contest.play(play.uid)
    assert then is not None
    if then.state == Play.State.VOID:
        return _("Void it again")
    if play.state == Play.State.VOID:
        return _("Make it count again")
    what = summary(scene, then, settled)
    if not what or what == summary(scene, play):
        row = LedgerRow.objects.get(tournament=scene.tournament, sequence=to)
        return _("Back to %(time)s") % {"time": to_the_second(row.at.astimezone(scene.tournament.zone))}
    return _("Back to %(what)s") % {"what": what}
