"""The background's loading of what waits for its first use."""

import time

import pytest

from tournament.jobs import warm_up


def test_what_does_not_load_is_logged_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rests: list[float] = []

    def load_all(rest: object) -> None:
        assert callable(rest)
        rest()
        raise ImportError

    monkeypatch.setattr(time, "sleep", rests.append)
    monkeypatch.setattr(warm_up, "load_all", load_all)
    warm_up.warm_up()
    assert rests == [warm_up.AFTER, warm_up.MODULE_PAUSE_S]
    assert caplog.messages == ["not everything could be loaded"]
