"""Sheets of a table of friends: rows are changed and taken out, and nothing that a browser sends breaks the page."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.extras.friends.browser import ADDRESS, Page, start


def test_round_can_be_changed_and_taken_out(client: Client) -> None:
    page = start(client, "mattel-108.match")
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 1, "hand-p3-7": 2})
    page = page.send("edit:0")
    assert "Change round 1" in page.text
    assert 'name="hand-p2-wild" value="1"' in page.text
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 2, "hand-p3-7": 2})
    assert "114" in page.text
    assert page.send("remove:0").sheet["rounds"] == []
    assert page.send("remove:99").sheet["rounds"] == page.send("edit:99").sheet["rounds"]


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "{",
        "[]",
        "[" * 5000,
        '{"sheet": 1}',
        '{"sheet": 1, "kind": "match", "ruleset": "poker", "players": [], "rounds": []}',
        '{"sheet": 1, "kind": "match", "ruleset": "mattel-108", "players": [{"id": 7, "name": null}], "rounds": 5}',
        "x" * 400_000,
        json.dumps(
            {
                "sheet": 1,
                "kind": "match",
                "ruleset": "mattel-108",
                "rounds": [],
                "players": [{"id": str(n), "name": "x"} for n in range(101)],
            }
        ),
    ],
)
def test_sheet_that_cannot_be_read_is_a_message(client: Client, sheet: str) -> None:
    for do in ("show", "save", "edit:1", "download", "event", "people"):
        response = client.post(ADDRESS, {"do": do, "sheet": sheet})
        assert response.status_code == 422
        assert b"cannot be read" in response.content


HOSTILE = {
    "sheet": 1,
    "kind": "match",
    "ruleset": "mattel-112",
    "settings": {"target": -5, "decks": 10**30, "junk": "<b>"},
    "players": [
        {"id": '"><script>x', "name": "<script>y"},
        {"id": "p p", "name": ""},
        {"id": "", "name": "z"},
    ],
    "junk": {"deep": [1]},
    "rounds": [
        {
            "number": 7,
            "winner": "nobody",
            "hands": {"stranger": {"17": 10**900}},
            "removed": ["ghost"],
            "emptied": ["p p"],
            "junk": 1,
        }
    ],
}


def test_sheet_with_half_a_letter_is_not_read(client: Client) -> None:
    players = [{"id": "\ud800", "name": "Aino"}, {"id": "b", "name": "Börje"}]
    sheet = {**HOSTILE, "players": players, "rounds": []}
    assert client.post(ADDRESS, {"do": "show", "sheet": json.dumps(sheet)}).status_code == 422


def test_sheet_with_anything_in_it_is_shown_with_its_faults(client: Client) -> None:
    page = Page(client, client.post(ADDRESS, {"do": "show", "sheet": json.dumps(HOSTILE)}))
    assert page.status == 200
    assert "<script>x" not in page.text
    assert "<script>y" not in page.text
    assert "junk" not in page.text
    assert "Fix this to see the standings" in page.text
    for do in (
        "edit:0",
        "save",
        "people",
        "keep-people",
        "stop",
        "remove:0",
        "nonsense",
        "edit:-1",
        "edit:x",
    ):
        assert page.send(do, row=0).status in (200, 422)


@pytest.mark.parametrize(
    "sheet",
    [
        {
            "kind": "session",
            "ruleset": "kpgut-2016",
            "games": [
                {
                    "number": 1,
                    "ended": "void",
                    "results": [
                        {"player": "a", "outcome": "out", "elapsed_s": "x"},
                        {"player": "b", "outcome": "ejected"},
                    ],
                }
            ],
        },
        {
            "kind": "session",
            "ruleset": "kpgut-2016",
            "games": [
                {"number": 1, "ended": "last", "results": [{"player": "q", "outcome": "gave_up", "hand": 5}]}
            ],
        },
        {
            "kind": "heats",
            "ruleset": "tite-2022",
            "heats": [
                {"number": 1, "players": ["q", "a"], "finish_order": ["q", "b", "b"], "removed": ["z"]}
            ],
        },
        {
            "kind": "match",
            "ruleset": "mattel-108",
            "stopped": True,
            "rounds": [],
            "removed": ["a"],
            "withdrawn": ["q"],
        },
    ],
)
def test_strange_sheets_never_break_the_page(client: Client, sheet: dict[str, Any]) -> None:
    whole = {"sheet": 1, "players": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}], **sheet}
    for do in ("show", "edit:0", "people", "save", "remove:0", "download"):
        assert client.post(ADDRESS, {"do": do, "sheet": json.dumps(whole), "row": "0"}).status_code in (
            200,
            422,
        )
