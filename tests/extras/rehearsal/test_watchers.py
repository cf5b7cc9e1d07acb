"""The process of the phones that watch: what it answers, with crowds that hear what they are told."""

import asyncio
import io
import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tournament.extras.rehearsal import watchers
from tournament.extras.rehearsal.watchers import freshness, serve


def watcher(*shown: tuple[int, float], last: int = 0) -> Any:
    """One that showed these versions at these times."""
    return SimpleNamespace(
        versions=[version for version, _ in shown], versions_at=[at for _, at in shown], shown=last,
        opened=True, transport=SimpleNamespace(abort=lambda: None),
    )  # fmt: skip


def test_freshness_is_from_the_answer_to_the_first_page_of_that_version_or_a_later_one() -> None:
    quick, slow = watcher((3, 9.5), (5, 11.0)), watcher((4, 12.0))
    crowd: Any = SimpleNamespace(watchers=[quick, slow])
    took, never = freshness([crowd], [(10.0, 3), (10.5, 4), (11.0, 5)])
    assert took == [0.0, 0.5, 0.0, 2.0, 1.5]
    assert never == 1


class Crowd:
    """A crowd that opens at once and is behind until it is asked twice."""

    made: list["Crowd"]

    def __init__(self, watched: Any) -> None:
        self.watched, self.fetchers = watched, [1, 2]
        self.opened: tuple[int, ...] = ()
        self.dropped, self.cut, self.refused, self.closed, self.asked = 7, 2, 1, False, 0
        self.watchers = [watcher((1, 10.25), last=1)]
        self.made.append(self)

    async def open(self, streams: int, pages: int) -> None:
        self.opened = (streams, pages)

    async def until(self, version: int, what: str) -> list[float]:
        return [float(version), float(len(what))]

    def behind(self, _version: int) -> int:
        self.asked += 1
        return int(self.asked < 2)

    def close(self) -> None:
        self.closed = True


def answers(monkeypatch: pytest.MonkeyPatch, capsys: Any, *asked: dict[str, Any]) -> list[Any]:
    Crowd.made = []
    monkeypatch.setattr(watchers, "Crowd", Crowd)
    monkeypatch.setattr(watchers, "most_files", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{json.dumps(each)}\n" for each in asked)))
    asyncio.run(serve())
    begun, *lines = capsys.readouterr().out.splitlines()
    assert begun == "{}", "it says first that it is there"
    return [json.loads(line) for line in lines]


WATCHED = {"port": 1, "path": "/", "scope": "a", "fetches": True}


def test_crowds_are_opened_with_as_many_connections_as_the_machine_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    opens = [
        {"do": "open", "streams": 50, "watched": WATCHED, "pages": 8},
        {"do": "open", "streams": 300, "watched": WATCHED},
        {"do": "open", "streams": 900, "watched": WATCHED},
    ]
    assert answers(monkeypatch, capsys, *opens) == [{"pages": 2}] * 3
    assert [each.opened for each in Crowd.made] == [(50, 8), (300, 200), (900, 100)]
    assert Crowd.made[0].watched.scope == "a"


def test_versions_are_waited_for_and_events_dropped(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    said = answers(
        monkeypatch, capsys,
        {"do": "open", "streams": 1, "watched": WATCHED, "pages": 1},
        {"do": "until", "version": 4, "what": "shown"},
        {"do": "drop", "share": 0.5},
        {"do": "until", "version": 5, "what": "heard"},
        {"do": "close"},
    )  # fmt: skip
    assert said[1:] == [{"at": [4.0, 5.0], "dropped": 7}, {}, {"at": [5.0, 5.0], "dropped": 0}, {}]
    (crowd,) = Crowd.made
    assert crowd.watched.drop == 0.5
    assert crowd.closed


def test_the_sum_of_a_rehearsal(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    *_, fresh = answers(
        monkeypatch, capsys,
        {"do": "open", "streams": 1, "watched": WATCHED, "pages": 1},
        {"do": "cut", "share": 1.0, "every": 60},
        {"do": "freshness", "acknowledged": [[10.0, 1], [10.0, 2]]},
    )  # fmt: skip
    assert fresh.pop("spread") == [0.25] * 1001
    assert fresh == {"pairs": 1, "never": 1, "behind": 0, "watchers": 1, "cut": 2, "refused": 1}


def test_streams_are_cut_by_share(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[int] = []
    watched = [watcher() for _ in range(4)]
    for number, each in enumerate(watched):
        each.transport = SimpleNamespace(abort=lambda number=number: cut.append(number))
    watched[0].opened = False
    chances = iter([0.1, 0.9, 0.2])
    monkeypatch.setattr(watchers, "random", SimpleNamespace(random=lambda: next(chances)))

    crowd: Any = SimpleNamespace(watchers=watched)

    async def run() -> None:
        with pytest.raises(asyncio.TimeoutError):
            async with asyncio.timeout(0.15):
                await watchers._cut([crowd], 0.5, 0.1)

    asyncio.run(run())
    assert cut == [1, 3]
