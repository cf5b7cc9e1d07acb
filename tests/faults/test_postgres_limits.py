"""PostgreSQL while others are in the way: a lock held for long, no connections left, settings that keep no promise."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE, STDOUT, Popen

import pytest

from tests.e2e.server import ROOT, free_port
from tests.faults._postgres import Cluster
from tests.faults.phones import BUSY, Phone, Said, referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

SAID = "Lastcard cannot reach its data"
FEW = 12  # connections, three of them PostgreSQL's own administrator's
VISITORS = 40


def said_later(said: Said) -> bool:
    return said.status == 503 and said.headers["Retry-After"] == "5" and SAID in said.text


@pytest.mark.soak
def test_entry_is_answered_while_others_hold_its_rows_and_tables(pg: Rig, cluster: Cluster) -> None:
    event = pg.match(tables=2)
    desk, program = pg.phones(event)
    page = f"{event.public}stage/{event.stage}/"
    assert pg.get(page).status == 200
    entries = [(phone, phone.new()) for phone in (desk, program)]
    with cluster.connected() as other, ThreadPoolExecutor() as together, other.transaction():
        other.execute("SELECT FROM tournament_tournament WHERE slug = %s FOR UPDATE", [event.slug])
        other.execute("LOCK TABLE tournament_entry IN ACCESS EXCLUSIVE MODE")
        asked = [together.submit(phone.send, *entry) for phone, entry in entries]
        reading = together.submit(pg.get, f"{event.public}players/")  # which nobody asked for before
        stored = pg.get(page)
        assert [each.result() for each in asked] == ["wait", "wait"]
        assert said_later(reading.result())
        assert stored.status == 200  # at once, while all others waited
    for phone, entry in entries:
        assert phone.send(*entry) == "saved"
    pg.holds(event, [desk, program])


@pytest.fixture
def few(pg: Rig, cluster: Cluster) -> Iterator[Rig]:
    """A server whose PostgreSQL has hardly more connections than it needs."""
    cluster.stop()
    cluster.start(max_connections=FEW)
    pg.ask("reconnect")
    yield pg
    cluster.stop()


def entered(phones: Sequence[Phone]) -> int:
    """Count the acknowledged entries of the phone that has the fewest."""
    return min(len(phone.acknowledged) for phone in phones)


@pytest.mark.soak
def test_referees_enter_while_visitors_take_all_connections_that_they_may(few: Rig) -> None:
    event = few.match(tables=2)
    phones = few.phones(event)
    for phone in phones:  # a referee had the desk open, a program read: the server knows them
        if phone.token:
            assert few.get("/api/v1/me", Authorization=f"Bearer {phone.token}").status == 200
        else:
            opened = few.get("/en/desk/", Cookie=f"sessionid={phone.session}")
            known = next(each for name, each in opened.headers.items() if each.startswith("known="))
            phone.session += f"; {known.partition(';')[0]}"
    pages = [f"{event.public}?visitor={number}" for number in range(3 * VISITORS)]

    def visit(page: str) -> Said:
        _, _, number = page.rpartition("=")  # from an address of its own: those of one take turns
        return few.get(page, **{"X-Forwarded-For": f"192.0.2.{number}"})

    answers: list[Said] = []
    give_up = time.monotonic() + BUSY
    with referees(phones), ThreadPoolExecutor(VISITORS) as visitors:
        while len({answer.status for answer in answers}) < 2 or entered(phones) <= 3:
            assert time.monotonic() < give_up, "no crowd, or nothing was entered beside it"
            answers += visitors.map(visit, pages)
    assert {answer.status for answer in answers} == {200, 503}
    assert all(said_later(answer) for answer in answers if answer.status == 503)
    assert [phone.waited for phone in phones] == [[], []]
    few.holds(event, phones)


@pytest.mark.soak
def test_no_connection_left_is_said_and_all_goes_on_when_there_are_some(few: Rig, cluster: Cluster) -> None:
    event = few.match(tables=2)
    phones = few.phones(event)
    assert few.get(event.public).status == 200
    cluster.stop()
    cluster.start(max_connections=FEW)
    sent = {}
    with cluster.crowded() as taken:
        assert taken > FEW // 2
        for phone in phones:
            sent[phone.table] = phone.new()
            assert phone.send(*sent[phone.table]) == "wait"
        assert said_later(few.get(f"{event.public}?fresh=1"))
        assert few.get(event.public).status == 200
    for phone in phones:
        assert phone.send(*sent[phone.table]) == "saved"
    assert few.get(f"{event.public}?fresh=1").status == 200
    few.ask("reconnect")
    few.holds(event, phones)


@pytest.mark.sweep
def test_promises_that_postgresql_does_not_keep_are_on_the_board_and_in_the_log(
    pg: Rig, cluster: Cluster
) -> None:
    event = pg.match()
    own = {"Cookie": f"sessionid={event.organiser.session}"}

    def board() -> str:
        return pg.get(f"/en/organise/t/{event.slug}/", **own).text

    assert 'id="unsafe"' not in board()
    with cluster.set_to(fsync="off", synchronous_commit="off", full_page_writes="off"):
        until(
            lambda: "because fsync, full_page_writes and synchronous_commit are off in PostgreSQL" in board()
        )
        assert "PostgreSQL runs with fsync, full_page_writes, synchronous_commit off" in (started(pg))
    until(lambda: 'id="unsafe"' not in board())
    assert "PostgreSQL runs with" not in started(pg)


def started(rig: Rig) -> str:
    """Start a server, stop it once it serves, and give its output."""
    up = [sys.executable, "manage.py", "up", "--host", "127.0.0.1", "--port", str(free_port())]
    with Popen(up, cwd=ROOT, env=rig.env, stdout=PIPE, stderr=STDOUT, text=True) as server:
        assert server.stdout
        said = ""
        for line in server.stdout:
            said += line
            if line.startswith("Stop with"):
                server.terminate()
    return said


def until(so: Callable[[], bool]) -> None:
    """Wait for what follows in a moment."""
    give_up = time.monotonic() + BUSY
    while not so():
        assert time.monotonic() < give_up
        time.sleep(0.05)
