"""A club's tour by the names of its players."""

from tests.support.tour_evenings import Club
from tournament.extras.season.queries.answers import Tour, tour_of


def tour(club: Club) -> Tour:
    found = tour_of(club.organiser.uid)
    assert found is not None
    return found


def orders(club: Club) -> list[list[set[str]]]:
    """The finishing orders of all events in time order, by names."""
    found = tour(club)
    return [
        [{found.names[player] for player in level} for level in finish.order]
        for event in reversed(found.events)
        for finish in event.finishes
    ]


def champions(club: Club) -> dict[int, list[tuple[str, set[str]]]]:
    found = tour(club)
    return {
        year: [(title.event.ruleset, {found.names[each] for each in title.champions}) for title in titles]
        for year, titles in found.hall().items()
    }
