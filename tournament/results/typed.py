"""Parse form input: fields, rounds, games, heats.

Unreadable input becomes a fault at its path. Form fields:

- round: `winner` (or time, if the bell ended a race's game), `hand-<player>-<card>`, `last` (kind of last card, if it
  makes the next player draw), `last_count` if several are allowed, `drew`, `out-<player>` (removed, withdrawn, of a
  race's game also absent), `emptied-<player>`, `plays-<player>` (those whom a race's form shows);
- game: `outcome-<player>`, `time-<player>` (m:ss), `hand-<player>-<card>` if remaining, `ended`, `duration` (m:ss),
  `decks`; referees: `began` (local), `clock-began` at clock changes;
- heat: `order-<player>`, `advance` (qualifiers), `out-<player>`.
"""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from rulesets import CARDS, Ruleset
from scoring import cards_available
from tournament.models import Play, Result, Seat
from tournament.results.facts import Hand
from tournament.results.faults import Fault, Refused
from tournament.results.given import GameEntry, HeatEntry, RoundEntry

MOST_FIELDS = 400  # full hands, 20 players
NAME = re.compile(r"[a-z_]{1,20}(-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-z]{1,10})?)?")
NUMBER = re.compile(r"[0-9]{1,4}([:.,][0-9]{1,2})?", re.ASCII)
UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ABSENT = "absent"  # seated, but not in this game of a race
TYPED_WORDS = frozenset({*CARDS, *Result.Outcome.values, *Play.Ended.values, *Seat.OutAs.values, ABSENT})
P = TypeVar("P")

LONGEST_NUMBER = 9  # digits
LONGEST_MOMENT = 15  # digits
TIME = re.compile(r"([0-9]{1,3})[:.,]([0-5][0-9])", re.ASCII)
MINUTES = re.compile(r"[0-9]{1,3}", re.ASCII)
MOST_CARDS = 999  # per kind; scoring checks the deck
MOST_DECKS = 20
UID_LENGTH = 36  # characters

Outcome = Result.Outcome
Ended = Play.Ended
OUTCOMES = (Outcome.OUT, Outcome.LAST, Outcome.REMAINING, Outcome.GAVE_UP, Outcome.EJECTED)
LEFT = (Outcome.GAVE_UP, Outcome.EJECTED)


@dataclass(slots=True)
class Typed:
    """Form fields and faults found while parsing."""

    data: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)

    def text(self, name: str) -> str:
        return str(self.data.get(name, "")).strip()

    def whole(self, name: str, path: str, *, most: int, least: int = 0) -> int | None:
        """Whole number between `least` and `most`, or None."""
        typed = self.text(name)
        if not typed:
            return None
        number = number_or_none(typed)
        if number is not None and least <= number <= most:
            return number
        too_large = _is_digits(typed) and (number is None or number > most)
        self.faults.append(
            Fault("number_too_large" if too_large else "not_a_number", path, {"least": least, "most": most})
        )
        return None

    def sequence(self, name: str) -> int:
        """Ledger sequence that the page was made with, or 0."""
        return self.whole(name, f"/{name}", most=10**9 - 1) or 0

    def moment(self, name: str) -> int | None:
        """Time that the page was made with, in milliseconds, or None."""
        return number_or_none(self.text(name), longest=LONGEST_MOMENT)

    def seconds(self, name: str, path: str) -> int | None:
        """Seconds from m:ss, m.ss or whole minutes."""
        typed = self.text(name)
        if not typed:
            return None
        if found := TIME.fullmatch(typed):
            return int(found[1]) * 60 + int(found[2])
        if MINUTES.fullmatch(typed):
            return int(typed) * 60
        self.faults.append(Fault("not_a_time", path))
        return None

    def at(self, name: str, path: str, zone: ZoneInfo) -> datetime | None:
        """Local time, or None; `clock-<name>` disambiguates clock changes."""
        typed = self.text(name)
        try:
            return moment_of(typed, zone, path, self.text(f"clock-{name}")) if typed else None
        except Refused as refused:
            self.faults += refused.faults
            return None

    def chosen(self, name: str, path: str, id_of: Callable[[str], P | None]) -> P | None:
        """A choice, or None; fault if `id_of` rejects it."""
        typed = self.text(name)
        found = id_of(typed) if typed else None
        if typed and found is None:
            self.faults.append(Fault("malformed", path))
        return found

    def uid(self, name: str, path: str) -> UUID | None:
        """A uid, or None; fault if invalid."""
        return self.chosen(name, path, uuid_or_none)


def number_or_none(text: str, *, longest: int = LONGEST_NUMBER) -> int | None:
    """Whole number of at most `longest` digits, or None: Python refuses huge conversions."""
    return int(text) if _is_digits(text) and len(text) <= longest else None


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def uuid_or_none(text: str) -> UUID | None:
    """Parse a uid; None if invalid."""
    try:
        return UUID(text)
    except ValueError:
        return None


def time_text(seconds: int | None) -> str:
    """Seconds as m:ss; "" for None."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def hand_field(player: str, card: str) -> str:
    """Form field for the count of a held card."""
    return f"hand-{player}-{card}"


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Round inputs required by ruleset and settings; `race`: a race's game, which names its players and may end by
    time."""

    ruleset: Ruleset
    available: Mapping[str, int]  # in all decks
    last_kinds: tuple[str, ...]
    several: bool
    emptying: bool
    race: bool = False

    @classmethod
    def of(
        cls, ruleset: Ruleset, decks: int, settings: Mapping[str, Any], *, race: bool = False
    ) -> "RoundRules":
        available = cards_available(ruleset, decks, settings.get("custom_cards", 3))
        return cls(
            ruleset=ruleset,
            available=available,
            last_kinds=tuple(
                card for card in ruleset.last_card_draws if card not in ruleset.forbidden_last_cards
            ),
            several=ruleset.several_last_cards,
            emptying=bool(available.get("custom")),
            race=race,
        )


def read_round(
    typed: Typed, players: Mapping[str, P], rules: RoundRules, id_of: Callable[[str], P | None]
) -> RoundEntry[P]:
    """Parse a round; `players` by id text; `id_of` resolves winner and `drew`."""
    absent = {text for text in players if rules.race and typed.text(f"out-{text}") == ABSENT}
    players = {text: player for text, player in players.items() if text not in absent}
    by_time = rules.race and typed.text("winner") == Ended.TIME
    removed, withdrawn = _read_departures(typed, players)
    gone = {*removed, *withdrawn}
    emptied = [
        player for text, player in players.items() if typed.text(f"emptied-{text}") and player not in gone
    ]
    winner = None if by_time else typed.chosen("winner", "/winner", id_of)
    holders = [text for text, player in players.items() if player not in gone and player not in emptied]
    hands = read_hands(typed, [*players, *absent], rules.ruleset, of=holders)
    last, drew = "" if by_time else typed.text("last"), None
    last_cards: dict[str, int] = {}
    if last and last not in rules.last_kinds:
        typed.faults.append(Fault("malformed", "/last_cards"))
    elif last:
        count = typed.whole("last_count", "/last_cards", least=1, most=99) if rules.several else None
        last_cards = {last: count or 1}
        drew = typed.chosen("drew", "/drew", id_of)
    return RoundEntry(
        winner=winner,
        hands=hands,
        drew=drew,
        removed=removed,
        withdrawn=withdrawn,
        emptied=() if by_time else emptied,
        last_cards=last_cards,
        entries=list(players.values()) if rules.race else None,
        ended=Ended.TIME if by_time else "",
    )


def read_game(typed: Typed, players: Mapping[str, Any], ruleset: Ruleset) -> GameEntry:
    """Parse a game; `players` by id text; no outcome: not played.

    Faults: `missing_time`, `missing_hand`, `missing_ending`, `malformed`, `not_a_time`, hand faults.
    """
    hands = read_hands(typed, players, ruleset, of=remaining_in(typed, players))
    results: list[dict[str, Any]] = []
    for text, player in players.items():
        outcome = typed.text(f"outcome-{text}")
        if not outcome:
            continue
        if outcome not in OUTCOMES:
            typed.faults.append(Fault("malformed", f"/results/{text}"))
            continue
        result: dict[str, Any] = {"entry": player, "outcome": outcome}
        if outcome == Outcome.OUT:
            result["elapsed_s"] = typed.seconds(f"time-{text}", f"/results/{text}/elapsed_s")
            if not typed.text(f"time-{text}"):
                typed.faults.append(Fault("missing_time", f"/results/{text}/elapsed_s"))
        if outcome == Outcome.REMAINING:
            result["hand"] = hands.get(text, {})
            if text not in hands:
                typed.faults.append(Fault("missing_hand", f"/results/{text}/hand"))
        results.append(result)
    ended = typed.text("ended")
    if ended not in Ended.values:
        typed.faults.append(Fault("missing_ending", "/ended"))
    # Otherwise the outcomes tell the duration.
    asked = ended == Ended.EARLY or (
        ended == Ended.LAST and any(result["outcome"] in LEFT for result in results)
    )
    return GameEntry(
        ended,
        results,
        typed.seconds("duration", "/duration_s") if asked else None,
        typed.whole("decks", "/decks", least=1, most=MOST_DECKS),
    )


def remaining_in(typed: Typed, players: Collection[str]) -> list[str]:
    """Players with outcome `remaining`, whose hands are needed."""
    return [player for player in players if typed.text(f"outcome-{player}") == Outcome.REMAINING]


def read_heat(typed: Typed, players: Mapping[str, P], usual: int | None = None) -> HeatEntry[P]:
    """Parse a heat; `players` by id text; `advance` equal to `usual` becomes None. Fault: `duplicate_order`."""
    order: dict[int, P] = {}
    for text, player in players.items():
        path = f"/finish_order/{text}"
        number = typed.whole(f"order-{text}", path, least=1, most=len(players))
        if number is None:
            continue
        if number in order:
            typed.faults.append(Fault("duplicate_order", path, {"number": number}))
        order[number] = player
    removed, withdrawn = _read_departures(typed, players)
    advance = typed.whole("advance", "/advance", least=1, most=len(players))
    return HeatEntry(
        finish_order=[order[number] for number in sorted(order)],
        removed=removed,
        withdrawn=withdrawn,
        advance=None if advance == usual else advance,
    )


def read_hands(
    typed: Typed, players: Collection[str], ruleset: Ruleset, *, of: Collection[str] | None = None
) -> dict[str, dict[str, int]]:
    """Hands of players in `of` (default all), by id text.

    Empty hands are omitted for scoring to report. Faults: `unknown_player`, `unknown_card`, `not_a_number`,
    `number_too_large`.
    """
    hands: dict[str, dict[str, int]] = {}
    for name in typed.data:
        if not name.startswith("hand-") or not typed.text(name):
            continue
        said = name.removeprefix("hand-")
        player = max((each for each in players if said.startswith(f"{each}-")), key=len, default=None)
        if player is None:
            typed.faults.append(Fault("unknown_player", f"/hands/{said[:UID_LENGTH]}"))
            continue
        card = said.removeprefix(f"{player}-")
        if card not in ruleset.points:
            typed.faults.append(Fault("unknown_card", f"/hands/{player}/{card[:20]}"))
        elif of is None or player in of:
            count = typed.whole(name, f"/hands/{player}/{card}", most=MOST_CARDS)
            if count is not None:
                hands.setdefault(player, {})[card] = count
    return hands


def _read_departures(typed: Typed, players: Mapping[str, P]) -> tuple[list[P], list[P]]:
    out: dict[str, list[P]] = {Seat.OutAs.REMOVED.value: [], Seat.OutAs.WITHDRAWN.value: []}
    for text, player in players.items():
        choice = typed.text(f"out-{text}")
        if choice in out:
            out[choice].append(player)
        elif choice:
            typed.faults.append(Fault("malformed", f"/out/{text}"))
    return out[Seat.OutAs.REMOVED], out[Seat.OutAs.WITHDRAWN]


def typed_round(entry: RoundEntry[Any]) -> dict[str, str]:
    """A round as form fields."""
    data = typed_hands(entry.hands) | {f"plays-{player}": "1" for player in entry.entries or ()}
    if entry.winner or entry.ended:
        data["winner"] = str(entry.winner or entry.ended)
    data |= {f"emptied-{player}": "1" for player in entry.emptied}
    for card, count in (entry.last_cards or {}).items():
        data |= {"last": card, "last_count": str(count)}
    if entry.drew:
        data["drew"] = str(entry.drew)
    return data | _typed_departures(entry)


def typed_game(entry: GameEntry) -> dict[str, str]:
    """A game as form fields."""
    data = typed_hands(
        {str(row["entry"]): row["hand"] for row in entry.results if row["outcome"] == Outcome.REMAINING}
    )
    for row in entry.results:
        outcome = row["outcome"]
        data[f"outcome-{row['entry']}"] = str(outcome) if outcome in OUTCOMES else ""
        if outcome == Outcome.OUT:
            data[f"time-{row['entry']}"] = time_text(row["elapsed_s"])
    data |= {"ended": str(entry.ended), "duration": time_text(entry.duration_s)}
    if entry.decks:
        data["decks"] = str(entry.decks)
    return data


def typed_heat(entry: HeatEntry[Any], advance: int) -> dict[str, str]:
    """A heat as form fields; `advance` is the default."""
    data = {f"order-{player}": str(number) for number, player in enumerate(entry.finish_order, 1)}
    return data | {"advance": str(entry.advance or advance)} | _typed_departures(entry)


def typed_hands(hands: Mapping[str, Hand]) -> dict[str, str]:
    """Hands as form fields."""
    return {
        hand_field(player, card): str(count) for player, hand in hands.items() for card, count in hand.items()
    }


def _typed_departures(entry: RoundEntry[Any] | HeatEntry[Any]) -> dict[str, str]:
    out = {Seat.OutAs.REMOVED.value: entry.removed, Seat.OutAs.WITHDRAWN.value: entry.withdrawn}
    return {f"out-{player}": how for how, players in out.items() for player in players or ()}


def sound_fields(fields: object) -> dict[str, str]:
    """Non-empty fields; only ids, numbers and known words, else Refused `malformed`."""
    if not isinstance(fields, Mapping) or len(fields) > MOST_FIELDS:
        raise Refused(Fault("malformed", "/fields"))
    kept = {str(name): str(value) for name, value in fields.items() if value}
    if not all(
        NAME.fullmatch(name) and (value in TYPED_WORDS or NUMBER.fullmatch(value) or UID.fullmatch(value))
        for name, value in kept.items()
    ):
        raise Refused(Fault("malformed", "/fields"))
    return kept


# ---- Local wall times to UTC ----


# Plausible years, with a margin for date arithmetic.
YEARS = range(1900, 3000)
# Browser and handwritten formats; the last two have an offset.
WRITTEN = (
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H.%M",
    "%Y-%m-%d %H:%M:%S%z",
    "%Y-%m-%dT%H:%M:%S%z",
)


def readings(wall: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """UTC readings of a wall time, earlier first: one, or two at clock changes.

    A skipped time is read as if before and after the change.
    """
    both = (wall if wall.tzinfo else wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return tuple(sorted({at.astimezone(UTC) for at in both}))


def unclear(wall: datetime, zone: tzinfo) -> str:
    """`time_twice` or `time_skipped`, if a wall time has no single reading, else ""."""
    found = readings(wall, zone)
    occurs = found[0].astimezone(zone).replace(tzinfo=None) == wall
    return "" if len(found) == 1 else "time_twice" if occurs else "time_skipped"


def moment_of(typed: str, zone: tzinfo, path: str = "", chosen: str = "") -> datetime:
    """UTC time of local input.

    `chosen`: one of two readings, ISO; unneeded with an offset. Refused `not_a_moment`, `time_twice`,
    `time_skipped`.
    """
    wall = wall_time(typed)
    found = readings(wall, zone) if wall else ()
    for at in found:
        if len(found) == 1 or at.isoformat() == chosen:
            return at
    raise Refused(Fault(unclear(wall, zone) if wall else "not_a_moment", path))


def wall_time(typed: str) -> datetime | None:
    """Parsed date and time, possibly with offset, or None."""
    for form in WRITTEN:
        with suppress(ValueError):
            if (at := datetime.strptime(typed.strip(), form)).year in YEARS:  # noqa: DTZ007 - has no zone yet
                return at
    return None


def same_time(at: datetime, zone: tzinfo, there: tzinfo, days: timedelta = timedelta(0)) -> datetime:
    """Moment when zone `there` shows the wall time of `at` in `zone`, plus `days`."""
    local = at.astimezone(zone)
    return (local + days).replace(tzinfo=there, fold=local.fold).astimezone(UTC)
