"""The sheets of incidents and rulings."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from rulesets import RULESETS
from tests.support.workbook_events import close_calls
from tournament.files.workbook.referees import (
    incident_headings,
    incident_rows,
    ruling_headings,
    ruling_rows,
)
from tournament.queries.incidents import Line
from tournament.words.rulings import rulings_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulings_are_said_as_the_documentation_gives_their_reasons(ruleset: str) -> None:
    """Quotation marks aside, which are typographic in words."""
    section, documented = "", {}
    for line in (Path(__file__).parents[3] / "docs" / "rulings.md").read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| question |", "| --- |")):
            question, ruling, _reason = line.strip("| ").split(" | ")
            wording = RULESETS[ruleset].wording
            if section == "All rulesets" or (wording and wording in section.partition(":")[0]):
                documented[question] = ruling
    plain = str.maketrans("’“”", '\'""')
    assert {
        question.translate(plain): ruling.translate(plain) for question, ruling in rulings_of(ruleset)
    } == documented


def line(**more: Any) -> Line:
    said = {
        "title": "Late UNO",
        "rule": "",
        "text": "",
        "ruling": "",
        "answer": "",
        "cards": None,
        "player": "",
    }
    where = {
        "uid": uuid4(),
        "kind": "penalty",
        "entry": None,
        "where": "Table 1",
        "by": "Riina",
        "withdrawn": False,
    }
    at = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)
    return Line(**{**said, **where, "at": at, **more})


def test_incidents_are_listed_also_when_they_were_taken_back() -> None:
    lines = (line(rule="4 cards", cards=4, player="Aino"), line(withdrawn=True, text="not so"))
    rows = list(incident_rows(replace(close_calls(), incidents=lines)))
    assert rows == [
        [lines[0].at, "Table 1", "Aino", "Late UNO", "4 cards", 4, None, None, None, "Riina", None],
        [lines[1].at, "Table 1", None, "Late UNO", None, None, "not so", None, None, "Riina", "yes"],
    ]
    assert len(incident_headings("UTC")) == len(rows[0])
    assert list(incident_rows(close_calls())) == []


def test_rulings_name_the_rules_that_incidents_used_and_what_the_referees_ruled() -> None:
    event = close_calls()
    own = [*rulings_of(event.tournament.ruleset)]
    assert [row[1:] for row in ruling_rows(event)] == [[*each] for each in own]
    lines = (
        line(rule="4 cards"),
        line(rule="4 cards"),
        line(rule="4 cards", withdrawn=True),
        line(kind="dispute", text="Who began?", answer="Aino"),
    )
    told = replace(event, incidents=lines)
    assert [row[1:] for row in ruling_rows(told)][len(own) :] == [
        ["Late UNO", "4 cards", 2],
        ["Who began?", "Aino", 1],
    ]
    assert len(ruling_headings(told)) == len(ruling_headings(event)) + 1
    assert list(ruling_rows(replace(told, stages=()))) == []
