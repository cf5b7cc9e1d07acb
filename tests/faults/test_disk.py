"""A disk that is full, that fails, and that loses its power: nothing is acknowledged that is not on it."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.arranger import Arranged
from tests.faults.phones import Phone
from tests.faults.rig import Rig

ROUNDS = 400  # by which the database must have grown


@contextmanager
def full(rig: Rig, most: int) -> Iterator[None]:
    """No file of the server's may grow beyond so many bytes, as on a disk without room."""
    _, hard = resource.prlimit(rig.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(rig.pid, resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.prlimit(rig.pid, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.parametrize("room", ["none for a journal", "none for a larger database"])
def test_full_disk_refuses_entries_in_plain_words_and_goes_on_when_there_is_room(rig: Rig, room: str) -> None:
    event = rig.match(tables=2)
    phones = rig.phones(event)
    for phone in phones:
        phone.enter()
    most = 0 if room == "none for a journal" else rig.database.stat().st_size
    with full(rig, most):
        for phone in phones:
            refused(phone)
        readable(rig, event, phones[0])
    for phone in phones:
        assert phone.send(phone.commands[-1], phone.plays[-1]) == "saved"
        phone.number += 1
        phone.enter()
    rig.holds(event, phones)


def refused(phone: Phone) -> None:
    """Enter rounds until one is refused: at the latest when the database must grow."""
    for _ in range(ROUNDS):
        command, play = phone.new()
        if phone.send(command, play) == "wait":
            break
        phone.number += 1
    assert "Nothing that was saved is lost" in phone.waited[-1] or "database does not answer" in phone.waited[-1]
    assert command not in phone.acknowledged


def readable(rig: Rig, event: Arranged, phone: Phone) -> None:
    """Everybody reads on: watchers, the referee at the table, the organiser at the board."""
    cookie = f"sessionid={phone.session}"
    assert rig.get(event.public).status == 200
    assert rig.get("/en/rules/").status == 200
    assert rig.get(event.table, Cookie=cookie).status == 200
    assert rig.get(f"/en/organise/t/{event.slug}/", Cookie=cookie).status == 200
