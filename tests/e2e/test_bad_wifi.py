"""Three phones in bad wifi: whatever the network does, everything they send arrives exactly once, and at every stage
their status lines are true. With LASTCARD_SOAK=1 for ten minutes, and with 500 entries that wait."""

import random
import re
import time
from collections.abc import Iterator
from itertools import count, cycle

import pytest
from playwright.sync_api import Page, expect

from tests.depth import SOAK, dear
from tests.e2e.arranger import PLAYERS, Arranger
from tests.e2e.conftest import PhoneAt
from tests.e2e.phones import Phone, until
from tests.e2e.proxy import MODES, Proxy
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

SECONDS = 600 if SOAK else 0  # that the evening lasts at least
WEATHERS = 7 if SOAK else 4  # of the network, at least
PAUSE = 2 if SOAK else 0  # seconds, at most, between two entries
LATER = [6, 40] if SOAK else [3, 4]  # entries between two changes of the weather
QUEUE = 500 if SOAK else 40
HEATS = 80 if SOAK else 4  # tables with a heat
OPEN = 4  # of them on the phone: here all pages are seen, and each holds one of the browser's six connections
AT_A_TABLE = PLAYERS[:3]
WAITS_OR_ARRIVED = re.compile("saved on this phone|is on the server|has been entered")


# ---- three phones, and a network that comes and goes ----


def rounds(phone: Phone) -> Iterator[None]:
    for winner in cycle(AT_A_TABLE):
        phone.round(winner)
        yield


def games(phone: Phone) -> Iterator[None]:
    first, second, _last = AT_A_TABLE
    for number in count(1):
        phone.start(number)
        yield
        phone.out(first)
        yield
        phone.out(second)
        yield


class Heats:
    """A phone that goes from table to table: some are open in its browser, since none opens without a network."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.tables = iter(phone.event.tables)
        self.tabs: list[Page] = []
        self.open()

    def open(self) -> None:
        """There is a network: open as many pages as there should be."""
        while len(self.tabs) < OPEN and (table := next(self.tables, None)):
            page = self.phone.page.context.new_page()
            page.goto(f"/en/desk/table/{table}/")
            page.locator(".heat__tap").first.wait_for()
            self.tabs.append(page)

    def entries(self) -> Iterator[None]:
        while True:
            if self.tabs:
                page = self.tabs.pop(0)
                self.phone.heat(page.locator(".heat__tap .tap__name").first.inner_text(), page=page)
                if SOAK:
                    expect(page.locator("main")).to_contain_text(WAITS_OR_ARRIVED)
                    page.close()
            yield


@pytest.mark.soak
def test_three_phones_lose_nothing_whatever_the_network_does(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt
) -> None:
    match = phone_at(arranger.match(names=AT_A_TABLE), "Rauha")
    session = phone_at(arranger.session(names=AT_A_TABLE), "Tapio")
    many = [f"{name} {number}" for number in range(HEATS) for name in PLAYERS[:2]]
    heat = phone_at(arranger.event("heats", "tite-2022", names=many, tables=HEATS), "Ulla")
    heats = Heats(heat)
    phones = [match, session, heat]
    entering = cycle([rounds(match), games(session), heats.entries()])
    chance = random.Random(20260509)
    weather = cycle(["drop", "mix", "lose", "through", "portal", "mix", "through"])
    began = time.monotonic()
    for number, now in enumerate(weather):
        if now == "mix":
            proxy.does_any_of(list(MODES), seed=number)
        else:
            proxy.does(now)
        if now == "through":
            heats.open()
        for _ in range(chance.choice(LATER)):
            next(next(entering))
            time.sleep(chance.uniform(0, PAUSE))
        for phone in phones:
            phone.tells_the_truth()
        if now == "through" and number + 1 >= WEATHERS and time.monotonic() > began + SECONDS:
            break
    for phone in phones:
        phone.all_arrived()
    print(f"\nFrom three phones, each exactly once: {sum(phone.entered for phone in phones)} entries")


@pytest.mark.parametrize("mode", ["portal", *dear("bad gateway", "lose", "redirect", "drop")])
def test_nothing_but_the_servers_own_answer_is_an_answer(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, mode: str
) -> None:
    phone = phone_at(arranger.match(names=AT_A_TABLE))
    proxy.does(mode)
    phone.round("Aino")
    until(lambda: "" if proxy.did[mode] else "nothing was tried")
    phone.says(re.compile("No connection.*Saved on this phone, 1 waiting", re.DOTALL))
    tries = proxy.did[mode]
    phone.look()
    until(lambda: "" if proxy.did[mode] > tries else "it was not tried again")
    phone.says(re.compile("No connection.*Saved on this phone, 1 waiting", re.DOTALL))
    there = ["entered"] if mode == "lose" else []
    until(lambda: "" if arranger.states(phone.event) == there else "not what is to be on the server")
    proxy.does("through")
    phone.all_arrived()


# ---- a long queue, and a server that ends in the middle of it ----


def test_a_long_queue_arrives_once_after_the_network_returns(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt
) -> None:
    phone = phone_at(arranger.match(names=AT_A_TABLE))
    proxy.does("drop")
    phone.round("Aino", "0")
    phone.many(QUEUE - 1)
    phone.says(f"{QUEUE} waiting")
    proxy.does("through")
    phone.all_arrived()
    assert arranger.states(phone.event) == ["entered"] * QUEUE


def killed_while_it_sends(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, lastcard: Server
) -> tuple[Phone, int]:
    """A phone with a queue, and how much of it had arrived when the server was killed."""
    phone = phone_at(arranger.match(names=AT_A_TABLE))
    proxy.does("drop")
    phone.round("Aino", "0")
    phone.many(QUEUE - 1)
    proxy.does("through")
    phone.look()
    until(lambda: "" if arranger.states(phone.event) else "nothing arrived yet")
    lastcard.kill()
    return phone, len(arranger.states(phone.event))


@pytest.mark.soak
def test_a_server_killed_in_the_middle_of_a_batch_takes_the_rest_when_it_is_back(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, lastcard: Server
) -> None:
    for _ in range(5):  # a machine that is busy with other things may look when all have arrived
        phone, taken = killed_while_it_sends(arranger, proxy, phone_at, lastcard)
        if taken < QUEUE:
            break
        lastcard.start()
    assert 0 < taken < QUEUE
    phone.says(re.compile(r"No connection.*\d+ waiting", re.DOTALL))
    lastcard.start()
    phone.all_arrived()
    assert arranger.states(phone.event) == ["entered"] * QUEUE
