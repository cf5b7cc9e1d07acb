"""tournament/live/door.py: who gets a connection where many are open."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tournament.live.door import KEPT_FILES, SHORT_S, Door, Place

PROXY = "192.0.2.1"


class Line:
    """A connection, as far as a door asks."""

    def __init__(self, abort: Callable[[], None]) -> None:
        self.transport = SimpleNamespace(abort=abort)


class Hall:
    """A door and those who came through it; `gone` are those whose connection was taken."""

    def __init__(self, files: int, each: int) -> None:
        self.door = Door(files, each, [PROXY])
        self.gone: list[str] = []

    def come(self, name: str, address: str, *, waits: bool = True) -> Place | None:
        """Open a connection, on which a request is waited for or, at a stream's, not; None where there is no room."""
        place = self.door.enter(address)

        def abort() -> None:
            self.gone.append(name)
            self.door.leave(connection, place)

        connection: Any = Line(abort)
        if not self.door.make_room(place):
            self.door.leave(connection, place)
            return None
        if waits:
            place.waiting[connection] = None
        return place


@pytest.fixture
def hall() -> Hall:
    """100 connections, at most 4 of an address."""
    return Hall(files=KEPT_FILES + 100, each=4)


def test_address_at_its_limit_loses_the_connection_that_waits_longest(hall: Hall) -> None:
    for name in "abcdef":
        assert hall.come(name, "192.0.2.7")
    assert hall.gone == ["a", "b"]
    assert hall.door.open == 4


def test_address_whose_connections_are_all_busy_is_refused_and_others_are_not(hall: Hall) -> None:
    for name in "abcd":
        assert hall.come(name, "192.0.2.7", waits=False)
    assert hall.come("e", "192.0.2.7") is None
    assert hall.come("f", "192.0.2.8")
    assert (hall.gone, hall.door.open) == ([], 5)


def test_customer_of_ipv6_is_one_address(hall: Hall) -> None:
    for number in range(5):
        assert hall.come(str(number), f"2001:db8::{number}")
    assert hall.gone == ["0"]


def test_proxy_has_no_limit_of_its_own_and_loses_no_connection() -> None:
    hall = Hall(files=80, each=4)
    for number in range(hall.door.most):
        assert hall.come(str(number), PROXY)
    assert hall.come("one more", PROXY) is None
    assert hall.come("a guest", "192.0.2.7") is None
    assert hall.gone == []


def test_files_are_kept_for_the_database_and_whoever_holds_most_makes_room() -> None:
    hall = Hall(files=KEPT_FILES + 66, each=1000)
    assert hall.door.most == 66
    for number in range(33):  # half of them is one address's share
        assert hall.come(str(number), "192.0.2.7")
    for number in range(33):
        assert hall.come("guest", f"192.0.2.{100 + number}")
    assert hall.come("a referee", "192.0.2.99")
    assert hall.gone == ["0"]
    assert hall.door.open == 66


def test_a_small_limit_of_files_leaves_half_to_connections() -> None:
    assert Door(files=100, each=1000, proxies=[]).most == 50


def test_the_server_waits_less_while_many_are_in() -> None:
    hall = Hall(files=KEPT_FILES + 100, each=1000)
    place = hall.come("first", "192.0.2.7")
    assert place is not None
    assert hall.door.patience(place, 65) == 65
    for number in range(50):
        hall.come("guest", f"192.0.2.{100 + number}")
    assert hall.door.patience(place, 65) == SHORT_S
    proxy = hall.come("a proxy", PROXY)
    assert proxy is not None
    assert hall.door.patience(proxy, 65) == 65


def test_an_address_that_left_is_forgotten(hall: Hall) -> None:
    for name in "abc":
        hall.come(name, "192.0.2.7")
    assert len(hall.door._places) == 1
    place = hall.door._places["192.0.2.7"]
    for connection in list(place.waiting):
        connection.transport.abort()
    assert (hall.door._places, hall.door.open) == ({}, 0)
