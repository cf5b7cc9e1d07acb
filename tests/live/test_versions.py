"""tournament/live/store.py."""

from collections.abc import Mapping
from typing import Any

import pytest

from tournament.live.store import Versions


def test_announce_keeps_the_greatest() -> None:
    versions = Versions()
    versions.announce({"site": 3, "a": 1})
    versions.announce({"site": 2, "a": 5})
    assert versions.all() == {"site": 3, "a": 5}
    assert versions.known("b") is None


def test_listeners_hear_what_rose_only() -> None:
    versions, heard = Versions(), list[Mapping[str, int | None]]()
    versions.announce({"a": 1})
    stop = versions.listen(heard.append)
    versions.announce({"a": 1, "b": 0})
    versions.announce({"a": 1})
    stop()
    versions.announce({"a": 2})
    assert heard == [{"b": 0}]


@pytest.mark.parametrize("changes", [{"a": "not a number"}, None, 7])
def test_announce_never_raises(changes: Any) -> None:
    Versions().announce(changes)


def test_a_failing_listener_does_not_keep_others_from_hearing() -> None:
    versions, heard = Versions(), list[Mapping[str, int | None]]()

    def fails(_changes: Mapping[str, int | None]) -> None:
        raise ZeroDivisionError

    versions.listen(fails)
    versions.listen(heard.append)
    versions.announce({"a": 1})
    assert heard == [{"a": 1}]


def test_settle_takes_over_what_is_newer() -> None:
    versions, heard = Versions(), list[Mapping[str, int | None]]()
    versions.announce({"a": 1, "b": 1})
    versions.listen(heard.append)
    versions.settle(before=versions.all(), read={"a": 1, "b": 4, "c": 0})
    assert versions.all() == {"a": 1, "b": 4, "c": 0}
    assert heard == [{"b": 4, "c": 0}]


def test_settle_keeps_what_was_announced_while_it_read() -> None:
    versions = Versions()
    versions.announce({"a": 1})
    before = versions.all()
    versions.announce({"a": 2, "new": 1})
    versions.settle(before, read={"a": 1})
    assert versions.all() == {"a": 2, "new": 1}


def test_settle_follows_a_database_that_went_back() -> None:
    versions, heard = Versions(), list[Mapping[str, int | None]]()
    versions.announce({"a": 9, "gone": 3})
    versions.listen(heard.append)
    versions.settle(before=versions.all(), read={"a": 4})
    assert versions.all() == {"a": 4}
    assert heard == [{"a": 4, "gone": None}]
