"""Size of a rehearsed day, and its entries as outbox forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

from rulesets import ByKind

AGO = 55  # minutes since the game's start
FIRST, LAST = 300, 3200  # seconds into the game
SETTLED = 3250  # seconds: early stop


@dataclass(frozen=True, slots=True)
class Size:
    """Size of a day. `games`: per table within `seconds`; `own_pages`: share of watchers on a player's page."""

    players: int = 1000
    tables: int = 100
    referees: int = 100
    watchers: int = 2000
    games: int = 1
    seconds: float = 600.0
    kind: str = "session"
    own_pages: float = 0.0
    seed: int = 0
    faults: bool = True

    def problem(self) -> str:
        """Why this size is impossible, or ""."""
        if self.kind not in KINDS:
            return f"The kind of stage must be one of {', '.join(KINDS)}."
        if min(self.tables, self.referees, self.games) < 1 or self.watchers < 0 or self.seconds < 1:
            return "A day needs at least one table, one referee, one game and one second."
        if not 2 * self.tables <= self.players <= 10 * self.tables:
            return f"{self.tables} tables can seat {2 * self.tables} to {10 * self.tables} players."
        most = KINDS[self.kind].most
        too_many = most is not None and self.games > most
        return f"A rehearsed {self.kind} has at most {most} rounds." if too_many else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A form, `due` in seconds. `second`: another phone's form about the same, which must conflict."""

    due: float
    command: str
    kind: str
    url: str
    fields: Sequence[tuple[str, str]]
    second: "Entry | None" = None

    def as_sent(self, queued: int) -> dict[str, object]:
        """Outbox entry (views/entry/outbox.py); `queued`: milliseconds of the phone's clock."""
        return {
            "command": self.command, "kind": self.kind, "url": self.url,
            "fields": [["command", self.command], *map(list, self.fields)], "queued": queued,
        }  # fmt: skip


def dealt(players: Sequence[str], tables: int) -> list[list[str]]:
    """Deal players evenly to tables."""
    return [list(players[number::tables]) for number in range(tables)]


def day_at(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    """A table's entries, spread over the day."""
    forms = KINDS[size.kind].forms(table, players, size, random)
    due = sorted(random.uniform(0, size.seconds) for _ in forms)
    return [replace(each, due=at) for at, each in zip(due, forms, strict=True)]


def uid(random: Random) -> str:
    """Reproducible random uid."""
    return str(UUID(int=random.getrandbits(128), version=4))


def _form(random: Random, kind: str, url: str, *fields: tuple[str, object]) -> Entry:
    return Entry(0.0, uid(random), kind, url, [(name, str(value)) for name, value in fields])


def _games(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    """Every second game stops early with two hands."""
    forms: list[Entry] = []
    for number in range(1, size.games + 1):
        play = uid(random)
        url = f"/en/desk/play/{play}"
        start = [("play", play), ("number", number), ("ago", AGO), *(("player", each) for each in players)]
        forms.append(_form(random, "start", f"/en/desk/table/{table}/start/", *start))
        order = random.sample(players, len(players))
        times = sorted(random.sample(range(FIRST, LAST), len(order)))
        early = number % 2 == 0 and len(order) > 2
        out = order[: -2 if early else -1]
        forms += [
            _tap(random, f"{url}/out/", each, at) for each, at in zip(out, times[: len(out)], strict=True)
        ]
        if early:
            left = [("remaining", each) for each in order[-2:]]
            hands = [(f"hand-{each}-7", random.randint(1, 2)) for each in order[-2:]]
            forms.append(
                _form(random, "end", f"{url}/end/", ("how", "early"), ("elapsed_s", SETTLED), *left, *hands)
            )
    return forms


def _tap(random: Random, url: str, player: str, at: int) -> Entry:
    """Tap a player out; in 2 % a second phone repeats it half a minute later."""
    tap = _form(random, "out", url, ("entry", player), ("elapsed_s", at))
    if random.random() < 0.02:
        tap = replace(tap, second=_form(random, "out", url, ("entry", player), ("elapsed_s", at + 30)))
    return tap


def _rounds(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    forms = []
    for number in range(1, size.games + 1):
        winner = random.choice(players)
        hands = [(f"hand-{each}-7", 1) for each in players if each != winner]
        forms.append(_record(random, "round", table, number, ("version", 0), ("winner", winner), *hands))
    return forms


def _heat(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    del size  # one heat only
    advance = min(2, len(players) - 1)
    places = [(f"order-{each}", place) for place, each in enumerate(random.sample(players, advance), 1)]
    return [_record(random, "heat", table, 1, ("advance", advance), *places)]


def _record(random: Random, kind: str, table: str, number: int, *fields: tuple[str, object]) -> Entry:
    named = [("play", uid(random)), ("number", number), ("step", "save"), *fields]
    return _form(random, kind, f"/en/desk/table/{table}/record/", *named)


@dataclass(frozen=True, slots=True)
class Kind:
    """Ruleset, settings, forms; `most` rounds that never end a match."""

    ruleset: str
    settings: Mapping[str, int | str]
    forms: Callable[[str, Sequence[str], Size, Random], list[Entry]]
    most: int | None = None


KINDS: ByKind[Kind] = ByKind(
    "extras/rehearsal/plan.py",
    {
        "session": Kind("kpgut-2016", {"min_games": 1}, _games),
        "match": Kind(
            "mattel-108", {"target": 500}, _rounds, most=6
        ),  # too few for the target at ten players
        "heats": Kind("tite-2022", {"advance": 2}, _heat),
        "race": Kind("mattel-108", {"scoring": "own_hand"}, _rounds),
    },
)
