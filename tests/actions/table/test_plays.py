"""Going back to an earlier version of a play, and moving one to the table where it was played."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from tests.actions.test_any_order import Heats, Match, Session, taken_back, without_voids
from tests.depth import examples
from tests.scoring import sheets
from tests.support.asking_actions import (
    agrees,
    conflict,
    refusal,
    results,
    standings,
    state_of,
    states,
    version,
)
from tests.support.at_table import act_as, over_before
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.paper import Json, paper, recorded_game
from tests.support.undoing import facts as all_facts
from tournament import actions
from tournament.actions.table.plays import preview_revert
from tournament.models import LedgerNote, LedgerRow, Play, Result
from tournament.pages.desk.play import comparison
from tournament.pages.desk.table import Scene
from tournament.results.contests import contest_now
from tournament.results.faults import Forbidden
from tournament.server.clock import now

CORRECTIONS: dict[Any, Any] = {
    actions.record_game: actions.correct_game,
    actions.record_round: actions.correct_round,
    actions.record_heat: actions.correct_heat,
}


def facts(made: Event) -> Json:
    """Give all facts but the incidents: these stay listed, and an ejection that was taken back is listed as such."""
    return {kind: rows for kind, rows in all_facts(made).items() if kind != "incident"}


def back(made: Event, play: UUID, to: int, **more: Any) -> int:
    asked = {"play": play, "version": version(made, play), "to": to, **more}
    return made.act(actions.revert_play, **asked).sequence


def correct_round(made: Event, play: UUID, hand: Json, **more: Any) -> None:
    winner, *others = made.at(made.table)
    gone = [*more.get("removed", ()), *more.get("withdrawn", ())]
    made.act(
        actions.correct_round,
        play=play,
        version=version(made, play),
        reason="miscounted",
        winner=winner,
        hands={str(uid): hand for uid in others if uid not in gone},
        **more,
    )


def correct_heat(made: Event, play: UUID, *order: UUID, **more: Any) -> None:
    seen = {"play": play, "version": version(made, play), "reason": "wrong name"}
    made.act(actions.correct_heat, **seen, finish_order=list(order), **more)


@pytest.mark.django_db
def test_a_round_goes_back_with_those_who_left_in_it() -> None:
    earlier = running_match(players=3)  # another event with rows of the same numbers
    recorded_round(earlier)
    made = running_match(players=3)
    play = recorded_round(made)
    before, first = facts(made), version(made, play)
    correct_round(made, play, {"9": 1}, withdrawn=[made.uids[2]])
    assert state_of(made.uids[2]) == "left"
    back(made, play, first)
    assert facts(made) == before
    assert agrees(made)


@pytest.mark.django_db
def test_a_match_that_a_correction_ended_goes_on_again() -> None:
    made = running_match(players=2, target=50)
    first, *_others = [recorded_round(made) for _number in range(3)]
    was = version(made, first)
    correct_round(made, first, {"wild": 1})
    assert states(made) == ["entered", "set_aside", "set_aside"]
    ended = version(made, first)
    back(made, first, was)
    assert states(made) == ["entered", "entered", "entered"]
    back(made, first, ended)  # what was reverted is a version too
    assert states(made) == ["entered", "set_aside", "set_aside"]
    assert agrees(made)


@pytest.mark.django_db
def test_a_void_is_undone_and_done_again() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    first = version(made, play)
    made.act(actions.void_play, play=play, version=first, reason="misdeal")
    voided = version(made, play)
    back(made, play, first)
    assert states(made) == ["entered"]
    assert standings(made)["Aino"] == (1, "ranked", 7)
    back(made, play, voided)
    assert states(made) == ["void"]


@pytest.mark.django_db
def test_what_was_set_aside_together_is_left_out_together_and_comes_back_together() -> None:
    made, later = over_before(later=5)
    referee = made.referee("table_referee")
    was = all_facts(made)
    made.act(actions.leave_out_plays, table=made.table.uid, plays=later, reason="the match was over")
    assert states(made) == ["entered", *["void"] * 5]
    row = LedgerRow.objects.get(action="leave_out_plays")
    assert LedgerNote.objects.get(row=row).text == "the match was over"
    act_as(referee, made, actions.undo_at_table, table=made.table.uid, row=row.sequence)
    assert all_facts(made) == was
    assert LedgerRow.objects.latest("sequence").action == "undo"
    assert agrees(made)


@pytest.mark.django_db
def test_what_was_left_out_counts_again_when_that_is_undone_and_the_match_goes_on_meanwhile() -> None:
    made, later = over_before()
    first = made.table.plays.get(number=1)
    row = made.act(actions.leave_out_plays, table=made.table.uid, plays=later, reason="over").sequence
    correct_round(made, first.uid, {"7": 1})
    assert states(made) == ["entered", "void", "void"]
    made.act(actions.undo_at_table, table=made.table.uid, row=row)
    assert states(made) == ["entered"] * 3
    assert agrees(made)


@pytest.mark.django_db
def test_leaving_out_says_which_round_was_changed_meanwhile_and_leaves_out_none() -> None:
    made, later = over_before()
    table = made.table.uid
    asked = {"table": table, "plays": later, "reason": "over"}
    first = made.table.plays.get(number=1)
    counts = [{"play": first.uid, "version": first.version}]
    assert refusal(made, actions.leave_out_plays, **asked | {"reason": " "}) == [
        ("missing_reason", "/reason")
    ]
    assert refusal(made, actions.leave_out_plays, **asked | {"plays": []}) == [("malformed", "/plays")]
    missing = [{"play": uuid4(), "version": 1}]
    assert refusal(made, actions.leave_out_plays, **asked | {"plays": missing}) == [
        ("unknown_play", "/plays")
    ]
    made.act(actions.void_play, **later[0], reason="entered twice")
    assert refusal(made, actions.leave_out_plays, **asked | {"plays": counts + later}) == [
        ("changed_meanwhile", f"/plays/{each['play']}") for each in (*counts, later[0])
    ]
    assert states(made) == ["entered", "void", "set_aside"]


@pytest.mark.django_db
def test_a_table_referee_undoes_what_touched_the_own_table_alone() -> None:
    made = running_match(players=4, tables=2)
    other, own = made.tables
    made.tables = [other]
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    asked = {"plays": [{"play": play, "version": version(made, play)}]}
    row = act_as(made.referee(), made, actions.accept_plays, table=other.uid, **asked).sequence
    referee = made.referee("table_referee", table=own)
    for table in (own, other):
        with pytest.raises(Forbidden):
            act_as(referee, made, actions.undo_at_table, table=table.uid, row=row)
    act_as(made.referee("table_referee", table=other), made, actions.undo_at_table, table=other.uid, row=row)
    assert made.play(play).second_look == "wanted"
    assert agrees(made)
    void = made.act(actions.void_play, play=play, version=version(made, play), reason="why").sequence
    wrong = {"table": other.uid, "row": void}
    assert refusal(made, actions.undo_at_table, **wrong) == [("cannot_be_undone", "/row")]


@pytest.mark.django_db
def test_a_heat_goes_back_unless_another_counts_now() -> None:
    made = running_heats(players=4, tables=1)
    play = recorded_heat(made)
    before, first = facts(made), version(made, play)
    second = made.at(made.table)[1]
    correct_heat(made, play, second, removed=[made.at(made.table)[0]])
    back(made, play, first)
    assert facts(made) == before
    made.act(actions.void_play, play=play, version=version(made, play), reason="played again")
    recorded_heat(made)
    asked = {"play": play, "version": version(made, play), "to": first}
    assert refusal(made, actions.revert_play, **asked) == [("heat_recorded", "/play")]


@pytest.mark.django_db
def test_a_heat_goes_back_to_another_void_version_though_another_counts_now() -> None:
    made = running_heats(players=4, tables=1)
    play = recorded_heat(made)
    first = version(made, play)
    made.act(actions.void_play, play=play, version=first, reason="cards were missing")
    void = version(made, play)
    back(made, play, first)
    correct_heat(made, play, made.at(made.table)[1])
    made.act(actions.void_play, play=play, version=version(made, play), reason="cards were missing")
    recorded_heat(made)
    back(made, play, void)
    assert states(made) == ["void", "entered"]
    assert made.play(play).results.get(finish=1).entry.uid == made.at(made.table)[0]


@pytest.mark.django_db
def test_a_game_goes_back_with_the_ejection_that_was_in_it() -> None:
    made = running_session(players=3)
    one, two, three = made.uids
    play = recorded_game(made, (one, "out", 60), (two, "last", None), (three, "ejected", None), duration_s=60)
    before, first = facts(made), version(made, play)
    made.act(
        actions.correct_game,
        play=play,
        version=first,
        reason="nobody was ejected",
        ended="last",
        results=paper((one, "out", 60), (two, "last", None)),
    )
    assert state_of(three) != "disqualified"
    back(made, play, first)
    assert facts(made) == before
    assert state_of(three) == "disqualified"


Change = tuple[str, Json]  # the fact that differs, and the arguments that differ
# Facts that no correction changes by themselves; `other_start` goes with the start.
NO_CHANGES = {"table", "number", "entered_at", "other_start", "second_look", "entry"}


def a_game(made: Event) -> tuple[Any, Json, list[Change]]:
    one, two, three = made.uids
    began = now()

    def results(out_s: int = 60, how: str = "gave_up", hand: str = "7") -> list[Json]:
        left = {"entry": three, "outcome": how, "elapsed_s": 90}
        remains = {"entry": two, "outcome": "remaining", "hand": {hand: 1}}
        return [{"entry": one, "outcome": "out", "elapsed_s": out_s}, remains, left]

    game = {"ended": "early", "duration_s": 600, "decks": 1, "started_at": began, "results": results()}
    changes: list[Change] = [
        ("ended", {"ended": "time", "duration_s": None}),
        ("duration_s", {"duration_s": 700}),
        ("decks", {"decks": 2}),
        ("started_at", {"started_at": began - timedelta(seconds=1)}),
        ("started_at", {"started_at": None}),
        ("elapsed_s", {"results": results(out_s=61)}),
        ("outcome", {"results": results(how="ejected")}),
        ("hand", {"results": results(hand="8")}),
    ]
    return actions.record_game, game, changes


def a_round(made: Event) -> tuple[Any, Json, list[Change]]:
    one, two, three = made.uids
    held = {str(two): {"7": 3}, str(three): {"7": 3}}
    last = {"winner": one, "hands": held, "last_cards": {"draw2": 1}, "drew": two}
    return (
        actions.record_round,
        last,
        [("last_cards", {"last_cards": {}, "drew": None}), ("drew", {"drew": three})],
    )


def a_heat(made: Event) -> tuple[Any, Json, list[Change]]:
    one, two, *_others = made.at(made.table)
    heat = {"finish_order": [one, two], "advance": 2}
    return actions.record_heat, heat, [("advance", {"advance": 1}), ("finish", {"finish_order": [two, one]})]


@pytest.mark.django_db
def test_each_fact_of_a_play_that_a_correction_changes_is_read_back_and_taken_back() -> None:
    seen = {"state"}  # by test_a_void_is_undone_and_done_again
    plays = [
        (running_session(players=3), a_game),
        (running_match(players=3), a_round),
        (running_heats(), a_heat),
    ]
    for made, arranged in plays:
        record, arguments, changes = arranged(made)
        play = uuid4()
        made.act(record, table=made.table.uid, play=play, number=1, **arguments)
        scene, first = Scene(made.table, contest_now(made.table), None), version(made, play)
        for fact, change in changes:
            asked = {"play": play, "version": version(made, play), "reason": "misread"}
            made.act(CORRECTIONS[record], **asked, **arguments | change)
            changed = contest_now(made.table).play(play)
            assert changed
            rows = comparison(scene.play(play), changed, scene, yours_by="", theirs_by="").rows
            assert any(row.differs for row in rows), fact
            back(made, play, first)
            assert contest_now(made.table).plays == scene.contest.plays, fact
            seen.add(fact)
    fields = {line.name for line in (*Play.FIELDS.ledger, *Result.FIELDS.ledger)}
    assert seen == fields - NO_CHANGES


@pytest.mark.django_db
def test_the_reason_is_the_row_unless_one_is_given() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    first = version(made, play)
    correct_round(made, play, {"9": 1})
    second = version(made, play)
    one, other = back(made, play, first), back(made, play, second, reason="It was a 9 after all")
    notes = dict(LedgerNote.objects.values_list("row__sequence", "text"))
    assert (notes[one], notes[other]) == (str(first), "It was a 9 after all")
    assert LedgerRow.objects.get(tournament=made.tournament, sequence=other).replaces == one


@pytest.mark.django_db
def test_what_cannot_be_gone_back_to_is_refused() -> None:
    made = running_match(players=2)
    play, other = recorded_round(made), recorded_round(made)
    first = version(made, play)
    seen = {"play": play, "version": first}
    for to, code in [
        (first, "same_version"),
        (version(made, other), "unknown_version"),
        (0, "unknown_version"),
    ]:
        assert refusal(made, actions.revert_play, **seen, to=to) == [(code, "/to")]
    correct_round(made, play, {"9": 1})
    stale = conflict(made, actions.revert_play, **seen, to=first)
    assert stale.current.play.version == version(made, play)


@pytest.mark.django_db
def test_a_version_of_a_running_game_is_none_to_go_back_to() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    began = version(made, play)
    assert refusal(made, actions.revert_play, play=play, version=began, to=began) == [
        ("game_running", "/play")
    ]
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=300)
    seen = {"play": play, "version": version(made, play)}
    assert refusal(made, actions.revert_play, **seen, to=began) == [("version_running", "/to")]


@pytest.mark.django_db
def test_who_did_not_come_is_so_again() -> None:
    made = running_match(players=3)
    third = made.uids[2]
    made.act(actions.no_show, entries=[third])
    play = uuid4()
    first, second = made.uids[:2]
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=play,
        number=1,
        winner=first,
        hands={str(second): {"7": 1}},
    )
    before, was = facts(made), version(made, play)
    correct_round(made, play, {"7": 1}, withdrawn=[])
    assert state_of(third) == "checked_in"
    back(made, play, was)
    assert state_of(third) == "no_show"
    assert facts(made) == before


@pytest.mark.django_db
def test_who_had_left_after_the_round_and_came_back_is_here_with_a_seat() -> None:
    made = running_match(players=3)
    third = made.uids[2]
    play = recorded_round(made)
    made.act(actions.player_leaves, entry=third)
    correct_round(made, play, {"8": 1})
    was = version(made, play)
    made.act(actions.readmit_player, entry=third)
    before = facts(made)
    correct_round(made, play, {"8": 1}, withdrawn=[third])
    assert state_of(third) == "left"
    back(made, play, was)
    assert state_of(third) == "checked_in"
    assert facts(made) == before
    assert agrees(made)


@pytest.mark.django_db
def test_a_stage_is_not_finished_while_a_round_waits_for_a_decision() -> None:
    made = running_match(players=2, target=50)
    first, second = recorded_round(made), recorded_round(made)
    correct_round(made, first, {"wild": 1})
    finish = {"stage": made.stage.uid}
    assert refusal(made, actions.finish_stage, **finish) == [("set_aside_undecided", f"/plays/{second}")]
    made.act(actions.void_play, play=second, version=version(made, second), reason="did not play")
    made.act(actions.finish_stage, **finish)
    assert agrees(made)


@pytest.mark.django_db
def test_whether_a_second_person_accepts_it_is_not_turned_back() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    first = version(made, play)
    made.act(actions.ask_second_look_at, play=play)
    correct_round(made, play, {"9": 1})
    back(made, play, first)
    assert made.play(play).second_look == "wanted"


@pytest.mark.django_db
def test_a_version_that_was_official_is_entered_again_once_the_stage_is_open() -> None:
    made = running_match(players=2, target=50)
    play = recorded_round(made, None, **{str(made.uids[1]): {"wild": 1}})
    made.act(actions.finish_stage, stage=made.stage.uid)
    official = version(made, play)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted")
    correct_round(made, play, {"wild": 2})
    back(made, play, official)
    assert states(made) == ["entered"]
    assert standings(made)["Aino"] == (1, "ranked", 50)


@pytest.mark.django_db
def test_who_came_back_since_makes_no_other_version_of_a_game() -> None:
    made = running_session(players=4)
    one, two, three, gone = made.uids
    made.act(actions.player_leaves, entry=gone)
    play = recorded_game(made, (one, "out", 60), (two, "out", 120), (three, "last", None))
    made.act(actions.readmit_player, entry=gone)
    seen = version(made, play)
    asked = {"play": play, "version": seen, "to": seen}
    assert refusal(made, actions.revert_play, **asked) == [("same_version", "/to")]


@pytest.mark.sweep
class TestCorrectedAndBack(TestCase):
    """A correction that is reverted leaves the facts as they were, no matter what was entered around it."""

    def check(self, evening: Session | Match | Heats) -> None:
        with taken_back(evening.began):
            self.check_there(evening)

    def check_there(self, evening: Session | Match | Heats) -> None:
        evening.play()
        rows = evening.sheet[evening.rows]
        for _time in range(3):
            index = evening.draw(st.sampled_from(range(len(rows))))
            play = evening.plays[index]
            before, was = facts(evening.made), version(evening.made, play)
            how = evening.void if evening.draw(st.booleans(), label="void") else None
            if how:
                done = evening.tried(how, index)
            else:
                done = evening.tried(evening.correct, index, evening.other(rows[index]))
            if done and version(evening.made, play) != was and facts(evening.made) != before:
                back(evening.made, play, was)
                assert facts(evening.made) == before
        assert agrees(evening.made)

    @examples(12)
    @given(
        data=st.data(), sheet=sheets.sessions(most_games=3).map(without_voids).filter(lambda it: it["games"])
    )
    def test_a_session(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Session(data, sheet))

    @examples(12)
    @given(data=st.data(), sheet=sheets.matches().filter(lambda it: any("winner" in r for r in it["rounds"])))
    def test_a_match(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Match(data, sheet))

    @examples(12)
    @given(data=st.data(), sheet=sheets.heats().filter(lambda it: it["heats"]))
    def test_heats(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Heats(data, sheet))


# ---- a play at the wrong table ----


@pytest.mark.django_db
def test_a_game_goes_back_to_players_who_sit_there_no_more() -> None:
    made = running_session(players=3)
    one, two, three = made.uids
    play = recorded_game(made, (one, "out", 60), (two, "out", 120), (three, "last", None))
    first = version(made, play)
    two_left = paper((one, "out", 60), (two, "last", None))
    asked = {"play": play, "version": first, "reason": "was not there", "ended": "last", "results": two_left}
    made.act(actions.correct_game, **asked)
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=[one, two])
    contest = contest_now(made.table)
    current = contest.play(play)
    assert current
    assert len(contest.players) == 2
    seen = preview_revert(made.table, contest, current, first)
    back(made, play, first)
    assert {"Aino", "Börje", "Cécile"} == standings(made).keys()
    assert seen.answer.as_json() == results(made).answer.as_json()
