"""Stages as levels of tables, and who advances where; from the public view alone (tournament/queries/visible.py)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from tournament.models import Decision, Stage, Tournament
from tournament.pages.public.stage import people_in, sitting
from tournament.pages.public.standings import People, Person
from tournament.queries.visible import Shown, leads_to
from tournament.results import Contest, ContestResults, kind_of

FEW_IN_LEVEL = 32  # players; larger levels list only qualifiers
ROWS = 24  # text lines per wall column
COLUMNS = 4  # most wall columns per level

Tables = Mapping[str, int]  # table numbers by entry uid


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlayer:
    """Player at a table. `next_table`: if the next level has several; `won`: won the last level."""

    key: str
    person: Person
    place: int | None = None
    goes_on: bool = False
    next_table: int | None = None
    won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTable:
    """Table of a level: listed players, best first, and `more` unlisted; `settled`: has a result."""

    number: int
    players: Sequence[BracketPlayer]
    more: int
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketLevel:
    """Stage. `state`: key of STATES; `coming`: number of known qualifiers from the level before; `columns`: on a wall;
    `dense`: one line per table."""

    title: str
    url: str
    state: str
    tables: Sequence[BracketTable]
    coming: int
    columns: int
    dense: bool


Bracket = Sequence[BracketLevel]  # in order of play; the last decides


def has_bracket(stages: Sequence[Stage]) -> bool:
    """Whether stages lead to each other: two at least, not only sessions without a chain."""
    return len(stages) > 1 and any(kind_of(each.kind).filled or each.source for each in stages)


def bracket_of(tournament: Tournament, stages: Sequence[Shown], people: People) -> Bracket | None:
    """Bracket of all stages in order; None unless `has_bracket`. `people` by entry uid."""
    if not has_bracket([seen.stage for seen in stages]):
        return None
    levels: list[BracketLevel] = []
    coming = Counter[int]()
    for seen in stages:
        to = leads_to(seen.stage, [each.stage for each in stages])
        after = [
            each for each in stages if each.stage.number == seen.stage.number + 1 and not each.stage.source
        ]
        following = next((each for each in stages if each.stage == to), after[0] if after else None)
        goes_on = _goes_on(seen, following) if following else set()
        known = coming[seen.stage.number]
        levels.append(_level(tournament, seen, following, goes_on=goes_on, people=people, coming=known))
        if following:
            coming[following.stage.number] += len(goes_on)
    return levels


def _goes_on(seen: Shown, following: Shown) -> set[str]:
    """Once the following stage has started, its seats decide; before that, also heats and decisions."""
    goes_on = set(_tables(following))
    if following.state == Stage.State.PLANNED:
        decided = {
            kind: {str(each.entry) for each in following.decisions if each.kind == kind}
            for kind in Decision.Kind
        }
        for results in seen.results:
            goes_on.update(set(results.answer.finalists) - decided[Decision.Kind.STEPS_BACK])
        goes_on |= decided[Decision.Kind.ADVANCE]
    return goes_on & _tables(seen).keys()


def _tables(seen: Shown) -> Tables:
    return {str(seat.entry): seat.table for contest in seen.contests for seat in contest.seats}


def _level(
    tournament: Tournament,
    seen: Shown,
    following: Shown | None,
    *,
    goes_on: set[str],
    people: People,
    coming: int,
) -> BracketLevel:
    sits_next = _tables(following) if following else {}
    next_tables = sits_next if len(set(sits_next.values())) > 1 else {}
    few = len(_tables(seen)) <= FEW_IN_LEVEL
    results = {each.table: each for each in seen.results}
    tables = [
        table
        for contest in seen.contests
        for table in _tables_of(
            contest,
            _outcome(seen, results.get(contest.table), last=following is None),
            people,
            goes_on=goes_on,
            next_tables=next_tables,
            few=few,
        )
    ]
    dense = len(tables) > ROWS
    lines = len(tables) if dense else sum(len(table.players) + 2 for table in tables)
    return BracketLevel(
        title=str(seen.stage),
        url=reverse("stage", args=[tournament.slug, seen.stage.uid]),
        state=seen.state,
        tables=sorted(tables, key=lambda table: table.number),
        coming=coming,
        columns=max(1, min(-(-lines // ROWS), COLUMNS)),
        dense=dense,
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    places: Mapping[str, int | None]
    settled: frozenset[int] = frozenset()
    winners: Sequence[str] = ()


def _outcome(seen: Shown, results: ContestResults | None, *, last: bool) -> _Outcome:
    if results is None:
        return _Outcome({})
    answer, numbers = results.answer, results.contest.table_numbers
    places = {row.player: row.place for row in answer.lines} if answer.rounds else {}
    if kind_of(answer.kind).one_play:
        return _Outcome(places, frozenset(numbers[play.table] for play in results.sheet.plays if play))
    if answer.complete or seen.state == Stage.State.FINISHED:
        return _Outcome(places, frozenset(numbers.values()), answer.winners if last else ())
    return _Outcome(places)


def _tables_of(
    contest: Contest,
    outcome: _Outcome,
    people: People,
    *,
    goes_on: set[str],
    next_tables: Tables,
    few: bool,
) -> Iterator[BracketTable]:
    known = people_in(contest, people)
    for number in contest.table_numbers.values():
        players = [
            BracketPlayer(
                key=player,
                person=known[player],
                place=outcome.places.get(player),
                goes_on=player in goes_on,
                next_table=next_tables.get(player),
                won=player in outcome.winners,
            )
            for player in (str(seat.entry) for seat in sitting(contest.seats, number))
        ]
        players.sort(key=lambda player: (player.place is None, player.place or 0))
        listed = [player for player in players if few or player.goes_on or player.won]
        yield BracketTable(
            number=number,
            players=listed,
            more=len(players) - len(listed),
            settled=number in outcome.settled,
        )
