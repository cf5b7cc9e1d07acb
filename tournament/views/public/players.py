"""One player's tournament: where they sit, their place in each stage, each game, round and heat they played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring import HeatsAnswer, SessionAnswer
from tournament.bridge import Contest
from tournament.facts import PlayFacts
from tournament.models import Entry, Play, Result, Seat, Stage, Tournament
from tournament.results import ContestResults
from tournament.second_look import waits
from tournament.shown import Shown, shown
from tournament.views.public.boards import NO_SHOW, Person
from tournament.views.public.figures import average_text
from tournament.views.public.stage_boards import (
    OUT_STATES,
    decided_text,
    everybody_in,
    how_text,
    play_label,
)

State = Play.State


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPlay:
    """One game, round or heat of the player. `state` is a key of STATES for one that does not count, waits for a
    second person, or is running; `decided` says by what a place among those remaining was decided."""

    label: str
    points: str = ""
    place: int | None = None
    how: str = ""
    decided: str = ""
    through: bool = False
    state: str = ""
    started_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """Where the player sits, and with whom, clockwise from them."""

    table: int
    others: Sequence[Person]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStage:
    """The player in one contest of a stage; `state` is the stage's, `status` a key of STATES or nothing."""

    title: str
    url: str
    state: str
    table: int | None = None
    place: int | None = None
    value: str = ""
    unit: str = ""
    status: str = ""
    seat: PlayerSeat | None = None
    plays: Sequence[PlayerPlay] = ()


def player_stages(
    tournament: Tournament, stages: Sequence[Stage], entry: Entry, entries: Mapping[str, Entry]
) -> list[PlayerStage]:
    """The player in every stage where they sit or have played, the newest first."""
    found = []
    for stage in reversed(stages):
        seen = shown(stage, stages)
        everybody = everybody_in(tournament, entries, seen)
        results = {each.table: each for each in seen.results}
        for contest in seen.contests:
            if str(entry.uid) in contest.names:
                scored = results.get(contest.table)
                found.append(_in_stage(seen, contest, scored, entry, everybody))
    return found


def _in_stage(
    seen: Shown,
    contest: Contest,
    results: ContestResults | None,
    entry: Entry,
    everybody: Mapping[str, Person],
) -> PlayerStage:
    """`results` are None until the stage has started."""
    stage = seen.stage
    place, value, unit, status = _standing(results, str(entry.uid)) if results else (None, "", "", "")
    if entry.state == NO_SHOW and place is None:
        status = ""  # the head of the page says that they did not come
    return PlayerStage(
        title=str(stage),
        url=reverse("stage", args=[stage.tournament.slug, stage.uid]),
        state=seen.state,
        table=contest.table_numbers[contest.table] if contest.table else None,
        place=place,
        value=value,
        unit=unit,
        status=status,
        seat=_seat(contest, entry, everybody) if seen.state != Stage.State.FINISHED else None,
        plays=_plays(results, entry) if results else (),
    )


def _standing(results: ContestResults, player: str) -> tuple[int | None, str, str, str]:
    """Place, value, its unit and status of the player in the contest."""
    answer = results.answer
    out = next(
        (
            OUT_STATES[Seat.OutAs(seat.out_as)]
            for seat in results.contest.seats
            if seat.out_as and str(seat.entry) == player
        ),
        "",
    )
    if isinstance(answer, HeatsAnswer):
        return None, "", "", "through" if player in answer.finalists else out
    row = next((row for row in answer.standings if row.player == player), None)
    if row is None or not answer.rounds:
        return None, "", "", out
    status = out if row.status == "ranked" else row.status
    if isinstance(answer, SessionAnswer):
        average = next(line.average for line in answer.standings if line.player == player)
        return row.place, average_text(average), _("points a game"), status
    return row.place, str(row.points), _("points"), status


def _seat(contest: Contest, entry: Entry, everybody: Mapping[str, Person]) -> PlayerSeat | None:
    mine = next((seat for seat in contest.seats if seat.entry == entry.uid and not seat.out_as), None)
    if mine is None:
        return None
    table = sorted(
        (seat for seat in contest.seats if seat.table == mine.table), key=lambda seat: seat.position
    )
    at = table.index(mine)
    return PlayerSeat(
        table=mine.table, others=[everybody[str(seat.entry)] for seat in [*table[at + 1 :], *table[:at]]]
    )


def _plays(results: ContestResults, entry: Entry) -> list[PlayerPlay]:
    """The newest first; those that do not count among them, visibly."""
    counted = {
        play.uid: answered
        for play, answered in zip(results.sheet.plays, results.answer.rounds, strict=True)
        if play is not None
    }
    mine = [play for play in results.contest.in_order() if play.result_of(entry.uid)]
    return [_play(results, play, counted.get(play.uid), entry) for play in reversed(mine)]


def _play(results: ContestResults, play: PlayFacts, answered: object, entry: Entry) -> PlayerPlay:
    fact = play.result_of(entry.uid)
    assert fact is not None
    label = play_label(results.contest, play)
    if play.state == State.RUNNING:
        playing = fact.outcome == Result.Outcome.PLAYING
        how = "" if playing else how_text(fact.outcome, fact.elapsed_s)
        return PlayerPlay(label=label, state="running", how=how, started_at=play.started_at)
    state = (
        play.state if play.state in {State.VOID, State.SET_ASIDE} else play.second_look if waits(play) else ""
    )
    rows = getattr(answered, "results", ())
    row = next((row for row in rows if row.player == str(entry.uid)), None)
    points = getattr(row, "points", None)
    return PlayerPlay(
        label=label,
        points="" if points is None else str(points),
        place=getattr(row, "place", None),
        how=how_text(fact.outcome, fact.elapsed_s),
        decided=decided_text(getattr(row, "decided", None)),
        through=bool(getattr(row, "advances", False)),
        state=state,
    )
