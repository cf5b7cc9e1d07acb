"""What an event counts for in a season: place, points and games of each player.

| rule | where |
| --- | --- |
| places of the last stage; who came no further than an earlier one shares the next place | `_places` |
| points and games of all contests that have points; heats have none | `_played` |
| disqualified: no place, the points stay | `_played` |
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from scoring import EveningResult
from tournament.models import Entry, PastResult, Stage
from tournament.queries.tour.kinds import KINDS, Played
from tournament.results import ContestResults, grouped, kind_of, lowest_wins

Contests = Sequence[tuple[Stage, ContestResults]]  # finished ones, in the order of play


def results_of(
    contests: Contests, past: Sequence[PastResult], entries: Mapping[str, Entry], people: Mapping[str, str]
) -> tuple[EveningResult, ...]:
    """Results by player, of a file (`past`) or of what was played; `people`: players by entry uid."""
    found = _from_file(past) if past else _played(contests, entries)
    return tuple(replace(each, player=people[each.player]) for each in found if each.player in people)


def _played(contests: Contests, entries: Mapping[str, Entry]) -> Iterator[EveningResult]:
    played = grouped(
        (entry, how)
        for stage, results in contests
        for entry, how in KINDS[results.answer.kind].played(stage, results)
    )
    places = _places(contests)
    for player, mine in played.items():
        scored = [(how, points) for how in mine if (points := _points(how)) is not None]
        entry = entries.get(player)
        removed = entry is not None and entry.state == Entry.State.DISQUALIFIED
        place = None if removed else places[player]
        yield EveningResult(
            player=player,
            place=place,
            points=sum((points for _how, points in scored), Fraction(0)) if scored else None,
            games=sum(how.plays for how, _points_ in scored) if scored else None,
            unplaced=place is None,
        )


def _from_file(rows: Iterable[PastResult]) -> Iterator[EveningResult]:
    """What the file held. Averages in files are rounded and points whole."""
    for row in rows:
        points = Fraction(row.points) if row.points else None
        if points is None and row.per_game is not None and row.games:
            points = Fraction(round(row.per_game * row.games))
        yield EveningResult(player=str(row.entry.uid), place=row.place, points=points, games=row.games)


def lowest_in(contests: Contests) -> bool | None:
    """Whether fewer points are better, by the last contest that has points; None: none has."""
    with_points = [results for _stage, results in contests if not kind_of(results.answer.kind).one_play]
    if not with_points:
        return None
    last = with_points[-1]
    return kind_of(last.answer.kind).by_average or lowest_wins(last.sheet.data)


def _points(how: Played) -> Fraction | None:
    if how.average is not None:
        return how.average * how.plays
    return None if how.points is None else Fraction(how.points)


def _places(contests: Contests) -> dict[str, int | None]:
    """Heats played alone have a place in each heat."""
    found: dict[str, int | None] = {}
    for _number, of_stage in groupby(reversed(contests), key=lambda each: each[0].number):
        rows = [
            (entry, how)
            for stage, results in of_stage
            for entry, how in KINDS[results.answer.kind].played(stage, results)
        ]
        following = len(found) + 1 if found else None
        for entry, how in rows:
            out = how.status == "disqualified"
            found.setdefault(entry, None if out else following or how.place)
    return found
