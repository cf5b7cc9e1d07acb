"""The consequences of coming late, not coming, leaving, being removed and coming back, at every kind of table; and that
the actions do just that."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Entry, Seat, Stage
from tournament.queries.consequences import AtTable, Consequences, What, consequences
from tournament.results.contests import forget
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def planned_heats() -> Event:
    return add_stage(event("tite-2022", 6), "heats", tables=2, start=False)


def played_match() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    return made


def played_heats() -> Event:
    made = running_heats(players=6, tables=2)
    recorded_heat(made)
    return made


def decided_match() -> Event:
    made = running_match(players=3, target=10)
    recorded_round(made, None, **{str(made.uids[1]): {"wild4": 1}})
    return made


def finished_match() -> Event:
    made = decided_match()
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made


def game_running() -> Event:
    made = running_session(players=4, tables=2)
    started_game(made)
    return made


def found(made: Event, what: What, *indexes: int) -> Consequences:
    entries = [Entry.objects.get(uid=made.uids[index]) for index in indexes]
    return consequences(made.tournament, entries, what)


def brief(line: AtTable) -> tuple[str, int, tuple[str, ...], int]:
    return (str(line.effect), line.number, line.who, line.left)


@pytest.mark.parametrize(
    ("build", "what", "effect", "left"),
    [
        (planned_heats, What.LATE, "keeps_seat", 2),
        (planned_heats, What.NO_SHOW, "loses_seat", 2),
        (planned_heats, What.LEAVE, "loses_seat", 2),
        (running_session, What.LEAVE, "stops", 3),
        (running_session, What.NO_SHOW, "stops", 3),
        (game_running, What.LEAVE, "in_game", 1),
        (running_match, What.LATE, "keeps_seat", 3),
        (running_match, What.LEAVE, "out_of_match", 3),
        (played_match, What.REMOVE, "out_of_match", 2),
        (decided_match, What.LEAVE, "result_stays", 2),
        (finished_match, What.REMOVE, "result_stays", 2),
        (running_heats, What.NO_SHOW, "not_through", 3),
        (played_heats, What.LEAVE, "result_stays", 2),
    ],
)
def test_effect_at_the_table(build: Callable[[], Event], what: What, effect: str, left: int) -> None:
    made = build()
    lines = found(made, what, 0).tables
    assert [brief(line) for line in lines] == [(effect, 1, ("Aino",), left)]


ACTIONS: dict[What, tuple[Callable[..., Any], dict[str, Any]]] = {
    What.LATE: (actions.comes_late, {}),
    What.LEAVE: (actions.player_leaves, {}),
    What.REMOVE: (actions.remove_player, {"reason": "x"}),
}


@pytest.mark.parametrize("what", list(What))
@pytest.mark.parametrize(
    "build",
    [planned_heats, running_session, game_running, running_match, decided_match, running_heats, played_heats],
)
def test_the_action_does_what_was_said(build: Callable[[], Event], what: What) -> None:
    """The action is carried out where it is possible, with as many left at each table; else it is refused."""
    made = build()
    if what == What.BACK:
        if not found(made, What.LEAVE, 0).possible:
            return
        made.act(actions.player_leaves, entry=made.uids[0])
    said = found(made, what, 0)
    name, arguments = ACTIONS.get(what, (None, {}))
    entry: dict[str, Any] = {"entry": made.uids[0]}
    if what == What.NO_SHOW:
        name, entry = actions.no_show, {"entries": made.uids[:1]}
    if what == What.BACK:
        name = actions.readmit_player
    assert name
    has_played = Entry.objects.get(uid=made.uids[0]).results.exists()
    if not said.possible or (what == What.NO_SHOW and has_played):
        with pytest.raises(Refused):
            made.act(name, **entry, **arguments)
        return
    made.act(name, **entry, **arguments)
    assert agrees(made)
    for line in said.tables:
        if line.table is None:
            assert str(line.effect) == "no_seat"
            assert not Seat.objects.filter(entry__uid=made.uids[0]).exists()
            continue
        seats = Seat.objects.filter(table__uid=line.table)
        mine = seats.filter(entry__uid=made.uids[0])
        others = seats.filter(out_as="").exclude(entry__uid=made.uids[0]).count()
        assert others == line.left
        match str(line.effect):
            case "loses_seat":
                assert not mine.exists()
            case "stops" | "out_of_match" | "not_through":
                assert mine.get().out_from == line.following
            case "keeps_seat" | "in_again":
                assert mine.get().out_as == ""
            case effect:
                assert effect == "result_stays"


def test_the_last_one_left_has_won_the_match() -> None:
    made = running_match(players=3)
    made.act(actions.player_leaves, entry=made.uids[2])
    (line,) = found(made, What.LEAVE, 0).tables
    assert (line.left, line.winners) == (1, ("Börje",))


def test_several_at_a_table_are_told_together() -> None:
    made = planned_heats()
    lines = found(made, What.NO_SHOW, 0, 1, 2).tables
    assert [brief(line) for line in lines] == [
        ("loses_seat", 1, ("Aino", "Cécile"), 1),
        ("loses_seat", 2, ("Börje",), 2),
    ]
    assert [line.too_small for line in lines] == [True, False]


def test_who_went_through_leaves_the_place_open() -> None:
    made = played_heats()
    assert found(made, What.LEAVE, 0).tables[0].through == ("Aino",)
    assert found(made, What.LATE, 0).tables[0].through == ()
    assert found(made, What.LEAVE, 2).tables[0].through == ()


def test_nobody_comes_back_to_a_match_played_on_without_them() -> None:
    made = running_match(players=3)
    made.act(actions.player_leaves, entry=made.uids[0])
    (line,) = found(made, What.BACK, 0).tables
    assert (str(line.effect), line.following) == ("in_again", 1)
    held = {str(made.uids[2]): {"7": 1}}
    made.act(
        actions.record_round, table=made.table.uid, play=uuid4(), number=1, winner=made.uids[1], hands=held
    )
    said = found(made, What.BACK, 0)
    assert not said.possible
    assert [fault.code for fault in said.tables[0].faults] == ["missing_hand"]


def test_back_in_a_stage_not_begun_is_without_a_seat() -> None:
    made = planned_heats()
    made.act(actions.no_show, entries=made.uids[:1])
    (line,) = found(made, What.BACK, 0).tables
    assert (str(line.effect), line.stage) == ("no_seat", Stage.objects.get())


def test_the_first_of_the_waiting_list_moves_up_before_play() -> None:
    made = event(players=3)
    made.act(actions.set_registration, opened=True, most=2)
    Entry.objects.filter(uid=made.uids[2]).update(state="waiting")
    assert found(made, What.LEAVE, 0).moves_up == ("Cécile",)
    assert found(made, What.LATE, 0).moves_up == ()
    made.act(actions.player_leaves, entry=made.uids[0])
    assert Entry.objects.get(uid=made.uids[2]).state == "registered"


def test_reading_writes_nothing_and_asks_as_often_for_many_as_for_one(
    django_assert_num_queries: Any, django_assert_max_num_queries: Any
) -> None:
    made = planned_heats()
    forget()
    with django_assert_max_num_queries(20) as one:
        found_one = consequences(made.tournament, made.entries[:1], What.NO_SHOW)
    forget()
    with django_assert_num_queries(len(one)):
        found_all = consequences(made.tournament, made.entries, What.NO_SHOW)
    assert (len(found_one.tables), len(found_all.tables)) == (1, 2)
