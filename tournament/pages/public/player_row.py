"""Where a player stands in a stage's pages: on which of them, and at which place of it."""

from dataclasses import dataclass

from scoring import SessionAnswer
from tournament.models import Entry
from tournament.pages.components import StandingsRow
from tournament.pages.public.heats import heat_sizes
from tournament.pages.public.paging import cut, page_url, page_with
from tournament.pages.public.stage import person
from tournament.pages.public.standings import row_of
from tournament.queries.visible import Shown
from tournament.results.answer import ContestResults
from tournament.results.kinds import kind_of


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The page of the stage where a player stands; `back` is their row or heat on it, "" where they have none; `row` is
    their row itself where the standings have several pages."""

    url: str
    back: str = ""
    row: StandingsRow | None = None


def whereabouts(seen: Shown, results: ContestResults | None, entry: Entry) -> Whereabouts:
    """Where the player stands in this contest of the stage; `results` are None until it has started."""
    if results is None:
        return Whereabouts(_page(seen, 1))
    if kind_of(results.contest.kind).one_play:
        return _in_heats(seen, results, entry)
    return _in_standings(seen, results, entry)


def _in_heats(seen: Shown, results: ContestResults, entry: Entry) -> Whereabouts:
    heats = heat_sizes(results)
    mine = next((seat.table for seat in results.contest.seats if seat.entry == entry.uid), None)
    index = next((index for index, (table, _people) in enumerate(heats) if table == mine), None)
    if index is None:
        return Whereabouts(_page(seen, 1))
    url = _page(seen, page_with([people for _table, people in heats], index))
    return Whereabouts(url, f"{url}#heat-{mine}")


def _in_standings(seen: Shown, results: ContestResults, entry: Entry) -> Whereabouts:
    answer, player = results.answer, str(entry.uid)
    players = [row.player for row in answer.standings]
    if player not in players:
        return Whereabouts(_page(seen, 1))
    if len(seen.results) > 1:  # tables stay whole
        sizes = [len(each.answer.standings) for each in seen.results]
        index = seen.results.index(results)
    else:
        sizes, index = [1] * len(players), players.index(player)
    url = _page(seen, page_with(sizes, index))
    row = None
    if isinstance(answer, SessionAnswer) and len(cut(sizes)) > 1:
        row = row_of(answer, person(seen.stage.tournament, entry), player, results.places_gained)
    return Whereabouts(url, f"{url}#at-{player}", row)


def _page(seen: Shown, number: int) -> str:
    return page_url(seen.stage.tournament.slug, seen.stage.uid, number)
