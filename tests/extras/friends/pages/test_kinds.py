"""A row of each kind comes back as the form that entered it would send it, and is read from that again."""

from typing import Any

import pytest

from tournament.extras.friends.pages.kinds import KINDS, hands_to_count, read_row, row_label, typed_row
from tournament.extras.friends.pages.sheets import RowRules
from tournament.results.bridge import ROWS
from tournament.results.kinds import kind_of
from tournament.results.typed import Typed

CASES: dict[str, tuple[str, dict[str, Any], str, list[str]]] = {
    "session": (
        "kpgut-2016",
        {
            "number": 1,
            "ended": "time",
            "results": [
                {"player": "a", "outcome": "out", "elapsed_s": 750},
                {"player": "b", "outcome": "remaining", "hand": {"7": 2}},
            ],
        },
        "Game 1",
        ["b"],
    ),
    "match": (
        "mattel-108",
        {"number": 1, "winner": "a", "hands": {"b": {"7": 2, "wild4": 1}}},
        "Round 1",
        [],
    ),
    "heats": (
        "tite-2022",
        {"number": 1, "players": ["a", "b"], "finish_order": ["b"], "advance": 1},
        "Heat 1",
        [],
    ),
}


def sheet_of(kind: str) -> dict[str, Any]:
    ruleset, row, _label, _counted = CASES[kind]
    return {
        "sheet": 1,
        "kind": kind,
        "ruleset": ruleset,
        "settings": {},
        "players": [{"id": "a", "name": "Aino"}, {"id": "b", "name": "Börje"}],
        ROWS[kind]: [row],
    }


@pytest.mark.parametrize("kind", CASES)
def test_row_goes_through_its_form_and_back(kind: str) -> None:
    _ruleset, row, label, counted = CASES[kind]
    sheet = sheet_of(kind)
    typed = Typed(typed_row(sheet, row))
    assert read_row(sheet, 0, typed) == row
    assert typed.faults == []
    assert hands_to_count(sheet, 0, typed) == counted
    assert row_label(sheet, 0) == label


@pytest.mark.parametrize("kind", CASES)
def test_new_row_has_a_form_for_everybody_who_takes_part(kind: str) -> None:
    sheet = sheet_of(kind) | {ROWS[kind]: []}
    entry = KINDS[kind].entry(sheet, RowRules.of(sheet, 0), {}, {}, [])
    players = entry["pad"].players if kind == "match" else entry["players"]
    assert [player.name for player in players] == ["Aino", "Börje"]
    assert ("advance" in entry) == kind_of(kind).one_play


def test_a_planted_kind_is_refused_without_an_object_and_served_with_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(LookupError, match=f"{KINDS.file} has no object for the kind 'relay'"):
        row_label({"kind": "relay"}, 0)
    monkeypatch.setitem(KINDS, "relay", KINDS["match"])
    assert row_label({"kind": "relay"}, 0) == "Round 1"
