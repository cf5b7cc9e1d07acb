"""A workbook with results as forms: what is carried from the preview and comes back."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict

from tournament.extras.imports.forms import results as results_import
from tournament.extras.imports.forms.results import (
    Entering,
    ResultsForm,
    TemplateForm,
    carried,
    for_one_form,
    read_carried,
)

TABLE, PLAY, AINO, EETU = (UUID(int=number) for number in range(1, 5))
ROUND = Entering(
    2,
    "Round 1",
    "record_round",
    {"table": TABLE, "play": PLAY, "number": 1, "winner": AINO, "hands": {str(EETU): {"7": 1}}, "drew": None},
)
GAME = Entering(
    3,
    "Game 1",
    "correct_game",
    {
        "play": PLAY,
        "version": 4,
        "ended": "last",
        "results": [{"entry": AINO, "outcome": "out", "elapsed_s": 60}],
        "decks": 1,
    },
)
HEAT = Entering(
    4, "Heat 1", "record_heat", {"table": TABLE, "play": PLAY, "number": 1, "finish_order": [AINO, EETU]}
)


def refused(text: str) -> bool:
    try:
        return not isinstance(read_carried(text), list)
    except ValueError:
        return True


def test_plays_are_carried_whole() -> None:
    assert read_carried(carried([ROUND, GAME, HEAT])) == [ROUND, GAME, HEAT]
    assert [each.corrects for each in (ROUND, GAME, HEAT)] == [False, True, False]


def test_long_label_is_cut() -> None:
    [back] = read_carried(carried([Entering(2, "x" * 1000, ROUND.action, ROUND.arguments)]))
    assert len(back.label) == results_import.LONGEST_LABEL


def test_command_is_the_uploads_and_the_versions() -> None:
    again = Entering(9, "Another row", GAME.action, GAME.arguments)
    later = Entering(3, "Game 1", GAME.action, {**GAME.arguments, "version": 5})
    assert GAME.command(TABLE) == again.command(TABLE)
    assert len({GAME.command(TABLE), GAME.command(PLAY), later.command(TABLE), HEAT.command(TABLE)}) == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"number": "1"},
        {"reason": "misread"},
        {"colour": "red"},
        {"play": None},
        {"winner": "Aino"},
        {"removed": [7]},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_arguments_that_the_action_does_not_take_are_refused(changed: dict[str, Any]) -> None:
    [row] = json.loads(carried([ROUND]))
    assert not refused(json.dumps([row]))
    row[3] |= changed
    assert refused(json.dumps([row]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "{}x",
        "[[1]]",
        '[["1","x","record_round",{}]]',
        '[[1,7,"record_round",{}]]',
        '[[1,"x","undo",{}]]',
    ],
)
def test_what_is_no_play_is_refused(text: str) -> None:
    assert refused(text)


def test_too_many_plays_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_import, "MOST_ENTERED", 1)
    assert len(read_carried(carried([ROUND]))) == 1
    assert refused(carried([ROUND, HEAT]))
    monkeypatch.setattr(results_import, "MOST_CARRIED", 10)
    assert refused(carried([ROUND]))


def test_a_form_carries_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = [ROUND, GAME, HEAT]
    for length, fitting in [(0, 3), (-1, 2)]:
        monkeypatch.setattr(results_import, "MOST_CARRIED", len(carried(plays)) + length)
        assert read_carried(carried(for_one_form(plays))) == plays[:fitting]
    monkeypatch.setattr(results_import, "MOST_ENTERED", 1)
    assert for_one_form(plays) == [ROUND]


def test_file_that_is_no_workbook_or_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def file() -> MultiValueDict[str, UploadedFile]:
        return MultiValueDict({"file": [SimpleUploadedFile("results.xlsx", b"Name;Club")]})

    assert "not an Excel file" in str(ResultsForm(files=file()).errors["file"])
    monkeypatch.setattr(results_import, "MOST_RESULT_BYTES", 3)
    assert "not an Excel file" not in str(ResultsForm(files=file()).errors["file"])
    assert TemplateForm({"plays": "1"}).is_valid()
    assert not TemplateForm({"plays": "0"}).is_valid()
