"""Wall times become moments: never by a guess where the clocks change."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tournament.results import Fault, Refused, moment_of, readings, unclear, wall_time

HELSINKI = ZoneInfo("Europe/Helsinki")


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2026-10-25T02:59", "2026-10-24T23:59:00+00:00"),
        ("2026-10-25T04:00:00", "2026-10-25T02:00:00+00:00"),
        ("2026-03-29 02:59", "2026-03-29T00:59:00+00:00"),
        (" 29.3.2026 04:00 ", "2026-03-29T01:00:00+00:00"),
        ("25.10.2026 18.30", "2026-10-25T16:30:00+00:00"),
        ("2026-10-25T03:30:00+02:00", "2026-10-25T01:30:00+00:00"),
    ],
)
def test_clear_times_are_read_in_their_zone(typed: str, moment: str) -> None:
    assert moment_of(typed, HELSINKI).isoformat() == moment


@pytest.mark.parametrize(
    ("zone", "typed", "code", "both"),
    [
        ("Europe/Helsinki", "2026-10-25T03:00", "time_twice", ("03:00:00+03:00", "03:00:00+02:00")),
        ("Europe/Helsinki", "2026-10-25T03:59", "time_twice", ("03:59:00+03:00", "03:59:00+02:00")),
        ("Europe/Helsinki", "2026-03-29T03:30", "time_skipped", ("02:30:00+02:00", "04:30:00+03:00")),
        ("America/New_York", "2026-11-01T01:30", "time_twice", ("01:30:00-04:00", "01:30:00-05:00")),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "time_twice", ("01:45:00+11:00", "01:45:00+10:30")),
        ("Australia/Lord_Howe", "2026-10-04T02:15", "time_skipped", ("01:45:00+10:30", "02:45:00+11:00")),
    ],
)
def test_an_unclear_time_is_asked_about_and_read_as_chosen(
    zone: str, typed: str, code: str, both: tuple[str, str]
) -> None:
    there = ZoneInfo(zone)
    wall = wall_time(typed)
    assert wall
    found = [at.isoformat() for at in readings(wall, there)]
    assert tuple(datetime.fromisoformat(each).astimezone(there).isoformat()[11:] for each in found) == both
    assert unclear(wall, there) == code
    for chosen in ("", "2026-10-24T03:30:00+03:00"):
        with pytest.raises(Refused) as refused:
            moment_of(typed, there, "/at", chosen)
        assert refused.value.faults == (Fault(code, "/at"),)
    assert [moment_of(typed, there, chosen=each).isoformat() for each in found] == found


@pytest.mark.parametrize(
    "typed", ["", "soon", "2026-10-25", "2026-13-01T10:00", "0001-01-01T10:00", "9999-12-31T23:59:00+00:00"]
)
def test_what_is_no_time_that_people_plan_for_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        moment_of(typed, HELSINKI, "/at")
    assert refused.value.faults == (Fault("not_a_moment", "/at"),)
