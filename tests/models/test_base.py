"""Each field of a model has a line in the model's field table, which says what ledger and archive hold of it."""

from inspect import getsourcefile
from pathlib import Path
from typing import Any

import pytest
from django.db import models
from django.db.models import ForeignKey

from tests.support.factories import add_stage, event
from tests.support.models import stored_models
from tournament.extras.archive.files.schema import KINDS
from tournament.models import ROWS, Final, Heats, Match, Race, Races, Session, Stage
from tournament.models.base import Field, FieldTable, PublicModel
from tournament.results.facts import facts_of, values_in

MODELS = stored_models()
ROOT = Path(__file__).parents[2]


def columns(model: Any) -> list[str]:
    return [field.name for field in model._meta.concrete_fields if field.name not in {"id", "uid"}]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_each_field_has_a_line_in_its_table(model: Any) -> None:
    file = Path(getsourcefile(model) or "").relative_to(ROOT)
    lines = [] if model.FIELDS.apart else columns(model)
    assert [line.name for line in model.FIELDS.fields] == lines, (
        f"{model.__name__}.FIELDS in {file} needs a line for each of the model's fields, in their order"
    )


def test_every_moment_keeps_its_reading_in_another_time_zone_or_stays_the_moment() -> None:
    happened = {
        "Announcement": {"at", "until", "down_at"},
        "Call": {"at", "answered_at"},
        "Entry": {"accepted_at"},
        "HallClock": {"started_at", "ends_at", "held_at", "goes_on_at"},
        "Incident": {"at"},
        "Invite": {"expires_at", "revoked_at"},
        "LedgerRow": {"at"},
        "Play": {"started_at", "other_start", "entered_at"},
        "Proposal": {"at"},
        "Seat": {"left_at"},
        "Tick": {"at"},
    }
    moments = {
        (model.__name__, line.name, line.wall)
        for model in MODELS
        for line in model.FIELDS.fields
        if isinstance(model._meta.get_field(line.name), models.DateTimeField) or line.wall
    }
    stay = {(model, name) for model, name, wall in moments if not wall}
    assert stay == {(model, name) for model, names in happened.items() for name in names}
    assert {(model, name) for model, name, wall in moments if wall} == {
        ("Stage", "plan"),
        ("Stage", "first_plan"),
        ("Registration", "closes_at"),
        ("Registration", "check_in_from"),
        ("Registration", "check_in_until"),
    }


def test_every_model_of_an_event_is_in_the_list_of_rows() -> None:
    accounts = {"User", "WrongTries"}
    assert {model.__name__ for model in ROWS} == {model.__name__ for model in MODELS} - accounts


def test_rows_are_listed_after_those_that_they_name() -> None:
    order = list(ROWS)
    late = [
        (model.__name__, field.name)
        for model in ROWS
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey)
        and field.related_model in order
        and order.index(field.related_model) >= order.index(model)
    ]
    assert late == []


def test_a_later_field_of_the_ledger_may_be_empty_and_one_of_the_archive_has_a_default() -> None:
    for model in ROWS:
        for line in model.FIELDS.fields:
            column: Any = model._meta.get_field(line.name)
            assert max(line.ledger, line.archive) <= 1 or column.null or not column.get_default(), (
                model,
                line,
            )


@pytest.mark.django_db
def test_each_kind_of_stage_is_seen_by_its_name_and_holds_nothing_of_its_own() -> None:
    played = {Session: "kpgut-2016", Heats: "tite-2022", Match: "mattel-112", Final: "tite-2022"}
    played |= {Race: "mattel-108", Races: "mattel-112"}
    for kind, ruleset in played.items():
        made = event(ruleset, players=6)
        settings: Any = {"scoring": "own_hand"} if kind in {Race, Races} else {}
        add_stage(made, kind.__name__.lower(), start=False, **settings)
        assert kind._meta.proxy
        assert kind._meta.concrete_model is Stage
        assert kind not in {*ROWS, *KINDS}
        assert [(row.pk, row.kind) for row in kind.objects.all()] == [(made.stage.pk, kind.__name__.lower())]
    assert {row.kind for row in Stage.objects.all()} == set(Stage.Kind)


class Plain(PublicModel):
    """A model of this test alone."""

    kept = models.IntegerField()
    later = models.CharField(max_length=9, blank=True)
    unmarked = models.CharField(max_length=9, default="nowhere")

    FIELDS = FieldTable(Field("kept", ledger=1, archive=1), Field("later", ledger=7), Field("unmarked"))

    class Meta:
        app_label = "tests"


def test_a_field_without_a_mark_is_in_no_ledger() -> None:
    assert facts_of(Plain(kept=3, unmarked="told")) == {"kept": 3}
    assert facts_of(Plain(kept=3, later="told")) == {"later": "told", "kept": 3}
    assert values_in(Plain, {"kept": 3}) == {"later": "", "kept": 3}


def test_a_field_without_a_mark_is_in_no_archive() -> None:
    marked = {
        str(model._meta.model_name): {"uid", *(line.name for line in model.FIELDS.fields if line.archive)}
        for model in ROWS
        if model.FIELDS.fields
    }
    assert {kind: set(fields) for kind, fields in KINDS.items() if kind != "user"} == marked
