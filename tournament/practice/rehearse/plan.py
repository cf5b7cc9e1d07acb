"""The size of a rehearsed day, and the entries at each of its tables: forms as the referees' phones keep them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

from rulesets import ByKind

AGO = 55  # minutes for which a rehearsed game has been on when it is started, so that its taps have an evening's times
FIRST, LAST = 300, 3200  # seconds into the game: the first tap, the last
SETTLED = 3250  # a game that is stopped early is stopped then


@dataclass(frozen=True, slots=True)
class Size:
    """A day: `games` are what each table plays (games, rounds; of heats one), in `seconds` by the clock. `own_pages`:
    the share of watchers who look at a player's own page."""

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
        """The reason why there can be no such day; empty where there can."""
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
    """One form: when it is filled in (seconds into the day), and what the outbox sends of it. `second` is what another
    referee's phone sends about the same thing once this is acknowledged, which must be refused as a conflict."""

    due: float
    command: str
    kind: str
    url: str
    fields: Sequence[tuple[str, str]]
    second: "Entry | None" = None

    def as_sent(self, queued: int) -> dict[str, object]:
        """The entry of a batch (views/entry/outbox.py); `queued`: milliseconds by the phone's clock."""
        return {
            "command": self.command, "kind": self.kind, "url": self.url,
            "fields": [["command", self.command], *map(list, self.fields)], "queued": queued,
        }  # fmt: skip


def dealt(players: Sequence[str], tables: int) -> list[list[str]]:
    """Deal the players to the tables as evenly as possible."""
    return [list(players[number::tables]) for number in range(tables)]


def day_at(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    """List everything that is entered at one table, in order, spread over the day."""
    forms = KINDS[size.kind].forms(table, players, size, random)
    due = sorted(random.uniform(0, size.seconds) for _ in forms)
    return [replace(each, due=at) for at, each in zip(due, forms, strict=True)]


def uid(random: Random) -> str:
    """A uid drawn from this random generator."""
    return str(UUID(int=random.getrandbits(128), version=4))


def _form(random: Random, kind: str, url: str, *fields: tuple[str, object]) -> Entry:
    return Entry(0.0, uid(random), kind, url, [(name, str(value)) for name, value in fields])


def _games(table: str, players: Sequence[str], size: Size, random: Random) -> list[Entry]:
    """Games by the clock: a start, a tap for each player who is out, and at every second game the hands of the two who
    are left when it is stopped early."""
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
    """A player is out; at some a second phone says so too, half a minute later."""
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
    del size  # a heat is played once
    advance = min(2, len(players) - 1)
    places = [(f"order-{each}", place) for place, each in enumerate(random.sample(players, advance), 1)]
    return [_record(random, "heat", table, 1, ("advance", advance), *places)]


def _record(random: Random, kind: str, table: str, number: int, *fields: tuple[str, object]) -> Entry:
    named = [("play", uid(random)), ("number", number), ("step", "save"), *fields]
    return _form(random, kind, f"/en/desk/table/{table}/record/", *named)


@dataclass(frozen=True, slots=True)
class Kind:
    """A stage's ruleset and settings, what is entered at a table, and the `most` rounds that do not end its match."""

    ruleset: str
    settings: Mapping[str, int]
    forms: Callable[[str, Sequence[str], Size, Random], list[Entry]]
    most: int | None = None


KINDS: ByKind[Kind] = ByKind(
    "practice/rehearse/plan.py",
    {
        "session": Kind("kpgut-2016", {"min_games": 1}, _games),
        "match": Kind("mattel-108", {"target": 500}, _rounds, most=6),  # at ten players none of these ends it
        "heats": Kind("tite-2022", {"advance": 2}, _heat),
    },
)
