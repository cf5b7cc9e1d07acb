"""The form of where a stage's players come from: what it shows is what it gives."""

from typing import Any

import pytest
from django.http import QueryDict

from tests.support.chains import first
from tournament.forms.sources import NewStageForm, SourceForm
from tournament.models import Stage, Tournament

THERE = [Stage(number=1, kind="match", name="Round 1"), Stage(number=2, kind="final", name="Small final")]
SOURCES: list[dict[str, Any]] = [
    {},
    {"parts": []},
    {"parts": [], "division": "Juniors", "lives": 2},
    {"parts": [first(1, 2), {"stage": 2, "take": "out"}]},
    {"parts": [first(1, 2), first(2, 1, "next"), {"stage": 1, "take": "level"}]},
]


@pytest.mark.parametrize("source", SOURCES)
def test_form_sent_as_it_is_shown_changes_nothing(source: dict[str, Any]) -> None:
    shown = SourceForm(THERE, source)
    usual = {name: "first" for name in shown.fields if name.startswith("take_")}
    typed = {field.html_name: str(value) for field in shown if (value := field.value()) is not None}
    data = QueryDict(mutable=True)
    data.update(usual | typed)
    sent = SourceForm(THERE, source, data)
    assert sent.is_valid(), sent.errors
    assert sent.source() == source


def test_stages_with_places_at_each_table_say_so() -> None:
    choices = dict(SourceForm(THERE, {}).fields["stage_1"].choices)  # type: ignore[attr-defined]  # of a choice
    assert [str(label) for label in choices.values()][2:] == ["Round 1, of each table", "Small final"]


def test_new_stage_offers_the_kinds_of_the_rules() -> None:
    form = NewStageForm(Tournament(ruleset="kpgut-2016"), [])
    assert [value for value, _label in form.fields["kind"].choices] == ["session"]  # type: ignore[attr-defined]  # of a choice
    assert list(form.fields)[:3] == ["kind", "name", "stage_1"]


NEXT_THREE = {"take_1": "next", "count_1": "3"}


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ({"stage_1": "usual", "stage_2": "1", "count_2": "2"}, ["stage_2"]),
        ({"stage_1": "registered", "stage_2": "1", "count_2": "2"}, ["stage_2"]),
        ({"stage_1": "usual"} | NEXT_THREE, ["take_1", "count_1"]),
        ({"stage_1": "registered"} | NEXT_THREE, ["take_1", "count_1"]),
        ({"stage_1": "1", "count_1": "2", "take_2": "out", "count_2": "1"}, ["take_2", "count_2"]),
    ],
)
def test_answers_that_contradict_are_refused_at_their_fields(
    typed: dict[str, str], fields: list[str]
) -> None:
    form = SourceForm(THERE, {}, {"take_1": "first", "take_2": "first"} | typed)
    assert list(form.errors) == fields
    assert form["stage_1"].value() == typed["stage_1"]
