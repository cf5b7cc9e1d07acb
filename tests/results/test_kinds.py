"""What each kind of contest is."""

import pytest

from tournament.models import Stage
from tournament.results.kinds import KINDS, kind_of


def test_each_kind_of_stage_and_sheet_has_an_object():
    assert set(KINDS) == set(Stage.Kind)
    assert {kind_of(each.sheet).sheet for each in KINDS.values()} == {each.sheet for each in KINDS.values()}


def test_a_kind_without_an_object_is_refused_by_a_sentence_that_names_where_it_is_missing():
    with pytest.raises(LookupError, match=r"KINDS in tournament/results/kinds.py has no object for 'relay'"):
        kind_of("relay")
