"""PostgreSQL is killed and stopped under referees who enter: what was acknowledged is there once, pages come from the
store or say in plain words that the data cannot be reached, and all goes on by itself once the database is there."""

import time

import pytest

from tests.depth import SOAK, dear
from tests.e2e.arranger import Arranged
from tests.faults._postgres import Cluster
from tests.faults.phones import BUSY, Phone, Referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

ROUNDS = 25 if SOAK else 1
WRITERS = 8
AGAIN_SECONDS = 30  # from PostgreSQL's return until entries are taken, on a busy machine; the aim is one
AWAY_SECONDS = 0.6
SAID = "Lastcard cannot reach its data"

KINDS = ["kill -9", *dear("immediate", "fast", "one backend killed")]


def goes_on(phones: list[Phone]) -> float:
    """Let them enter a little; gives the seconds until the first entry was taken."""
    known, began, first = taken(phones), time.monotonic(), 0.0
    while taken(phones) < known + WRITERS:
        assert time.monotonic() < began + 2 * BUSY, "nothing is entered any more"
        time.sleep(0.02)
        if not first and taken(phones) > known:
            first = time.monotonic() - began
    return first


def taken(phones: list[Phone]) -> int:
    return sum(len(phone.acknowledged) for phone in phones)


def looks_while_away(rig: Rig, event: Arranged) -> None:
    """The stored page is there; one that has to be made says what is the matter."""
    assert rig.get("/healthz").status == 200
    page = rig.get(f"{event.public}?fresh=1")
    assert (page.status, page.headers["Retry-After"]) == (503, "5")
    assert SAID in page.text
    stored = rig.get(event.public)
    assert stored.status == 200 or SAID in stored.text


def until_they_hear_of_it(phones: list[Phone]) -> None:
    give_up = time.monotonic() + BUSY
    while not any(SAID in said or '"unavailable"' in said for phone in phones for said in phone.waited):
        assert time.monotonic() < give_up, "nobody was told to wait"
        time.sleep(0.02)


@pytest.mark.sweep
@pytest.mark.parametrize("how", KINDS)
def test_entries_survive_the_loss_of_postgresql_under_eight_writers(
    pg: Rig, cluster: Cluster, how: str
) -> None:
    event = pg.match(tables=WRITERS)
    phones = pg.phones(event)
    quiet = pg.match()
    assert pg.get(quiet.public).status == 200  # nobody enters there: it stays in the store
    entering = Referees(phones)
    slowest = 0.0
    for _ in range(ROUNDS):
        entering.begin()
        goes_on(phones)
        if how == "one backend killed":
            cluster.kill_a_backend()
        else:
            cluster.kill() if how == "kill -9" else cluster.stop(how)
            time.sleep(AWAY_SECONDS)
            until_they_hear_of_it(phones)
            looks_while_away(pg, event)
            assert pg.get(quiet.public).status == 200
            cluster.start()
        slowest = max(slowest, goes_on(phones))
        entering.rest()
        pg.ask("reconnect")
        pg.holds(event, phones)
    entering.end()
    assert slowest < AGAIN_SECONDS
    print(f"\n{how}: {taken(phones)} entries, again after {slowest:.1f} s at most")
