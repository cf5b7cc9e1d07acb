"""Every refusal of an archive has words."""

import pytest

from tournament.extras.archive.files.schema import REFUSALS, NotImported, refusal_text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_has_words(code: str) -> None:
    refusal = NotImported(
        code, "rows/play.jsonl:7", program="2", ruleset="a", revision="b", detail="c", event="d"
    )
    assert "%" not in refusal_text(refusal)
