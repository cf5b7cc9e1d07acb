"""tournament/live/turns.py: strangers take turns in front of Django, each address for itself."""

import asyncio
import json
import time
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from pytest_django import Settings

from tests.live.conftest import Site
from tests.live.driver import PATIENCE, Answer, ask, request
from tests.live.test_front import until
from tests.support.sign_in import known_cookie
from tournament.links import token_for
from tournament.live import front, proved, turns
from tournament.live.proved import KNOWN_COOKIE
from tournament.live.turns import Strangers, kind_of
from tournament.server.environment import BASE_DIR

KNOWN = {"cookie": known_cookie()}


class Held:
    """Django that answers when it is told to, with `status`; it lists who is in it."""

    def __init__(self, status: int = 200) -> None:
        self.inside: list[dict[str, Any]] = []
        self.most: Counter[str] = Counter()
        self.status, self.go_on = status, asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.inside.append(scope)
        address = scope["client"][0]
        self.most[address] = max(
            self.most[address], sum(each["client"][0] == address for each in self.inside)
        )
        await self.go_on.wait()
        self.inside.remove(scope)
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b"busy" if "busy" in scope else b"answered"})


async def quiet_now() -> None:
    """Nobody saves."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LATER_S", 0.0)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/en/sign-in/", "quick"),
        ("POST", "/en/sign-in/", "passwords"),
        ("POST", "/fi/password/", "passwords"),
        ("POST", "/en/admin/password_change/", "passwords"),
        ("POST", "/en/desk/", "writes"),
        ("POST", f"/en/at/{'a' * 43}/propose/", "writes"),
        ("GET", "/en/t/cup/results.xlsx", "files"),
        ("GET", "/en/organise/t/cup/archive/event.zip", "files"),
        ("GET", "/en/organise/stage/7/print/sheets/", "files"),
    ],
)
def test_kind_of_a_request(method: str, path: str, kind: str) -> None:
    assert kind_of(request(method, path)) == kind


def test_two_of_one_address_are_in_django_at_once_and_the_others_wait(site: Site, quick: None) -> None:
    async def run() -> tuple[list[bool], Held, list[Answer]]:
        site.app._django = django = Held()
        asked = [asyncio.create_task(ask(site.app, f"/en/{n}/", address="192.0.2.1")) for n in range(20)]
        asked += [asyncio.create_task(ask(site.app, f"/en/{n}/", address="192.0.2.2")) for n in range(20, 23)]
        await until(lambda: len(django.inside) == 4)
        asked.append(asyncio.create_task(ask(site.app, "/en/desk/", KNOWN, address="192.0.2.1")))
        await until(lambda: len(django.inside) == 5)
        asked.append(asyncio.create_task(ask(site.app, "/en/t/a/results.xlsx", address="192.0.2.1")))
        await until(lambda: len(django.inside) == 6)
        inside = [bool(each["proved"]) for each in django.inside]
        django.go_on.set()
        return inside, django, await asyncio.gather(*asked)

    inside, django, answers = asyncio.run(run())
    assert inside == [False] * 4 + [True, False], "a referee and a file wait for no page of their address"
    assert django.most == {"192.0.2.1": 4, "192.0.2.2": 2}
    assert [answer.status for answer in answers] == [200] * 25


def test_one_stranger_writes_at_a_time_and_no_page_waits_for_it(site: Site, quick: None) -> None:
    async def run() -> tuple[list[str], list[Answer]]:
        site.app._django = django = Held()
        asked = [
            asyncio.create_task(ask(site.app, "/en/score/", method="POST", address=f"192.0.2.{n}"))
            for n in range(9)
        ]
        asked.append(asyncio.create_task(ask(site.app, "/en/x/", address="192.0.2.1")))
        await until(lambda: len(django.inside) == 2)
        for _ in range(50):
            await asyncio.sleep(0)
        inside = [each["method"] for each in django.inside]
        django.go_on.set()
        return inside, await asyncio.gather(*asked)

    inside, answers = asyncio.run(run())
    assert sorted(inside) == ["GET", "POST"]
    assert [answer.status for answer in answers] == [200] * 10


def test_network_of_one_customer_takes_turns_as_one(site: Site, quick: None) -> None:
    async def run() -> int:
        site.app._django = django = Held()
        asked = [
            asyncio.create_task(ask(site.app, f"/en/{n}/", address=f"2001:db8::{n}")) for n in range(1, 6)
        ]
        await until(lambda: len(django.inside) == 2)
        for _ in range(20):
            await asyncio.sleep(0)
        inside = len(django.inside)
        django.go_on.set()
        await asyncio.gather(*asked)
        return inside

    assert asyncio.run(run()) == 2


def test_who_waits_beyond_the_limits_is_refused_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "WAIT_S", 0.01)
    monkeypatch.setitem(turns.LIMITS, "quick", (1, 5, 1))

    async def run() -> list[str]:
        said, here, done = [], Strangers(Held(), quiet_now), asyncio.Event()

        async def take(name: str) -> None:
            try:
                async with here.turn("quick", "a"):
                    said.append(f"{name} in turn")
                    await done.wait()
            except TimeoutError:
                said.append(f"{name} refused")

        first = asyncio.create_task(take("first"))
        await asyncio.sleep(0)
        second = asyncio.create_task(take("second"))
        await asyncio.sleep(0)
        await take("third")
        await second
        done.set()
        await first
        await take("fourth")
        assert not here._lines
        return said

    assert asyncio.run(run()) == ["first in turn", "third refused", "second refused", "fourth in turn"]


@pytest.mark.parametrize(
    ("path", "shared", "form"),
    [("/en/2/", None, "text/plain; charset=utf-8"), ("/api/v1/tournaments", "*", "application/problem+json")],
)
def test_refusal_comes_later_and_says_when_to_try_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, path: str, shared: str | None, form: str
) -> None:
    """A program is answered with a problem, which pages of other sites can read."""
    waited: list[float] = []
    monkeypatch.setattr(turns, "WAIT_S", 0.01)

    async def run() -> Answer:
        site.app._django = django = Held()
        sleep = asyncio.sleep

        async def slept(seconds: float) -> None:
            waited.extend([seconds] if seconds >= 1 else [])
            await sleep(0)

        monkeypatch.setattr(asyncio, "sleep", slept)
        asked = [asyncio.create_task(ask(site.app, f"/en/{n}/")) for n in range(2)]
        await until(lambda: len(django.inside) == 2)
        answer = await ask(site.app, path)
        django.go_on.set()
        await asyncio.gather(*asked)
        return answer

    answer = asyncio.run(run())
    assert (answer.status, answer.headers["retry-after"], answer.headers["content-type"]) == (503, "5", form)
    said = json.loads(answer.body)["title"] if shared else answer.body.decode()
    assert said == "Very busy. Try again."
    assert answer.headers.get("access-control-allow-origin") == shared
    assert waited == [turns.LATER_S]


@pytest.mark.parametrize(
    ("headers", "held_back"),
    [({}, [*map(float, range(1, 11)), 10.0, 10.0]), (KNOWN, [])],
    ids=["stranger", "referee"],
)
def test_each_refusal_by_django_is_held_back_longer_from_strangers(
    site: Site, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], held_back: list[float]
) -> None:
    waited: list[float] = []

    async def run() -> set[int]:
        site.app._django = django = Held(429)
        django.go_on.set()
        sleep = asyncio.sleep

        async def slept(seconds: float) -> None:
            waited.extend([seconds] if seconds >= 1 else [])
            await sleep(0)

        monkeypatch.setattr(asyncio, "sleep", slept)
        return {(await ask(site.app, "/api/v1/score", headers)).status for _ in range(12)}

    assert asyncio.run(run()) == {429}
    assert waited == held_back


class Timed(Held):
    """Django that takes `took` seconds and answers with these headers."""

    def __init__(
        self, headers: list[tuple[bytes, bytes]], took: float, clock: list[float], status: int
    ) -> None:
        super().__init__(status)
        self.headers, self.took, self.clock = headers, took, clock

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.inside.append(scope)
        self.clock[0] += self.took
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": b""})


SIGNED_IN = [(b"set-cookie", f"{KNOWN_COOKIE}=x; Path=/".encode())]


@pytest.mark.parametrize(
    ("asked", "headers", "status", "saved", "rests"),
    [
        ("POST /en/score/", [], 200, True, [23.0, 24.0, 24.0]),
        ("POST /en/sign-in/", [], 200, True, [23.0, 24.0, 24.0]),
        ("POST /en/sign-in/", SIGNED_IN, 200, True, []),
        ("POST /en/score/", [], 503, True, []),
        ("POST /en/score/", [], 200, False, []),
        ("GET /en/x/", [], 200, True, []),
    ],
    ids=["wrote", "wrong password", "right password", "database away", "nobody saves", "read"],
)
def test_address_that_wrote_rests_while_referees_save(
    site: Site,
    *,
    asked: str,
    headers: list[tuple[bytes, bytes]],
    status: int,
    saved: bool,
    rests: list[float],
) -> None:
    """Nobody rests whose answer makes the device a known one, or for whom the database was away; nor does another
    address."""
    clock, rested = [1000.0], list[float]()
    method, path = asked.split()

    async def run() -> list[str]:
        site.app._django = django = Timed(headers, 1.0, clock, status)
        if saved:
            await ask(site.app, "/en/save/", KNOWN, "POST")
        loop = asyncio.get_running_loop()
        later = loop.call_later

        def call_later(delay: float, callback: Any, *arguments: Any) -> Any:
            rest = getattr(callback, "__func__", None) is asyncio.Semaphore.release
            rested.extend([delay] if rest else [])
            return later(0 if rest else delay, callback, *arguments)

        monkeypatch.setattr(loop, "call_later", call_later)
        for _ in range(4):
            await ask(site.app, path, method=method, address="192.0.2.1")
        await ask(site.app, path, method=method, address="192.0.2.2")
        return [each["path"] for each in django.inside]

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(time, "monotonic", lambda: clock[0])
        assert asyncio.run(run())[-2:] == [path] * 2
    assert rested == rests, "a first second of work is free"


class OnProcessor(Held):
    """Django that answers at once, and says that it kept the processor for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.go_on.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope["processor_s"] = self.seconds
        await super().__call__(scope, receive, send)


async def wrote(site: Site, seconds: float, *paths: str) -> dict[str, float]:
    """Have strangers behind one address write there while a referee saves, and give how many seconds each rests."""
    site.app._django = OnProcessor(seconds)
    await ask(site.app, "/en/save/", KNOWN, "POST")
    for path in paths:
        assert (await ask(site.app, path, method="POST")).status == 200
    return {name: until - time.monotonic() for name, until in site.app._strangers._rested.items()}


def test_only_the_time_on_the_processor_is_rested_for(site: Site) -> None:
    """Not the wait for the database, which is longest where a hall is busiest."""
    rests = asyncio.run(wrote(site, 0.01, *["/en/score/"] * 3))
    assert rests == {"127.0.0.1": pytest.approx(3 * turns.REST * 0.01 - turns.CREDIT_S, abs=0.5)}


def test_each_link_of_a_hall_behind_one_address_takes_its_own_turn(site: Site) -> None:
    """Eighty tables propose in the same minute: nobody rests for what another wrote."""
    links, hall = [token_for("table", uuid4()) for _ in range(80)], uuid4()
    for link in links:
        proved.link_held(link, hall)
    rests = asyncio.run(wrote(site, 0.02, *(f"/en/at/{link}/propose/" for link in links)))
    assert len(rests) == 80 + 1
    assert max(rests.values()) < 0


def test_links_of_an_event_together_leave_half_of_a_processor(site: Site) -> None:
    links, hall = [token_for("table", uuid4()) for _ in range(2)], uuid4()
    for link in links:
        proved.link_held(link, hall)
    rests = asyncio.run(wrote(site, 3.0, *(f"/en/at/{link}/propose/" for link in links)))
    assert rests[f"event {hall}"] == pytest.approx(2 * 3.0 - turns.CREDIT_OF_EVENT_S, abs=0.5)


@pytest.mark.parametrize("first_s", [PATIENCE, 0.01], ids=["they are answered first", "but not for ever"])
def test_sender_without_a_link_lets_the_tables_go_first(
    site: Site, monkeypatch: pytest.MonkeyPatch, first_s: float
) -> None:
    """In one queue it would get every other turn: the tables of an event take one turn together."""
    links, hall = [token_for("table", uuid4()) for _ in range(5)], uuid4()
    monkeypatch.setattr(turns, "LINKS_FIRST_S", first_s)
    for link in links:
        proved.link_held(link, hall)

    async def run() -> list[str]:
        site.app._django = django = Held()
        came = []

        async def noted(scope: Any, receive: Any, send: Any) -> None:
            came.append(scope["path"].rpartition("/")[2])
            await django(scope, receive, send)

        site.app._django = noted
        first = asyncio.create_task(ask(site.app, f"/en/at/{links[0]}/table", method="POST"))
        await until(lambda: came)
        sender = asyncio.create_task(ask(site.app, "/en/score/sender", method="POST"))
        await asyncio.sleep(0)
        others = [
            asyncio.create_task(ask(site.app, f"/en/at/{link}/table", method="POST")) for link in links[1:]
        ]
        if first_s < PATIENCE:
            await until(lambda: len(came) == 2)
        django.go_on.set()
        await asyncio.gather(first, sender, *others)
        return came

    came = asyncio.run(run())
    assert came == (
        ["table"] * 5 + ["sender"] if first_s == PATIENCE else ["table", "sender"] + ["table"] * 4
    )


FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html,*/*"}


@pytest.mark.parametrize(
    ("headers", "kept"),
    [(FORM, True), (FORM | {"hx-request": "true"}, False), (FORM | {"accept": "application/json"}, False)],
    ids=["a form", "htmx, which leaves the page as it is", "a script"],
)
def test_a_form_for_which_no_turn_comes_is_kept_and_sent_again_in_the_readers_language(
    site: Site,
    quick: None,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    headers: dict[str, str],
    *,
    kept: bool,
) -> None:
    monkeypatch.setattr(turns, "WAIT_S", 0.01)
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [BASE_DIR / "templates"]}]

    async def run() -> Answer:
        site.app._django = django = Held()
        first = asyncio.create_task(ask(site.app, "/fi/score/", method="POST"))
        await until(lambda: len(django.inside) == 1)
        answer = await ask(site.app, "/fi/score/", headers, "POST", b"hand-7=2&hand-7=3&note=%3Cb%3E")
        django.go_on.set()
        await first
        return answer

    answer = asyncio.run(run())
    said = answer.body.decode()
    assert answer.status == 503
    if not kept:
        assert said == "Palvelu on ruuhkautunut. Yritä uudelleen."
        return
    assert answer.headers["content-security-policy"].startswith("default-src")
    assert answer.headers["x-frame-options"] == "DENY"
    assert 'lang="fi"' in said
    assert "Moni lähettää yhtä aikaa" in said
    for name, value in (("hand-7", "2"), ("hand-7", "3"), ("note", "&lt;b&gt;")):
        assert f'name="{name}" value="{value}"' in said


def test_form_beyond_fifty_that_wait_is_answered_without_a_hash(site: Site, quick: None) -> None:
    async def run() -> tuple[Answer, list[Answer]]:
        site.app._django = django = Held()
        asked = [asyncio.create_task(ask(site.app, "/en/sign-in/", method="POST")) for _ in range(51)]
        await until(lambda: len(django.inside) == 1)
        late = asyncio.create_task(ask(site.app, "/en/sign-in/", method="POST"))
        await until(lambda: len(django.inside) == 2)
        known = asyncio.create_task(ask(site.app, "/en/sign-in/", KNOWN, method="POST"))
        await until(lambda: len(django.inside) == 3)
        django.go_on.set()
        assert (await known).body == b"answered"
        return await late, await asyncio.gather(*asked)

    late, others = asyncio.run(run())
    assert late.body == b"busy"
    assert {answer.body for answer in others} == {b"answered"}


def test_hashes_of_all_strangers_leave_processors_to_saves(site: Site, quick: None) -> None:
    async def run() -> int:
        site.app._django = django = Held()
        posts = [
            asyncio.create_task(ask(site.app, "/en/sign-in/", method="POST", address=f"192.0.2.{n}"))
            for n in range(9)
        ]
        await until(lambda: django.inside)
        for _ in range(50):
            await asyncio.sleep(0)
        inside = len(django.inside)
        django.go_on.set()
        await asyncio.gather(*posts)
        return inside

    assert asyncio.run(run()) == turns.LIMITS["passwords"][1] <= 2


def test_who_hung_up_while_waiting_is_not_asked_of_django(site: Site, quick: None) -> None:
    async def run() -> list[str]:
        site.app._django = django = Held()
        first = [asyncio.create_task(ask(site.app, f"/en/{n}/")) for n in range(2)]
        await until(lambda: len(django.inside) == 2)
        gone = asyncio.Event()
        left = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> dict[str, Any]:
            for message in left:
                return message
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(_: Any) -> None:
            raise AssertionError

        waiting = asyncio.ensure_future(site.app(request("GET", "/en/gone/"), receive, send))
        await asyncio.sleep(0)
        gone.set()
        for _ in range(5):
            await asyncio.sleep(0)
        seen = [each["path"] for each in django.inside]
        django.go_on.set()
        await asyncio.gather(*first, waiting)
        return seen + [each["path"] for each in django.inside]

    assert asyncio.run(run()) == ["/en/0/", "/en/1/"]


def test_slow_reader_holds_no_turn(site: Site) -> None:
    async def run() -> list[Answer]:
        site.app._django = django = Held()
        django.go_on.set()
        reads = asyncio.Event()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_: Any) -> None:
            await reads.wait()

        slow = [asyncio.ensure_future(site.app(request("GET", f"/en/{n}/"), receive, send)) for n in range(5)]
        answers = [await ask(site.app, f"/en/quick/{n}/") for n in range(3)]
        reads.set()
        await asyncio.gather(*slow)
        return answers

    assert [answer.status for answer in asyncio.run(run())] == [200] * 3


@pytest.mark.parametrize("saved", ["referee", "stranger"])
def test_stranger_waits_for_a_referees_save_and_for_no_strangers(
    site: Site, monkeypatch: pytest.MonkeyPatch, quick: None, saved: str
) -> None:
    monkeypatch.setattr(front, "STRANGERS_LAST_S", PATIENCE)

    async def run() -> list[str]:
        site.app._django = django = Held()
        save = asyncio.create_task(ask(site.app, "/en/save/", KNOWN if saved == "referee" else {}, "POST"))
        await until(lambda: django.inside)
        page = asyncio.create_task(ask(site.app, "/en/page/"))
        for _ in range(20):
            await asyncio.sleep(0)
        inside = [each["path"] for each in django.inside]
        django.go_on.set()
        assert [answer.status for answer in await asyncio.gather(save, page)] == [200, 200]
        return inside

    assert asyncio.run(run()) == ["/en/save/", *(["/en/page/"] if saved == "stranger" else [])]


def test_security_page_says_how_long_the_program_makes_one_address_and_one_event_wait() -> None:
    page = (BASE_DIR / "SECURITY.md").read_text()
    assert (
        f"| {turns.CREDIT_S / turns.REST:.0f} s of processor time at once, then 1/{turns.REST + 1} |" in page
    )
    at_once = turns.CREDIT_OF_EVENT_S / turns.REST_OF_EVENT
    assert f"| {at_once:.0f} s of processor time at once, then half of a processor |" in page
