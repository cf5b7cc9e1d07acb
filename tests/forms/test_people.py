"""A role for a user, and an invite to one, as forms."""

from uuid import UUID

import pytest

from tests.support.factories import event, recorded_round, running_match
from tournament import actions
from tournament.forms.players import InviteForm, RoleForm, table_choices

pytestmark = pytest.mark.django_db


def test_only_a_table_referee_has_a_table() -> None:
    made = running_match(players=4, tables=2)
    table = made.tables[1].uid
    found: dict[str, UUID | None] = {}
    for role in ("table_referee", "head_referee"):
        form = RoleForm(made.tournament, {"username": "kim", "role": role, "place": str(table)})
        assert form.is_valid()
        found[role] = form.table()
    assert found == {"table_referee": table, "head_referee": None}
    everywhere = RoleForm(made.tournament, {"username": "kim", "role": "table_referee", "place": ""})
    assert everywhere.is_valid()
    assert everywhere.table() is None


@pytest.mark.parametrize(("valid", "days"), [("", None), ("1", 1), ("31", 31)])
def test_invite_is_valid_for_days_or_until_the_day_after(valid: str, days: int | None) -> None:
    made = running_match(players=4, tables=2)
    table = made.tables[0].uid
    form = InviteForm(made.tournament, {"role": "table_referee", "places": [str(table)], "valid": valid})
    assert form.is_valid()
    assert (form.tables(), form.days()) == ([table], days)


def test_without_tables_none_are_asked_for() -> None:
    form = InviteForm(event().tournament, {"role": "head_referee"})
    assert form.is_valid()
    assert ("places" in form.fields, form.tables()) == (False, [])


def test_tables_of_finished_stages_are_no_choice() -> None:
    made = running_match(players=2)
    assert [uid for uid, _words in table_choices(made.tournament)] == [made.table.uid]
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert table_choices(made.tournament) == []
