"""The background's loading of what waits for its first request."""

import time

import pytest

from tournament.jobs import upkeep


def test_what_does_not_load_is_logged_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rests: list[float] = []

    def run_checks(**_: object) -> None:
        raise ImportError

    monkeypatch.setattr(time, "sleep", rests.append)
    monkeypatch.setattr(upkeep, "run_checks", run_checks)
    upkeep.warm_up()
    assert rests == [upkeep.AFTER]
    assert caplog.messages == ["not everything could be loaded"]
