"""tournament/extras/season/queries/answers.py: rules for an estimate that hold for any figures of the library."""

import pytest

from tournament.extras.season.queries.answers import BEGINNING, Finish, Order, Rated, Rating, ratings


def finish(*order: str | tuple[str, ...], event: str = "one") -> Finish:
    """A contest's order; those in a tuple are level."""
    return Finish(event, tuple(each if isinstance(each, tuple) else (each,) for each in order))


def after(*finishes: Finish) -> dict[str, Rating]:
    return {player: rated.now for player, rated in ratings(finishes).items()}


def test_everybody_begins_at_1500_give_or_take_333() -> None:
    assert (BEGINNING.points, BEGINNING.band, BEGINNING.low, BEGINNING.high) == (1500, 333, 1167, 1833)


def test_winner_rises_last_falls_and_both_are_surer() -> None:
    known = after(finish("aino", "bo", "dima"))
    assert known["aino"].mu > BEGINNING.mu > known["dima"].mu
    assert known["aino"].mu > known["bo"].mu > known["dima"].mu
    assert all(each.sigma < BEGINNING.sigma for each in known.values())


def test_every_contest_more_makes_surer() -> None:
    bands = [after(*[finish("aino", "bo", "dima")] * games)["bo"].sigma for games in (1, 2, 5, 20)]
    assert bands == sorted(bands, reverse=True)
    assert len(set(bands)) == len(bands)


def test_those_level_are_rated_alike() -> None:
    known = after(finish("aino", ("bo", "cecile", "dima")), finish(("dima", "cecile", "bo"), "aino"))
    assert known["bo"] == known["cecile"] == known["dima"]
    everybody = after(finish(("aino", "bo", "cecile")))
    assert {each.points for each in everybody.values()} == {BEGINNING.points}


def test_beating_somebody_strong_counts_for_more() -> None:
    known = [finish("strong", "weak")] * 10
    over_strong = after(*known, finish("aino", "strong"))["aino"]
    over_weak = after(*known, finish("aino", "weak"))["aino"]
    assert over_strong.mu > over_weak.mu


@pytest.mark.parametrize("order", [(), (("aino",),)], ids=["nobody", "one"])
def test_contest_of_fewer_than_two_tells_nothing(order: Order) -> None:
    assert ratings([Finish("one", order)]) == {}


def test_same_orders_give_the_same_figures_to_the_last_bit() -> None:
    """This also holds when level players are named in another order: a sum of floats depends on its order."""
    level = ("bo", "cecile", "dima", "eeva", "fatima")
    one = [finish("aino", level), finish(level, "aino")]
    other = [finish("aino", level[::-1]), finish((*level[2:], *level[:2]), "aino")]
    assert ratings(one) == ratings(other) == ratings(one)


def test_order_of_contests_matters_a_little() -> None:
    """Each is rated by what was known before it; the tour takes them as they were played."""
    first, second = finish("aino", "bo", "dima"), finish("dima", "aino", "bo")
    one, other = after(first, second), after(second, first)
    assert one != other
    assert all(abs(one[player].points - other[player].points) < one[player].band / 2 for player in one)


def test_history_has_a_rating_after_each_event() -> None:
    rated = ratings(
        [
            finish("aino", "bo", event="may"),
            finish("aino", "bo", event="may"),
            finish("bo", "dima", event="june"),
            finish("bo", "aino", event="july"),
        ]
    )
    assert {player: [event for event, _rating in each.history] for player, each in rated.items()} == {
        "aino": ["may", "july"],
        "bo": ["may", "june", "july"],
        "dima": ["june"],
    }
    aino = rated["aino"]
    assert aino == Rated(aino.history[-1][1], aino.history)
    assert [rating.contests for _event, rating in aino.history] == [2, 3]


def test_lists_go_by_the_lower_end_of_the_band() -> None:
    """One lucky game against the best does not lead over twenty won."""
    known = after(*[finish("steady", "bo", "dima")] * 20, finish("lucky", "steady"))
    assert known["steady"].low > known["lucky"].low
    assert known["steady"].low > known["lucky"].low
