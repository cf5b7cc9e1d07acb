"""Evenings on which the phones' clocks are wrong: they jump, drift, change zone and sleep while entries wait, and the
server's clock is put right. The phones run the outbox's own scripts under node (tests/js/outbox/phones.js), and their
requests go to the real view.

What is true is known here: when each tap was made. A start that is stored lies within two seconds of it, or within the
jump where that was under two minutes, or people are asked; the seconds of those who went out follow it; a phone that
only slept is never asked; no game is put on hold by a start that nobody has confirmed.

Not played here: two jumps of a phone that make up for each other while nobody looks at it, with a tap in between, which
leave no trace; and a server that is started again after its clock was set back.
"""

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.depth import MUTANTS, SOAK
from tests.support.factories import Event, running_session
from tournament import actions
from tournament.models import Play, Table
from tournament.queries.live import games_need_time
from tournament.server import clock as server_clock
from tournament.server.clock import clock

pytestmark = [pytest.mark.django_db, pytest.mark.program, pytest.mark.usefixtures("real_moments")]

EVENINGS = 1_000 if SOAK else 3 if MUTANTS else 5
EXACT_S = 2.0
ASK_S = 120.0
NEAR_S = 20.0  # of the tap that starts a game: most phones have no network then
MINUTE = 60.0
OFFSETS = [
    0,
    7,
    -40,
    90,
    3 * 3600,
    -26 * 3600,
    2 * 86_400,
    -2 * 86_400,
]  # seconds by which a phone's clock is wrong
JUMPS = [20, 50, 90, 20 * 60, 3 * 3600, 26 * 3600, 2 * 86_400]  # seconds by which a clock is set
ZONES = ["Europe/Helsinki", "Asia/Tokyo", "America/New_York"]


class Node:
    """The process in which the phones' scripts run. It is made anew for every few evenings: scripts stay loaded."""

    FRESH = 40  # evenings

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.evenings = 0

    def evening(self) -> None:
        if self.process is None or self.evenings % self.FRESH == 0:
            self.close()
            command = ["node", "--import", "./.ci/js/modules.js", "tests/js/outbox/phones.js"]
            self.process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        self.evenings += 1

    def close(self) -> None:
        if self.process:
            with self.process:
                self.process.kill()

    def say(self, what: dict[str, Any]) -> dict[str, Any]:
        """Say this, and give what the process says next."""
        assert self.process
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        return heard


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    assert shutil.which("node"), "The phones' scripts run in node 18 or later: apt-get install nodejs"
    found = Node()
    yield found
    found.close()


@dataclass
class Contact:
    """A request: when the server received it (in `true` seconds, and by the server's clock), and whether its answer
    arrived."""

    true: float
    told: datetime
    heard: bool


@dataclass
class Hall:
    """The true time, in seconds since the evening began, and the server with its clock, which is `off` by so much."""

    began: datetime
    true: float = 0.0
    off: float = 0.0
    jumps: list[tuple[float, float]] = field(default_factory=list)

    def told(self) -> datetime:
        """What the server's system says."""
        return self.began + timedelta(seconds=self.true + self.off)

    def steady(self) -> timedelta:
        return timedelta(seconds=self.true)

    def set_clock(self, by: float) -> None:
        self.off += by
        self.jumps.append((self.true, by))


@dataclass
class Phone:
    """A referee's phone at a table; its clock is `off` by so much, and gains `drift` seconds in a second."""

    hall: Hall
    node: Node
    client: Client
    table: Table
    user: str
    random: random.Random
    name: str
    off: float
    drift: float
    online: bool = True
    awake: bool = True
    slept: float = 0.0  # for how long the steady clock stood still
    asleep_since: float = 0.0
    loaded: float = 0.0  # since when the page is there
    jumps: list[tuple[float, float]] = field(default_factory=list)
    contacts: list[Contact] = field(default_factory=list)

    def clocks(self) -> dict[str, float]:
        day = self.hall.began.timestamp() + self.hall.true * (1 + self.drift) + self.off
        return {"day": round(day * 1000), "steady": (self.hall.true - self.slept - self.loaded) * 1000}

    def do(self, does: str, **more: Any) -> Any:
        """Have this happen to the phone; what it sends goes to the server while it is online."""
        said = self.node.say(
            {"phone": self.name, "online": self.online, "does": does, **more, **self.clocks()}
        )
        while "done" not in said:
            said = self.node.say(self._answer(said["send"]))
        return said["done"]

    def _answer(self, body: str) -> dict[str, Any]:
        way = self.random.choice([0.02, 0.05, 0.1, 0.4])
        self.hall.true += way
        answer = self.client.post(reverse("desk-send"), body, content_type="application/json")
        lost = self.random.random() < 0.05
        self.contacts.append(Contact(self.hall.true, clock.now(), not lost))
        self.hall.true += way
        return {"status": answer.status_code, "text": answer.content.decode(), "lost": lost, **self.clocks()}

    def load(self) -> None:
        self.loaded, self.slept = self.hall.true, 0.0
        self.do("open", user=self.user, tournament=str(self.table.stage.tournament.uid))
        while not any(contact.heard for contact in self.contacts):
            self.do("pulse")

    def look(self, *, asks: bool = True) -> None:
        """What a page does all the time while its phone is awake, and every few seconds if it `asks` the server."""
        if self.awake:
            self.do("pulse" if asks and self.online else "tick")

    def set_clock(self, by: float) -> None:
        self.off += by
        self.jumps.append((self.hall.true, by))

    def until_sent(self) -> None:
        """The network is back for good."""
        self.online = True
        for _try in range(20):
            self.do("pulse")
            states = self.do("states")
            if all(state[0] == "confirmed" for state in states):
                return
        pytest.fail(f"not everything was sent: {states}")


@dataclass
class Game:
    """A game as it was played: when it began, and who went out after how many seconds."""

    phone: Phone
    uid: UUID
    players: Sequence[UUID]
    true: float = 0.0
    outs: dict[UUID, float] = field(default_factory=dict)
    ejected: UUID | None = None

    def between(self, out_s: float = 0.0) -> tuple[Contact, Contact]:
        """The contacts before the start's tap and after it, or after the tap of a player who went out."""
        before = [each for each in self.phone.contacts if each.heard and each.true <= self.true]
        after = [each for each in self.phone.contacts if each.true > self.true + out_s]
        return before[-1], after[0]

    def off_by(self, moment: datetime) -> float:
        """By how many seconds this is not when the game began, by the server's clock as it was when it heard of it."""
        _before, after = self.between()
        began = after.told - timedelta(seconds=after.true - self.true)
        return abs((moment - began).total_seconds())

    def jumps(self, out_s: float = 0.0) -> list[float]:
        """The jumps of either clock between these contacts."""
        before, after = self.between(out_s)
        everything = [*self.phone.jumps, *self.phone.hall.jumps]
        return [by for true, by in everything if before.true < true < after.true]

    def most_off(self, out_s: float = 0.0) -> float:
        """By how many seconds what is stored may be wrong: small jumps are not asked about."""
        return EXACT_S + sum(abs(by) for by in self.jumps(out_s) if abs(by) <= ASK_S)


Step = tuple[float, Phone, Callable[[], None]]  # when something happens to a phone, in seconds


class Evening:
    """A game of three at table 1, then one at table 2 in which the one who changed tables in between is ejected. Each
    table has a phone."""

    def __init__(self, node: Node, hall: Hall, seed: int, faults: Sequence[str]) -> None:
        self.hall, self.random, self.faults = hall, random.Random(seed), faults
        self.made: Event = running_session(players=5, tables=2)
        self.phones = [self._phone(node, seed, number) for number in (0, 1)]
        self.games: list[Game] = []

    def _phone(self, node: Node, seed: int, number: int) -> Phone:
        user, client = self.made.user, Client()
        client.force_login(user)
        off, drift = self.random.choice(OFFSETS), self.random.choice([0.0, 5e-5, -1e-4])
        table = self.made.tables[number]
        name = f"{seed}-{number}-{'-'.join(self.faults)}"
        phone = Phone(self.hall, node, client, table, str(user.uid), self.random, name, off, drift)
        phone.load()
        return phone

    def play(self) -> None:
        there, here = self.phones
        self._play(there, self.made.at(there.table))
        moves, *stay = self.games[0].players
        self.hall.true += MINUTE
        seats = [(here, [*self.made.at(here.table), moves]), (there, stay)]
        tables = [
            {"table": each.table.uid, "number": each.table.number, "entries": who} for each, who in seats
        ]
        self.made.act(actions.seat_stage, stage=self.made.stage.uid, tables=tables)
        self._play(here, seats[0][1], ejected=moves)
        assert len(self.games) == 2

    def _play(self, phone: Phone, players: Sequence[UUID], ejected: UUID | None = None) -> None:
        """A game with what happens to its phone meanwhile, until the server has everything."""
        game = Game(phone, uuid4(), players, ejected=ejected)
        self.games.append(game)
        self._run(list(self._steps(game)))
        self._wake(phone)
        phone.until_sent()
        self.check()

    def _run(self, steps: list[Step]) -> None:
        begins = self.hall.true
        for at, phone, step in sorted(steps, key=lambda each: each[0]):
            self.hall.true = max(self.hall.true, begins + at - self.random.uniform(0.1, 0.9))
            phone.look(asks=self.random.random() < 0.3)
            self.hall.true = max(self.hall.true, begins + at)
            step()
            if phone.awake:
                phone.do("tick")

    def _steps(self, game: Game) -> Iterator[Step]:
        """The taps of the game, and what happens to the phone."""
        phone = game.phone
        starts = self.random.uniform(30, 300)
        ends = starts + self.random.uniform(8, 30) * MINUTE
        yield starts, phone, partial(self._start, game)
        first, second = sorted(self.random.uniform(starts + 60, ends) for _player in game.players[1:])
        out = partial(self._eject, game) if game.ejected else partial(self._out, game, game.players[0])
        yield first, phone, out
        yield second, phone, partial(self._out, game, game.players[1])
        if self.random.random() < 0.8:
            away, back = starts - self.random.uniform(NEAR_S, 29), self.random.uniform(starts + NEAR_S, ends)
            yield away, phone, partial(self._network, phone, there=False)
            yield back, phone, partial(self._network, phone, there=True)
        for fault in self.faults:
            yield from self._fault(phone, fault, starts, ends)

    def _fault(self, phone: Phone, fault: str, starts: float, ends: float) -> Iterator[Step]:
        near = self.random.random() < 0.6
        around = starts + self.random.uniform(-NEAR_S, NEAR_S) if near else self.random.uniform(starts, ends)
        if fault == "jump":
            yield around, phone, partial(phone.set_clock, self._jump())
        elif fault == "jumps":
            yield around, phone, partial(phone.set_clock, self._jump())
            yield self.random.uniform(starts - NEAR_S, ends), phone, partial(phone.set_clock, self._jump())
        elif fault == "server":
            yield around, phone, partial(self.hall.set_clock, self._jump())
        elif fault == "sleep":
            yield around, phone, partial(self._sleep, phone)
            yield self.random.uniform(around, ends), phone, partial(self._wake, phone)
        elif fault == "reload":
            yield around, phone, partial(self._reload, phone)
        elif fault == "zone":
            yield around, phone, partial(phone.do, "zone", zone=self.random.choice(ZONES))

    def _jump(self) -> float:
        return self.random.choice(JUMPS) * self.random.choice([1, -1])

    # ---- what happens

    def _network(self, phone: Phone, *, there: bool) -> None:
        phone.online = there

    def _sleep(self, phone: Phone) -> None:
        phone.awake, phone.asleep_since = False, self.hall.true

    def _wake(self, phone: Phone) -> None:
        if not phone.awake:
            phone.awake = True
            phone.slept += self.hall.true - phone.asleep_since
            phone.look()

    def _reload(self, phone: Phone) -> None:
        self._wake(phone)
        phone.load()

    def _start(self, game: Game) -> None:
        self._wake(game.phone)
        phone, table = game.phone, game.phone.table.uid
        game.true = self.hall.true
        fields = [["command", str(uuid4())], ["play", str(game.uid)], ["number", "1"]]
        fields += [["player", str(entry)] for entry in game.players]
        phone.do(
            "tap", kind="start", table=str(table), url=reverse("table-start", args=[table]), fields=fields
        )
        phone.do("clock", game=str(game.uid))

    def _out(self, game: Game, entry: UUID) -> None:
        self._wake(game.phone)
        phone, since = game.phone, self._page(game)
        game.outs[entry] = self.hall.true - game.true
        url = reverse("play-out", args=[game.uid])
        fields = [["command", str(uuid4())], ["entry", str(entry)], ["elapsed_s", ""], ["since", since]]
        phone.do("tap", kind="out", table=str(phone.table.uid), url=url, fields=fields)

    def _page(self, game: Game) -> str:
        """Have the page of the table show what the server says of the game, if it can be fetched; gives the start that
        it then says."""
        if not game.phone.online:
            return ""
        play = Play.objects.filter(uid=game.uid, state=Play.State.RUNNING).first()
        if play is None or play.started_at is None:
            return ""
        at = clock.now()
        elapsed = max(0, int((at - play.started_at).total_seconds()))
        data = {"elapsed": str(elapsed), "at": str(int(at.timestamp() * 1000))}
        game.phone.do("clock", game=str(game.uid), data=data)
        return str(int(play.started_at.timestamp() * 1000))

    def _eject(self, game: Game) -> None:
        """On the desk, so everything that waits is sent before it."""
        self._wake(game.phone)
        game.phone.until_sent()
        self.hall.true += 20  # to write the reason
        assert game.ejected
        game.outs[game.ejected] = self.hall.true - game.true
        self.made.act(actions.eject_player, play=game.uid, entry=game.ejected, reason="marked cards")

    # ---- what must be so

    def check(self) -> None:
        """The last game's start is right, or asked about; then people choose, and everything is right."""
        self._nothing_on_hold()
        game = self.games[-1]
        play, jumps = self.made.play(game.uid), game.jumps()
        if play.other_start is None:
            assert play.started_at
            assert game.off_by(play.started_at) <= game.most_off(), jumps
        else:
            assert jumps, "a phone whose clock was right all the time was asked"
            self._choose(game, play)
            self._nothing_on_hold()
        if play.other_start is None or len(jumps) == 1:
            for entry, out_s in game.outs.items():
                elapsed_s = play.results.get(entry__uid=entry).elapsed_s
                assert elapsed_s is not None
                whole_s = 1 + game.most_off(out_s)  # it is stored in full seconds
                assert abs(elapsed_s - out_s) <= whole_s, (elapsed_s, out_s, game.jumps(out_s))

    def _nothing_on_hold(self) -> None:
        """In truth each game was played before the ejection."""
        assert not Play.objects.filter(state=Play.State.SET_ASIDE).exists()

    def _choose(self, game: Game, play: Play) -> None:
        """People say which start it was; where clocks were set once, one of the two is right."""
        candidates = [at for at in (play.started_at or play.entered_at, play.other_start) if at]
        began = min(candidates, key=game.off_by)
        if len(game.jumps()) == 1:
            assert game.off_by(began) <= EXACT_S, (game.jumps(), candidates)
        self.made.act(actions.choose_start, play=game.uid, started_at=began)


class History(Evening):
    """A game of three with these faults of its phone alone, in seconds since its start: the phone sleeps, and its clock
    is set once by so much."""

    def __init__(self, node: Node, hall: Hall, sleeps: tuple[float, float], set_at: float, by: float) -> None:
        super().__init__(node, hall, 0, [])
        self.sleeps, self.set_at, self.by = sleeps, set_at, by

    def _steps(self, game: Game) -> Iterator[Step]:
        phone, starts = game.phone, 2 * MINUTE
        yield starts - NEAR_S, phone, partial(self._network, phone, there=False)
        yield starts + self.sleeps[0], phone, partial(self._sleep, phone)
        yield starts + self.set_at, phone, partial(phone.set_clock, self.by)
        yield starts, phone, partial(self._start, game)
        yield starts + self.sleeps[1], phone, partial(self._wake, phone)
        for player, out_s in zip(game.players[:2], (6 * MINUTE, 8 * MINUTE), strict=True):
            yield starts + out_s, phone, partial(self._out, game, player)
        yield starts + 10 * MINUTE, phone, partial(self._network, phone, there=True)


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Hall:
    """The true time, and the server's clock by it, as in a server that runs."""
    found = Hall(timezone.now())
    monkeypatch.setattr(timezone, "now", found.told)
    monkeypatch.setattr(server_clock, "_steady", found.steady)
    for name in ("_zero", "_jumped", "_needed"):
        monkeypatch.setattr(clock, name, getattr(clock, name))
    clock.hold(games_need_time)
    return found


FAULTS = [
    [],
    ["jump"],
    ["sleep"],
    ["jump", "sleep"],
    ["jumps"],
    ["server"],
    ["jump", "reload"],
    ["sleep", "reload"],
    ["server", "sleep"],
    ["jumps", "sleep"],
    ["jump", "zone"],
    ["sleep", "zone"],
]


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_starts_are_right_or_asked_about(node: Node, hall: Hall, seed: int) -> None:
    node.evening()
    Evening(node, hall, seed, FAULTS[seed % len(FAULTS)]).play()


@pytest.mark.parametrize(
    ("sleeps", "set_at", "by"),
    [
        ((290.0, 300.0), 15.0, -3 * 3600.0),  # it sleeps after its clock was set back
        ((-11.0, 0.0), -2.0, -2 * 86_400.0),  # meanwhile, before the start
        ((300.0, 360.0), 330.0, -1200.0),  # meanwhile, until a player goes out
    ],
)
def test_a_phone_that_sleeps_near_its_clock_being_set_back(
    node: Node, hall: Hall, sleeps: tuple[float, float], set_at: float, by: float
) -> None:
    node.evening()
    evening = History(node, hall, sleeps, set_at, by)
    phone = evening.phones[0]
    evening._play(phone, evening.made.at(phone.table))
