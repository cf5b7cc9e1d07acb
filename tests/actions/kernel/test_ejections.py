"""An ejection and its incident, in one row of the ledger."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    Event,
    running_match,
    running_session,
    started_game,
)
from tests.support.incidents import penalty, the
from tournament import actions
from tournament.models import Entry, Incident, LedgerRow

pytestmark = pytest.mark.django_db

Kind = Incident.Kind


def ejections(made: Event) -> list[tuple[UUID, bool]]:
    rows = Incident.objects.filter(tournament=made.tournament, kind=Kind.EJECTION)
    return list(rows.values_list("entry__uid", "withdrawn"))


def test_an_ejection_leaves_its_incident_in_the_same_row_and_goes_with_it() -> None:
    made = running_session(3)
    play = started_game(made)
    asked = {"play": play, "entry": made.uids[0], "elapsed_s": 0}
    receipt = made.act(actions.eject_player, reason="insulted the oldest", code="unsporting_again", **asked)
    row = the(made)
    assert row.play
    assert (row.kind, row.play.uid, row.code, row.text) == (
        "ejection", play, "unsporting_again", "insulted the oldest"
    )  # fmt: skip
    payload = LedgerRow.objects.get(tournament=made.tournament, sequence=receipt.sequence).payload
    assert payload.keys() == {"play", "incident"}
    assert refusal(made, actions.withdraw_incident, incident=row.uid) == [("ejection_stands", "/incident")]
    made.act(actions.take_back, play=play, entry=made.uids[0])
    assert ejections(made) == [(made.uids[0], True)]
    made.act(actions.eject_player, reason="again", **asked)
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=0)
    assert ejections(made) == [(made.uids[0], True), (made.uids[0], False)]
    version = made.play(play).version
    made.act(actions.void_play, play=play, version=version, reason="cards missing")  # the ejection stands
    assert ejections(made)[-1] == (made.uids[0], False)
    assert agrees(made)


def test_a_removal_leaves_one_incident_however_many_tables_and_goes_with_readmission() -> None:
    made = running_match(4)
    gone = made.uids[3]
    asked = {"entry": gone, "table": made.table.uid}
    assert refusal(made, actions.remove_player, reason="x" * 501, **asked) == [
        ("field_max_length", "/reason")
    ]
    made.act(actions.remove_player, reason="disturbed", **asked)
    assert (the(made).table, the(made).text, the(made).play) == (made.table, "disturbed", None)
    made.act(actions.readmit_player, entry=gone)
    assert ejections(made) == [(gone, True)]
    assert agrees(made)


def test_a_removal_noted_without_a_table_is_an_incident_of_the_only_one_at_which_they_sit() -> None:
    made = running_match(4)
    made.act(actions.remove_player, entry=made.uids[3], reason="disturbed")
    assert the(made).table == made.table


def test_a_removal_and_its_end_leave_the_ejection_in_an_earlier_game_as_it_was() -> None:
    made = running_session(3)
    play = started_game(made)
    gone, *_ = made.uids
    made.act(actions.eject_player, play=play, entry=gone, elapsed_s=0, reason="insulted the oldest")
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=0)
    made.act(actions.plan_stage, stage=uuid4(), kind="session")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.readmit_player, entry=gone)
    made.act(actions.remove_player, entry=gone, reason="shouted")
    assert told(made) == [
        (gone, "ejection", "", "insulted the oldest", False),
        (gone, "ejection", "", "shouted", False),
    ]
    made.act(actions.readmit_player, entry=gone)
    assert ejections(made) == [(gone, False), (gone, True)]
    assert agrees(made)


def told(made: Event) -> list[tuple[UUID, str, str, str, bool]]:
    """List every incident: the player, the kind, the row of the sheet, the words, and whether it was withdrawn."""
    rows = Incident.objects.filter(tournament=made.tournament).order_by("pk")
    return list(rows.values_list("entry__uid", "kind", "code", "text", "withdrawn"))


def test_each_ejection_has_its_own_incident_and_words_beside_others_and_beside_penalties() -> None:
    made = running_session(8, tables=2)
    here, there = made.tables
    one, two = made.at(here)[:2]
    far = made.at(there)[0]
    play = started_game(made)
    made.act(actions.record_penalty, **penalty(made, play=play, entry=one))
    made.act(actions.eject_player, play=play, entry=one, elapsed_s=0, reason="insulted the oldest")
    made.act(actions.eject_player, play=play, entry=two, elapsed_s=0, reason="cut", code="unsporting_again")
    made.tables = [there]
    game = started_game(made)
    made.act(actions.eject_player, play=game, entry=far, elapsed_s=0, reason="marked a card")
    late, later = uuid4(), uuid4()
    made.act(
        actions.enter_players, players=[{"entry": late, "name": "Late"}, {"entry": later, "name": "Later"}]
    )
    for uid in (late, later):
        made.act(actions.remove_player, entry=uid, reason=f"shouted {uid}")
    made.act(actions.readmit_player, entry=late)
    assert told(made) == [
        (one, "penalty", "uno_not_said", "", False),
        (one, "ejection", "", "insulted the oldest", False),
        (two, "ejection", "unsporting_again", "cut", False),
        (far, "ejection", "", "marked a card", False),
        (late, "ejection", "", f"shouted {late}", True),
        (later, "ejection", "", f"shouted {later}", False),
    ]
    assert agrees(made)


def test_who_is_removed_in_a_round_has_an_incident_until_that_is_corrected() -> None:
    made = running_match(4)
    first, second, third, fourth = made.uids
    play = uuid4()
    told: dict[str, Any] = {"winner": first, "hands": {str(second): {"7": 1}, str(third): {"7": 1}}}
    made.act(actions.record_round, table=made.table.uid, play=play, number=1, removed=[fourth], **told)
    assert ejections(made) == [(fourth, False)]
    told["hands"] |= {str(fourth): {"7": 1}}
    told["removed"] = []
    made.act(
        actions.correct_round, play=play, version=made.play(play).version, reason="it was nothing", **told
    )
    assert ejections(made) == [(fourth, True)]
    assert Entry.objects.get(uid=fourth).state == "checked_in"
    assert agrees(made)
