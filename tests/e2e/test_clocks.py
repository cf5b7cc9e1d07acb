"""A start on a phone whose clock is wrong and is set while the start waits, in a browser: it has its time, or people
are asked. What tests/views/entry/outbox/test_clocks.py plays under node, with a real page and a real network."""

import random
import time

import pytest
from playwright.sync_api import expect

from tests.depth import dear
from tests.e2e.arranger import PLAYERS, Arranger
from tests.e2e.conftest import PhoneAt
from tests.e2e.phones import Phone
from tests.e2e.proxy import Proxy

pytestmark = pytest.mark.browser

OFFSETS = [0, -40, 3 * 3600, -26 * 3600, 2 * 86_400]  # seconds by which the clock is wrong at first
JUMPS = [0, 40, -40, 1200, -1200, 26 * 3600, -2 * 86_400]  # seconds by which it is set
EXACT_S = 2.0
BUSY_S = 1.0  # more, for a tap and an answer on a busy machine
ASK_S = 120


def set_clock(phone: Phone, by: float) -> None:
    phone.page.clock.set_system_time(phone.page.evaluate("Date.now()") / 1000 + by)


@pytest.mark.parametrize("seed", dear(*range(20)))
def test_a_start_is_right_or_asked_about(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, seed: int
) -> None:
    chance = random.Random(seed)
    off, jump, before = chance.choice(OFFSETS), JUMPS[seed % len(JUMPS)], chance.random() < 0.5
    phone = phone_at(arranger.session(names=PLAYERS[:3]))
    phone.page.clock.install(time=time.time() + off)
    phone.page.reload()
    phone.says("Connected")
    phone.page.wait_for_timeout(1_500)  # milliseconds; the page looks at its clock each second
    proxy.does("drop")
    if before:
        set_clock(phone, jump)
    phone.page.wait_for_timeout(1_500)
    began = time.time()
    phone.start(1)
    if not before:
        set_clock(phone, jump)
    phone.page.wait_for_timeout(chance.randrange(1_500, 4_000))
    proxy.does("through")
    phone.all_arrived()
    question = phone.page.get_by_text("when did it begin?")
    (game,) = arranger("games", slug=phone.event.slug)
    wrong = abs(game["ago"] - (time.time() - began))
    if not jump:
        expect(question).to_have_count(0)
    if not question.count():
        assert wrong <= EXACT_S + BUSY_S + (abs(jump) if abs(jump) <= ASK_S else 0), (off, jump, before)
