"""Refusals: their text, and what they carry."""

from datetime import UTC, datetime

from tests.support.contests import play, play_uid
from tournament.results.faults import Agreed, CommandReused, Conflict, Fault, Forbidden, Refused, Version

NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)


def test_a_refusal_names_each_code_and_place() -> None:
    refused = Refused(Fault("not_a_number", "/target"), Fault("registration_closed"))
    assert str(refused) == "not_a_number at /target, registration_closed at /"
    assert [fault.code for fault in refused.faults] == ["not_a_number", "registration_closed"]


def test_who_may_not_do_it_is_told_which_action() -> None:
    assert Forbidden("undo").faults == (Fault("forbidden", parameters={"action": "undo"}),)


def test_a_command_that_came_again_names_the_row_that_accepted_it() -> None:
    reused = CommandReused(sequence=7, at=NOON, same=True)
    assert (reused.sequence, reused.at, reused.same, reused.faults) == (
        7,
        NOON,
        True,
        (Fault("command_reused"),),
    )


def test_a_conflict_keeps_both_versions_and_agreed_is_one_with_nothing_to_choose() -> None:
    current, offered = Version(play(1), "Outi", NOON), Version(play(1), "Aino", None)
    conflict = Conflict(current=current, offered=offered)
    assert conflict.faults == (Fault("conflict", f"/plays/{play_uid(1)}"),)
    agreed = Agreed.of(conflict)
    assert (agreed.current, agreed.offered) == (current, offered)
    assert agreed.faults == conflict.faults
