"""Short ways to write a score sheet down in a test."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import Points, SheetError, SheetInvalid, score

Json = dict[str, Any]

ONE = {"1": 1}
WHOLE_DECK = {
    "0": 4,
    **dict.fromkeys("123456789", 8),
    **dict.fromkeys(("draw2", "reverse", "skip"), 8),
    "wild": 4,
    "wild4": 4,
}


def players(*ids: str) -> list[Json]:
    return [{"id": player, "name": player.upper()} for player in ids]


def session(*games: Json, ids: str = "abc", **settings: Any) -> Json:
    """A KPGUT session of the players a, b and c."""
    return {
        "sheet": 1,
        "kind": "session",
        "ruleset": "kpgut-2016",
        "settings": settings,
        "players": players(*ids),
        "games": numbered(games),
    }


def match(*rounds: Json, ruleset: str = "mattel-108", ids: str = "abc", **settings: Any) -> Json:
    """A match of the players a, b and c."""
    if ruleset == "tite-2022":
        settings.setdefault("target", 500)
    return {
        "sheet": 1,
        "kind": "match",
        "ruleset": ruleset,
        "settings": settings,
        "players": players(*ids),
        "rounds": numbered(rounds),
    }


def heats(*heats_: Json, ids: str = "abcdef", **settings: Any) -> Json:
    """A level of heats of the players a to f."""
    return {
        "sheet": 1,
        "kind": "heats",
        "ruleset": "tite-2022",
        "settings": settings,
        "players": players(*ids),
        "heats": numbered(heats_),
    }


def race(*games: Json, ids: str = "abc", ruleset: str = "mattel-108", **settings: Any) -> Json:
    """A race of the players a, b and c, by own hands."""
    return {
        "sheet": 1,
        "kind": "race",
        "ruleset": ruleset,
        "settings": {"scoring": "own_hand", **settings},
        "players": players(*ids),
        "games": numbered(games),
    }


def hand_of(seated: str, winner: str | None, hands: Any, **entries: Any) -> Json:
    """A game of a race; `winner` None: ended by the bell."""
    how: Json = {"ended": "time"} if winner is None else {"winner": winner}
    return {"players": list(seated), **how, "hands": hands, **entries}


def numbered(parts: tuple[Json, ...]) -> list[Json]:
    return [{"number": index + 1, **part} for index, part in enumerate(parts)]


def game(ended: str, *results: Json, **entries: Any) -> Json:
    return {"ended": ended, "results": list(results), **entries}


def out(player: str, elapsed_s: Any) -> Json:
    return {"player": player, "outcome": "out", "elapsed_s": elapsed_s}


def last(player: str) -> Json:
    return {"player": player, "outcome": "last"}


def remaining(player: str, hand: Any) -> Json:
    return {"player": player, "outcome": "remaining", "hand": hand}


def gave_up(player: str) -> Json:
    return {"player": player, "outcome": "gave_up"}


def ejected(player: str) -> Json:
    return {"player": player, "outcome": "ejected"}


def won(winner: object, hands: Any, **entries: Any) -> Json:
    """A round that `winner` won while the others held `hands`."""
    return {"winner": winner, "hands": hands, **entries}


def heat(seated: str, finish_order: str, **entries: Any) -> Json:
    return {"players": list(seated), "finish_order": list(finish_order), **entries}


def refused(sheet: object) -> SheetInvalid:
    with pytest.raises(SheetInvalid) as refusal:
        score(sheet)
    return refusal.value


def errors_of(sheet: object) -> tuple[SheetError, ...]:
    return refused(sheet).errors


def faults_of(sheet: object) -> list[tuple[str, str]]:
    return [(error.code, error.path) for error in errors_of(sheet)]


def results(sheet: Json) -> list[tuple[str, int | None, Points | None]]:
    """Everybody's place and points in the first game of a sheet."""
    return [(row.player, row.place, row.points) for row in score(sheet).rounds[0].results]
