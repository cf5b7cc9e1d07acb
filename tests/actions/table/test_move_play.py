"""A play moves to the table where it was played."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import (
    agrees,
    conflict,
    refusal,
    state_of,
    states,
    version,
)
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    started_game,
)
from tests.support.paper import recorded_game
from tournament import actions
from tournament.actions import Command
from tournament.models import LedgerNote, LedgerRow, Play, Stage
from tournament.results.faults import Forbidden


def move(made: Event, play: UUID, to: UUID, **more: Any) -> UUID:
    new = uuid4()
    seen = {"play": play, "version": version(made, play), "reason": "wrong table"}
    made.act(actions.move_play, **seen, to=to, new=new, **more)
    return new


def two_matches() -> Event:
    """The same two people at a table of each of two matches."""
    made = running_match(players=2)
    return add_stage(made, "match")


@pytest.mark.django_db
def test_a_round_moves_to_the_table_of_the_same_players() -> None:
    made = two_matches()
    play = recorded_round(made)
    other = Stage.objects.get(tournament=made.tournament, number=1).tables.get()
    new = move(made, play, other.uid)
    assert (Play.objects.get(uid=play).state, Play.objects.get(uid=new).state) == ("void", "entered")
    moved = Play.objects.get(uid=new)
    assert (moved.table, moved.number, moved.second_look) == (other, 1, "")
    assert Play.objects.get(uid=new).results.get(outcome="holds").hand == {"7": 1}
    assert agrees(made)


@pytest.mark.django_db
def test_a_game_moves_with_the_ejection_in_it() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    other = add_stage(made, "session").table
    made.refresh()
    one, two, three = made.uids
    play = recorded_game(made, (one, "out", 60), (two, "last", None), (three, "ejected", None), duration_s=60)
    there = Stage.objects.get(tournament=made.tournament, number=1).tables.get()
    new = move(made, play, there.uid)
    assert Play.objects.get(uid=new).results.get(entry__uid=three).outcome == "ejected"
    assert not Play.objects.get(uid=play).results.filter(outcome="ejected").exists()
    assert state_of(three) == "disqualified"
    assert other.plays.get().state == "void"
    assert agrees(made)


@pytest.mark.django_db
def test_nothing_moves_to_other_people_or_twice() -> None:
    made = running_match(players=4, tables=2)
    play = recorded_round(made)
    asked = {"play": play, "version": version(made, play), "new": uuid4(), "reason": "wrong table"}
    for table in made.tables:  # its own table, and one of others
        assert refusal(made, actions.move_play, **asked, to=table.uid) == [("other_players", "/to")]
    again = two_matches()
    play = recorded_round(again)
    other = Stage.objects.get(tournament=again.tournament, number=1).tables.get()
    move(again, play, other.uid)
    asked |= {"play": play, "version": version(again, play)}
    assert refusal(again, actions.move_play, **asked, to=other.uid) == [("already_void", "/play")]


@pytest.mark.django_db
def test_a_table_referee_moves_nothing_to_a_table_of_others() -> None:
    made = two_matches()
    play = recorded_round(made)
    other = Stage.objects.get(tournament=made.tournament, number=1).tables.get()
    referee = made.referee("table_referee", made.table)
    asked: dict[str, Any] = {
        "play": play,
        "version": version(made, play),
        "to": other.uid,
        "new": uuid4(),
        "reason": "x",
    }
    with pytest.raises(Forbidden):
        actions.move_play(Command(uuid4(), referee), made.tournament.uid, **asked)


@pytest.mark.django_db
def test_a_running_game_moves_nowhere_and_a_moved_one_is_a_new_play() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    there = made.table
    add_stage(made, "session")
    asked = {"to": there.uid, "reason": "wrong table"}
    play = started_game(made, elapsed_s=600)
    running = {"play": play, "version": version(made, play), "new": uuid4(), **asked}
    assert refusal(made, actions.move_play, **running) == [("game_running", "/play")]
    for uid in made.uids[:2]:
        made.act(actions.record_out, play=play, entry=uid, elapsed_s=300)
    over = {"play": play, "version": version(made, play), "new": play, **asked}
    assert refusal(made, actions.move_play, **over) == [("play_exists", "/new")]


@pytest.mark.django_db
def test_a_heat_moves_to_a_table_of_the_same_players_that_has_none() -> None:
    made = running_heats(players=3, tables=1)
    there = made.table
    add_stage(made, "heats")
    play, second = recorded_heat(made), recorded_heat
    new = move(made, play, there.uid)
    assert (states(made), Play.objects.get(uid=new).table) == (["void"], there)
    again = second(made)
    asked = {"play": again, "version": version(made, again), "new": uuid4(), "reason": "wrong table"}
    assert refusal(made, actions.move_play, **asked, to=there.uid) == [("heat_recorded", "/play")]
    assert agrees(made)


@pytest.mark.django_db
def test_a_moved_round_is_the_next_there_and_waits_for_a_second_person_again() -> None:
    made = running_match(players=2)
    there = made.table
    recorded_round(made)
    recorded_round(made)
    add_stage(made, "match")
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    command = Command(uuid4(), made.referee())
    actions.accept_play(command, made.tournament.uid, play=play, version=version(made, play))
    new = uuid4()
    asked = {"play": play, "to": there.uid, "new": new, "reason": "wrong table"}
    seen = version(made, play)
    assert conflict(made, actions.move_play, **asked, version=seen - 1).current.play.version == seen
    unsaid = {**asked, "reason": " ", "version": seen}
    assert refusal(made, actions.move_play, **unsaid) == [("missing_reason", "/reason")]
    row = made.act(actions.move_play, **asked, version=seen).sequence
    moved = Play.objects.get(uid=new)
    assert (moved.table, moved.number, moved.second_look) == (there, 3, "wanted")
    ledger = LedgerRow.objects.get(tournament=made.tournament, sequence=row)
    assert (ledger.replaces, LedgerNote.objects.get(row=ledger).text) == (seen, "wrong table")
    stages = Stage.objects.filter(tournament=made.tournament)
    assert set(stages.values_list("version", flat=True)) == {row}
    assert agrees(made)


@pytest.mark.beside
@pytest.mark.django_db
def test_a_play_moves_to_its_own_kind_of_table_and_to_players_who_are_there() -> None:
    made = running_heats(players=3, tables=1)
    there = made.table
    heat = recorded_heat(made)
    add_stage(made, "match", target=300)
    asked = {"new": uuid4(), "reason": "wrong table"}
    of_heat = {"play": heat, "version": version(made, heat), "to": made.table.uid}
    assert refusal(made, actions.move_play, **asked, **of_heat) == [("wrong_kind_of_stage", "/table")]
    gone = two_matches()
    play = recorded_round(gone)
    other = Stage.objects.get(tournament=gone.tournament, number=1).tables.get()
    other.seats.filter(entry__uid=gone.uids[0]).update(out_as="withdrawn", out_from=1)
    asked |= {"play": play, "version": version(gone, play), "to": other.uid}
    assert refusal(gone, actions.move_play, **asked) == [("other_players", "/to")]
    assert there.plays.count() == 1
