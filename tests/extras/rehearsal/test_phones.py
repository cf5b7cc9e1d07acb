"""The referees' phones: what is kept and sent again until the server has answered it."""

import asyncio
import io
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tournament.extras.rehearsal import phones
from tournament.extras.rehearsal.phones import Broken, Lost, Phone, Sent, settle
from tournament.extras.rehearsal.plan import Entry

USER = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"


class Line:
    """A connection whose server answers each request with the next of `answers`; Lost in its place is raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked, self.broken = [*answers], list[Any](), list[Broken]()
        self.cookies = {"csrftoken": "abc"}
        self.host, self.port, self.tls = "127.0.0.1", 8000, False

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None,
        broken: Broken = Broken.NOT,
    ) -> tuple[int, bytes]:  # fmt: skip
        del headers
        self.asked.append((method, path, body))
        self.broken.append(broken)
        answer = self.answers.pop(0)
        if isinstance(answer, Lost):
            raise answer
        status, said = answer
        return status, said if isinstance(said, bytes) else json.dumps(said).encode()

    def commands(self) -> list[list[str]]:
        """List the commands of each request."""
        return [[each["command"] for each in json.loads(body)["entries"]] for _, _, body in self.asked]


def phone(line: Any, *, faults: bool = False) -> Phone:
    return Phone(line, "Referee 1", Random(1), Counter(), faults, USER)


def said(**states: str) -> tuple[int, Any]:
    """The server's words for each command."""
    return 200, {"answers": [{"command": command, "state": state} for command, state in states.items()]}


def entry(command: str, due: float = 0.0, second: Entry | None = None) -> Entry:
    return Entry(due, command, "round", "/en/desk/", [("winner", "a")], second)


def waiting(*commands: str) -> list[tuple[Entry, Sent]]:
    return [(entry(command), Sent(command, "round")) for command in commands]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "PAUSE", 0.001)
    monkeypatch.setattr(phones, "LONGEST_PAUSE", 0.002)


def test_entries_are_sent_again_until_each_is_answered() -> None:
    line = Line(Lost("cut"), (503, b""), said(a="wait", b="saved"), said(a="refused"))
    kept, one = waiting("a", "b"), phone(line)
    asyncio.run(one.send(kept, time.monotonic() + 10))
    assert line.commands() == [["a", "b"], ["a", "b"], ["a", "b"], ["a"]]
    assert [(each.state, each.tries) for _, each in kept] == [("refused", 4), ("saved", 3)]
    assert one.answers == {"503": 1, "200": 2}
    assert line.broken == [Broken.NOT] * 4


def test_no_more_is_sent_after_the_day_and_never_more_than_a_batch_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = Line()
    asyncio.run(phone(line).send(waiting("a"), time.monotonic() - 1))
    assert line.asked == []
    monkeypatch.setattr(phones, "MOST_ENTRIES", 2)
    line = Line(said(a="saved", b="saved"), said(c="conflict"))
    asyncio.run(phone(line).send(waiting("a", "b", "c"), time.monotonic() + 10))
    assert line.commands() == [["a", "b"], ["c"]]


@pytest.mark.parametrize("faults", [True, False])
def test_share_of_the_requests_that_break(faults: bool) -> None:
    one = phone(Line(), faults=faults)
    found = Counter(one._broken() for _ in range(5000))
    expected = {broken: share for broken, share in phones.BROKEN.items() if faults}
    assert {
        broken: round(count / 5000, 2) for broken, count in found.items() if broken is not Broken.NOT
    } == expected


def test_what_the_server_said_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "time", SimpleNamespace(monotonic=lambda: 12.0))
    first = Sent("a", "round", tries=1)
    settle(first, {"state": "saved", "sequence": 7}, 10.0, alone=True)
    assert (first.state, first.sequence, first.at, first.took, first.waited) == ("saved", 7, 12.0, 2.0, 2.0)
    late = Sent("b", "round", tries=1)
    settle(late, None, 9.0, alone=True)
    late.tries = 2
    settle(late, {"state": "wait"}, 9.5, alone=True)
    assert (late.state, late.waited) == ("", -9.0), "since it was first sent"
    late.tries = 3
    settle(late, {"state": "refused", "said": ["Not", 5]}, 11.0, alone=True)
    assert (late.state, late.said, late.took, late.waited) == ("refused", "Not 5", None, 3.0)


def test_invite_is_taken_and_the_desk_says_who_one_is() -> None:
    desk = f"<main data-user=&quot;{USER}&quot;>".encode()
    line = Line((200, b""), (302, b""), (200, desk))
    one = phone(line)
    asyncio.run(one.join("/i/a"))
    assert one.user == USER
    assert [path for _, path, _ in line.asked] == ["/i/a", "/i/a", "/en/desk/"]
    assert line.asked[1][2] == b"csrfmiddlewaretoken=abc&name=Referee+1"
    for answers in ([(200, b""), (403, b"Too late")], [(200, b""), (302, b""), (200, b"sign in")]):
        with pytest.raises(SystemExit):
            asyncio.run(phone(Line(*answers)).join("/i/a"))


def test_day_of_a_table_is_sent_in_its_order_and_twice_where_a_second_phone_says_so() -> None:
    line = Line(said(a="saved"), said(b="saved"))
    other = Line(said(c="conflict"))
    one, second = phone(line, faults=True), phone(other)
    one.random = Random(3)  # none of its requests breaks
    begin = time.monotonic()
    asyncio.run(one.day([entry("a", second=entry("c")), entry("b", due=0.05)], begin, 1, second))
    assert (line.commands(), other.commands()) == ([["a"], ["b"]], [["c"]])
    assert [each.state for each in one.sent] == ["saved", "saved"]
    assert [(each.state, each.second) for each in second.sent] == [("conflict", True)]
    assert time.monotonic() - begin >= 0.05


def test_phone_without_a_network_sends_all_when_it_is_back() -> None:
    line = Line(said(a="saved", b="saved"))
    one = phone(line)
    begin = time.monotonic()
    one.away = (begin, begin + 0.1)
    asyncio.run(one.day([entry("a"), entry("b", due=0.02)], begin, 1, phone(Line())))
    assert line.commands() == [["a", "b"]]
    assert [each.state for each in one.sent] == ["saved", "saved"]


def test_process_joins_and_plays_what_it_is_asked(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    lines: list[Line] = []

    def connected(*_: Any, **__: Any) -> Line:
        joins = [(200, b""), (302, b""), (200, f'data-user="{USER}"'.encode())]
        answers = joins if len(lines) < 2 else [said(a="saved")] if len(lines) == 2 else []
        lines.append(Line(*answers))
        return lines[-1]

    monkeypatch.setattr(phones, "Line", connected)
    asked = [
        {"do": "join", "seed": 1, "to": {}, "links": ["/i/a", "/i/b"]},
        {"do": "play", "seconds": 0.1, "faults": False, "tables": [[vars_of(entry("a"))]]},
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{json.dumps(each)}\n" for each in asked)))
    asyncio.run(phones.serve())
    begun, joined, played = map(json.loads, capsys.readouterr().out.splitlines())
    assert (begun, joined) == ({}, {"joined": 2})
    assert [(each["command"], each["state"]) for each in played["sent"]] == [("a", "saved")]
    assert played["answers"] == {"200": 1}


def vars_of(one: Entry) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("due", "command", "kind", "url", "fields", "second")}
