"""Fields that several forms share."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.utils import timezone

from tournament.forms.fields import add_faults, day_field, local_time, moment_field, offer
from tournament.results.faults import Fault


class Evening(forms.Form):
    day = day_field("Day", autocomplete="bday")
    begins = moment_field("Begins")
    target = forms.ChoiceField(required=False)


@pytest.mark.parametrize("typed", ["2026-05-09", "9.5.2026"])
def test_day_is_read_as_browsers_and_people_write_it(typed: str) -> None:
    form = Evening({"day": typed})
    assert form.is_valid()
    assert form.cleaned_data["day"] == date(2026, 5, 9)


@pytest.mark.parametrize(
    "typed", ["2026-05-09T18:00", "2026-05-09T18:00:00", "9.5.2026 18.00", "9.5.2026 18:00"]
)
def test_moment_is_read_as_browsers_and_people_write_it(typed: str) -> None:
    form = Evening({"day": "2026-05-09", "begins": typed})
    assert form.is_valid()
    assert form.cleaned_data["begins"] == datetime(2026, 5, 9, 18, 0, tzinfo=UTC)


def test_browser_shows_its_own_fields() -> None:
    form = Evening(initial={"day": date(2026, 5, 9), "begins": datetime(2026, 5, 9, 18, 0, tzinfo=UTC)})
    assert 'type="date" name="day" value="2026-05-09" autocomplete="bday"' in str(form["day"])
    assert 'type="datetime-local" name="begins" value="2026-05-09T18:00"' in str(form["begins"])


@pytest.mark.parametrize(
    ("typed", "readings"),
    [
        (
            "2026-10-25T03:30",
            [
                ("2026-10-25T00:30:00+00:00", "3:30, summer time (UTC+03:00)", "2026-10-25T03:30"),
                ("2026-10-25T01:30:00+00:00", "3:30, winter time (UTC+02:00)", "2026-10-25T03:30"),
            ],
        ),
        (
            "2026-03-29T03:30",
            [
                ("2026-03-29T00:30:00+00:00", "2:30, winter time (UTC+02:00)", "2026-03-29T02:30"),
                ("2026-03-29T01:30:00+00:00", "4:30, summer time (UTC+03:00)", "2026-03-29T04:30"),
            ],
        ),
    ],
)
def test_moment_asks_which_time_is_meant_where_the_clocks_change(
    typed: str, readings: list[tuple[str, str, str]]
) -> None:
    with timezone.override("Europe/Helsinki"):
        asked = Evening({"day": "2026-05-09", "begins": typed})
        assert list(asked.errors) == ["begins"]
        shown = str(asked["begins"])
        assert f'value="{typed}"' in shown
        for chosen, words, wall in readings:
            assert f'name="clock-begins" value="{chosen}">{words}' in shown
            form = Evening({"day": "2026-05-09", "begins": typed, "clock-begins": chosen})
            assert form.is_valid()
            assert form.cleaned_data["begins"] == datetime.fromisoformat(chosen)
            # Shown again, as typed or as stored, it is still that moment.
            for again in (form, Evening(initial={"begins": datetime.fromisoformat(chosen)})):
                assert f'value="{wall}"' in str(again["begins"])
                kept = f'value="{chosen}" checked' in str(again["begins"])
                assert kept == (typed == wall)


def test_choices_are_offered_in_one_form_alone() -> None:
    form, other = Evening({"day": "2026-05-09", "target": "a"}), Evening()
    offer(form, "target", [("a", "A")])
    assert form.is_valid()
    field: Any = other.fields["target"]
    assert list(field.choices) == []


def test_faults_are_said_at_their_fields() -> None:
    form = Evening({"day": "2026-05-09"})
    faults = [Fault("field_blank", "/settings/target"), Fault("field_blank", "/starts"), Fault("field_blank")]
    add_faults(form, faults, fields={"starts": "begins"})
    assert {name: len(said) for name, said in form.errors.items()} == {"target": 1, "begins": 1, "__all__": 1}


def test_local_time_is_in_the_zone() -> None:
    assert (
        local_time(datetime(2026, 5, 9, 15, 0, tzinfo=UTC), ZoneInfo("Europe/Helsinki")) == "2026-05-09T18:00"
    )
    assert local_time(None, ZoneInfo("UTC")) == ""
