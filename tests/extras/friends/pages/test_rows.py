"""Errors of a row stand where they were made."""

from typing import Any

import pytest
from django.test import Client

from tests.extras.friends.browser import start


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"hand-p2-7": 1, "hand-p3-7": 1}, "winner", "Choose who won"),
        ({"winner": "p1", "hand-p2-7": 1}, "hand-p3", "Count the cards Cécile has left."),
        ({"winner": "p1", "hand-p2-0": 5, "hand-p3-7": 1}, "hand-p2", "Count again"),
        ({"winner": "p1", "hand-p2-7": "x", "hand-p3-7": 1}, "hand-p2", "whole number"),
        ({"winner": "p1", "hand-p2-7": "9" * 50, "hand-p3-7": 1}, "hand-p2", "There can be at most 999."),
        ({"winner": "p1", "hand-p1-7": 1, "hand-p2-7": 1, "hand-p3-7": 1}, "hand-p1", "has no cards"),
        ({"winner": "p1", "hand-p2-7": 1, "hand-p3-7": 1, "last": "draw2"}, "drew", "Choose who drew"),
        (
            {"winner": "p1", "hand-p2-7": 1, "hand-p3-7": 1, "last": "draw2", "drew": "p2"},
            "hand-p2",
            "at least 3",
        ),
    ],
)
def test_round_with_an_error_is_kept_with_the_error_at_its_place(
    client: Client, fields: dict[str, Any], where: str, said: str
) -> None:
    page = start(client, "mattel-108.match").send("save", row=0, **fields)
    assert page.status == 422
    assert said in page.error_at(where) or said in page.text.split(f'href="#{where}"')[1][:200]
    assert page.sheet["rounds"] == []
    for name, value in fields.items():
        if name.startswith("hand-"):
            assert f'name="{name}" value="{value}"' in page.text


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"ended": "last", "outcome-p1": "out", "outcome-p2": "last"}, "time-p1", "when Aino went out"),
        (
            {"ended": "last", "outcome-p1": "out", "time-p1": "soon", "outcome-p2": "last"},
            "time-p1",
            "minutes and seconds",
        ),
        (
            {"ended": "last", "outcome-p1": "out", "time-p1": "60:01", "outcome-p2": "last"},
            "time-p1",
            "Nobody can go out after",
        ),
        ({"ended": "last", "outcome-p1": "last", "outcome-p2": "last"}, "outcome-p2", "Only one player"),
        (
            {"ended": "last", "outcome-p1": "gave_up", "outcome-p2": "last"},
            "duration",
            "Enter when the game ended",
        ),
        ({"ended": "last", "outcome-p1": "last"}, "results", "least"),
        ({"ended": "", "outcome-p1": "last"}, "ended", "Enter how the game ended"),
    ],
)
def test_game_with_an_error_is_kept(client: Client, fields: dict[str, str], where: str, said: str) -> None:
    page = start(client, "kpgut-2016.session").send("save", row=0, **fields)
    assert page.status == 422
    assert said in page.text
    assert f'href="#{where}"' in page.text
    assert f'id="{where}"' in page.text
    assert page.sheet["games"] == []
