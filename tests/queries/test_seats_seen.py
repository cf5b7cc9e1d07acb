"""The seats of a stage as a page showed them, and what became of them since."""

from uuid import UUID

import pytest

from tests.support.factories import running_heats
from tournament import actions
from tournament.queries.draws import changed_since, meanwhile, places_seen, seats_text

ONE, TWO, THREE = (str(UUID(int=number << 96)) for number in (1, 2, 3))


def test_seats_are_a_short_text() -> None:
    assert seats_text({2: [THREE], 1: [TWO, ONE], 3: []}) == "1:00000002,00000001;2:00000003"
    assert seats_text({1: []}) == seats_text({}) == "0"


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ({1: [ONE, TWO], 2: [THREE]}, False),
        ({1: [TWO, ONE], 2: [THREE]}, True),
        ({1: [ONE], 2: [THREE, TWO]}, True),
        ({1: [ONE, TWO]}, True),
    ],
)
def test_whoever_sits_elsewhere_changed_something(now: dict[int, list[str]], changed: bool) -> None:
    seen = seats_text({1: [ONE, TWO], 2: [THREE]})
    assert changed_since(seen, now, {ONE, TWO, THREE}) is changed


def test_who_left_since_changed_nothing_for_the_others() -> None:
    seen = seats_text({1: [ONE, TWO], 2: [THREE]})
    assert not changed_since(seen, {1: [TWO]}, {TWO})
    assert changed_since(seen, {2: [TWO]}, {TWO})


def test_places_are_read_out_of_a_text_and_nothing_else_is() -> None:
    seen = seats_text({1: [ONE, TWO], 12: [THREE]})
    assert places_seen(seen, [ONE, TWO, THREE]) == {ONE: (1, 1), TWO: (1, 2), THREE: (12, 1)}
    assert places_seen(seen, [str(UUID(int=9 << 96))]) == {}
    for odd in ("", "0", "x:00000001", "²:00000001", "1234567890:00000001"):
        assert places_seen(odd, [ONE]) == {}


@pytest.mark.django_db
def test_the_last_one_who_moved_somebody_in_the_stage_is_named() -> None:
    made = running_heats(players=6, tables=2)
    before = meanwhile(made.stage, "0")
    assert (before.seats, before.who) == ("0", made.user.display_name())
    rows = [
        {"number": 1, "entries": made.at(made.tables[1])},
        {"number": 2, "entries": made.at(made.tables[0])},
    ]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=rows)
    after = meanwhile(made.refresh().stage, "1")
    assert after.at is not None
    assert before.at is not None
    assert after.at > before.at
    other = running_heats(players=4).stage
    assert meanwhile(other, "2").at != after.at
