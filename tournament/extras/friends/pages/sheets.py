"""Score sheet of a friends' table.

The form is the whole state; `read_form` passes only what scoring reads.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from rulesets import KINDS, RULESETS
from scoring import Answer, SheetError, SheetInvalid, decks_for, parse_sheet, score
from scoring.reading import malformed_file, read_sheet
from scoring.sheets import Game, Hand, HeatsSheet, MatchSheet, RaceSheet, Round, SessionSheet
from tournament.models import Seat
from tournament.pages.components import CardPad, card_pad
from tournament.results import ROWS, SETTINGS, Fault, RoundRules, Typed
from tournament.words.faults import ruleset_name
from tournament.words.text import can_be_written, clean

Sheet = dict[str, Any]
Row = dict[str, Any]

MOST_BYTES = 300_000
MOST_PLAYERS = 100
MOST_ROWS = 300
NAME_LENGTH = 100


def read_form(text: str) -> Sheet:
    """The form's sheet, stripped. Raises SheetInvalid."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise malformed_file(f"more than {MOST_BYTES} bytes")
    data = parse_sheet(text)
    if not can_be_written(data):
        raise malformed_file("half of a letter")
    typed = read_sheet(data, KINDS)
    assert isinstance(data, dict)  # read_sheet refuses anything else
    assert not isinstance(typed, RaceSheet)
    if len(typed.players) > MOST_PLAYERS:
        raise malformed_file(f"more than {MOST_PLAYERS} players")
    kind = typed.kind
    settings = data.get("settings", {})
    rows, leaving = _rows(typed)
    if len(rows) > MOST_ROWS:
        raise malformed_file(f"more than {MOST_ROWS} {ROWS[kind]}")
    return {
        "sheet": 1,
        "kind": kind,
        "ruleset": typed.ruleset.id,
        "settings": {key: settings[key] for key in sorted(SETTINGS[kind]) if key in settings},
        "players": [
            {"id": player["id"], "name": clean(player["name"])[:NAME_LENGTH] or player["id"]}
            for player in data["players"]
        ],
        ROWS[kind]: rows,
        **leaving,
    }


def as_text(sheet: Sheet) -> str:
    """Sheet as the form field's text."""
    return json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))


def rows_of(sheet: Sheet) -> list[Row]:
    """Games, rounds or heats."""
    return list(sheet[ROWS[sheet["kind"]]])


def names_of(sheet: Sheet) -> dict[str, str]:
    """Player names by id."""
    return {player["id"]: player["name"] for player in sheet["players"]}


def with_row(sheet: Sheet, index: int, row: Row) -> Sheet:
    """Sheet with row `index` replaced or appended."""
    return _numbered(sheet, [*rows_of(sheet)[:index], row, *rows_of(sheet)[index + 1 :]])


def without_row(sheet: Sheet, index: int) -> Sheet:
    """Sheet without a row; later ones move up."""
    return _numbered(sheet, [*rows_of(sheet)[:index], *rows_of(sheet)[index + 1 :]])


def afresh(sheet: Sheet) -> Sheet:
    """Sheet with the same people and settings, nothing played."""
    kept = {key: sheet[key] for key in ("sheet", "kind", "ruleset", "settings", "players")}
    return {**kept, ROWS[sheet["kind"]]: []}


def scored(sheet: Sheet) -> tuple[Answer | None, Sequence[SheetError]]:
    """Score the sheet: (answer, ()) or (None, errors)."""
    try:
        return score(sheet), ()
    except SheetInvalid as invalid:
        return None, invalid.errors


def out_before(sheet: Sheet, index: int) -> set[str]:
    """Players removed, withdrawn or ejected before row `index`."""
    return {
        player
        for row in rows_of(sheet)[:index]
        for player in (
            *row.get("removed", ()),
            *row.get("withdrawn", ()),
            *(each["player"] for each in row.get("results", ()) if each["outcome"] == "ejected"),
        )
    }


def split(sheet: Sheet, error: SheetError) -> tuple[int | None, Fault]:
    """(row index or None, fault within that row)."""
    steps = error.path.split("/")[1:]
    if len(steps) < 2 or steps[0] != ROWS[sheet["kind"]] or not steps[1].isdigit():
        return None, Fault(error.code, error.path, error.parameters)
    index, rest = int(steps[1]), steps[2:]
    listed = rows_of(sheet)[index].get(rest[0]) if rest else None
    if isinstance(listed, list) and len(rest) > 1 and rest[1].isdigit() and int(rest[1]) < len(listed):
        named = listed[int(rest[1])]
        rest[1] = named["player"] if isinstance(named, dict) else str(named)
    else:
        rest = [step.replace("~1", "/").replace("~0", "~") for step in rest]
    return index, Fault(error.code, "".join(f"/{step}" for step in rest), error.parameters)


def choices() -> list[tuple[str, str, str]]:
    """Games on offer as (ruleset id, kind, name)."""
    return [
        (ruleset.id, kind, ruleset_name(ruleset.id))
        for ruleset in RULESETS.values()
        for kind in ruleset.kinds
    ]


def _numbered(sheet: Sheet, rows: Sequence[Row]) -> Sheet:
    return {**sheet, ROWS[sheet["kind"]]: [{**row, "number": number} for number, row in enumerate(rows, 1)]}


def _rows(typed: SessionSheet | MatchSheet | HeatsSheet) -> tuple[list[Row], dict[str, Any]]:
    match typed:
        case SessionSheet():
            return [_game(game) for game in typed.games], _leaving(typed)
        case MatchSheet():
            stopped = {"stopped": True} if typed.stopped else {}
            return [_round(round_) for round_ in typed.rounds], stopped | _leaving(typed)
        case HeatsSheet():
            heats = [
                {
                    "number": heat.number,
                    "players": list(heat.players),
                    "finish_order": list(heat.finish_order),
                    "advance": heat.advance,
                }
                | _listed("removed", heat.removed)
                for heat in typed.heats
            ]
            return heats, {}
        case _:
            assert_never(typed)


def _game(game: Game) -> Row:
    return _present(
        {"number": game.number, "ended": game.ended, "duration_s": game.duration_s, "decks": game.decks}
    ) | {
        "results": [
            _present(
                {
                    "player": result.player,
                    "outcome": result.outcome,
                    "elapsed_s": result.elapsed_s,
                    "hand": None if result.hand is None else dict(result.hand),
                }
            )
            for result in game.results
        ]
    }


def _round(round_: Round) -> Row:
    row = _present({"number": round_.number, "winner": round_.winner})
    row["hands"] = {player: dict(hand) for player, hand in round_.hands.items()}
    if round_.last_cards:
        row["last_cards"] = dict(round_.last_cards)
    return row | _present({"drew": round_.drew}) | _leaving(round_) | _listed("emptied", round_.emptied)


def _leaving(part: SessionSheet | MatchSheet | Round) -> Row:
    return _listed("removed", part.removed) | _listed("withdrawn", part.withdrawn)


def _listed(key: str, players: Sequence[str]) -> Row:
    return {key: list(players)} if players else {}


def _present(row: Mapping[str, Any]) -> Row:
    return {key: value for key, value in row.items() if value is not None}


def hand_of(counts: Hand) -> dict[str, int]:
    """Hand without zero counts."""
    return {card: count for card, count in counts.items() if count}


# ---- Shared parts of friends' row forms ----

OUT_AS = (Seat.OutAs.WITHDRAWN.value, Seat.OutAs.REMOVED.value)
# Fields of a row's parts: whole row, one player.
PLAIN = {"last_cards": "last", "duration_s": "duration", "finish_order": "sat", "players": "sat"}
OF_PLAYER = {
    "hands": "hand",
    "removed": "out",
    "withdrawn": "out",
    "out": "out",
    "players": "sat",
    "finish_order": "sat",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Value of a select or radio."""

    value: str
    word: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFields:
    """A player's fields in a game or heat."""

    key: str
    name: str
    options: Sequence[Option]
    time: str = ""
    error: str = ""
    time_error: str = ""


@dataclass(frozen=True, slots=True)
class RowRules:
    """A row's players (names by id) and `decks` by the settings."""

    players: Mapping[str, str]
    cards: RoundRules
    decks: int | None

    @classmethod
    def of(cls, sheet: Sheet, index: int) -> "RowRules":
        """Rules of row `index`."""
        ruleset = RULESETS[sheet["ruleset"]]
        gone = out_before(sheet, index)
        players = {player: name for player, name in names_of(sheet).items() if player not in gone}
        settings = sheet["settings"]
        decks = min(settings.get("decks") or decks_for(ruleset, len(players)), 99)
        return cls(players, RoundRules.of(ruleset, decks, settings), settings.get("decks"))


def hands_were_asked(players: list[str], typed: Typed) -> bool:
    """Whether the sent form had fields for these hands."""
    return all(any(name.startswith(f"hand-{player}-") for name in typed.data) for player in players)


def field_of(fault: Fault) -> str:
    """Id of the form field of a fault, if any."""
    _root, first, player, inner = [*fault.path.split("/"), "", "", ""][:4]
    if not player:
        return PLAIN.get(first, first)
    if first == "results":
        if inner == "hand" or fault.code in {"missing_hand", "empty_hand"}:
            return f"hand-{player}"
        return f"time-{player}" if inner == "elapsed_s" else f"outcome-{player}"
    return f"{OF_PLAYER[first]}-{player}" if first in OF_PLAYER else PLAIN.get(first, first)


def hands_pad(
    rules: RowRules,
    players: Sequence[str],
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    winners: bool,
) -> CardPad:
    """Pad for these players' hands and, with `winners`, the winner."""
    return card_pad(
        [(player, rules.players[player]) for player in players],
        ruleset=rules.cards.ruleset,
        copies=rules.cards.available,
        typed=typed,
        errors={
            name.removeprefix("hand-"): text for name, text in errors.items() if name.startswith("hand-")
        },
        winners=winners,
        winner=typed.get("winner", ""),
        winner_error=errors.get("winner", ""),
    )


def options_of(words: Mapping[str, str], chosen: str) -> list[Option]:
    """Options of a select or radios."""
    return [Option(value=value, word=word, chosen=value == chosen) for value, word in words.items()]
