"""Seats as forms: how they are drawn, who is kept apart."""

from typing import Any

import pytest
from django.http import QueryDict

from tests.support.factories import event
from tournament.forms.seats import ApartForm, DrawForm, typed_seats

USUAL = {"who": "present", "least": 3, "most": 6, "order": "drawn", "groups": True, "tables": None}


def test_usual_values_hold_for_what_the_address_does_not_name() -> None:
    form = DrawForm(QueryDict("most=4"), USUAL, 5, 2)
    assert form.is_valid()
    assert [form.cleaned_data[name] for name in ("least", "most", "groups", "tables")] == [3, 4, True, None]


def test_box_without_a_tick_is_one_in_a_form_that_was_sent() -> None:
    form = DrawForm(QueryDict("asked=1&who=expected&least=3&most=6&order=drawn"), USUAL, 5, 2)
    assert form.is_valid()
    assert not form.cleaned_data["groups"]


@pytest.mark.parametrize(("expected", "several"), [(0, False), (2, True)])
def test_who_is_drawn_is_a_choice_where_some_are_still_expected(expected: int, several: bool) -> None:
    form = DrawForm(QueryDict(), USUAL, 5, expected)
    assert (form.people, form.several) == (5 + expected, several)
    field: Any = form.fields["who"]
    assert [value for value, _words in field.choices] == ["present", "expected"]


@pytest.mark.django_db
def test_pair_is_two_of_the_event() -> None:
    one, two = event(players=2).entries
    form = ApartForm([one, two], {"first": str(one.uid), "second": str(two.uid)})
    assert form.is_valid()
    assert form.pair() == (one.uid, two.uid)
    other = event(players=1).entries[0]
    assert list(ApartForm([one, two], {"first": str(one.uid), "second": str(other.uid)}).errors) == ["second"]


def test_seats_are_typed_clockwise_from_one() -> None:
    assert typed_seats({2: ["a", "b"], 1: ["c"]}) == {
        "table-a": "2",
        "seat-a": "1",
        "table-b": "2",
        "seat-b": "2",
        "table-c": "1",
        "seat-c": "1",
    }
