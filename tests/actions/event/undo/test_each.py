"""Each action that can be undone: done, undone, done again by undoing the undo, and undone once more; the facts are
each time as they were, and the ledger agrees."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.at_table import act_as, final, over_before, result_of, seen
from tests.support.chains import begun, chained, first, named, played
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_race,
    running_session,
    started_game,
)
from tests.support.undoing import agrees, facts, heats_over, planned, put_into, seated, undo
from tournament import actions
from tournament.ledger.undoing import UNDO, can_be_undone
from tournament.links import token_for
from tournament.models import Apart, Entry, Invite, LedgerRow, Membership, Play, Player, Stage, Table
from tournament.permissions import ACTIONS

pytestmark = pytest.mark.django_db

Case = tuple[Event, str, dict[str, Any]]  # the event, the action, its arguments
CASES: dict[str, Callable[[], Case]] = {}
NAMED = {
    "enter_players",
    "walk_in",
    "bring_in_results",
}  # the people they made had names, so they cannot be done again


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    CASES[make.__name__] = make
    return make


# ---- results ----


@case
def ask_second_look() -> Case:
    made = running_match()
    recorded_round(made)
    return made, "ask_second_look", {"stage": made.stage.uid, "wanted": True}


@case
def let_players_time() -> Case:
    made = running_session()
    return made, "let_players_time", {"stage": made.stage.uid, "wanted": True}


@case
def sit_down() -> Case:
    made = running_race(4, tables=2)
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True})
    return made, "sit_down", {"token": token_for("stage", made.stage.uid), "entries": made.uids[:2]}


@case
def leave_out_plays() -> Case:
    made, later = over_before()
    return made, "leave_out_plays", {"table": made.table.uid, "plays": later, "reason": "the match was over"}


@case
def accept_plays() -> Case:
    made = final()
    enters = made.referee("table_referee")
    play = uuid4()
    act_as(enters, made, actions.record_round, table=made.table.uid, play=play, number=1, **result_of(made))
    return made, "accept_plays", {"table": made.table.uid, "plays": seen(made, play)}


@case
def take_down() -> Case:
    made, said = event(players=2), uuid4()
    made.act(actions.announce, announcement=said, words={"en": "Food is served"}, minutes=30)
    return made, "take_down", {"announcement": said}


# ---- players ----


@case
def enter_players() -> Case:
    rows = [{"entry": uuid4(), "name": f"New {number}"} for number in range(3)]
    return event(players=2), "enter_players", {"players": rows}


@case
def bring_in_results() -> Case:
    made = planned(players=2)
    rows = [{"entry": made.uids[0], "place": 1}, {"entry": uuid4(), "name": "New", "note": "hyl."}]
    return made, "bring_in_results", {"players": rows}


@case
def walk_in() -> Case:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    return made, "walk_in", {"entry": uuid4(), "name": "At the door", "table": made.table.uid}


@case
def merge_entries() -> Case:
    made = event(players=3)
    kept, gone = made.entries[:2]
    known = Player.objects.get(entries=gone)
    elsewhere = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    elsewhere.act(
        actions.enter_players, players=[{"entry": uuid4(), "name": gone.public_name, "player": known.uid}]
    )
    made.act(actions.keep_apart, first=gone.uid, second=made.uids[2])
    return made, "merge_entries", {"keep": kept.uid, "other": gone.uid}


@case
def approve_entries() -> Case:
    made = event(players=4)
    put_into(made, Entry.State.APPLIED)
    return made, "approve_entries", {"entries": made.uids}


@case
def decline_entry() -> Case:
    made = event(players=2)
    put_into(made, Entry.State.APPLIED)
    return made, "decline_entry", {"entry": made.uids[0]}


@case
def take_from_waiting() -> Case:
    made = event(players=2)
    put_into(made, Entry.State.WAITING)
    return made, "take_from_waiting", {"entry": made.uids[0]}


@case
def check_in() -> Case:
    made = event(players=8)
    return made, "check_in", {"entries": made.uids}


@case
def mark_paid() -> Case:
    made = event(players=3)
    made.act(actions.mark_paid, entries=made.uids[:1])
    return made, "mark_paid", {"entries": made.uids}


@case
def different_people() -> Case:
    made = event(players=2)
    return made, "different_people", {"entry": made.uids[0], "other": made.uids[1]}


@case
def take_back_check_in() -> Case:
    made = event(players=8)
    made.act(actions.check_in, entries=made.uids)
    return made, "take_back_check_in", {"entries": made.uids[::2]}


@case
def comes_late() -> Case:
    made = event(players=2)
    return made, "comes_late", {"entry": made.uids[0]}


@case
def no_show() -> Case:
    made = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    made.act(actions.name_roles, table=made.table.uid, starter=made.uids[0])
    return made, "no_show", {"entries": made.uids[:3]}


@case
def no_show__while_it_runs() -> Case:
    made = running_match(players=5)
    return made, "no_show", {"entries": made.uids[:2]}


@case
def keep_apart() -> Case:
    made = event(players=2)
    return made, "keep_apart", {"first": made.uids[0], "second": made.uids[1]}


@case
def no_longer_apart() -> Case:
    made = event(players=2)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    return made, "no_longer_apart", {"pair": Apart.objects.get().uid}


# ---- seats ----


@case
def seat_table() -> Case:
    made = planned()
    new = {"table": uuid4(), "number": 1, "entries": made.uids[:4]}
    return made, "seat_table", {"stage": made.stage.uid, **new}


@case
def seat_table__while_it_runs() -> Case:
    made = running_heats(players=8, tables=2)
    seats = {"table": made.table.uid, "number": 1, "entries": list(reversed(made.at(made.table)))}
    return made, "seat_table", {"stage": made.stage.uid, **seats}


@case
def seat_stage() -> Case:
    made = planned()
    return made, "seat_stage", {"stage": made.stage.uid, "tables": seated(made)}


@case
def seat_stage__drawn() -> Case:
    made = planned()
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made), draw={"seed": "1"})
    other = [{"number": number, "entries": made.uids[2 - number :: 2]} for number in (1, 2)]
    return made, "seat_stage", {"stage": made.stage.uid, "tables": other, "draw": {"seed": "2"}}


@case
def seat_stage__fewer() -> Case:
    made = planned()
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made))
    made.referee("table_referee", Table.objects.get(stage=made.stage, number=2))
    one = [{"number": 1, "entries": list(reversed(made.uids))}]
    return made, "seat_stage", {"stage": made.stage.uid, "tables": one}


@case
def seat_stage__between_games() -> Case:
    made = running_session(players=6, tables=2)
    play = started_game(made)
    for entry in made.at(made.table)[:2]:
        made.act(actions.record_out, play=play, entry=entry)
    swapped = [made.uids[0], *made.uids[3::2]], [made.uids[1], *made.uids[2::2]]
    tables = [{"number": number, "entries": entries} for number, entries in enumerate(swapped, 1)]
    return made, "seat_stage", {"stage": made.stage.uid, "tables": tables}


# ---- stages ----


@case
def plan_stage() -> Case:
    made = event("tite-2022", players=4)
    return made, "plan_stage", {"stage": uuid4(), "kind": "heats", "settings": {"advance": 2}}


@case
def start_stage() -> Case:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    return made, "start_stage", {"stage": made.stage.uid}


@case
def finish_stage() -> Case:
    made = running_heats(players=8, tables=2)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.plan_stage, stage=uuid4(), kind="final")
    return made, "finish_stage", {"stage": made.stage.uid}


@case
def finish_stage__without() -> Case:
    made = running_heats(players=8, tables=2)
    recorded_heat(made)
    return made, "finish_stage", {"stage": made.stage.uid, "without": [2], "reason": "the cards are gone"}


@case
def finish_stage__last() -> Case:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    return made, "finish_stage", {"stage": made.stage.uid}


@case
def reopen_stage() -> Case:
    made, _action, arguments = finish_stage__last()
    made.act(actions.finish_stage, **arguments)
    return made, "reopen_stage", {**arguments, "reason": "miscounted"}


# ---- from the heats to the final ----


@case
def fill_stage() -> Case:
    made, final = heats_over()
    left_over = made.at(made.tables[0])[3]
    return made, "fill_stage", {"stage": final, "decided": [left_over], "reason": "was hindered"}


@case
def fill_stage__drawn() -> Case:
    made, final = heats_over()
    made.act(actions.fill_stage, stage=final)
    return made, "fill_stage", {"stage": final, "seed": "17"}


@case
def plan_tie_break() -> Case:
    made = begun(players=4, tables=1)
    chained(played(made, level=named(made, "Börje", "Cécile", "Dima")), first(1, 2), kind="final")
    return made, "plan_tie_break", {"stage": made.stage.uid, "tie_break": uuid4()}


@case
def name_reserves() -> Case:
    made, final = heats_over()
    first, second = made.at(made.tables[0])[2:]
    made.act(actions.name_reserves, stage=final, entries=[first], reason="went out next")
    return made, "name_reserves", {"stage": final, "entries": [second, first], "reason": "drawn by lot"}


def filled() -> tuple[Event, UUID, UUID, UUID]:
    """A seated final, somebody in it, and somebody of the heats who is not."""
    made, final = heats_over()
    made.act(actions.fill_stage, stage=final)
    goes, _other, stays, *_rest = made.at(made.tables[0])
    return made, final, goes, stays


def corrected() -> tuple[Event, UUID]:
    """A seated final whose heats were corrected since: somebody else goes through."""
    made, final, _goes, stays = filled()
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
    play = Play.objects.get(table=made.tables[0])
    order = [made.at(made.tables[0])[1], stays]
    made.act(actions.correct_heat, play=play.uid, version=play.version, reason="misread", finish_order=order)
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made, final


@case
def keep_finalists() -> Case:
    made, final = corrected()
    return made, "keep_finalists", {"stage": final, "reason": "they had sat down"}


@case
def swap_finalist() -> Case:
    made, final, goes, stays = filled()
    return made, "swap_finalist", {"stage": final, "out": goes, "enters": stays, "reason": "feels ill"}


@case
def swap_finalist__anew() -> Case:
    made, final, goes, stays = filled()
    made.act(actions.start_stage, stage=final)
    made.tables = list(Table.objects.filter(stage__uid=final).select_related("stage__tournament"))
    recorded_round(made)
    recorded_round(made)
    return (
        made,
        "swap_finalist",
        {"stage": final, "out": goes, "enters": stays, "reason": "feels ill", "anew": True},
    )


@case
def call_reserve() -> Case:
    made, final, goes, stays = filled()
    made.act(actions.name_reserves, stage=final, entries=[stays], reason="went out next")
    made.act(actions.player_leaves, entry=goes)
    return made, "call_reserve", {"stage": final, "entry": stays, "reason": "the place is free"}


@case
def choose_target() -> Case:
    made = final()
    return made, "choose_target", {"stage": made.stage.uid, "target": 300}


@case
def start_hall_clock() -> Case:
    made = running_heats()
    return made, "start_hall_clock", {"stage": made.stage.uid, "minutes": 20, "last_hand": 1}


@case
def start_hall_clock__in_a_break() -> Case:
    made, action, arguments = start_hall_clock()
    made.act(actions.pause_hall_clock)
    return made, action, arguments


def with_clock() -> Event:
    made, action, arguments = start_hall_clock()
    made.act(getattr(actions, action), **arguments)
    return made


@case
def pause_hall_clock() -> Case:
    return with_clock(), "pause_hall_clock", {"goes_on_at": timezone.now() + timedelta(hours=1)}


@case
def pause_hall_clock__as_a_break() -> Case:
    return running_session(), "pause_hall_clock", {}


@case
def resume_hall_clock() -> Case:
    made = with_clock()
    made.act(actions.pause_hall_clock)
    return made, "resume_hall_clock", {}


@case
def extend_hall_clock() -> Case:
    return with_clock(), "extend_hall_clock", {"minutes": 5}


@case
def stop_hall_clock() -> Case:
    return with_clock(), "stop_hall_clock", {}


@case
def give_table_minutes() -> Case:
    made = with_clock()
    return made, "give_table_minutes", {"table": made.table.uid, "minutes": 5}


@case
def set_levels() -> Case:
    made = event("tite-2022", players=12)
    stages = [uuid4(), uuid4(), uuid4()]
    for stage, kind in zip(stages, ("heats", "heats", "final"), strict=True):
        made.act(actions.plan_stage, stage=stage, kind=kind)
    levels = [
        {"stage": stages[1], "kind": "heats", "settings": {"advance": 3}, "plan": {"minutes": 30}},
        {"stage": uuid4(), "kind": "heats", "name": "Semi-finals"},
        {"stage": stages[2], "kind": "final", "settings": {"target": 250}},
        {"stage": uuid4(), "kind": "final", "name": "Small final"},
    ]
    return made, "set_levels", {"levels": levels}


@case
def set_programme() -> Case:
    made = planned()
    made.act(actions.plan_stage, stage=uuid4(), kind="final")
    stages = Stage.objects.filter(tournament=made.tournament)
    plans = [{"stage": stage.uid, "plan": {"minutes": 20 * stage.number}} for stage in stages]
    return made, "set_programme", {"stages": plans}


@case
def publish_programme() -> Case:
    made, action, arguments = set_programme()
    made.act(getattr(actions, action), **arguments)
    return made, "publish_programme", {}


# ---- roles, invites, the checklist ----


@case
def grant_role() -> Case:
    made = event()
    user = event().user
    return made, "grant_role", {"membership": uuid4(), "user": user.uid, "role": "head_referee"}


@case
def revoke_role() -> Case:
    made = running_heats(players=4)
    user = made.referee("table_referee", made.table)
    return made, "revoke_role", {"membership": Membership.objects.get(user=user).uid}


@case
def revoke_invite() -> Case:
    made = event()
    until = timezone.now() + timedelta(hours=3)
    made.act(actions.create_invite, invite=uuid4(), role="table_referee", expires_at=until)
    invite = Invite.objects.get()
    for name in ("Ada", "Bo"):
        actions.accept_invite(uuid4(), token_for("invite", invite.uid), name=name, user=None)
    assert made.tournament.memberships.count() == 3
    return made, "revoke_invite", {"invite": invite.uid, "with_roles": True}


@case
def place_referee() -> Case:
    made = running_heats(players=12, tables=3)
    user = made.referee("table_referee", made.tables[0])
    return made, "place_referee", {"user": user.uid, "tables": [made.tables[2].uid]}


@case
def post_referees() -> Case:
    made = running_heats(players=12, tables=3)
    for _time in range(2):
        made.referee("table_referee")
    return made, "post_referees", {"stage": made.stage.uid}


@case
def tick() -> Case:
    return event(), "tick", {"item": "backup"}


@case
def untick() -> Case:
    made = event()
    made.act(actions.tick, item="backup")
    return made, "untick", {"item": "backup"}


@case
def set_decks() -> Case:
    made = event()
    made.act(actions.set_decks, decks=4)
    return made, "set_decks", {"decks": 9}


# ---- each of them ----


@pytest.mark.parametrize("name", sorted(name for name in ACTIONS if can_be_undone(name) and name != UNDO))
def test_there_is_a_case_of_each(name: str) -> None:
    assert any(made == name or made.startswith(f"{name}__") for made in CASES)


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(CASES))
def test_undone_and_done_again(name: str) -> None:
    made, action, arguments = CASES[name]()
    before = facts(made)
    plays = set(Play.objects.values_list("uid", flat=True))
    players = set(Player.objects.values_list("uid", flat=True))
    row = made.act(getattr(actions, action), **arguments).sequence
    after = facts(made)
    assert after != before
    back = undo(made, row)
    assert facts(made) == before
    assert agrees(made)
    assert LedgerRow.objects.get(tournament=made.tournament, sequence=back).replaces == row
    assert set(Player.objects.values_list("uid", flat=True)) == players
    if action not in NAMED:
        again = undo(made, back)
        assert facts(made) == after
        assert agrees(made)
        undo(made, again)
        assert facts(made) == before
        assert agrees(made)
    assert set(Play.objects.values_list("uid", flat=True)) == plays, "no result is lost"
