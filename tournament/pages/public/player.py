"""A player's page: next seat, place, chances, programme, plays. js/watch/me.js makes it "my page"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from scoring import PlayAnswer, SessionAnswer
from tournament.models import Entry, Play, Result, Seat, Stage, Tournament
from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import Picture
from tournament.pages.pictures.contests import player_picture
from tournament.pages.public.advancing import goes_on
from tournament.pages.public.chances import PlayerNeeds, player_needs
from tournament.pages.public.finale import Finale, finale_of
from tournament.pages.public.heats import heat_sizes
from tournament.pages.public.paging import cut, page_url, page_with
from tournament.pages.public.stage import (
    OUT_STATES,
    decided_text,
    how_text,
    matters_now,
    person,
    play_label,
    why_anchor,
)
from tournament.pages.public.standings import NO_SHOW, Person, row_of
from tournament.pages.public.why import Why, player_why
from tournament.queries.programme import Part, Plan
from tournament.queries.second_look import waits
from tournament.queries.visible import Frozen, GoingOn, Shown, shown, still_sitting, taking_part
from tournament.results import Contest, ContestResults, PlayFacts, kind_of
from tournament.words.kinds import KINDS
from tournament.words.text import elapsed_text

State = Play.State
Lines = Mapping[UUID, Sequence[str]]  # how points arose, by play uid


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPlay:
    """Play of the player. `state`: key of STATES if it does not count, awaits a second person or runs; `time`: when
    out; `decided`: tie-break of remaining players; `lines`: how points arose."""

    label: str
    points: str = ""
    place: int | None = None
    how: str = ""
    time: str = ""
    decided: str = ""
    lines: Sequence[str] = ()
    through: bool = False
    state: str = ""
    started_at: datetime | None = None

    @property
    def counts(self) -> bool:
        return self.state not in {State.RUNNING, State.VOID, State.SET_ASIDE}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """The seat, and the others clockwise from it; `over`: nothing more to play there."""

    table: int
    position: int
    others: Sequence[Person]
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStage:
    """The player in one contest. `state`: the stage's; `status`: key of STATES or ""; `anchor`: of the place's
    explanation; `back`: URL of the row; `row`: if standings have several pages; `table`: one of several;
    `starts_at`: if public. Heats: `missed`: next stage, qualified but not playing; `called`: playing by decision."""

    uid: str
    kind: str
    title: str
    url: str
    state: str
    anchor: str
    table: int | None = None
    place: int | None = None
    value: str = ""
    unit: str = ""
    status: str = ""
    seat: PlayerSeat | None = None
    plays: Sequence[PlayerPlay] = ()
    back: str = ""
    row: StandingsRow | None = None
    needs: PlayerNeeds | None = None
    why: Why | None = None
    picture: Picture | None = None
    frozen: Frozen | None = None
    finale: Finale | None = None
    starts_at: datetime | None = None
    missed: str = ""
    called: str = ""

    @property
    def counted(self) -> int:
        """Number of the player's counting plays."""
        return sum(play.counts for play in self.plays)

    @property
    def shows_place(self) -> bool:
        """Whether there is a place, points or state to show."""
        return bool(self.place or self.value or self.status or self.frozen)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player's page. `seat`: next seat's stage; `main`: the one that matters now; `others`: newest first; `coming`:
    published parts not begun."""

    seat: PlayerStage | None = None
    main: PlayerStage | None = None
    others: Sequence[PlayerStage] = ()
    coming: Sequence[Part] = ()

    @property
    def paged(self) -> list[PlayerStage]:
        """Stages with several pages of standings."""
        return [each for each in (self.main, *self.others) if each and each.row]


def player_page(tournament: Tournament, stages: Sequence[Stage], entry: Entry) -> PlayerPage:
    """The player in every stage where they sit or have played."""
    published = any(stage.first_plan for stage in stages)
    everything = [shown(stage, stages) for stage in stages]
    entries = taking_part(tournament, stages, _at_their_tables(everything, entry))
    found = [
        (seen, _after(mine, goes_on(seen, stages), entry))
        for seen in everything
        for mine in _in_stage(seen, entry, entries, published=published)
    ]
    now = matters_now([seen for seen, _mine in found])
    main = next((mine for seen, mine in found if seen is now), None)
    return PlayerPage(
        seat=next((mine for _seen, mine in found if mine.seat and not mine.seat.over), None),
        main=main,
        others=[mine for _seen, mine in reversed(found) if mine is not main],
        coming=[
            Part(
                seen.stage,
                Plan.of(seen.stage.plan),
                Plan.of(seen.stage.first_plan) if seen.stage.first_plan else None,
            )
            for seen in everything
            if published and seen.state == Stage.State.PLANNED and seen.stage.plan
        ],
    )


def _at_their_tables(everything: Sequence[Shown], entry: Entry) -> set[UUID]:
    seats = [
        (seen.stage.pk, seat) for seen in everything for contest in seen.contests for seat in contest.seats
    ]
    tables = {(stage, seat.table) for stage, seat in seats if seat.entry == entry.uid}
    return {seat.entry for stage, seat in seats if (stage, seat.table) in tables}


def _in_stage(
    seen: Shown, entry: Entry, entries: Mapping[str, Entry], *, published: bool
) -> Iterator[PlayerStage]:
    """The contest where they play first, then those where they gave up their seat."""
    playing = [each for each in seen.contests if any(one.entry == entry.uid for one in each.players)]
    left = [each for each in seen.contests if any(one.entry == entry.uid for one in each.others)]
    for index, contest in enumerate([*playing, *(each for each in left if each not in playing)]):
        results = next((each for each in seen.results if each.table == contest.table), None)
        url, back, row = _whereabouts(seen, results, entry)
        mine = PlayerStage(
            uid=str(seen.stage.uid),
            kind=contest.kind,
            title=str(seen.stage),
            url=url,
            state=seen.state,
            anchor="" if index else why_anchor(seen.stage),
            table=contest.table_numbers[contest.table] if contest.table and len(seen.contests) > 1 else None,
            seat=_seat(seen, contest, results, entry, entries),
            back=back,
            row=row,
            frozen=seen.frozen,
            starts_at=Plan.of(seen.stage.plan).starts_at if published else None,
        )
        yield _with_results(mine, seen, results, entry) if results else mine


def _whereabouts(
    seen: Shown, results: ContestResults | None, entry: Entry
) -> tuple[str, str, StandingsRow | None]:
    """Return (page URL, URL of their row or heat or "", row if standings have several pages)."""
    if results is None:
        return _page_url(seen, 1), "", None
    if kind_of(results.contest.kind).one_play:
        return _in_heats(seen, results, entry)
    return _in_standings(seen, results, entry)


def _in_heats(seen: Shown, results: ContestResults, entry: Entry) -> tuple[str, str, None]:
    heats = heat_sizes(results)
    mine = next((seat.table for seat in results.contest.seats if seat.entry == entry.uid), None)
    index = next((index for index, (table, _people) in enumerate(heats) if table == mine), None)
    if index is None:
        return _page_url(seen, 1), "", None
    url = _page_url(seen, page_with([people for _table, people in heats], index))
    return url, f"{url}#heat-{mine}", None


def _in_standings(seen: Shown, results: ContestResults, entry: Entry) -> tuple[str, str, StandingsRow | None]:
    answer, player = results.answer, str(entry.uid)
    players = [row.player for row in answer.standings]
    if player not in players:
        return _page_url(seen, 1), "", None
    if len(seen.results) > 1:  # tables stay whole
        sizes = [len(each.answer.standings) for each in seen.results]
        index = seen.results.index(results)
    else:
        sizes, index = [1] * len(players), players.index(player)
    url = _page_url(seen, page_with(sizes, index))
    row = None
    if isinstance(answer, SessionAnswer) and len(cut(sizes)) > 1:
        row = row_of(answer, person(seen.stage.tournament, entry), player, results.places_gained)
    return url, f"{url}#at-{player}", row


def _page_url(seen: Shown, number: int) -> str:
    return page_url(seen.stage.tournament.slug, seen.stage.uid, number)


def _with_results(mine: PlayerStage, seen: Shown, results: ContestResults, entry: Entry) -> PlayerStage:
    player = str(entry.uid)
    place, value, unit, status = _standing(results, player)
    why = player_why(seen, results, player)
    lines = {step.play: step.lines for step in why.steps if step.play} if why else {}
    return replace(
        mine,
        place=place,
        value=value,
        unit=unit,
        # the page header shows no-shows
        status="" if entry.state == NO_SHOW and place is None else status,
        plays=_plays(results, entry, lines),
        needs=player_needs(seen, results, player),
        why=why,
        finale=None if seen.frozen else finale_of(seen, [results]),
        picture=player_picture(results, player, entry.shown_name),
    )


def _after(mine: PlayerStage, found: GoingOn | None, entry: Entry) -> PlayerStage:
    player = str(entry.uid)
    if found is None or player not in {*found.gone, *found.instead}:
        return mine
    title = str(found.stage)
    return replace(mine, missed=title) if player in found.gone else replace(mine, called=title)


def _standing(results: ContestResults, player: str) -> tuple[int | None, str, str, str]:
    """Return (place, value, unit, status)."""
    answer = results.answer
    out = next(
        (OUT_STATES[Seat.OutAs(seat.out_as)] for seat in results.contest.out if str(seat.entry) == player),
        "",
    )
    if kind_of(answer.kind).one_play:
        missed = out or ("not_through" if any(row.player == player for row in answer.lines) else "")
        return None, "", "", "through" if player in answer.finalists else missed
    row = next((row for row in answer.standings if row.player == player), None)
    if row is None or not answer.rounds:
        return None, "", "", out
    status = out if row.status == "ranked" else row.status
    kind = KINDS[answer.kind]
    return row.place, kind.value(row), str(kind.unit), status


def _seat(
    seen: Shown,
    contest: Contest,
    results: ContestResults | None,
    entry: Entry,
    entries: Mapping[str, Entry],
) -> PlayerSeat | None:
    if seen.state == Stage.State.FINISHED:
        return None
    seats = [seat for seat in still_sitting(seen, entries) if seat.table in contest.table_numbers.values()]
    mine = next((seat for seat in seats if seat.entry == entry.uid), None)
    if mine is None:
        return None
    table = sorted((seat for seat in seats if seat.table == mine.table), key=lambda seat: seat.position)
    at = table.index(mine)
    return PlayerSeat(
        table=mine.table,
        position=mine.position,
        others=[
            _beside(seen.stage.tournament, str(seat.entry), contest, entries)
            for seat in [*table[at + 1 :], *table[:at]]
        ],
        over=results is not None and _is_over(results, mine.table),
    )


def _beside(tournament: Tournament, player: str, contest: Contest, entries: Mapping[str, Entry]) -> Person:
    """Players no longer in the event have no link."""
    entry = entries.get(player)
    return person(tournament, entry) if entry else Person(name=contest.names[player])


def _is_over(results: ContestResults, table: int) -> bool:
    if not kind_of(results.contest.kind).one_play:
        return results.complete
    return any(play and results.contest.table_numbers[play.table] == table for play in results.sheet.plays)


def _plays(results: ContestResults, entry: Entry, lines: Lines) -> list[PlayerPlay]:
    counted = {play.uid: answered for play, answered in results.counted}
    return [
        _explained(_play(results, play, counted.get(play.uid), entry), lines.get(play.uid, ()))
        for play in reversed([play for play in results.contest.in_order if play.result_of(entry.uid)])
    ]


def _explained(play: PlayerPlay, lines: Sequence[str]) -> PlayerPlay:
    """Drop what the lines already say."""
    won = play.how == how_text(Result.Outcome.WON, None)
    return replace(
        play,
        how=play.how if won or not any(play.time in line for line in lines) else "",
        decided="" if lines else play.decided,
        lines=[line for line in lines if line != play.how],
    )


def _play(results: ContestResults, play: PlayFacts, answered: PlayAnswer | None, entry: Entry) -> PlayerPlay:
    fact = play.result_of(entry.uid)
    assert fact is not None
    label = play_label(results.contest, play)
    if play.state == State.RUNNING:
        how = "" if fact.outcome == Result.Outcome.PLAYING else how_text(fact.outcome, fact.elapsed_s)
        return PlayerPlay(label=label, state="running", how=how, started_at=play.started_at)
    state = (
        play.state if play.state in {State.VOID, State.SET_ASIDE} else play.second_look if waits(play) else ""
    )
    row = next((row for row in (answered.results if answered else ()) if row.player == str(entry.uid)), None)
    return PlayerPlay(
        label=label,
        points="" if row is None or row.points is None else str(row.points),
        place=row.place if row else None,
        how=how_text(fact.outcome, fact.elapsed_s),
        time="" if fact.elapsed_s is None else elapsed_text(fact.elapsed_s),
        decided=decided_text(answered.results if answered else (), str(entry.uid), results.contest.names),
        through=row is not None and row.advances,
        state=state,
    )
