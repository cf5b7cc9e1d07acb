"""Rare requests about rows that depend on each other: removed with a table, put back, merged, or missing."""

from uuid import uuid4

import pytest

from tests.support.arriving import by_link
from tests.support.asking_actions import agrees, refusal
from tests.support.championships import championship, heat, heats_of
from tests.support.factories import (
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
)
from tournament import actions
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Apart, Call, Decision, Draw, Entry, Membership, Proposal, Seat, Stage
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def test_a_copy_of_an_event_without_players_enters_nobody() -> None:
    made = event()
    add_stage(made, "match", tables=0, start=False)
    command = actions.Command(uuid4(), made.user)
    day = made.tournament.starts_on
    actions.copy_event(command, made.tournament.uid, name="Again", starts_on=day, players=True, roles=False)
    assert not Entry.objects.filter(tournament__uid=command.id).exists()


def test_somebody_of_another_event_has_no_hand() -> None:
    made, other = running_match(players=3), event(players=1)
    winner = made.at(made.table)[0]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "winner": winner}
    assert (
        refusal(made, actions.record_round, hands={str(other.uids[0]): {"0": 1}}, **asked)[0][0]
        == "unknown_player"
    )


def test_calls_proposals_and_posts_go_with_their_table() -> None:
    made = running_heats(players=4, tables=2)
    kept, gone = made.tables
    for table in (kept, gone):
        made.act(actions.call_referee, table=table.uid)
        token = token_for("table", table.uid, table.link_number)
        asked = {"proposal": uuid4(), "play": uuid4(), "number": 1, "fields": {}}
        by_link(made, actions.propose_result, token=token, **asked)
        made.referee("table_referee", table)
    one = [{"number": 1, "table": kept.uid, "entries": made.uids}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=one)
    post = Membership.objects.get(role="table_referee")
    assert [Call.objects.get().table, Proposal.objects.get().table, post.table] == [kept, kept, kept]
    assert agrees(made)


def test_a_proposal_is_a_play_that_there_is_not_yet() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    token = token_for("table", made.table.uid, made.table.link_number)
    asked = {"proposal": uuid4(), "play": play, "number": 2, "fields": {}}
    with pytest.raises(Refused, match="play_exists"):
        by_link(made, actions.propose_result, token=token, **asked)


def test_wishes_to_sit_apart_go_with_an_entry_made_by_mistake() -> None:
    made = event(players=3)
    first, second, third = made.uids
    for pair in ((first, second), (second, third), (first, third)):
        made.act(actions.keep_apart, first=pair[0], second=pair[1])
    made.act(actions.withdraw_entry, entry=second)
    assert list(Apart.objects.values_list("first__uid", "second__uid")) == [(first, third)]
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


@pytest.mark.beside
def test_who_was_kept_apart_and_took_no_part_is_not_in_the_copy() -> None:
    made = event(players=3)
    first, second, third = made.uids
    made.act(actions.keep_apart, first=first, second=second)
    made.act(actions.keep_apart, first=first, second=third)
    Entry.objects.filter(uid=third).update(state=Entry.State.CANCELLED)
    command = actions.Command(uuid4(), made.user)
    day = made.tournament.starts_on
    actions.copy_event(command, made.tournament.uid, name="Again", starts_on=day, players=True, roles=False)
    pair = Apart.objects.get(tournament__uid=command.id)
    assert {pair.first.public_name, pair.second.public_name} == {"Aino", "Börje"}


def test_a_level_goes_with_what_was_decided_about_it() -> None:
    made, other = championship(filled=False), championship(filled=False)
    for each in (made, other):
        reserve = heat(each, 1)[1]
        each.act(actions.name_reserves, stage=each.stage.uid, entries=[reserve], reason="went out next")
        each.act(actions.fill_stage, stage=each.stage.uid, seed="7")
    for gone in made.at(made.refresh().table):
        made.act(actions.player_leaves, entry=gone)
    heats = heats_of(made)
    level = {"stage": heats.uid, "kind": "heats", "settings": heats.settings}
    made.act(actions.set_levels, levels=[level])
    assert not Stage.objects.filter(pk=made.stage.pk).exists()
    assert Decision.objects.get().stage == Draw.objects.get().stage == other.stage
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_a_heat_without_a_result_leaves_its_place_open_to_nobody() -> None:
    made = running_heats(players=9, tables=3)
    for table in made.tables[:2]:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid, without=[3], reason="the cards are gone")
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 250})
    made.act(actions.fill_stage, stage=final, leave_open=True, reason="nobody finished")
    assert Seat.objects.filter(table__stage__uid=final).count() == 2
    assert not Decision.objects.exists()


def test_a_reserve_is_called_to_a_stage_with_tables() -> None:
    made = championship(filled=False)
    asked = {"stage": made.stage.uid, "entry": heat(made, 1)[0], "reason": "the place is free"}
    assert refusal(made, actions.call_reserve, **asked) == [("no_tables", "/stage")]
