"""The clock by which games are played, beside a system clock that is set meanwhile."""

from datetime import UTC, datetime, timedelta

import pytest

from tournament.server import clock as module
from tournament.server.clock import Clock

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)


class System:
    """A system whose clock can be set; `steady` is how long it has been on."""

    def __init__(self) -> None:
        self.told, self.steady = NOON, timedelta(hours=5)

    def passes(self, seconds: float) -> None:
        self.told += timedelta(seconds=seconds)
        self.steady += timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self.told


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    system = System()
    monkeypatch.setattr(module, "timezone", system)
    monkeypatch.setattr(module, "_steady", lambda: system.steady)
    return system


def test_outside_of_a_server_it_is_the_systems_time(system: System) -> None:
    clock = Clock()
    system.told += timedelta(hours=2)
    assert clock.now() == NOON + timedelta(hours=2)


@pytest.mark.parametrize("jump_s", [7200, -40])
def test_it_goes_on_as_before_while_a_game_runs_that_began_before_the_jump(
    system: System, caplog: pytest.LogCaptureFixture, jump_s: int
) -> None:
    clock, asked = Clock(), list[datetime]()
    runs = [True]

    def needed(now: datetime) -> bool:
        asked.append(now)
        return runs[0]

    clock.hold(needed)
    system.passes(60)
    system.told += timedelta(seconds=jump_s)
    for _ in range(2):
        assert clock.now() == NOON + timedelta(seconds=60)
    assert asked == [NOON + timedelta(seconds=60)] * 2, "by the time as it went on"
    assert caplog.text.count("The computer's clock was set") == 1

    runs[0] = False
    assert clock.now() == system.told
    system.passes(5)
    assert clock.now() == system.told
    assert len(asked) == 3, "it is the system's time again"


def test_a_clock_that_is_put_right_a_little_is_believed(system: System) -> None:
    clock = Clock()
    clock.hold(lambda _: True)
    system.told += timedelta(seconds=module.JUMP_S / 2)
    assert clock.now() == system.told


def test_the_age_of_the_steady_clock_only_grows() -> None:
    first = module._steady()
    assert timedelta() < first <= module._steady()
