"""Parsed JSON to typed sheets; judges shape, not rules.

| read | section | where |
| --- | --- | --- |
| kind, ruleset | Common | `read_sheet` |
| players | Common | `_player_ids` |
| games | session | `_session`, `_game`, `_result` |
| rounds | match | `_match`, `_round` |
| heats | heats | `_heats`, `_heat` |

Ignores what no rule uses: times unless out, hands unless remaining, both in void games, `drew` without a drawing
last card.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, TypeVar, cast

from rulesets import OWN_HAND, RULESETS, WINNER_TAKES, Ruleset

from .faults import Faults, SheetInvalid
from .reader import Reader
from .sheets import Game, Heat, HeatsSheet, MatchSheet, Result, Round, Row, SessionSheet, Sheet


def parse_sheet(text: bytes | str) -> object:
    """Parse JSON (UTF-8, BOM skipped).

    Raises SheetInvalid (`malformed`), also for NaN, Infinity, duplicate keys (data loss) and too deep nesting.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return _decoder.decode(text)
    except UnicodeDecodeError:
        found = "a text that is not UTF-8"
    except RecursionError:
        found = "nesting deeper than can be read"
    except json.JSONDecodeError as error:
        found = f"a text that is not JSON ({error})"
    except ValueError:
        found = "a number of more digits than can be read"
    raise malformed_file(found)


def malformed_file(found: str) -> SheetInvalid:
    """SheetInvalid for input that is no sheet."""
    faults = Faults()
    faults.add("malformed", (), found=found, expected="a score sheet in JSON")
    return SheetInvalid(tuple(faults.errors))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise malformed_file("an object that names a key twice")
    return entries


def _no_constant(name: str) -> NoReturn:
    raise malformed_file(f"{name}, which JSON does not have")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


S = TypeVar("S", SessionSheet, MatchSheet, HeatsSheet)
T = TypeVar("T", Game, Round, Heat)

FORMAT = 1
ENDINGS = ("last", "time", "early", "void")
OUTCOMES = ("out", "last", "remaining", "gave_up", "ejected")
SCORINGS = (WINNER_TAKES, OWN_HAND)
MOST_CUSTOM_CARDS = 3


def read_sheet(data: object) -> Sheet:
    """Typed sheet of parsed JSON.

    Raises SheetInvalid: `malformed`, `unknown_ruleset`, `ruleset_not_for_kind`.
    """
    faults = Faults()
    sheet = Reader(data, (), faults)
    sheet.integer("sheet", least=FORMAT, most=FORMAT)
    kind = sheet.one_of("kind", tuple(_READERS))
    name = sheet.text("ruleset")
    faults.stop()
    typed = _READERS[kind](sheet, _ruleset(name, kind, faults))
    faults.stop()
    return typed


def read_rows(of: type[S], data: Mapping[str, Any], indexes: Iterable[int] = ()) -> S:
    """Typed sheet with only the rows at `indexes`."""
    sheet = read_sheet({**data, of.rows: [data[of.rows][index] for index in indexes]})
    assert isinstance(sheet, of)
    return sheet


def _ruleset(name: str, kind: str, faults: Faults) -> Ruleset:
    allowed = ", ".join(ruleset.id for ruleset in RULESETS.values() if kind in ruleset.kinds)
    if name not in RULESETS:
        faults.add("unknown_ruleset", ("ruleset",), ruleset=name, allowed=allowed)
    elif kind not in RULESETS[name].kinds:
        faults.add("ruleset_not_for_kind", ("ruleset",), ruleset=name, kind=kind, allowed=allowed)
    faults.stop()
    return RULESETS[name]


def _player_ids(sheet: Reader) -> tuple[str, ...]:
    def read(player: Reader) -> str:
        player.text("name")
        return player.text("id")

    return sheet.items("players", read)


def _rows(sheet: Reader, key: str, read: Callable[[Reader], T], beside: Hashable = None) -> tuple[T, ...]:
    """Read rows, cached per Row and other inputs; of a cached Row only the number is read again."""

    by = ("read", key, beside)

    def once(row: Reader) -> T:
        if not isinstance(row.data, Row):
            return read(row)
        kept, before = row.data.kept, len(row.faults)
        known = cast("T | None", kept.get(by))
        number = row.data.get("number")
        if known and type(number) is int and number == known.number:
            return known
        found = replace(known, number=row.integer("number")) if known else read(row)
        if len(row.faults) == before:
            kept[by] = found
        return found

    return sheet.items(key, once)


def _session(sheet: Reader, ruleset: Ruleset) -> SessionSheet:
    settings = sheet.below("settings")
    min_games = settings.optional_integer("min_games", least=1)
    return SessionSheet(
        ruleset=ruleset,
        players=_player_ids(sheet),
        min_games=1 if min_games is None else min_games,
        decks=settings.optional_integer("decks", least=1),
        games=_rows(sheet, "games", _game),
        removed=sheet.texts("removed"),
        withdrawn=sheet.texts("withdrawn"),
    )


def _game(game: Reader) -> Game:
    ended = game.one_of("ended", ENDINGS)
    counts = ended != "void"
    return Game(
        number=game.integer("number"),
        ended=ended,
        duration_s=game.optional_integer("duration_s") if counts else None,
        decks=game.optional_integer("decks", least=1),
        results=game.items("results", _result if counts else _void_result),
    )


def _result(row: Reader) -> Result:
    outcome = row.one_of("outcome", OUTCOMES)
    return Result(
        player=row.text("player"),
        outcome=outcome,
        elapsed_s=row.integer("elapsed_s") if outcome == "out" else None,
        hand=row.optional_counts("hand") if outcome == "remaining" else None,
    )


def _void_result(row: Reader) -> Result:
    return Result(row.text("player"), row.one_of("outcome", OUTCOMES), elapsed_s=None, hand=None)


def _match(sheet: Reader, ruleset: Ruleset) -> MatchSheet:
    settings = sheet.below("settings")
    target = settings.optional_integer("target")
    decks = settings.optional_integer("decks", least=1)
    custom_cards = settings.optional_integer("custom_cards", least=0, most=MOST_CUSTOM_CARDS)
    return MatchSheet(
        ruleset=ruleset,
        players=_player_ids(sheet),
        target=ruleset.default_target if target is None else target,
        scoring=settings.one_of("scoring", SCORINGS, default=ruleset.scorings[0]),
        decks=1 if decks is None else decks,
        custom_cards=MOST_CUSTOM_CARDS if custom_cards is None else custom_cards,
        stopped=sheet.flag("stopped"),
        rounds=_rows(sheet, "rounds", partial(_round, ruleset=ruleset), ruleset.id),
        removed=sheet.texts("removed"),
        withdrawn=sheet.texts("withdrawn"),
    )


def _round(round_: Reader, ruleset: Ruleset) -> Round:
    last_cards = round_.optional_counts("last_cards")
    makes_draw = last_cards is not None and any(
        last_cards.get(card, 0) > 0 for card in ruleset.last_card_draws
    )
    if "emptied" in round_.data and not ruleset.custom_cards:
        round_.malformed(("emptied",), round_.data["emptied"], "absent, as no Customizable card is in play")
    return Round(
        number=round_.integer("number"),
        winner=round_.optional_text("winner"),
        hands={player: hand.counts() for player, hand in round_.below("hands").objects()},
        last_cards=last_cards,
        drew=round_.optional_text("drew") if makes_draw else None,
        removed=round_.texts("removed"),
        withdrawn=round_.texts("withdrawn"),
        emptied=round_.texts("emptied"),
    )


def _heats(sheet: Reader, ruleset: Ruleset) -> HeatsSheet:
    advance = sheet.below("settings").optional_integer("advance", least=1)
    return HeatsSheet(
        ruleset=ruleset,
        players=_player_ids(sheet),
        heats=_rows(sheet, "heats", partial(_heat, advance=advance or 1), advance or 1),
    )


def _heat(heat: Reader, advance: int) -> Heat:
    own = heat.optional_integer("advance", least=1)
    return Heat(
        number=heat.integer("number"),
        players=heat.required_texts("players"),
        finish_order=heat.required_texts("finish_order"),
        removed=heat.texts("removed"),
        advance=advance if own is None else own,
    )


_READERS: Mapping[str, Callable[[Reader, Ruleset], Sheet]] = {
    "session": _session,
    "match": _match,
    "heats": _heats,
}
