"""The form of a season: lists that two organisers change, points in one line, and what is refused at its field."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest

from tests.extras.season.test_views import PLACES, posted, season, signed_in
from tests.support.factories import Event
from tests.support.pages import folded
from tests.support.tour_evenings import Club
from tournament.extras.season.actions import set_season
from tournament.models import Season

pytestmark = pytest.mark.django_db


def fields(made: Event, row: Season) -> dict[str, Any]:
    """What the form posts if nothing is changed."""
    form = signed_in(made).get(f"/en/organise/t/{made.tournament.slug}/seasons/{row.uid}/").context["form"]
    data: dict[str, Any] = {}
    for name, field in form.fields.items():
        value = field.prepare_value(form.get_initial_for_field(field, name))
        data[f"initial-{name}"] = field.hidden_widget().format_value(value) or ""
        data[name] = value
    return {name: "" if value is None else value for name, value in data.items() if value is not False}


def test_rule_and_evenings_are_saved_and_unchanged_fields_stay() -> None:
    club = Club()
    may, june = club.match("Aino", "Börje"), club.match("Aino", "Börje", on=date(2026, 6, 1))
    row = season(may, **PLACES)
    typed = fields(may, row)
    may.act(set_season, season=row.uid, name="Renamed meanwhile")
    both = [str(made.tournament.uid) for made in (may, june)]
    answer = posted(
        may, f"{row.uid}/", **{**typed, "evenings": both, "place_points": "12 8;4, ", "ties": ["wins"]}
    )
    assert answer.status_code == 303
    row.refresh_from_db()
    assert (row.name, row.place_points, row.ties) == ("Renamed meanwhile", [12, 8, 4], ["wins"])
    assert {each.uid for each in row.evenings.all()} == {made.tournament.uid for made in (may, june)}


def test_same_field_changed_by_two_is_asked_about() -> None:
    made = Club().match("Aino", "Börje")
    row = season(made, **PLACES)
    typed = fields(made, row)
    made.act(set_season, season=row.uid, ties=["wins"])
    answer = posted(made, f"{row.uid}/", **{**typed, "ties": ["last_evening"]})
    assert answer.status_code == 422
    assert "more evenings won" in folded(answer)
    row.refresh_from_db()
    assert row.ties == ["wins"]


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"place_points": "ten"}, "place_points", "Write whole numbers with commas between them"),
        ({"place_points": "8, 10"}, "place_points", "A later place has more points"),
        ({"place_points": ""}, "place_points", "Write how many points the first place gets"),
        ({"ends_on": "2025-01-01"}, "ends_on", "The last day is before the first."),
        ({"best": "0"}, "best", "greater than or equal to 1"),
        ({"counts": "sum", "lowest": "on"}, "least_evenings", "fair only over equally many evenings"),
        ({"evenings": [str(UUID(int=1))]}, "evenings", "Select a valid choice"),
    ],
)
def test_wrong_input_is_said_at_its_field_and_what_was_typed_stays(
    typed: dict[str, Any], field: str, words: str
) -> None:
    made = Club().match("Aino", "Börje")
    row = season(made, **PLACES)
    answer = posted(made, f"{row.uid}/", **{**fields(made, row), "name": "Typed", **typed})
    assert answer.status_code == 422
    assert any(words in error for error in answer.context["form"].errors[field])
    assert 'value="Typed"' in answer.content.decode()
    row.refresh_from_db()
    assert row.name == "Thursdays"
