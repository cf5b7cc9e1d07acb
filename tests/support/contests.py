"""Contests written down without a database, for the bridge and for settling."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from tournament.results.bridge import Contest, PlayerFacts
from tournament.results.facts import PlayFacts, ResultFacts, SeatFacts

STAGE = UUID(int=1)


def player(number: int) -> UUID:
    return UUID(int=1000 + number)


def table(number: int) -> UUID:
    return UUID(int=100 + number)


def play_uid(number: int, at: int = 1) -> UUID:
    return UUID(int=10_000 * at + number)


def rows(*outcomes: tuple[int, str, Any]) -> tuple[ResultFacts, ...]:
    """Results of (player, outcome, seconds, hand or place)."""
    made = []
    for number, outcome, value in outcomes:
        more: dict[str, Any] = {}
        if isinstance(value, dict):
            more["hand"] = value
        elif outcome == "finished":
            more["finish"] = value
        elif value is not None:
            more["elapsed_s"] = value
        made.append(ResultFacts(UUID(int=number), player(number), outcome, **more))
    return tuple(made)


def play(
    number: int, *outcomes: tuple[int, str, Any], at: int = 1, state: str = "entered", **more: Any
) -> PlayFacts:
    return PlayFacts(play_uid(number, at), table(at), number, state, rows(*outcomes), **more)


def round_(number: int, winner: int, hand: dict[str, int], *others: int, **more: Any) -> PlayFacts:
    """A round that `winner` won while each of the others held `hand`."""
    return play(number, (winner, "won", None), *((other, "holds", hand) for other in others), **more)


def seat(number: int, out_as: str = "", out_from: int | None = None, at: int = 1) -> SeatFacts:
    return SeatFacts(player(number), at, number, out_as, out_from)


def left(number: int, out_from: int, minute: int, *, left_from: int | None = None) -> SeatFacts:
    """The seat of a player who left in this minute, before play `left_from`; without one, before `out_from`."""
    at = datetime(2026, 5, 9, 18, minute, tzinfo=UTC)
    return SeatFacts(player(number), 1, number, "withdrawn", out_from, left_from or out_from, at)


def contest(kind: str, *plays: PlayFacts, seats: list[SeatFacts], **more: Any) -> Contest:
    tables = sorted({one.table for one in seats})
    ruleset = "kpgut-2016" if kind == "session" else "mattel-108"
    return Contest(
        stage=STAGE,
        table=table(1) if kind == "match" else None,
        kind=kind,
        ruleset=more.pop("ruleset", ruleset),
        settings=more.pop("settings", {}),
        stopped=more.pop("stopped", False),
        players=tuple(
            PlayerFacts(one.entry, f"P{one.entry.int - 1000}", index) for index, one in enumerate(seats, 1)
        ),
        seats=tuple(seats),
        plays=plays,
        table_numbers={table(number): number for number in tables},
    )


def seats(*numbers: int, at: int = 1) -> list[SeatFacts]:
    return [seat(number, at=at) for number in numbers]


def impossible_plays() -> dict[str, Contest]:
    """For each reason of settling for which a play does not count, a contest whose play 2 has it."""
    three = seats(1, 2, 3)
    ejected = play(1, (1, "out", 60), (2, "ejected", None), (3, "last", None), ended="last", duration_s=60)
    with_ejected = play(2, (1, "out", 60), (2, "out", 70), (3, "last", None), ended="last")
    held = {"5": 1}
    return {
        "match_over": contest(
            "match",
            round_(1, 1, {"wild": 2}, 2),
            round_(2, 1, held, 2),
            seats=seats(1, 2),
            settings={"target": 100},
        ),
        "walkover": contest(
            "match",
            round_(1, 1, held, 2),
            play(2, (1, "won", None)),
            seats=[seat(1), seat(2, "withdrawn", 2)],
        ),
        "missing_hand": contest("match", round_(1, 1, held, 2, 3), round_(2, 1, held, 2), seats=three),
        "missing_winner": contest(
            "match", round_(1, 1, held, 2), play(2, (1, "holds", held), (2, "holds", held)), seats=seats(1, 2)
        ),
        "removed_plays": contest(
            "match",
            round_(1, 1, held, 2, 3),
            round_(2, 1, held, 2, 3),
            seats=[seat(1), seat(2), seat(3, "removed", 2)],
        ),
        "too_many_games": contest(
            "race",
            round_(1, 1, held, 2),
            round_(2, 1, held, 2),
            seats=seats(1, 2),
            settings={"scoring": "own_hand", "max_games": 1},
        ),
        "disqualified_plays": contest("session", ejected, with_ejected, seats=three),
    }
