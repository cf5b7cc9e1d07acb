"""Worked examples, computed by scoring so that they cannot be wrong."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import OWN_HAND, WINNER_TAKES, ByKind, Ruleset
from scoring import score
from tournament.words.text import elapsed_text

EXAMPLE_NAMES = ("Aino", "Börje", "Cécile", "Dima")
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
    """A player's line in an example; unused fields are empty."""

    name: str
    hand: Mapping[str, int] | None = None
    points: int | None = None
    place: int | None = None
    elapsed: str = ""
    outcome: str = ""


def examples_of(ruleset: Ruleset) -> dict[str, Any]:
    """Examples of a ruleset's kinds, by name."""
    return {name: rows for kind in ruleset.kinds for name, rows in EXAMPLES[kind](ruleset).items()}


ROUNDS = {"example_round": WINNER_TAKES, "example_own_hand": OWN_HAND}
EXAMPLES: ByKind[Callable[[Ruleset], dict[str, Any]]] = ByKind(
    "pages/public/rules_examples.py",
    {
        "session": lambda rules: {"example_game": list(_game(rules)), "example_hour": list(_hour(rules))},
        "match": lambda rules: {
            name: list(_round(rules, scoring))
            for name, scoring in ROUNDS.items()
            if scoring in rules.scorings
        },
        "heats": lambda _rules: {},
    },
)


def _held(ruleset: Ruleset, hand: Mapping[str, int]) -> dict[str, int]:
    """Only the hand's cards that are in the deck, at least one."""
    deck = ruleset.deck
    held = {card: min(count, deck[card]) for card, count in hand.items() if card in deck}
    return held or {next(iter(deck)): 1}


def _game(ruleset: Ruleset) -> Iterator[Row]:
    results: list[dict[str, Any]] = [
        {"player": name, "outcome": "out", "elapsed_s": seconds} for name, seconds in OUT_AT.items()
    ]
    results += [{"player": "Cécile", "outcome": "last"}, {"player": "Dima", "outcome": "gave_up"}]
    game = {"ended": "last", "duration_s": max(OUT_AT.values()), "results": results}
    for result, given in zip(_session(ruleset, game), results, strict=True):
        at = OUT_AT.get(result.player)
        elapsed = "" if at is None else elapsed_text(at)
        yield Row(result.player, None, result.points, result.place, elapsed, given["outcome"])


def _hour(ruleset: Ruleset) -> Iterator[Row]:
    hands = {name: _held(ruleset, hand) for name, hand in AT_THE_HOUR.items()}
    results = [{"player": name, "outcome": "remaining", "hand": hand} for name, hand in hands.items()]
    for result in _session(ruleset, {"ended": "time", "results": results}):
        yield Row(result.player, hands[result.player], result.points, result.place)


def _session(ruleset: Ruleset, game: dict[str, Any]) -> Any:
    return score(_sheet(ruleset, "session", EXAMPLE_NAMES, games=[{"number": 1, **game}])).rounds[0].results


def _round(ruleset: Ruleset, scoring: str) -> Iterator[Row]:
    hands = {name: _held(ruleset, hand) for name, hand in LEFT_IN_A_ROUND.items()}
    sheet = _sheet(
        ruleset, "match", EXAMPLE_NAMES[:3], rounds=[{"number": 1, "winner": "Aino", "hands": hands}]
    )
    target = ruleset.default_target or ruleset.most_target or max(TARGET, ruleset.least_target)
    for result in score({**sheet, "settings": {"target": target, "scoring": scoring}}).rounds[0].results:
        yield Row(result.player, hands.get(result.player), int(result.points or 0))


def _sheet(ruleset: Ruleset, kind: str, names: tuple[str, ...], **plays: Any) -> dict[str, Any]:
    return {
        "sheet": 1,
        "kind": kind,
        "ruleset": ruleset.id,
        "players": [{"id": name, "name": name} for name in names],
        **plays,
    }
