"""Whether another device than this computer reached the server."""

import time

import pytest
from pytest_django import Settings

from tournament.server.venue import PATIENCE_S, Reach

HERE = "192.168.1.5"


class Time:
    now = 0.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> type[Time]:
    monkeypatch.setattr(time, "monotonic", lambda: Time.now)
    Time.now = 0.0
    return Time


def waited(host: str = "0.0.0.0") -> Reach:
    made = Reach()
    made.begin(host)
    Time.now = PATIENCE_S
    return made


def test_nobody_is_missed_before_two_minutes_have_passed() -> None:
    made = Reach()
    assert not made.nobody
    made.begin("0.0.0.0")
    Time.now = PATIENCE_S - 1
    assert not made.nobody
    Time.now = PATIENCE_S
    assert made.nobody


@pytest.mark.parametrize(
    ("peer", "own", "nobody"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
        (HERE, HERE, True),  # this computer's browser, by its address in the network
        ("", "", True),
        ("192.168.1.77", HERE, False),
        ("fe80::1", "fe80::2", False),
    ],
)
def test_another_device_is_one_with_another_address(peer: str, own: str, nobody: bool) -> None:
    made = waited()
    made.met(peer, own)
    assert made.nobody is nobody


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_server_that_only_this_computer_reaches_misses_nobody(host: str) -> None:
    assert not waited(host).nobody


def test_https_misses_nobody(settings: Settings) -> None:
    settings.HTTPS = True
    assert not waited().nobody
