"""The thread that reads what other processes saved fails, or never answers: it is noticed and reported within half a
minute, and pages are right meanwhile."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.depth import dear
from tests.faults.phones import BUSY
from tests.faults.rig import Rig
from tournament.live.store import DOUBT_S

pytestmark = pytest.mark.server

FOUND_S = 30


def within(seconds: float, holds: Callable[[], Any]) -> None:
    until = time.monotonic() + seconds + BUSY
    while not holds():
        assert time.monotonic() < until, "it no-show"
        time.sleep(0.3)


@pytest.mark.soak
@pytest.mark.parametrize("fault", [*dear("fails"), "hangs"])
def test_broken_publisher_is_found_and_said_and_pages_are_right_without_it(rig: Rig, fault: str) -> None:
    event = rig.match()
    board, cookie = f"/en/organise/t/{event.slug}/", f"sessionid={rig.phones(event)[0].session}"
    winner, other = event.seats[0]

    def shown() -> str:
        return rig.get(event.public).text

    def saved_elsewhere() -> None:
        """Another process enters a round; this one hears of it from its publisher alone."""
        rig.ask("record_round", slug=event.slug, winner=winner, hands={other: {"7": 1}})

    assert shown() == rig.get(event.public).text
    saved_elsewhere()
    within(FOUND_S, lambda: shown() == rig.ask("recomputed", slug=event.slug)[event.public])
    within(FOUND_S, lambda: "Live updates have stopped" not in rig.get(board, Cookie=cookie).text)
    rig.breaks(publisher=fault)
    within(FOUND_S, (rig.data / "publisher-broke").exists)
    broke = time.monotonic()
    before = shown()
    saved_elsewhere()
    assert shown() == before or time.monotonic() > broke + DOUBT_S - 1
    within(FOUND_S, lambda: shown() != before)
    assert shown() == rig.ask("recomputed", slug=event.slug)[event.public]
    within(FOUND_S, lambda: "Live updates have stopped" in rig.get(board, Cookie=cookie).text)
    rig.breaks()
    within(FOUND_S, lambda: "Live updates have stopped" not in rig.get(board, Cookie=cookie).text)
    saved_elsewhere()
    within(FOUND_S, lambda: shown() == rig.ask("recomputed", slug=event.slug)[event.public])
