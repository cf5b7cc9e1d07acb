"""docs/score-sheet.md says what scoring does: its examples score, its codes are all that there are."""

import json
import re
from pathlib import Path

import pytest

from scoring import ERROR_CODES, score

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "score-sheet.md").read_text()
EXAMPLES = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_a_good_sheet(example: str) -> None:
    assert score(json.loads(example)).rounds


def test_every_error_code_is_described() -> None:
    listed = set(re.findall(r"`([a-z_]+)`", TEXT.partition("## Errors")[2]))
    assert listed - {"code", "path", "message", "parameters"} == set(ERROR_CODES)
