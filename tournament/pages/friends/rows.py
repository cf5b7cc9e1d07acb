"""A game, a round or a heat as friends type it: from form fields to a row of the score sheet and back.

The fields are those of the desk (tournament/results/typed.py); in a heat `sat-<player>` is `sat`, the number in the
order of going out, or `removed`. A fault's field is where its message stands: `field_of` leads scoring's paths there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import RULESETS
from scoring import decks_for
from tournament.models import Play, Seat
from tournament.pages.friends.sheets import Row, Sheet, hand_of, names_of, out_before
from tournament.results.facts import Hand
from tournament.results.faults import Fault
from tournament.results.given import GameEntry, RoundEntry
from tournament.results.typed import (
    RoundRules,
    Typed,
    read_game,
    read_heat,
    read_round,
    remaining_in,
    typed_game,
    typed_round,
)

ENDINGS = tuple(Play.Ended.values)
OUT_AS = (Seat.OutAs.WITHDRAWN.value, Seat.OutAs.REMOVED.value)
# Where on the page a part of a row stands: as a whole, and of one player.
PLAIN = {"last_cards": "last", "duration_s": "duration", "finish_order": "sat", "players": "sat"}
OF_PLAYER = {
    "hands": "hand",
    "removed": "out",
    "withdrawn": "out",
    "out": "out",
    "players": "sat",
    "finish_order": "sat",
}


@dataclass(frozen=True, slots=True)
class RowRules:
    """Who takes part in a row, names by id, and what is asked of a round then."""

    players: Mapping[str, str]
    cards: RoundRules

    @classmethod
    def of(cls, sheet: Sheet, index: int) -> "RowRules":
        """The rules of the row at the index."""
        ruleset = RULESETS[sheet["ruleset"]]
        gone = out_before(sheet, index)
        players = {player: name for player, name in names_of(sheet).items() if player not in gone}
        settings = sheet["settings"]
        decks = min(settings.get("decks") or decks_for(ruleset, len(players)), 99)
        return cls(players, RoundRules.of(ruleset, decks, settings))


def read_row(sheet: Sheet, index: int, typed: Typed) -> Row:
    """The row that was typed; what cannot be read is a fault of `typed`, what breaks a rule is scoring's to say."""
    rules = RowRules.of(sheet, index)
    reader = {"session": _read_game, "match": _read_round, "heats": _read_heat}[sheet["kind"]]
    return {"number": index + 1} | reader(rules, typed)


def typed_row(sheet: Sheet, row: Row) -> dict[str, str]:
    """A row of the sheet as the form that enters it would send it."""
    return {"session": _typed_game, "match": _typed_round, "heats": _typed_heat}[sheet["kind"]](row)


def hands_to_count(sheet: Sheet, index: int, typed: Typed) -> list[str]:
    """Who of a session's game remained with cards, so that their hands are asked for."""
    if sheet["kind"] != "session":
        return []
    players = RowRules.of(sheet, index).players
    return remaining_in(typed, players)


def hands_were_asked(players: list[str], typed: Typed) -> bool:
    """Whether the form that was sent had fields for these hands already."""
    return all(any(name.startswith(f"hand-{player}-") for name in typed.data) for player in players)


def field_of(fault: Fault) -> str:
    """The id of the field on the page that a fault within a row belongs to; empty for the row as a whole."""
    _root, first, player, inner = [*fault.path.split("/"), "", "", ""][:4]
    if not player:
        return PLAIN.get(first, first)
    if first == "results":
        if inner == "hand" or fault.code in {"missing_hand", "empty_hand"}:
            return f"hand-{player}"
        return f"time-{player}" if inner == "elapsed_s" else f"outcome-{player}"
    return f"{OF_PLAYER[first]}-{player}" if first in OF_PLAYER else PLAIN.get(first, first)


def _read_round(rules: RowRules, typed: Typed) -> Row:
    players = {player: player for player in rules.players}
    entry = read_round(typed, players, rules.cards, players.get)
    row: Row = {
        "removed": entry.removed,
        "withdrawn": entry.withdrawn,
        "emptied": entry.emptied,
        "winner": entry.winner,
        "hands": {player: hand_of(hand) for player, hand in entry.hands.items()},
        "last_cards": entry.last_cards,
        "drew": entry.drew,
    }
    played = entry.winner or entry.hands
    return {key: value for key, value in row.items() if value or (key == "hands" and played)}


def _read_game(rules: RowRules, typed: Typed) -> Row:
    entry = read_game(typed, {player: player for player in rules.players}, rules.cards.ruleset)
    duration = {} if entry.duration_s is None else {"duration_s": entry.duration_s}
    return {"ended": entry.ended, "results": [_result(row) for row in entry.results], **duration}


def _result(row: Mapping[str, Any]) -> Row:
    result: Row = {"player": row["entry"], "outcome": row["outcome"]}
    if row.get("elapsed_s") is not None:
        result["elapsed_s"] = row["elapsed_s"]
    if "hand" in row:
        result["hand"] = hand_of(row["hand"])
    return result


def _read_heat(rules: RowRules, typed: Typed) -> Row:
    sat = {player: choice for player in rules.players if (choice := typed.text(f"sat-{player}"))}
    asked = {f"out-{player}": choice for player, choice in sat.items() if choice in OUT_AS}
    asked |= {f"order-{player}": choice for player, choice in sat.items() if choice not in {"sat", *OUT_AS}}
    asked["advance"] = typed.text("advance")
    entry = read_heat(Typed(asked, typed.faults), {player: player for player in rules.players})
    row: Row = {
        "players": list(sat),
        "finish_order": entry.finish_order,
        "removed": entry.removed,
        "advance": entry.advance,
    }
    return {key: value for key, value in row.items() if value or key in {"players", "finish_order"}}


def _typed_round(row: Row) -> dict[str, str]:
    hands: dict[str, Hand] = {player: hand_of(hand) for player, hand in row.get("hands", {}).items()}
    out = {key: row.get(key, ()) for key in (*OUT_AS, "emptied")}
    last = hand_of(row.get("last_cards", {}))
    return typed_round(RoundEntry(row.get("winner"), hands, row.get("drew"), last_cards=last, **out))


def _typed_game(row: Row) -> dict[str, str]:
    results = [
        {
            "entry": result["player"],
            "outcome": result["outcome"],
            "elapsed_s": result.get("elapsed_s"),
            "hand": hand_of(result.get("hand", {})),
        }
        for result in row["results"]
    ]
    return typed_game(GameEntry(row["ended"], results, row.get("duration_s")))


def _typed_heat(row: Row) -> dict[str, str]:
    data = {f"sat-{player}": "sat" for player in row["players"]}
    data |= {f"sat-{player}": str(number) for number, player in enumerate(row["finish_order"], 1)}
    data |= {f"sat-{player}": "removed" for player in row.get("removed", ())}
    return data | {"advance": str(row["advance"])}
