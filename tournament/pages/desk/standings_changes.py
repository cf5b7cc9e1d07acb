"""A changed play's consequences in words, and reverts to earlier versions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any
from uuid import UUID, uuid4

from django.utils.translation import gettext as _, ngettext

from scoring import Points
from tournament.actions.table.plays import preview_revert
from tournament.models import LedgerRow, Play, Seat
from tournament.pages.components import ComparisonRow
from tournament.pages.desk.table import Scene, summary
from tournament.pages.public.standings import isolated
from tournament.queries.chain import Chain
from tournament.results import (
    ContestResults,
    PlayFacts,
    Refused,
    Settled,
    kind_of,
    stage_results,
    stages_before,
)
from tournament.words.faults import fault_text
from tournament.words.formats import to_the_second
from tournament.words.kinds import STATUSES
from tournament.words.text import amount_text, inside, points_text

MOST_PLACES = 8  # changes named


@dataclass(frozen=True, slots=True)
class _Change:
    scene: Scene
    was: ContestResults | Settled
    now: Settled

    def named(self, players: Sequence[str]) -> str:
        return isolated([self.scene.names.get(player, "") for player in players])

    def labels(self, plays: Sequence[PlayFacts]) -> str:
        return self.scene.labels(plays)


def following(scene: Scene, settled: Settled, play: UUID) -> list[str]:
    """Sentences, most important first."""
    if scene.results is None:
        return []
    change = _Change(scene, scene.results, settled)
    if said := [*_end(change, play), *_moved(change, play), *_through(change), *_places(change)]:
        return said
    if in_all(scene, settled):
        return [_("Points change, places do not.")]
    return [_("No place changes, and nothing else follows.")]


def _end(change: _Change, play: UUID) -> Iterator[str]:
    was, now = change.was.answer, change.now.answer
    if not kind_of(now.kind).to_target:
        return
    was_over, is_over = was.complete, now.complete
    last, before = _last(change.now), _last(change.was)
    won = len(_winners(now))
    winners = {"names": change.named(_winners(now)), "before": change.named(_winners(was))}
    if was_over and not is_over:
        yield _("The match is open again. Nobody has reached the target, so more rounds can be entered.")
    elif is_over and not was_over:
        if not last or not won:
            text = _("The match is over.")
        elif last.uid == play:
            text = ngettext(
                "The match ends here. %(names)s wins.", "The match ends here. %(names)s win.", won
            )
        else:
            text = ngettext(
                "The match ends with %(round)s. %(names)s wins.",
                "The match ends with %(round)s. %(names)s win.",
                won,
            )
        yield text % {**winners, "round": inside(change.labels([last])) if last else ""}
    elif is_over and last and before and last.uid != before.uid:
        rounds = {"round": inside(change.labels([last])), "was": inside(change.labels([before]))}
        text = (
            _("The target is reached earlier. The match ends with %(round)s, not with %(was)s.")
            if last.number < before.number
            else _("The target is reached later. The match ends with %(round)s, not with %(was)s.")
        )
        yield text % rounds
    if was_over and is_over and _winners(was) != _winners(now):
        text = ngettext(
            "%(names)s has won the match instead of %(before)s.",
            "%(names)s have won the match instead of %(before)s.",
            won,
        )
        yield (text if won else _("Everyone left, so nobody won.")) % winners


def _winners(answer: Any) -> tuple[str, ...]:
    return tuple(answer.winners)


def _last(results: ContestResults | Settled) -> PlayFacts | None:
    return next((play for play in reversed(results.sheet.plays) if play), None)


def _moved(change: _Change, but: UUID) -> Iterator[str]:
    moved = [play for play in change.now.moved if play.uid != but]
    aside = [play for play in moved if play.state == Play.State.SET_ASIDE]
    again = [play for play in moved if play.state == Play.State.ENTERED]
    if aside:
        text = ngettext(
            "%(what)s is on hold until someone decides: it could not have been played.",
            "%(what)s are on hold until someone decides: they could not have been played.",
            len(aside),
        )
        yield text % {"what": change.labels(aside)}
    if again:
        text = ngettext("%(what)s counts again.", "%(what)s count again.", len(again))
        yield text % {"what": change.labels(again)}


def _places(change: _Change) -> Iterator[str]:
    """A status change also takes or gives a place."""
    was = {row.player: row for row in change.was.answer.standings}
    moved = [
        (row, was[row.player])
        for row in change.now.answer.standings
        if row.player in was and (row.place, row.status) != (was[row.player].place, was[row.player].status)
    ]
    for row, before in moved[:MOST_PLACES]:
        words = {"name": change.named([row.player]), "was": before.place, "now": row.place}
        if row.place and before.place:
            text = (
                _("%(name)s moves up from place %(was)d to place %(now)d.")
                if row.place < before.place
                else _("%(name)s moves down from place %(was)d to place %(now)d.")
            )
        elif row.place:
            text = _("%(name)s is in place %(now)d again.")
        else:
            text = _("%(name)s no longer has a place: %(status)s.")
        yield text % (words | {"status": STATUSES[row.status]})
    more = len(moved) - MOST_PLACES
    if more > 0:
        yield ngettext("%(n)d more place changes.", "%(n)d more places change.", more) % {"n": more}


def _through(change: _Change) -> Iterator[str]:
    was, now = _those_through(change)
    comes = [player for player in now if player not in was]
    gone = [player for player in was if player not in now]
    if comes:
        text = ngettext("%(names)s is now through.", "%(names)s are now through.", len(comes))
        yield text % {"names": change.named(comes)}
    if gone:
        text = ngettext("%(names)s is no longer through.", "%(names)s are no longer through.", len(gone))
        yield text % {"names": change.named(gone)}
    if comes or gone:
        yield from _seated(change, gone)


def _those_through(change: _Change) -> tuple[Sequence[str], Sequence[str]]:
    stage = change.scene.stage
    if kind_of(stage.kind).one_play:
        return change.was.answer.finalists, change.now.answer.finalists
    then = Chain(stage.tournament)
    if not then.fed(stage.number):
        return (), ()
    changed = ContestResults(change.now.contest, change.now.sheet, change.now.answer)
    others = [each for each in stage_results(stage) if each.table != changed.table]
    after = Chain(stage.tournament, {stage.number: [*others, changed]})
    passed = [each.passed(stage.number) for each in (then, after)]
    was, now = ([str(entry.uid) for pk, entry in then.entries.items() if pk in each] for each in passed)
    return was, now


def _seated(change: _Change, gone: Sequence[str]) -> Iterator[str]:
    """Seats in all stages that follow."""
    chain, number = Chain(change.scene.tournament), change.scene.stage.number
    direct = chain.fed(number)
    for each, filled in chain.stages.items():
        if number not in stages_before(chain.sources, each):
            continue
        seats = Seat.objects.filter(table__stage=filled)
        here = {str(uid) for uid in seats.values_list("entry__uid", flat=True)}
        sit = [player for player in gone if player in here]
        if not (sit or (filled in direct and here)):
            continue
        yield (
            _("Already seated in %(stage)s: %(names)s. The seats stay until the organiser decides.")
            if sit
            else _("Seats are already drawn: %(stage)s. They stay until the organiser decides.")
        ) % {"names": change.named(sit), "stage": str(filled)}
        plays = Play.objects.filter(table__stage=filled).exclude(state=Play.State.VOID)
        for table in plays.order_by("table__number").values_list("table__number", flat=True).distinct():
            yield _("%(stage)s: play at table %(number)d has begun.") % {
                "stage": str(filled),
                "number": table,
            }


def in_play(scene: Scene, play: UUID, settled: Settled) -> list[tuple[str, str, str]]:
    """Players whose points in this play change (`differing`)."""
    return differing(scene.names, scene.points(play), scene.points(play, settled))


def in_all(scene: Scene, settled: Settled) -> list[tuple[str, str, str]]:
    """As `in_play`, for totals; none for heats."""
    return differing(scene.names, _totals(scene.results), _totals(settled))


def as_change(rows: list[tuple[str, str, str]]) -> list[ComparisonRow]:
    """`differing` as comparison rows."""
    return [ComparisonRow(what=name, yours=before, theirs=after) for name, before, after in rows]


def _totals(results: ContestResults | Settled | None) -> dict[str, Points | None]:
    return {row.player: row.points for row in (results.answer.standings if results else ())}


def differing(
    names: Mapping[str, str], before: Mapping[str, Points | None], after: Mapping[str, Points | None]
) -> list[tuple[str, str, str]]:
    """Players whose points change, as (name, points now, points then)."""
    either: dict[str, tuple[Points, Points]] = {
        player: (before.get(player) or 0, after.get(player) or 0)
        for player in dict.fromkeys([*after, *before])
    }
    return [
        (
            names.get(player, ""),
            points_text(was),
            _("%(points)s (%(more)s)")
            % {
                "points": points_text(now),
                "more": f"{'+' if now > was else '−'}{amount_text(abs(Fraction(now) - Fraction(was)))}",
            },
        )
        for player, (was, now) in either.items()
        if was != now
    ]


# ---- Reverts to earlier versions of a play ----

MOST_VERSIONS = 10  # each is scored
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
    """Reverts to these ledger rows."""
    if not scene.open or play.state == Play.State.RUNNING:
        return {}
    ways = (back for to in rows if (back := way_back(scene, play, to)))
    return {back.to: back for back in islice(ways, MOST_VERSIONS)}


def way_back(scene: Scene, play: PlayFacts, to: int) -> Back | None:
    """Revert to ledger row `to`; None for the current version or a hidden refusal."""
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
    """Whether it then counts, else the winner, else the time."""
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
