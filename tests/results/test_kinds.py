"""The kinds of contest."""

from tournament.models import Stage
from tournament.results.kinds import KINDS, kind_of


def test_each_kind_of_stage_and_sheet_has_an_object() -> None:
    assert set(KINDS) == set(Stage.Kind)
    assert {kind_of(each.sheet).sheet for each in KINDS.values()} == {each.sheet for each in KINDS.values()}
