"""The cards by their names on a table's sheet."""

import pytest

from tests.extras.printing.views.printed import page as printed
from tests.support.pages import folded
from tests.words.test_card_names import each_sheet, missing, played


@each_sheet
@pytest.mark.django_db
def test_the_paper_names_each_card(ruleset: str, language: str) -> None:
    paper = folded(printed(played(ruleset), "organise-table-sheets", f"?language={language}"))
    assert (
        missing(ruleset, language, paper, 'aria-label="NAME"|(?:<li>|, | and | ja )NAME(?:[,:]| and| ja)')
        == []
    )
