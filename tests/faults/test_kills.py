"""kill -9 in mid write: each acknowledged entry is there once, each other at most once, and sending it again works. 500
kills at random moments with LASTCARD_SOAK=1, and one after every statement of a write."""

import random
import signal
import time

import pytest

from tests.depth import SOAK, dear
from tests.faults.phones import LOST, Referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

KILLS = 500 if SOAK else 6  # with those at statements 14
OF_AN_EVENT = 20  # kills, so that what is checked after each stays small
WRITERS = 8
BESIDE = 8 if SOAK else 3  # phones, with the one that is killed at each statement
LATEST = 0.15  # seconds from the first entry to the kill
# After so many statements, and round COMMIT; a request has 15 to 25, and one more goes through unharmed.
STATEMENTS = [str(number) for number in (range(1, 41) if SOAK else (5, 13))]
POINTS = [*STATEMENTS, "before COMMIT", "after COMMIT"]


@pytest.mark.soak
def test_entries_survive_kills_at_random_moments_under_eight_writers(rig: Rig) -> None:
    chance = random.Random(20261122)
    entered = lost = 0
    for first in range(0, KILLS, OF_AN_EVENT):
        event = rig.match(tables=WRITERS)
        phones = rig.phones(event)
        entering = Referees(phones)
        for _ in range(first, min(first + OF_AN_EVENT, KILLS)):
            entering.begin()
            time.sleep(chance.uniform(0, LATEST))
            rig.kill()
            rig.start()
            entering.rest()
            rig.holds(event, phones)
        entering.end()
        entered += sum(len(phone.acknowledged) for phone in phones)
        lost += sum(phone.lost for phone in phones)
    assert lost > KILLS // 2  # answers: the kills did meet entries on their way
    print(f"\n{KILLS} kills, {entered} entries acknowledged, {lost} answers lost")


@pytest.mark.parametrize("way", ["desk", *dear("program")])
def test_entry_survives_a_kill_after_every_statement_of_its_write(rig: Rig, way: str) -> None:
    event = rig.match(tables=BESIDE)
    phones = rig.phones(event)
    one = phones[0 if way == "desk" else 1]
    entering = Referees([phone for phone in phones if phone is not one])
    kills = 0
    for point in POINTS:
        entering.begin()
        command, play = one.new()
        try:
            assert one.send(command, play, X_Fault_Kill=point) == "saved"
        except LOST:
            assert rig.ended() == f"ended -{signal.SIGKILL}"
            rig.start()
            kills += 1
            assert one.send(command, play) == "saved"
        assert one.send(command, play) == "saved"
        one.number += 1
        entering.rest()
        rig.holds(event, phones)
    entering.end()
    assert kills > 15 if SOAK else kills == len(POINTS)
    print(f"\n{way}: a kill at each of {kills} points")
