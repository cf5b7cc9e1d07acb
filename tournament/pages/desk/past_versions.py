"""Reverts to earlier versions of a play."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from tournament.actions.table.plays import preview_revert
from tournament.models import LedgerRow, Play
from tournament.pages.desk.plays import summary
from tournament.pages.desk.standings_changes import following
from tournament.pages.desk.table import Scene
from tournament.results import PlayFacts, Refused, Settled
from tournament.words.faults import fault_text
from tournament.words.formats import to_the_second

MOST = 10  # versions on a page; each is scored
NO_WAY = {"same_version", "version_running", "unknown_version"}  # refusals not shown


@dataclass(frozen=True, slots=True)
class Back:
    """Revert to the version of ledger row `to`: button `words`, consequences `follows`, or reasons `refused`."""

    to: int
    words: str = ""
    follows: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    command: UUID = field(default_factory=uuid4)


def ways_back(scene: Scene, play: PlayFacts, rows: Iterable[int]) -> Mapping[int, Back]:
    """Reverts to these ledger rows, newest first; {} if nothing may be entered."""
    if not scene.open or play.state == Play.State.RUNNING:
        return {}
    ways = (back for to in rows if (back := way_back(scene, play, to)))
    return {back.to: back for back in islice(ways, MOST)}


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
