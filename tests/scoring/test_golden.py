"""Every score sheet in fixtures/sheets has the answer that stands beside it.

LASTCARD_CASES names a folder of more such cases.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scoring import SheetInvalid, score

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "sheets"
CASES = sorted(FIXTURES.glob("*.json"))
if "LASTCARD_CASES" in os.environ:
    CASES += sorted(Path(os.environ["LASTCARD_CASES"]).glob("*.json"))


def answer_to(sheet: object) -> dict[str, Any]:
    try:
        return score(sheet).as_json()
    except SheetInvalid as refusal:
        return refusal.as_json()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_sheet_has_its_answer(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    answer = answer_to(case["sheet"])
    if "errors" in answer:  # a case names the code, maybe the path
        named = case["answer"]["errors"][0].keys()
        answer = {"errors": [{key: error[key] for key in named} for error in answer["errors"]]}

    assert answer == case["answer"]


def test_golden_sheets_are_there() -> None:
    assert len(CASES) >= 27
