"""Results visible to everybody: the truth, a stage as of its freeze, and what the reveal has shown."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import HeatsAnswer, Points
from tests.support.asking_actions import agrees
from tests.support.championships import championship, started
from tests.support.factories import (
    Event,
    add_stage,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Entry, Seat, Stage
from tournament.pages.public.stage import stage_board
from tournament.queries.visible import (
    Shown,
    Unveiled,
    freezing,
    left_of,
    shown,
    steps_of,
    still_sitting,
    taking_part,
    truth,
    unveiled,
)
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db


def seen(made: Event) -> Shown:
    return shown(made.refresh().stage)


def frozen(made: Event) -> Event:
    made.act(actions.freeze_standings, stage=made.stage.uid)
    return made.refresh()


def points(shown_stage: Shown) -> list[tuple[str, Points]]:
    [results] = shown_stage.results
    assert not isinstance(results.answer, HeatsAnswer)
    return [(results.names[row.player], row.points) for row in results.answer.standings]


def finished_match(players: int = 4, **more: Any) -> Event:
    """A frozen match that is over; after the freeze the first player won with 10 points a hand, until 250."""
    made = running_match(players=players, ruleset="tite-2022", target=250, **more)
    recorded_round(made, made.uids[1])
    frozen(made)
    while not stage_results(made.refresh().stage)[0].complete:
        first, *others = made.at(made.table)
        recorded_round(made, first, **{str(uid): {"9": number} for number, uid in enumerate(others, 1)})
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made.refresh()


# ---- as of the freeze ----


def test_what_is_not_frozen_is_shown_as_it_is() -> None:
    made = running_match()
    recorded_round(made)
    assert seen(made) == truth(made.stage)
    assert seen(made).frozen is None


def test_a_freeze_shows_the_truth_of_that_moment() -> None:
    made = running_match()
    recorded_round(made)
    before = seen(made)
    frozen(made)
    after = seen(made)
    assert after.frozen is not None
    assert (after.results[0].answer, after.contests, after.state) == (
        before.results[0].answer,
        before.contests,
        before.state,
    )
    assert after.results[0].sheet == before.results[0].sheet
    assert [play.version for play in after.contests[0].plays] == [
        play.version for play in before.contests[0].plays
    ]


def test_what_is_entered_corrected_and_voided_since_is_not_shown() -> None:
    made = running_match()
    play = recorded_round(made)
    then = points(seen(frozen(made)))
    recorded_round(made, made.uids[1])
    row = made.play(play)
    made.act(
        actions.correct_round,
        play=play,
        version=row.version,
        reason="miscounted",
        winner=made.uids[2],
        hands={str(uid): {"9": 2} for uid in made.uids if uid != made.uids[2]},
    )
    made.act(actions.remove_player, entry=made.uids[3], reason="hits")
    assert points(seen(made)) == then
    assert points(truth(made.stage)) != then
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert seen(made) == truth(made.stage)


def test_names_are_those_of_today() -> None:
    made = frozen(running_match())
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Renamed", start_number=1)
    results = seen(made).results[0]
    assert results.names[str(made.uids[0])] == "Renamed"
    assert {"id": str(made.uids[0]), "name": "Renamed"} in results.sheet.data["players"]


def test_a_saves_answer_is_not_computed_anew_while_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    made = frozen(running_match())
    seen(made)
    recorded_round(made)
    made.refresh()
    monkeypatch.setattr("tournament.queries.visible.scored", pytest.fail)
    assert shown(made.stage).results


def test_queries_do_not_grow_with_what_is_entered_since() -> None:
    made = frozen(running_match())
    seen(made)
    counts = []
    for _ in range(2):
        recorded_round(made)
        recorded_round(made)
        made.refresh()
        with CaptureQueriesContext(connection) as asked:
            shown(made.stage)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 7


# ---- stages after it ----


def test_seats_of_a_later_stage_are_those_of_the_freeze() -> None:
    made = running_heats()
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 250})
    frozen(made)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.fill_stage, stage=final)
    made.act(actions.start_stage, stage=final)
    later = shown(Stage.objects.get(uid=final))
    assert (later.state, later.contests, later.results, later.decisions) == ("planned", (), (), ())
    assert later.frozen is not None
    assert later.frozen.by_earlier


def test_of_a_stage_planned_since_nothing_is_shown() -> None:
    made = frozen(running_match())
    add_stage(made, "match")
    later = seen(made)
    assert (later.state, later.contests, later.results) == ("planned", (), ())


def test_the_first_freeze_decides_and_the_next_one_after_it_is_lifted() -> None:
    made = started(championship(), rounds=1)
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.freeze_standings, stage=heats.uid)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    assert freezing(made.refresh().stage) == heats
    made.act(actions.lift_freeze, stage=heats.uid)
    assert freezing(made.refresh().stage) == made.stage
    assert len(seen(made).results[0].answer.rounds) == 1
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert freezing(made.refresh().stage) is None


def test_a_stage_before_the_frozen_one_is_shown_as_it_is() -> None:
    made = frozen(started(championship()))
    assert shown(Stage.objects.get(tournament=made.tournament, number=1)).frozen is None


# ---- who is in, who is out ----


def test_who_left_since_seems_to_play_on() -> None:
    made = running_match()
    made.act(actions.player_leaves, entry=made.uids[0])
    frozen(made)
    made.act(actions.remove_player, entry=made.uids[1], reason="hits")
    states = {name: entry.state for name, entry in taking_part(made.tournament).items()}
    assert states[str(made.uids[0])] == Entry.State.LEFT
    assert states[str(made.uids[1])] == Entry.State.REGISTERED
    assert Entry.objects.get(uid=made.uids[1]).state == Entry.State.DISQUALIFIED
    assert [seat.entry for seat in seen(made).contests[0].seats if seat.out_as] == [made.uids[0]]


def test_who_came_since_takes_part_and_is_not_out() -> None:
    made = frozen(running_session())
    late, gone = uuid4(), uuid4()
    for uid, name in ((late, "Late"), (gone, "Gone")):
        made.act(actions.walk_in, entry=uid, name=name)
    made.act(actions.remove_player, entry=gone, reason="hits")
    states = {uid: entry.state for uid, entry in taking_part(made.tournament).items()}
    assert states[str(late)] == Entry.State.CHECKED_IN
    assert states[str(gone)] == Entry.State.REGISTERED


def test_where_nothing_is_frozen_everybody_in_the_event_has_their_state() -> None:
    made = running_match()
    made.act(actions.player_leaves, entry=made.uids[0])
    assert taking_part(made.tournament)[str(made.uids[0])].state == Entry.State.LEFT
    assert list(taking_part(made.tournament)) == [str(entry.uid) for entry in made.entries]


def test_a_frozen_session_tells_where_its_players_sit_now() -> None:
    made = running_session(6, tables=2)
    frozen(made)
    first, second = (made.at(table) for table in made.tables)
    made.act(
        actions.seat_stage,
        stage=made.stage.uid,
        tables=[{"number": 1, "entries": second}, {"number": 2, "entries": first}],
    )
    [contest] = seen(made).contests
    assert {seat.entry for seat in contest.seats if seat.table == 1} == set(second)
    assert {player.entry for player in contest.players} == set(made.uids)


def test_where_somebody_sat_who_left_a_frozen_session_tells_nothing() -> None:
    made = frozen(running_session(4))
    made.act(actions.remove_player, entry=made.uids[0], reason="hits")
    assert Seat.objects.get(entry__uid=made.uids[0]).out_as
    assert not any(seat.out_as for seat in seen(made).contests[0].seats)


def test_a_running_game_of_the_freeze_goes_on() -> None:
    made = running_session(3)
    game = started_game(made, elapsed_s=60)
    frozen(made)
    made.act(actions.record_out, play=game, entry=made.uids[0], elapsed_s=90)
    play = seen(made).contests[0].play(game)
    assert play is not None
    assert {row.outcome for row in play.results} == {"playing"}


# ---- the reveal ----


def reveal(made: Event) -> tuple[Unveiled, ...]:
    state = seen(made).frozen
    assert state is not None
    assert state.unveiled is not None
    return state.unveiled


def step(made: Event) -> None:
    state = seen(made).frozen
    assert state is not None
    made.act(actions.reveal_next, stage=made.stage.uid, left=state.left)


def test_a_reveal_goes_from_the_last_place_to_the_first_and_shows_everything_in_a_step_of_its_own() -> None:
    made = finished_match(players=3)
    true = points(truth(made.stage))
    made.act(actions.begin_reveal, stage=made.stage.uid)
    [first] = reveal(made)
    assert (first.hidden, first.standings) == ((1, 2, 3), ())
    step(made)
    [second] = reveal(made)
    assert second.hidden == (1, 2)
    assert [(row.place, row.points) for row in second.standings] == [(3, true[-1][1])]
    step(made)
    assert reveal(made)[0].hidden == (1,)
    step(made)
    [last] = reveal(made)
    assert (last.hidden, [row.place for row in last.standings]) == ((), [1, 2, 3])
    assert points(seen(made)) != true
    step(made)
    assert (seen(made).frozen, points(seen(made))) == (None, true)
    assert agrees(made)


def test_who_shares_a_place_is_revealed_together() -> None:
    made = running_match(players=4, ruleset="tite-2022", target=250)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    frozen(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    assert reveal(made)[0].hidden == (1, 2, 3, 4)  # that three share one is told with it, not before
    step(made)
    assert reveal(made)[0].hidden == (1,)
    assert {row.place for row in reveal(made)[0].standings} == {2}
    step(made)
    assert [row.place for row in reveal(made)[0].standings] == [1, 2, 2, 2]


def test_who_has_no_place_is_shown_when_the_reveal_begins() -> None:
    made = running_match(players=4, ruleset="tite-2022", target=250)
    frozen(made)
    recorded_round(made)
    made.act(actions.remove_player, entry=made.uids[3], reason="hits")
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    [shows] = reveal(made)
    assert [(row.player, row.place) for row in shows.standings] == [(str(made.uids[3]), None)]


def test_at_several_tables_the_last_places_wait_for_each_other() -> None:
    made = running_match(players=7, ruleset="tite-2022", tables=2, target=250)
    sizes = [len(made.at(table)) for table in made.tables]
    assert sizes == [4, 3]
    for table in made.tables:
        winner, *others = made.at(table)
        hands = {str(uid): {"9": number} for number, uid in enumerate(others, 1)}
        made.act(actions.record_round, table=table.uid, play=uuid4(), number=1, winner=winner, hands=hands)
        second, *rest = others
        hands = {str(uid): {"7": number} for number, uid in enumerate([winner, *rest], 1)}
        made.act(actions.record_round, table=table.uid, play=uuid4(), number=2, winner=second, hands=hands)
        made.act(actions.stop_match, table=table.uid, reason="late")
    frozen(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    places = [
        sorted({row.place for row in each.answer.standings if row.place})
        for each in stage_results(made.refresh().stage)
    ]
    assert places == [[1, 2, 3], [1, 2, 3]]
    made.act(actions.begin_reveal, stage=made.stage.uid)
    step(made)
    assert [each.table_number for each in reveal(made)] == [1, 2]
    assert [set(each.hidden) for each in reveal(made)] == [{1, 2}, {1, 2}]


def test_heats_are_revealed_one_by_one_by_their_tables_numbers() -> None:
    made = running_heats(9, tables=3)
    frozen(made)
    for table in (made.tables[0], made.tables[2]):
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid, without=[2], reason="nobody finished")
    made.act(actions.begin_reveal, stage=made.stage.uid)
    assert [(each.hidden, each.heats) for each in reveal(made)] == [((1, 3), ())]
    step(made)
    [shows] = reveal(made)
    assert (shows.hidden, [number for number, _heat in shows.heats]) == ((3,), [1])
    winner = made.at(made.tables[0])[0]
    assert [row.player for row in shows.heats[0][1].results if row.advances] == [str(winner)]
    step(made)
    [shows] = reveal(made)
    assert (shows.hidden, [number for number, _heat in shows.heats]) == ((), [1, 3])
    step(made)
    assert seen(made).frozen is None


def test_a_reveal_has_at_least_the_step_that_shows_everything() -> None:
    made = frozen(running_session(3))
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert steps_of([]) == 1
    made.act(actions.begin_reveal, stage=made.stage.uid)
    made.refresh()
    assert left_of(made.stage, stage_results(made.stage)) == 1
    step(made)
    assert seen(made).frozen is None


def test_all_that_is_shown_at_a_step_is_the_truth() -> None:
    made = finished_match(players=4)
    [results] = stage_results(made.stage)
    standings = results.answer.standings
    for left in range(steps_of([results.answer]) + 1):
        shows = unveiled(results, left)
        assert len(shows.hidden) + len(shows.standings) == len(standings)
        assert set(shows.standings) <= set(standings)
        assert not {row.place for row in shows.standings} & set(shows.hidden)
        assert all(place is None or place >= left for place in (row.place for row in shows.standings))


def test_a_reveal_goes_on_where_an_earlier_stage_is_frozen_meanwhile() -> None:
    made = started(championship(), rounds=1)
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    frozen(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    made.act(actions.freeze_standings, stage=heats.uid)
    assert len(reveal(made)[0].hidden) == 2


def test_who_is_disqualified_sits_nowhere_any_more_nor_in_what_comes() -> None:
    made = running_session(3)
    out, ejected, last = made.uids
    coming = uuid4()
    made.act(actions.plan_stage, stage=coming, kind="session")
    made.act(actions.seat_stage, stage=coming, tables=[{"number": 1, "entries": made.uids}])
    results = [
        {"entry": out, "outcome": "out", "elapsed_s": 600},
        {"entry": ejected, "outcome": "ejected"},
        {"entry": last, "outcome": "last"},
    ]
    game = {"play": uuid4(), "number": 1, "ended": "last", "duration_s": 1200, "results": results}
    made.act(actions.record_game, table=made.table.uid, **game)
    made.refresh()
    assert {seat.entry for seat in still_sitting(shown(made.stage), {})} == {out, last}
    known = taking_part(made.tournament)
    seen = shown(Stage.objects.select_related("tournament").get(uid=coming))
    assert {seat.entry for seat in still_sitting(seen, known)} == {out, last}
    [table] = stage_board(made.tournament, seen.stage, known, seen=seen).seats
    assert len(table.people) == 2
