"""Parsed JSON to typed sheets; judges shape, not rules.

| read | section | where |
| --- | --- | --- |
| kind, ruleset | Common | `read_sheet` |
| players | Common | `_player_ids` |
| games | session | `_session`, `_game`, `_result` |
| rounds | match | `_match`, `_round` |
| heats | heats | `_heats`, `_heat` |
| games | race | `_race`, `_race_game` |

Ignores what no rule uses: times unless out, hands unless remaining, both in void games, `drew` without a drawing last
card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, TypeGuard, TypeVar, cast

from rulesets import OWN_HAND, RULESETS, SHEETS, WINNER_TAKES, Ruleset

from .faults import Faults, Path, SheetInvalid
from .sheets import (
    PLACING,
    Game,
    Heat,
    HeatsSheet,
    MatchSheet,
    RaceGame,
    RaceSheet,
    Result,
    Round,
    Row,
    SessionSheet,
    Sheet,
    kept_for,
    same_start,
)

T = TypeVar("T")

_MOST_INTEGER = 10**1000 - 1  # so that sums stay printable
_INTEGER = "a whole number, of at most 1000 digits"

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number that is not written as a whole one",
    type(None): "null",
}


def _is_integer(value: object) -> TypeGuard[int]:
    return type(value) is int and -_MOST_INTEGER <= value <= _MOST_INTEGER


class Reader:
    """A JSON object with its path. What is required and missing, or of the wrong type, is recorded as `malformed`;
    `optional_...` give None for what is absent, `flag` false, `texts` none."""

    __slots__ = ("data", "faults", "is_object", "path")

    def __init__(self, data: object, path: Path, faults: Faults) -> None:
        self.path = path
        self.faults = faults
        self.is_object = isinstance(data, dict)
        self.data: dict[str, object] = data if isinstance(data, dict) else {}
        if not self.is_object:
            self.malformed((), data, "an object")

    def malformed(self, below: Path, found: object, expected: str) -> None:
        self.faults.add(
            "malformed", self.path + below, found=_KINDS.get(type(found), "something else"), expected=expected
        )

    def _require(self, key: str, expected: str) -> None:
        if self.is_object and key not in self.data:  # else already recorded
            self.faults.add("malformed", (*self.path, key), found="nothing", expected=expected)

    def text(self, key: str) -> str:
        self._require(key, "a text")
        return self.optional_text(key) or ""

    def optional_text(self, key: str) -> str | None:
        if key not in self.data:
            return None
        value = self.data[key]
        if isinstance(value, str):
            return value
        self.malformed((key,), value, "a text")
        return None

    def one_of(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        value = self.data.get(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        expected = "one of " + ", ".join(allowed)
        if key not in self.data:
            self._require(key, expected)
        elif isinstance(value, str):
            self.faults.add("malformed", (*self.path, key), found="another text", expected=expected)
        else:
            self.malformed((key,), value, expected)
        return ""

    def integer(self, key: str, least: int | None = None, most: int | None = None) -> int:
        self._require(key, _INTEGER)
        return self.optional_integer(key, least, most) or 0

    def optional_integer(self, key: str, least: int | None = None, most: int | None = None) -> int | None:
        if key not in self.data:
            return None
        value = self.data[key]
        if not _is_integer(value):
            self.malformed((key,), value, _INTEGER)
        elif (least is not None and value < least) or (most is not None and value > most):
            expected = f"at least {least}" if most is None else f"from {least} to {most}"
            self.malformed((key,), value, f"a whole number {expected}")
        else:
            return value
        return None

    def flag(self, key: str) -> bool:
        value = self.data.get(key, False)
        if isinstance(value, bool):
            return value
        self.malformed((key,), value, "true or false")
        return False

    def below(self, key: str) -> Reader:
        """The object at `key`, empty if absent."""
        return Reader(self.data.get(key, {}), (*self.path, key), self.faults)

    def items(self, key: str, read: Callable[[Reader], T], known: Sequence[T] = ()) -> tuple[T, ...]:
        """Read a required list of objects, each through `read`; `known`: the first ones, read before."""
        self._require(key, "a list")
        path, faults, begin = (*self.path, key), self.faults, len(known)
        items = enumerate(self._list(key)[begin:], begin)
        return (*known, *(read(Reader(item, (*path, index), faults)) for index, item in items))

    def texts(self, key: str) -> tuple[str, ...]:
        values = self._list(key)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                self.malformed((key, index), value, "a text")
        return tuple(value for value in values if isinstance(value, str))

    def required_texts(self, key: str) -> tuple[str, ...]:
        self._require(key, "a list")
        return self.texts(key)

    def counts(self) -> dict[str, int]:
        """The object as a hand."""
        for key, value in self.data.items():
            if not _is_integer(value):
                self.malformed((key,), value, _INTEGER)
        return {key: value for key, value in self.data.items() if type(value) is int}

    def optional_counts(self, key: str) -> dict[str, int] | None:
        return self.below(key).counts() if key in self.data else None

    def without(self, keys: Collection[str]) -> Reader:
        if not keys:
            return self
        data = {key: value for key, value in self.data.items() if key not in keys}
        return Reader(data, self.path, self.faults)

    def objects(self) -> Iterator[tuple[str, Reader]]:
        for key, value in self.data.items():
            yield key, Reader(value, (*self.path, key), self.faults)

    def _list(self, key: str) -> list[object]:
        value = self.data.get(key, [])
        if isinstance(value, list):
            return value
        self.malformed((key,), value, "a list")
        return []


def parse_sheet(text: bytes | str) -> object:
    """Parse JSON (UTF-8, BOM skipped). Raises SheetInvalid (`malformed`), also for NaN, Infinity, duplicate keys (data
    loss) and too deep nesting."""
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


S = TypeVar("S", SessionSheet, MatchSheet, HeatsSheet, RaceSheet)
Play = TypeVar("Play", Game, Round, Heat, RaceGame)

FORMAT = 1
ENDINGS = ("last", "time", "early", "void")
OUTCOMES = ("out", "last", "remaining", "gave_up", "ejected")
SCORINGS = (WINNER_TAKES, OWN_HAND)
RANKS = ("average", "total", "wins", "cards")
MOST_CUSTOM_CARDS = 3


def read_sheet(data: object, kinds: Collection[str] = SHEETS) -> Sheet:
    """Typed sheet of one of `kinds`. Raises SheetInvalid: `malformed`, `unknown_ruleset`, `ruleset_not_for_kind`."""
    faults = Faults()
    sheet = Reader(data, (), faults)
    sheet.integer("sheet", least=FORMAT, most=FORMAT)
    kind = sheet.one_of("kind", tuple(kinds))
    name = sheet.text("ruleset")
    faults.stop()
    allowed = ", ".join(ruleset.id for ruleset in RULESETS.values() if ruleset.scores(kind))
    if name not in RULESETS:
        faults.add("unknown_ruleset", ("ruleset",), ruleset=name, allowed=allowed)
    elif not RULESETS[name].scores(kind):
        faults.add("ruleset_not_for_kind", ("ruleset",), ruleset=name, kind=kind, allowed=allowed)
    faults.stop()
    typed = _READERS[kind](sheet, RULESETS[name])
    faults.stop()
    return typed


def read_rows(of: type[S], data: Mapping[str, Any], indexes: Iterable[int] = ()) -> S:
    """Typed sheet with only the rows at `indexes`."""
    sheet = read_sheet({**data, of.rows: [data[of.rows][index] for index in indexes]})
    assert isinstance(sheet, of)
    return sheet


def _player_ids(sheet: Reader) -> tuple[str, ...]:
    def read(player: Reader) -> str:
        player.text("name")
        return player.text("id")

    return _once(sheet, "players", read)


def _once(sheet: Reader, key: str, read: Callable[[Reader], T], beside: Hashable = None) -> tuple[T, ...]:
    """Read a list; of a sheet with a Roster only from where it differs from the last one read."""
    kept, by, before = kept_for(sheet.data), ("read", key, beside), len(sheet.faults.errors)
    items, known = cast("tuple[list[object], tuple[T, ...]]", kept.get(by, ([], ())))
    data = sheet.data.get(key)
    same = same_start(items, data) if isinstance(data, list) else 0
    found = sheet.items(key, read, known[:same])
    if len(found) > same and len(sheet.faults.errors) == before:
        kept[by] = (data, found)
    return found


def _rows(
    sheet: Reader, key: str, read: Callable[[Reader], Play], beside: Hashable = None
) -> tuple[Play, ...]:
    """Read rows, cached per Row and other inputs; of a cached Row only the number is read again."""

    by = (key, beside)

    def once(row: Reader) -> Play:
        if not isinstance(row.data, Row):
            return read(row)
        kept, before = row.data.kept, len(row.faults.errors)
        known = cast("Play | None", kept.get(by))
        number = row.data.get("number")
        if known and type(number) is int and number == known.number:
            return known
        found = replace(known, number=row.integer("number")) if known else read(row)
        if len(row.faults.errors) == before:
            kept[by] = found
        return found

    return _once(sheet, key, once, beside)


def _session(sheet: Reader, ruleset: Ruleset) -> SessionSheet:
    settings = sheet.below("settings")
    return SessionSheet(
        ruleset=ruleset,
        min_games=settings.optional_integer("min_games", least=1) or 1,
        players=_player_ids(sheet),
        decks=settings.optional_integer("decks", least=1),
        games=_rows(sheet, "games", _game),
        removed=sheet.texts("removed"),
        withdrawn=sheet.texts("withdrawn"),
        kept=kept_for(sheet.data),
    )


def _game(game: Reader) -> Game:
    ended = game.one_of("ended", ENDINGS)
    counts = ended != "void"
    return Game(
        number=game.integer("number"),
        ended=ended,
        duration_s=game.optional_integer("duration_s") if counts else None,
        decks=game.optional_integer("decks", least=1),
        results=game.items("results", partial(_result, counts=counts)),
    )


def _result(row: Reader, *, counts: bool) -> Result:
    outcome = row.one_of("outcome", OUTCOMES)
    return Result(
        player=row.text("player"),
        outcome=outcome,
        elapsed_s=row.integer("elapsed_s") if counts and outcome == "out" else None,
        hand=row.optional_counts("hand") if counts and outcome == "remaining" else None,
    )


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
    return Heat(
        advance=heat.optional_integer("advance", least=1) or advance,
        number=heat.integer("number"),
        players=heat.required_texts("players"),
        finish_order=heat.required_texts("finish_order"),
        removed=heat.texts("removed"),
    )


def _race(sheet: Reader, ruleset: Ruleset) -> RaceSheet:
    settings = sheet.below("settings")
    min_games = settings.optional_integer("min_games", least=1) or 1
    custom_cards = settings.optional_integer("custom_cards", least=0, most=MOST_CUSTOM_CARDS)
    return RaceSheet(
        ruleset=ruleset,
        players=_player_ids(sheet),
        scoring=settings.one_of("scoring", (*SCORINGS, PLACING)),
        rank=_rank(settings),
        best=settings.optional_integer("best", least=1),
        min_games=min_games,
        max_games=settings.optional_integer("max_games", least=min_games),
        decks=settings.optional_integer("decks", least=1) or 1,
        custom_cards=MOST_CUSTOM_CARDS if custom_cards is None else custom_cards,
        games=_rows(sheet, "games", partial(_race_game, ruleset=ruleset), ruleset.id),
        removed=sheet.texts("removed"),
        withdrawn=sheet.texts("withdrawn"),
    )


def _rank(settings: Reader) -> tuple[str, ...]:
    words = settings.data.get("rank", ["average"])
    if not isinstance(words, list) or not words:
        settings.malformed(("rank",), words, f"a list of one or more of {', '.join(RANKS)}")
        return ()
    for index, word in enumerate(words):
        if word not in RANKS or word in words[:index]:
            settings.malformed(("rank", index), word, f"one of {', '.join(RANKS)}, each named once")
    return tuple(words)


_UNREAD_AT_BELL = {"last_cards", "drew", "emptied"}
_UNREAD_IF_VOID = {"winner", "hands", *_UNREAD_AT_BELL}


def _race_game(game: Reader, ruleset: Ruleset) -> RaceGame:
    void = game.flag("void")
    by_time = not void and "ended" in game.data and game.one_of("ended", ("time",)) == "time"
    unread = _UNREAD_IF_VOID if void else _UNREAD_AT_BELL if by_time else ()
    return RaceGame(
        number=game.integer("number"),
        players=game.required_texts("players"),
        void=void,
        by_time=by_time,
        decks=game.optional_integer("decks", least=1),
        played=_round(game.without(unread), ruleset),
    )


_READERS: Mapping[str, Callable[[Reader, Ruleset], Sheet]] = {
    "session": _session,
    "match": _match,
    "heats": _heats,
    "race": _race,
}
