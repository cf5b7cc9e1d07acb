"""The example client of the manual (docs/client.py) against a running server."""

import os
import subprocess
import sys

import pytest

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.proxy import Proxy
from tests.e2e.server import ROOT, Server

pytestmark = pytest.mark.server


def run(server: Server | Proxy, token: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program as its reader starts it, with nothing of ours to import."""
    return subprocess.run(
        [sys.executable, "-I", "docs/client.py", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LASTCARD": server.url, "TOKEN": token, "PYTHONUTF8": "1"},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def a_round(event: Arranged, cards: str) -> list[str]:
    winner, *others = event.seats[0]
    return [event.tables[0], "1", f"{winner}=0", *(f"{uid}={cards}" for uid in others)]


@pytest.mark.sweep
def test_client_enters_a_round_once_and_prints_the_standings(lastcard: Server, arranger: Arranger) -> None:
    event = arranger.match()
    token = arranger("token", slug=event.slug, scope="enter")
    first = run(lastcard, token, *a_round(event, "7:1,draw2:1"))
    assert first.returncode == 0, first.stderr
    said, *standings = first.stdout.splitlines()
    names = {uid: name for name, uid in event.entries.items()}
    assert standings[0].split() == ["1", "81", names.pop(event.seats[0][0])]
    assert {line.split()[2] for line in standings[1:]} == set(names.values())
    again = run(lastcard, token, *a_round(event, "7:1,draw2:1"))
    assert again.stdout.splitlines() == [said.replace(".", ", entered before."), *standings]
    assert arranger.states(event) == ["entered"]


@pytest.mark.sweep
def test_client_sends_again_what_a_proxy_or_the_network_lost(
    lastcard: Server, proxy: Proxy, arranger: Arranger
) -> None:
    event = arranger.match()
    token = arranger("token", slug=event.slug, scope="enter")
    proxy.does_any_of(["bad gateway", "lose", "through"], seed=21)  # in this order
    sent = run(proxy, token, *a_round(event, "7:1"))
    assert ", entered before." in sent.stdout, sent.stderr
    assert arranger.states(event) == ["entered"]


@pytest.mark.sweep
def test_client_says_what_was_refused(lastcard: Server, arranger: Arranger) -> None:
    event = arranger.match()
    token = arranger("token", slug=event.slug, scope="enter")
    refused = run(lastcard, token, *a_round(event, "joker:1"))
    assert refused.returncode == 1
    assert "There is no such card." in refused.stderr
    reads = arranger("token", slug=event.slug, scope="read")
    assert run(lastcard, reads, *a_round(event, "7:1")).stderr == "You may not do this here.\n"
    assert arranger.states(event) == []
