"""`manage.py rehearse`: how large a day is, and when it says no."""

from tournament.management.commands.rehearse import size_of
from tournament.practice.rehearse.plan import Size

NOT_ASKED = dict.fromkeys(
    ("players", "tables", "referees", "watchers", "games", "seconds", "kind", "own_pages", "seed"), None
) | {"quick": False, "no_faults": False}


def test_quick_is_small_unless_a_size_is_asked_for() -> None:
    assert size_of(NOT_ASKED | {"seed": 5}) == Size(seed=5)
    quick = size_of(NOT_ASKED | {"quick": True, "watchers": 70, "no_faults": True})
    assert (quick.players, quick.watchers, quick.seconds, quick.faults) == (100, 70, 20, False)
