"""Authors of the entries at a table: of the last entry, correction or void, no matter which action wrote the play
since."""

from typing import Any

import pytest

from tests.support.at_table import over_before, seen
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.ledger.past import entry_of, entry_rows, last_entered, last_rows
from tournament.models import LedgerRow, Play, Tournament

pytestmark = pytest.mark.django_db


def rows(made: Event) -> list[Play]:
    return list(Play.objects.filter(table__stage__tournament=made.tournament).order_by("number"))


def entered(made: Event) -> list[str]:
    """List the action by which each play was entered, in their order."""
    found = [entry_of(made.tournament.pk, play) for play in rows(made)]
    return [row.action for row in found if row]


def test_a_second_look_enters_nothing_and_a_correction_does() -> None:
    made = running_match(players=3)
    first, second = recorded_round(made), recorded_round(made)
    made.act(actions.ask_second_look_at, play=second)
    assert entered(made) == ["record_round", "record_round"]
    wrote = last_rows(made.tournament.pk, rows(made))
    assert {uid: row.action for uid, row in wrote.items()} == {
        first: "record_round",
        second: "ask_second_look_at",
    }
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="dealt wrong")
    assert entered(made) == ["void_play", "record_round"]


def test_what_was_entered_after_the_version_that_is_asked_about_does_not_count() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    before = made.play(play).version
    made.act(actions.void_play, play=play, version=before, reason="dealt wrong")
    asked = [(made.tournament.pk, play, before)]
    assert entry_rows(asked)[play].action == "record_round"
    now = made.play(play).version
    assert entry_rows([(made.tournament.pk, play, now)])[play].action == "void_play"


def test_a_round_that_another_one_set_aside_and_took_back_in_was_entered_by_neither() -> None:
    made, _later = over_before()
    written = LedgerRow.objects.filter(tournament=made.tournament, action="record_round").order_by("sequence")
    first, *others = (play.uid for play in rows(made))
    corrected = made.play(first).version
    made.act(actions.revert_play, play=first, version=corrected, to=written[0].sequence)
    assert entered(made) == ["revert_play", "record_round", "record_round"]
    found = [entry_of(made.tournament.pk, made.play(play)) for play in others]
    assert found == list(written[1:])
    made.act(actions.revert_play, play=first, version=made.play(first).version, to=corrected)
    made.act(actions.leave_out_plays, table=made.table.uid, plays=seen(made, *others), reason="over")
    assert entered(made) == ["revert_play", "leave_out_plays", "leave_out_plays"]


def test_plays_of_several_events_are_asked_about_in_three_queries(django_assert_num_queries: Any) -> None:
    events = [running_match(players=3) for _ in range(2)]
    plays = [recorded_round(made) for made in events for _ in range(3)]
    for made in events:
        for play in rows(made):
            made.act(actions.ask_second_look_at, play=play.uid)
    asked = [(made.tournament.pk, play.uid, play.version) for made in events for play in rows(made)]
    with django_assert_num_queries(3):
        found = entry_rows(asked)
    assert {uid: row.action for uid, row in found.items()} == dict.fromkeys(plays, "record_round")
    with django_assert_num_queries(0):
        assert last_rows(events[0].tournament.pk, []) == {}


def test_the_last_result_is_told_as_far_as_everybody_may_know() -> None:
    made = running_match(players=3)
    assert last_entered(made.tournament, [made.stage]) is None
    recorded_round(made)
    known = LedgerRow.objects.filter(tournament=made.tournament).latest("sequence")
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    tournament, stage = Tournament.objects.get(pk=made.tournament.pk), made.refresh().stage
    assert last_entered(tournament, [stage]) == known.at
    last = LedgerRow.objects.filter(tournament=tournament).latest("sequence")
    made.act(actions.call_referee, table=made.table.uid)
    assert last_entered(tournament, []) == last.at
