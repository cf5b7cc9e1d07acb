"""A disk that is full, that fails, and that loses its power: nothing is acknowledged that is not on it."""

import re
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.depth import dear
from tests.e2e.arranger import Arranged
from tests.faults.phones import BUSY, Phone
from tests.faults.rig import Rig
from tournament.settings import JOURNAL

pytestmark = pytest.mark.server

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


@pytest.mark.sweep
@pytest.mark.parametrize("room", ["none for a journal", *dear("none for a larger database")])
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
    goes_on(rig, event, phones)


def test_disk_of_which_the_system_says_that_it_is_full_is_named_to_whoever_enters(rig: Rig) -> None:
    event = rig.match(tables=2)
    phones = rig.phones(event)
    for phone in phones:
        phone.enter()
    with traced(rig, "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC"):
        for phone in phones:
            refused(phone)
            assert "The server’s disk is full" in phone.waited[-1]
        readable(rig, event, phones[0])
    goes_on(rig, event, phones)


def goes_on(rig: Rig, event: Arranged, phones: Sequence[Phone]) -> None:
    """An entry that was refused is accepted when it is sent again, and so is the next one."""
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
    words = ("Everything saved earlier is safe", "database is not responding", "disk is full")
    assert any(said in phone.waited[-1] for said in words), phone.waited[-1]
    assert command not in phone.acknowledged


def readable(rig: Rig, event: Arranged, phone: Phone) -> None:
    """Everybody reads on: watchers, the referee at the table, the organiser at the board."""
    cookie = f"sessionid={phone.session}"
    assert rig.get(event.public).status == 200
    assert rig.get("/en/rules/").status == 200
    assert rig.get(event.table, Cookie=cookie).status == 200
    assert rig.get(f"/en/organise/t/{event.slug}/", Cookie=cookie).status == 200


# ---- what reaches the disk, seen and made to fail at the system calls ----

SYNCS = "fsync,fdatasync"


@contextmanager
def traced(rig: Rig, *options: str) -> Iterator[Path]:
    """The server's system calls, with the files' names, in a file that is whole after the block."""
    file = rig.data / "system-calls"
    strace = shutil.which("strace")
    assert strace, "strace is missing: apt-get install strace"
    command = [strace, "-f", "-y", "-s", "200", "-o", str(file), *options, "-p", str(rig.pid)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = process.stderr.readline()
    assert "attached" in said, said
    try:
        yield file
    finally:
        process.terminate()
        process.communicate(timeout=BUSY)


@pytest.mark.parametrize("way", ["desk", *dear("program")])
def test_every_entry_is_synced_to_the_disk_before_it_is_acknowledged(rig: Rig, way: str) -> None:
    event = rig.match(tables=2)
    phone = rig.phones(event)[0 if way == "desk" else 1]
    phone.enter()
    calls = f"trace={SYNCS},unlink,pwrite64,write,sendto,sendmsg,writev"
    with traced(rig, "-e", calls) as file:
        for _ in range(3):
            phone.enter()
    database, folder = str(rig.database), str(rig.data)
    since, acknowledged = [], 0
    for call in map(said_of, file.read_text().splitlines()):
        if "HTTP/1.1 20" not in call:
            since.append(call)
            continue
        acknowledged += 1
        # The journal, then its entry in the folder; the database; the journal's end; the folder again.
        order = [
            f"fdatasync(<{database}-journal>)",
            f"fdatasync(<{folder}>)",
            f"fdatasync(<{database}>)",
            f'unlink("{database}-journal")',
            f"fdatasync(<{folder}>)",
        ]
        if JOURNAL == "WAL":
            order = [f"fdatasync(<{database}-wal>)"]
        assert [each for each in since if each.startswith("pwrite64")]
        assert in_this_order(since, order), "\n".join(since)
        assert not [each for each in since[last_of(since, order[-1]) :] if each.startswith("pwrite64")]
        since = []
    assert acknowledged == 3


@pytest.mark.parametrize("broken", [*dear("every sync"), "the database's own"])
def test_entry_whose_sync_fails_is_not_acknowledged(rig: Rig, broken: str) -> None:
    if JOURNAL == "WAL" and broken != "every sync":
        pytest.skip("of a commit the write-ahead log alone is synced")
    event = rig.match(tables=2)
    phones = rig.phones(event)
    for phone in phones:
        phone.enter()
    when = "" if broken == "every sync" else ":when=4+5"
    with traced(rig, "-e", f"trace={SYNCS}", "-e", f"inject={SYNCS}:error=EIO{when}"):
        for phone in phones:
            command, play = phone.new()
            assert phone.send(command, play) == "wait"
            assert command not in phone.acknowledged
        readable(rig, event, phones[0])
    goes_on(rig, event, phones)


def said_of(line: str) -> str:
    """A system call without its thread, numbers of files and result: `fdatasync(<file>)`."""
    call = line.partition(" ")[2].strip()
    call = call.removesuffix(" <unfinished ...>") if "<unfinished" in call else call.rpartition(" = ")[0]
    call = re.sub(r"^fsync\(", "fdatasync(", call)  # SQLite is built with either
    return re.sub(r"\(\d+<", "(<", call).rstrip().removesuffix(")") + ")"


def in_this_order(calls: Sequence[str], order: Sequence[str]) -> bool:
    rest = iter(calls)
    return all(any(call == wanted for call in rest) for wanted in order)


def last_of(calls: Sequence[str], wanted: str) -> int:
    return max(index for index, call in enumerate(calls) if call == wanted)
