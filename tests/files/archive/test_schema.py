"""The schema holds every model of an event with every field, each of the type that it has in the database."""

import json
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from tournament.files.archive.schema import KINDS, LEFT_OUT, Field
from tournament.files.archive.stored import MODELS
from tournament.models import User

ROOT = Path(__file__).parents[3]
TYPES: list[tuple[type[models.Field], str]] = [
    (models.ForeignKey, "ref"),
    (models.UUIDField, "uid"),
    (models.BooleanField, "bool"),
    (models.DateTimeField, "moment"),
    (models.DateField, "date"),
    (models.IntegerField, "int"),
    (models.JSONField, "object"),
    (models.CharField, "text"),
    (models.TextField, "text"),
]
ALL = {model._meta.model_name: model for model in apps.get_app_config("tournament").get_models()}
STORED = {kind: model for kind, (model, _of) in MODELS.items()}


def of(field: "models.Field[object, object]") -> tuple[str, bool, str]:
    """A field of a model, as the schema says it."""
    kind = next(kind for model, kind in TYPES if isinstance(field, model))
    if kind == "object" and field.default is list:
        kind = "list"
    target = field.related_model._meta.model_name if field.related_model else ""
    return kind, field.null, str(target)


def said(field: Field) -> tuple[str, bool, str]:
    return field.type, field.null, field.of


def test_every_model_is_in_the_archive_or_is_left_out_for_a_reason() -> None:
    assert ALL.keys() == KINDS.keys() | LEFT_OUT.keys()
    assert KINDS.keys() & LEFT_OUT.keys() == set()
    assert STORED.keys() == KINDS.keys() - {"user"}
    assert all(STORED[kind] is ALL[kind] for kind in STORED)


@pytest.mark.parametrize("kind", sorted(STORED))
def test_every_field_of_a_model_is_in_the_archive(kind: str) -> None:
    fields = {field.name: of(field) for field in STORED[kind]._meta.concrete_fields if field.name != "id"}
    assert {name: said(field) for name, field in KINDS[kind].items()} == fields


def test_what_an_archive_of_version_1_holds_never_changes() -> None:
    pinned = json.loads((ROOT / "fixtures" / "archive" / "schema-1.json").read_text(encoding="utf-8"))
    now = {
        kind: {name: [*said(f), str(f.tells)] for name, f in fields.items()} for kind, fields in KINDS.items()
    }
    assert now == pinned


def test_of_an_account_nothing_is_in_the_archive_but_who_it_is() -> None:
    assert set(KINDS["user"]) == {"uid", "name", "own_link"}
    named = {field.related_model for model in STORED.values() for field in model._meta.concrete_fields}
    assert User in named


def test_every_ref_names_a_kind_that_comes_before() -> None:
    order = list(KINDS)
    late = [
        (kind, name)
        for kind, fields in KINDS.items()
        for name, field in fields.items()
        if field.type == "ref" and order.index(field.of) >= order.index(kind)
    ]
    assert late == []


def test_the_page_about_archives_names_every_kind_and_every_field() -> None:
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    for kind, fields in KINDS.items():
        assert set(re.findall(r"`(\w+)`", rows[kind])) >= fields.keys() - {"uid"}, kind
