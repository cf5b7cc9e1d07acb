"""The tour: what follows across the events of one organiser. Nothing here is stored, and nobody is matched across
organisers: a player is a `tournament.models.Player`, which links the entries that people said are one person's.

    events    what one event gives to it, kept by the event's version
    kinds     what each kind of contest gives to that
    rating    how strong players seem to be, from finishing orders
    answers   the hall of champions, seasons, histories: `tour_of` an organiser

The pages are tournament/views/public/tour.py; their scope is the organiser's uid, their version the sum of the versions
of the organiser's tournaments, hidden ones too, so that hiding one raises it like everything else.
"""

from tournament.queries.tour.answers import Appearance, Season, Title, Tour, tour_of
from tournament.queries.tour.events import Taken, TourEvent
from tournament.queries.tour.kinds import Played
from tournament.queries.tour.rating import BEGINNING, Rated, Rating

__all__ = [
    "BEGINNING",
    "Appearance",
    "Played",
    "Rated",
    "Rating",
    "Season",
    "Taken",
    "Title",
    "Tour",
    "TourEvent",
    "tour_of",
]
