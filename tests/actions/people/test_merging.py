"""Two entries of one person are merged although both have a seat, played or were let through."""

import json
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agrees, refusal, standings, state_of, version
from tests.support.championships import championship
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.undoing import facts, undo
from tournament import actions
from tournament.models import Decision, Entry, Play, Result, Table
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db

# Every model and field that can name an entry, as Django knows them.
NAMING: set[tuple[Any, str]] = {
    (field.related_model, cast("Any", field).field.name)
    for field in Entry._meta.get_fields(include_hidden=True)
    if field.auto_created and not field.concrete
}


def naming(entry: UUID) -> set[tuple[str, str]]:
    """The models and fields in which some row names this entry."""
    return {
        (model.__name__, name)
        for model, name in NAMING
        if model._default_manager.filter(**{f"{name}__uid": entry}).exists()
    }


def walk_in(made: Event, name: str, table: UUID | None = None) -> UUID:
    uid = uuid4()
    made.act(actions.walk_in, entry=uid, name=name, table=table)
    return uid


def game(made: Event, table: Table, *out: UUID, ejected: UUID | None = None) -> UUID:
    """Record a game in which these went out minute by minute but for the last, who was last."""
    play = uuid4()
    results: list[dict[str, Any]] = [
        {"entry": uid, "outcome": "out", "elapsed_s": 60 * minute} for minute, uid in enumerate(out[:-1], 1)
    ]
    results.append({"entry": out[-1], "outcome": "last"})
    if ejected:
        results.append({"entry": ejected, "outcome": "ejected"})
    number = Play.objects.filter(table=table).count() + 1
    made.act(
        actions.record_game,
        table=table.uid,
        play=play,
        number=number,
        ended="last",
        duration_s=600 if ejected else None,
        results=results,
    )
    return play


def a_finalist_beside_a_heat() -> tuple[Event, UUID, UUID]:
    """Somebody played a heat under one entry and the final as a reserve under another."""
    made = championship()
    keep, other = made.uids[2], walk_in(made, "Cécile again")
    made.act(actions.name_reserves, stage=made.stage.uid, entries=[other], reason="asked for it")
    made.act(actions.player_leaves, entry=made.uids[0])
    made.act(actions.call_reserve, stage=made.stage.uid, entry=other, reason="the place is free")
    made.act(actions.keep_apart, first=other, second=made.uids[3])
    made.act(actions.start_stage, stage=made.stage.uid)
    table = made.refresh().table
    made.act(actions.name_roles, table=table.uid, starter=other)
    winner = next(uid for uid in made.at(table) if uid != other)
    hand = {"last_cards": {"draw2": 1}, "drew": other, "hands": {str(other): {"7": 3}}}
    made.act(actions.record_round, table=table.uid, play=uuid4(), number=1, winner=winner, **hand)
    made.act(actions.warn_player, incident=uuid4(), table=table.uid, entry=other, text="spoke twice")
    return made, keep, other


def two_sessions() -> tuple[Event, UUID, UUID]:
    """Somebody played the first session under one entry, the second under another."""
    made = running_session(players=4)
    keep, other = made.uids[0], walk_in(made, "Aino again")
    game(made, made.table, *made.uids[:4])
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.entries = [*made.entries[1:], Entry.objects.get(uid=other)]
    add_stage(made, "session")
    table = made.table
    seated = made.at(table)
    made.act(actions.keep_apart, first=seated[0], second=other)
    for role in ({"oldest": other, "youngest": seated[0]}, {"oldest": seated[0], "youngest": other}):
        made.act(actions.name_roles, table=table.uid, **role)
        if "oldest" in role:
            game(made, table, *seated)
    return made, keep, other


def test_what_was_played_under_two_entries_in_different_contests_is_one_persons() -> None:
    """Everything is as if it had been entered under one of them, and an undo gives each back their own."""
    seen = set[tuple[str, str]]()
    for arranged in (a_finalist_beside_a_heat, two_sessions):
        made, keep, other = arranged()
        before, had = facts(made), naming(other)
        scored = standings(made)
        made.act(actions.merge_entries, keep=keep, other=other)
        assert naming(other) == set()
        after = facts(made)
        renamed = json.loads(json.dumps(before).replace(str(other), str(keep)))
        assert {kind: rows for kind, rows in after.items() if kind not in {"entry", "draw"}} == {
            kind: rows for kind, rows in renamed.items() if kind not in {"entry", "draw"}
        }
        assert standings(made) == {name.removesuffix(" again"): row for name, row in scored.items()}
        undo(made)
        assert facts(made) == before
        assert agrees(made)
        seen |= had
    never = {("Table", "oldest"), ("PastResult", "entry")}  # nobody is seated who has a result from a file
    assert seen == {(model.__name__, name) for model, name in NAMING} - never


def test_two_entries_that_played_different_games_of_a_session_are_one() -> None:
    made = running_session(players=6, tables=2)
    keep, *_others = made.uids
    game(made, made.tables[0], *made.at(made.tables[0]))
    other = walk_in(made, "Aino again", made.tables[1].uid)
    game(made, made.tables[1], *made.at(made.tables[1]))
    first, second = (made.at(table) for table in made.tables)
    assert standings(made)["Aino again"] == (6, "ranked", 3)
    made.act(actions.merge_entries, keep=keep, other=other)
    assert standings(made)["Aino"] == (2, "ranked", 4)
    assert [made.at(table) for table in made.tables] == [first, [uid for uid in second if uid != other]]


def seat_of_who_went() -> tuple[Event, UUID, UUID, list[list[UUID]]]:
    """Both sit in a stage that has not begun; the one that goes has a role there."""
    made = add_stage(event(players=6), "match", tables=2, start=False)
    a, b, c, d, e, f = made.uids
    made.act(actions.name_roles, table=made.tables[1].uid, starter=d)
    return made, a, d, [[a, c, e], [b, f]]


def seat_of_a_no_show() -> tuple[Event, UUID, UUID, list[list[UUID]]]:
    """Somebody plays beside the entry under which they did not come."""
    made = running_match(players=4)
    a, b, c, d = made.uids
    made.act(actions.no_show, entries=[a])
    hands = {str(b): {"7": 1}, str(c): {"8": 1}}
    table = made.table.uid
    made.act(actions.record_round, table=table, play=uuid4(), number=1, winner=d, hands=hands)
    return made, d, a, [[b, c, d]]


def seat_from_which_a_heat_was_played() -> tuple[Event, UUID, UUID, list[list[UUID]]]:
    """The one that stays has a seat at a heat that was not played, the other played one."""
    made = running_heats(players=6)
    a, b, c, d, e, f = made.uids
    recorded_heat(made)
    return made, b, a, [[b, c, e], [d, f]]


@pytest.mark.parametrize("arranged", [seat_of_who_went, seat_of_a_no_show, seat_from_which_a_heat_was_played])
def test_one_seat_in_a_contest_stays_where_both_had_one(
    arranged: Callable[[], tuple[Event, UUID, UUID, list[list[UUID]]]],
) -> None:
    made, keep, other, seats = arranged()
    made.act(actions.merge_entries, keep=keep, other=other)
    assert [made.at(table) for table in made.refresh().tables] == seats
    assert not Table.objects.filter(starter__isnull=False).exists()
    assert agrees(made)


def test_one_decision_about_a_stage_stays_where_there_were_two() -> None:
    made = championship()
    keep, other = walk_in(made, "Aino A"), walk_in(made, "Aino B")
    made.act(actions.name_reserves, stage=made.stage.uid, entries=[other, keep], reason="asked for it")
    made.act(actions.merge_entries, keep=keep, other=other)
    assert list(Decision.objects.values_list("entry__uid", "rank")) == [(keep, 2)]


def test_who_played_at_two_tables_of_matches_keeps_both_seats() -> None:
    made = running_match(players=6, tables=2)
    keep, other = made.at(made.tables[0])[0], made.at(made.tables[1])[0]
    recorded_round(made)
    first, *others = made.at(made.tables[1])
    hands = {str(uid): {"8": 1} for uid in others}
    made.act(
        actions.record_round, table=made.tables[1].uid, play=uuid4(), number=1, winner=first, hands=hands
    )
    made.act(actions.merge_entries, keep=keep, other=other)
    results = stage_results(made.refresh().stage)
    assert [each.answer.standings[0].points for each in results] == [14, 16]
    assert {each.names[each.answer.standings[0].player] for each in results} == {"Aino"}


def both_in_a_round() -> tuple[Event, UUID, UUID, UUID]:
    made = running_match(players=4)
    return made, made.uids[0], made.uids[1], recorded_round(made)


def both_in_two_heats() -> tuple[Event, UUID, UUID, UUID]:
    made = running_heats(players=6)
    recorded_heat(made)
    return made, made.uids[0], made.uids[1], recorded_heat(made, made.tables[1])


def both_in_a_game() -> tuple[Event, UUID, UUID, UUID]:
    made = running_session(players=4)
    game(made, made.table, *made.uids[1:])
    return made, made.uids[0], made.uids[1], game(made, made.table, *made.uids)


@pytest.mark.parametrize("arranged", [both_in_a_round, both_in_two_heats, both_in_a_game])
def test_a_result_that_stands_against_it_is_named_and_void_it_does_not(
    arranged: Callable[[], tuple[Event, UUID, UUID, UUID]],
) -> None:
    made, keep, other, play = arranged()
    for one, two in ((keep, other), (other, keep)):
        ((code, _path),) = refusal(made, actions.merge_entries, keep=one, other=two)
        assert code == "both_played"
    assert refusal(made, actions.merge_entries, keep=keep, other=other) == [("both_played", f"/plays/{play}")]
    made.act(actions.void_play, play=play, version=version(made, play), reason="entered by mistake")
    made.act(actions.merge_entries, keep=keep, other=other)
    assert Result.objects.filter(play__uid=play, entry__uid=keep).count() == 1
    assert not Result.objects.filter(entry__uid=other).exists()
    before = facts(made)
    undo(made)
    assert agrees(made)
    undo(made)
    assert facts(made) == before


def test_nobody_is_merged_away_while_they_play_a_game() -> None:
    made = running_session(players=4)
    play, free = uuid4(), walk_in(made, "Aino again")
    made.act(actions.start_game, table=made.table.uid, play=play, number=1)
    asked = {"keep": free, "other": made.uids[0]}
    assert refusal(made, actions.merge_entries, **asked) == [("game_running", f"/plays/{play}")]
    made.act(actions.merge_entries, keep=made.uids[0], other=free)
    assert agrees(made)


def test_who_was_removed_or_is_out_is_a_question_with_a_way_out() -> None:
    made = running_match(players=4)
    removed, here = walk_in(made, "Aino again"), made.uids[0]
    made.act(actions.remove_player, entry=removed, reason="shouted")
    assert refusal(made, actions.merge_entries, keep=here, other=removed)[0][0] == "keep_removed"
    assert refusal(made, actions.merge_entries, keep=removed, other=here)[0][0] == "other_plays_on"
    made.act(actions.player_leaves, entry=here)
    made.act(actions.merge_entries, keep=removed, other=here)
    assert (state_of(removed), state_of(here)) == ("disqualified", "cancelled")
    left, free = made.uids[1], walk_in(made, "Börje again")
    made.act(actions.player_leaves, entry=left)
    made.act(actions.merge_entries, keep=free, other=left)
    assert (state_of(free), state_of(left)) == ("checked_in", "cancelled")
    asks = uuid4()
    made.act(actions.enter_players, players=[{"entry": asks, "name": "Asks"}])
    Entry.objects.filter(uid=asks).update(state="cancelled")
    gone = made.uids[2]
    made.act(actions.player_leaves, entry=gone)
    made.act(actions.merge_entries, keep=asks, other=gone)
    assert state_of(asks) == "left"
