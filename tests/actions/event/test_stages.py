"""Actions as an organiser's pages call them: a stage seated in one step, texts that fit, players entered."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import (
    Event,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Entry, LedgerNote, LedgerRow, Membership, Play, Player, Seat, Stage, Table
from tournament.queries.stage_rules import kinds_with_target
from tournament.results.answer import stage_results, target_of
from tournament.results.faults import Fault, Refused
from tournament.words.faults import fault_text

pytestmark = pytest.mark.django_db


def seated(made: Event) -> dict[int, list[int]]:
    """Start numbers by table, clockwise."""
    seats = Seat.objects.filter(table__stage=made.stage, out_as="").order_by("table__number", "position")
    tables: dict[int, list[int]] = {}
    for seat in seats.select_related("table", "entry"):
        tables.setdefault(seat.table.number, []).append(seat.entry.start_number)
    return tables


def seat(made: Event, tables: dict[int, list[int]], **more: str) -> None:
    """Seat the stage by start numbers."""
    rows = [
        {"number": number, "entries": [made.uids[start - 1] for start in starts]}
        for number, starts in tables.items()
    ]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=rows, **more)


def faults(made: Event, tables: dict[int, list[int]]) -> list[Fault]:
    before = seated(made)
    with pytest.raises(Refused) as refused:
        seat(made, tables)
    assert seated(made) == before
    return list(refused.value.faults)


@pytest.fixture
def heats(db: None) -> Event:
    """Seven players of heats that are only planned."""
    made = event("tite-2022", players=7)
    uid = uuid4()
    made.act(actions.plan_stage, stage=uid, kind="heats")
    made.stage = Stage.objects.get(uid=uid)
    return made.refresh()


def test_seat_stage_is_one_ledger_row_and_keeps_the_seed(heats: Event) -> None:
    rows = LedgerRow.objects.count()
    seat(heats, {1: [3, 1], 2: [2, 7, 5]}, seed="4711")
    assert seated(heats) == {1: [3, 1], 2: [2, 7, 5]}
    assert LedgerRow.objects.count() == rows + 1
    assert LedgerNote.objects.get().text == "4711"


def test_seat_stage_moves_players_between_tables(heats: Event) -> None:
    seat(heats, {1: [1, 2, 3], 2: [4, 5, 6]})
    first = Table.objects.get(number=1).uid
    seat(heats, {1: [4, 2], 2: [1, 5, 6, 3]})
    assert seated(heats) == {1: [4, 2], 2: [1, 5, 6, 3]}
    assert Table.objects.get(number=1).uid == first


def test_seat_stage_takes_tables_away_with_their_roles(heats: Event) -> None:
    seat(heats, {1: [1, 2], 2: [3, 4]})
    gone = Table.objects.get(number=2)
    heats.referee("table_referee", gone)
    seat(heats, {1: [1, 2, 3, 4]})
    assert not Table.objects.filter(number=2).exists()
    assert not Membership.objects.filter(role="table_referee").exists()
    payload = LedgerRow.objects.get(sequence=heats.refresh().tournament.version).payload
    assert payload["table"][str(gone.uid)] is None
    assert list(payload["membership"].values()) == [None]


@pytest.mark.parametrize(
    ("tables", "codes"),
    [
        ({1: [1, 2], 2: [2, 3]}, ["seated_elsewhere"]),
        ({1: [1, 1]}, ["duplicate_player"]),
    ],
)
def test_seat_stage_refuses_two_seats_for_one(
    heats: Event, tables: dict[int, list[int]], codes: list[str]
) -> None:
    assert [fault.code for fault in faults(heats, tables)] == codes


def test_what_is_wrong_is_said_of_each_table_in_their_order(heats: Event) -> None:
    assert [fault.parameters["table"] for fault in faults(heats, {2: [2, 2], 1: [1, 1]})] == [1, 2]


def test_a_stage_that_is_over_gets_no_other_table() -> None:
    made = running_heats(players=5, tables=1)
    recorded_heat(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    late = uuid4(), uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": f"Late {uid.hex[:4]}"} for uid in late])
    made.refresh()
    assert faults(made, {1: seated(made)[1], 2: [6, 7]}) == [
        Fault("table_has_begun", "/tables/2", {"table": 2})
    ]


def test_seat_stage_leaves_tables_that_have_begun_alone() -> None:
    made = running_heats(players=8, tables=2)
    recorded_heat(made, made.tables[0])
    before = seated(made)
    assert faults(made, {1: before[1][:3], 2: before[2]}) == [
        Fault("table_has_begun", "/tables/1", {"table": 1})
    ]
    assert faults(made, {2: before[2]}) == [Fault("table_has_begun", "/tables/1", {"table": 1})]
    seat(made, {1: before[1], 2: before[2][::-1]})
    assert seated(made) == {1: before[1], 2: before[2][::-1]}


def test_seat_stage_moves_players_of_a_running_session() -> None:
    made = running_session(players=6, tables=2)
    play = started_game(made)
    assert faults(made, {1: [1, 3], 2: [2, 4, 5, 6]}) == [
        Fault("game_running_here", "/tables/1", {"table": 1})
    ]
    made.act(
        actions.void_play, play=play, version=Play.objects.get(uid=play).version, reason="cards were missing"
    )
    seat(made, {1: [1, 3], 2: [2, 4, 5, 6]})
    assert seated(made) == {1: [1, 3], 2: [2, 4, 5, 6]}
    assert faults(made, {2: [2, 4, 5, 6]}) == [Fault("table_has_begun", "/tables/1", {"table": 1})]


def test_players_are_entered_with_their_player() -> None:
    made = event()
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": " Aino\x00 ", "club": "Noppa"}])
    entry = Entry.objects.get()
    assert (entry.public_name, entry.club, entry.player.name, entry.start_number) == (
        "Aino",
        "Noppa",
        "Aino",
        1,
    )


def test_players_refused_leave_no_player_behind() -> None:
    made = event()
    with pytest.raises(Refused) as refused:
        made.act(
            actions.enter_players,
            players=[{"entry": uuid4(), "name": "Good"}, {"entry": uuid4(), "name": "x" * 101}],
        )
    assert [fault.path for fault in refused.value.faults] == ["/players/1/name"]
    assert not Player.objects.exists()


def test_reason_that_is_too_long_is_refused(heats: Event) -> None:
    """Both databases alike: one would cut it or fail where the other stores it."""
    with pytest.raises(Refused) as refused:
        heats.act(actions.remove_player, entry=heats.uids[0], reason="x" * 501)
    lengths = {"limit_value": 500, "show_value": 501}
    assert refused.value.faults == (Fault("field_max_length", "/reason", lengths),)
    heats.act(actions.remove_player, entry=heats.uids[0], reason="\x00After a warning\ud800 ")
    assert LedgerNote.objects.get().text == "After a warning"


def test_name_of_a_stage_that_is_too_long_is_refused(heats: Event) -> None:
    too_long = {"settings": {}, "name": "x" * 61}
    with pytest.raises(Refused, match="field_max_length at /name"):
        heats.act(actions.plan_stage, stage=uuid4(), kind="heats", **too_long)
    with pytest.raises(Refused, match="field_max_length at /name"):
        heats.act(actions.set_stage_settings, stage=heats.stage.uid, **too_long)


def final(**more: Any) -> Event:
    """A TiTe final of four to 300 points, no round entered."""
    return running_match(players=4, ruleset="tite-2022", kind="final", **more)


def test_target_is_chosen_after_the_start_and_ends_the_final() -> None:
    made = final()
    made.act(actions.choose_target, stage=made.stage.uid, target=250)
    assert made.refresh().stage.settings == {"target": 250}
    recorded_round(made, None, **{str(uid): {"wild4": 2} for uid in made.at(made.table)[1:3]})
    (results,) = stage_results(made.refresh().stage)
    assert target_of(results.sheet.data) == 250


@pytest.mark.parametrize("void", [False, True])
def test_target_is_locked_by_the_first_round_voided_or_not(void: bool) -> None:
    made = final()
    row = made.act(actions.choose_target, stage=made.stage.uid, target=400).sequence
    play = recorded_round(made)
    if void:
        made.act(actions.void_play, play=play, version=made.play(play).version, reason="misdealt")
    asked = {"stage": made.stage.uid, "target": 250}
    assert refusal(made, actions.choose_target, **asked) == [("target_locked", "/target")]
    assert refusal(made, actions.undo, row=row) == [("in_use_since", "/row")]
    assert made.refresh().stage.settings == {"target": 400}


@pytest.mark.parametrize("target", [249, 501, 0, -1, 10**30, "300", 300.0, True, None])
def test_target_that_tite_does_not_allow_is_refused_at_the_target(target: Any) -> None:
    made = final()
    ((_, path),) = refusal(made, actions.choose_target, stage=made.stage.uid, target=target)
    assert path == "/target"


def test_target_that_the_ruleset_fixes_is_the_organisers() -> None:
    for made in (running_match(kind="final"), running_heats(players=4)):
        asked = {"stage": made.stage.uid, "target": 300}
        assert refusal(made, actions.choose_target, **asked) == [("wrong_kind_of_stage", "/stage")]


def test_rules_that_fix_the_target_allow_it_in_no_kind_of_stage() -> None:
    for ruleset, allowed in (("mattel-108", []), ("tite-2022", ["match", "final"])):
        assert kinds_with_target(ruleset) == allowed
    assert fault_text(Fault("wrong_kind_of_stage", "/stage", {"kind": "match", "allowed": ""})) == (
        "These rules or this stage do not allow this."
    )


def test_players_run_the_clock_of_a_session_that_is_not_over_and_of_nothing_else() -> None:
    heats = running_heats(players=4)
    asked = {"stage": heats.stage.uid, "wanted": True}
    assert refusal(heats, actions.let_players_time, **asked) == [("wrong_kind_of_stage", "/stage")]
    made = running_session(players=3)
    for wanted in (True, False):
        made.act(actions.let_players_time, stage=made.stage.uid, wanted=wanted)
        assert made.refresh().stage.players_clock is wanted
    made.act(actions.finish_stage, stage=made.stage.uid)
    asked = {"stage": made.stage.uid, "wanted": True}
    assert refusal(made, actions.let_players_time, **asked) == [("illegal_move", "/stage")]
