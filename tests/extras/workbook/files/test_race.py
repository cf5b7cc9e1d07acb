"""The table of a race's games: a row for each player of a game, what it gave, and whether it counts."""

from fractions import Fraction

from tests.support.contests import contest, play, player, round_, seats
from tests.support.workbook_events import of_contest
from tournament.extras.workbook.files.race import rows
from tournament.extras.workbook.files.standings_by_kind import rows as standings
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import Formula

HELD = {"7": 1}
GAMES = (
    round_(1, 1, HELD, 2, 3),
    play(2, (1, "holds", {"9": 2}), (2, "holds", {"1": 1}), ended="time"),
    round_(3, 2, {"0": 1}, 1, state="void"),
)


def event(**settings: object) -> Event:
    return of_contest(
        contest("race", *GAMES, seats=seats(1, 2, 3), settings={"scoring": "own_hand", **settings})
    )


def value(cell: object) -> object:
    return cell.value if isinstance(cell, Formula) else cell


def test_each_player_of_a_game_has_a_row_with_what_it_gave() -> None:
    found = [
        tuple(value(row[key]) for key in ("play", "counts", "ending", "outcome", "points", "won", "cards"))
        for row in rows(event())
    ]
    assert found == [
        (1, "yes", None, "won", 0, 1, 0),
        (1, "yes", None, "holds", 7, 0, 1),
        (1, "yes", None, "holds", 7, 0, 1),
        (2, "yes", "time", "holds", 18, 0, 2),
        (2, "yes", "time", "holds", 1, 0, 1),
        (3, "void", None, "won", None, 0, 0),
        (3, "void", None, "holds", None, 0, 0),
    ]  # fmt: skip


def test_only_the_best_games_count() -> None:
    made = event(best=1)
    counted = [(row["entry_id"], row["play"]) for row in rows(made) if value(row["counted"])]
    assert counted == [(str(player(1)), 1), (str(player(3)), 1), (str(player(2)), 2)]
    lines = {
        row["entry_id"]: (row["place"], row["average"], row["games"], row["counted"])
        for row in standings(made)
    }
    assert lines == {
        str(player(1)): (1, Fraction(0), 2, 1),
        str(player(2)): (2, Fraction(1), 2, 1),
        str(player(3)): (3, Fraction(7), 1, 1),
    }
