"""A small rehearsal from end to end: its own server killed in the middle, a bad network, and the checks."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from tournament.extras.rehearsal.day import rehearse
from tournament.extras.rehearsal.organiser import Address, Impossible, Organiser
from tournament.extras.rehearsal.own_server import OwnServer
from tournament.extras.rehearsal.plan import Size

pytestmark = pytest.mark.server

SMALL = Size(players=12, tables=2, referees=2, watchers=12, games=2, seconds=4.0, own_pages=0.25, seed=3)
ENTRIES = 2 * 2 * 6  # a start, and the others are out or counted


@pytest.fixture
def own(prepared: Path) -> Iterator[OwnServer]:
    server = OwnServer()
    try:
        copytree(prepared, server.data, dirs_exist_ok=True)
        server.prepare()
        yield server
    finally:
        server.close()


@pytest.mark.soak
def test_nothing_is_lost_in_a_bad_network_with_a_server_that_is_killed(own: OwnServer) -> None:
    organiser = Organiser(Address.of(own.url))
    organiser.sign_in(own.user, own.password)
    assert organiser.real_events() == 0
    first = own.pid
    said: list[str] = []
    report = rehearse(organiser, SMALL, own, said.append)
    assert report.broken == []
    assert own.pid != first
    seconds = report.conflicts_expected
    assert (report.sent, report.acknowledged) == (ENTRIES + seconds, ENTRIES)
    assert (report.freshness.count, report.never_fresh) == (SMALL.watchers * ENTRIES, 0)
    assert report.streams_cut >= SMALL.watchers
    assert organiser.all("tournaments") == []  # it was put away
    with pytest.raises(Impossible, match="does not accept this user"):
        Organiser(Address.of(own.url)).sign_in(own.user, "wrong")
