"""Worked examples for the rules: small score sheets, scored as every other, so that they cannot be wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import OWN_HAND, Ruleset
from scoring import MatchAnswer, SessionAnswer, score

NAMES = ("Aino", "Börje", "Cécile", "Dima")
OUT_AT = {
    "Aino": 14 * 60 + 59,
    "Börje": 31 * 60 + 20,
}  # seconds after the start; Cécile is last, Dima gives up
AT_THE_HOUR: Mapping[str, Mapping[str, int]] = {
    "Aino": {"7": 1, "skip": 1},
    "Börje": {"0": 1, "9": 1},
    "Cécile": {"4": 1, "5": 1},
    "Dima": {"1": 3},
}
LEFT_IN_A_ROUND: Mapping[str, Mapping[str, int]] = {
    "Börje": {"7": 1, "draw2": 1},
    "Cécile": {"0": 1, "9": 1, "wild4": 1},
}
TARGET = 500


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line in an example; what it does not need is None."""

    name: str
    hand: Mapping[str, int] | None = None
    points: int | None = None
    place: int | None = None
    minutes: str = ""
    outcome: str = ""


def examples_of(ruleset: Ruleset) -> dict[str, Any]:
    """The examples for a ruleset's page, by their names there."""
    if "session" in ruleset.kinds:
        return {"example_game": list(_game(ruleset)), "example_hour": list(_hour(ruleset))}
    return {
        "example_round": list(_round(ruleset, ruleset.scorings[0])),
        "example_own_hand": list(_round(ruleset, OWN_HAND)) if OWN_HAND in ruleset.scorings else [],
    }


def _game(ruleset: Ruleset) -> Iterator[Row]:
    """A game that ends when one is left."""
    results: list[dict[str, Any]] = [
        {"player": name, "outcome": "out", "elapsed_s": seconds} for name, seconds in OUT_AT.items()
    ]
    results += [{"player": "Cécile", "outcome": "last"}, {"player": "Dima", "outcome": "gave_up"}]
    game = {"ended": "last", "duration_s": max(OUT_AT.values()), "results": results}
    for result, given in zip(_session(ruleset, game), results, strict=True):
        at = OUT_AT.get(result.player)
        minutes = "" if at is None else f"{at // 60}:{at % 60:02}"
        yield Row(result.player, None, result.points, result.place, minutes, given["outcome"])


def _hour(ruleset: Ruleset) -> Iterator[Row]:
    """A game that the hour ends."""
    results = [
        {"player": name, "outcome": "remaining", "hand": dict(hand)} for name, hand in AT_THE_HOUR.items()
    ]
    for result in _session(ruleset, {"ended": "time", "results": results}):
        yield Row(result.player, AT_THE_HOUR[result.player], result.points, result.place)


def _session(ruleset: Ruleset, game: dict[str, Any]) -> Any:
    answer = score(_sheet(ruleset, "session", NAMES, games=[{"number": 1, **game}]))
    assert isinstance(answer, SessionAnswer)
    return answer.rounds[0].results


def _round(ruleset: Ruleset, scoring: str) -> Iterator[Row]:
    """A round that Aino wins."""
    hands = {name: dict(hand) for name, hand in LEFT_IN_A_ROUND.items()}
    sheet = _sheet(ruleset, "match", NAMES[:3], rounds=[{"number": 1, "winner": "Aino", "hands": hands}])
    answer = score({**sheet, "settings": {"target": TARGET, "scoring": scoring}})
    assert isinstance(answer, MatchAnswer)
    for result in answer.rounds[0].results:
        yield Row(result.player, LEFT_IN_A_ROUND.get(result.player), result.points)


def _sheet(ruleset: Ruleset, kind: str, names: tuple[str, ...], **plays: Any) -> dict[str, Any]:
    players = [{"id": name, "name": name} for name in names]
    return {"sheet": 1, "kind": kind, "ruleset": ruleset.id, "players": players, **plays}
