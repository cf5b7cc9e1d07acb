"""The laptop dies in round 4, and its disk with it: a second one starts from the latest copy on the stick, at another
address. What phones were told is saved, and is in no copy, they send again: nothing is lost, nothing is there twice."""

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.e2e.server import environment, manage
from tests.faults.phones import BUSY, Phone, Said, referees
from tests.faults.rig import Rig

pytestmark = pytest.mark.server

TABLES = 4
ROUND = 4  # in which the laptop dies


@dataclass
class Keeping(Phone):
    """A phone that keeps what the server took, and sends it again where the server has it no more (sender.js)."""

    tournament: str = ""
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    last: list[Any] = field(default_factory=list)  # the row that it was told of last
    again: int = 0  # entries that it sent again

    def asking(self) -> dict[str, Any]:
        return {"last": [[self.tournament, *self.last]] if self.last else []}

    def desk(self, entries: Sequence[dict[str, Any]], **headers: str) -> Said:
        said = super().desk(entries, **headers)
        if said.status != 200:
            return said
        if said.json["lost"]:
            assert said.json["answers"] == []
            kept, self.last = [*self.kept.values()], []
            self.again += len(kept)
            self.acknowledged.clear()
            until(lambda: self._took(kept))
            return self.desk(entries)
        for entry, answer in zip(entries, said.json["answers"], strict=True):
            if answer["state"] == "saved":
                self.kept[entry["command"]] = entry
                self.acknowledged[entry["command"]] = answer["sequence"]
                self.last = max(self.last, [answer["sequence"], answer["at"]])
        return said

    def _took(self, entries: Sequence[dict[str, Any]]) -> bool:
        """Send them in order; tell whether the server took all, which a busy one does at a later try."""
        said = self.desk(entries)
        states = {answer["state"] for answer in said.json["answers"]} if said.status == 200 else {"wait"}
        assert states <= {"saved", "wait"}
        return states == {"saved"}


@contextmanager
def computer(prepared: Path, data: Path, backup: Path | None = None) -> Iterator[Rig]:
    """A laptop that serves, from the copy if there is one."""
    shutil.copytree(prepared, data)
    if backup:
        assert "Restored." in manage(environment(data), "restore", str(backup))
    rig = Rig(data)
    try:
        rig.start()
        yield rig
    finally:
        rig.close()


def until(so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + BUSY
    while not so():
        assert time.monotonic() < give_up, "it never came"
        time.sleep(0.01)


def commands_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
        return {str(UUID(each)) for (each,) in copy.execute("SELECT command FROM tournament_ledgerrow")}


@pytest.mark.soak
def test_nothing_entered_is_lost_or_doubled_when_a_second_laptop_goes_on(
    prepared: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick" / "copy.sqlite3"
    with computer(prepared, tmp_path / "first") as first:
        event = first.match(tables=TABLES)
        with closing(sqlite3.connect(first.database)) as database:
            [[uid]] = database.execute("SELECT uid FROM tournament_tournament WHERE slug = ?", [event.slug])
        phones = [
            Keeping(
                **{each.name: getattr(phone, each.name) for each in fields(Phone)}
                | {"token": "", "gives_up": 0},
                tournament=str(UUID(uid)),
            )
            for phone in first.phones(event)
        ]
        with referees(phones) as entering:
            until(lambda: all(phone.number >= ROUND for phone in phones))
            manage(first.env, "backup", str(stick))  # while they enter
            copied = commands_in(stick)
            until(lambda: all(set(phone.acknowledged) - copied for phone in phones))
            first.kill()
            shutil.rmtree(first.data)
            told = set[str]().union(*(list(phone.acknowledged) for phone in phones))
            with computer(prepared, tmp_path / "second", stick) as second:
                for phone in phones:
                    phone.port = second.port
                until(lambda: all(phone.again for phone in phones))
                entering.rest()
                ledger = {command for command, _ in second.ask("commands", slug=event.slug)}
                assert told - copied
                assert told <= ledger
                second.holds(event, phones)
                entering.end()
