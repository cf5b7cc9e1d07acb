"""Lists ask as many queries for many rows as for few, and go by date where rows have one."""

from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import DateField
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.extras.administration.admin.conftest import made_championship, models_of_tournaments
from tests.support.admin_forms import address
from tests.support.factories import Event
from tournament.models import Seat, Webhook

pytestmark = pytest.mark.django_db


def lists_of(browser: Client) -> dict[str, tuple[int, int]]:
    """The queries and the rows of each model's list."""
    found = {}
    for model in models_of_tournaments():
        asked = CaptureQueriesContext(connection)
        with asked:
            answer = browser.get(address(model, "changelist"))
        found[model.__name__] = (len(asked), answer.context["cl"].result_count)
    return found


@pytest.mark.sweep
def test_lists_ask_as_many_queries_for_twice_the_rows(browser: Client, championship: Event) -> None:
    lists_of(browser)  # what is read once a process
    few = lists_of(browser)
    made_championship()
    many = lists_of(browser)
    assert {name for name, (_queries, rows) in many.items() if rows <= few[name][1]} == set()
    assert {name: queries for name, (queries, _rows) in many.items() if queries > few[name][0]} == {}


@pytest.mark.parametrize("model", models_of_tournaments(), ids=lambda model: model.__name__)
def test_rows_with_a_date_are_listed_by_date(model: Any) -> None:
    dates = {field.name for field in model._meta.fields if isinstance(field, DateField)}
    personal = {"birth_date"}
    quiet = {Webhook, Seat}  # listed by address, and by table
    shown = admin.site._registry[model].date_hierarchy
    assert bool(shown) or model in quiet or not dates - personal
    assert shown not in personal
