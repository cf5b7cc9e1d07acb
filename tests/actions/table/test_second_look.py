"""The second look: who accepts what, and what waits for it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.at_table import act_as, at_table, codes, final, open_calls, seen
from tests.support.factories import (
    Event,
    event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tests.support.undoing import agrees
from tournament import actions
from tournament.actions import Receipt
from tournament.models import (
    Call,
    LedgerNote,
    LedgerRow,
    Membership,
    Play,
    Stage,
    Table,
    User,
)
from tournament.queries.incidents import ACCEPT_WITHIN
from tournament.results.faults import Conflict, Refused
from tournament.words.faults import fault_text

pytestmark = pytest.mark.django_db

LATER = ACCEPT_WITHIN + timedelta(seconds=1)
Entered = tuple[Event, UUID]


def about(made: Event, play: UUID) -> dict[str, Any]:
    return {"play": play, "version": made.play(play).version}


def look(made: Event, play: UUID) -> str:
    return made.play(play).second_look


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    now = timezone.now() + by
    monkeypatch.setattr("tournament.actions.kernel.work.now", lambda: now)


def corrected(made: Event, play: UUID, user: User | None = None) -> None:
    seated = made.at(made.table)
    hands = {str(uid): {"3": 1} for uid in seated[1:]}
    act_as(
        user or made.user,
        made,
        actions.correct_round,
        **about(made, play),
        reason="counted again",
        winner=seated[0],
        hands=hands,
    )


def contested(made: Event, play: UUID) -> None:
    made.act(actions.contest_play, **about(made, play))


# ---- asking ----


def test_a_round_is_provisional_only_where_somebody_asks() -> None:
    for made, expected in ((running_match(), ""), (final(), "wanted")):
        assert look(made, recorded_round(made)) == expected


def test_asking_is_about_what_is_entered_from_then_on_and_can_be_taken_back_with_a_reason() -> None:
    made, asked, other = final(asked=False), final(), final(asked=False)
    elsewhere = [(each, recorded_round(each)) for each in (asked, other)]
    before = recorded_round(made)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True, reason="it is the final")
    first, second, fourth = (recorded_round(made) for _ in range(3))
    assert [look(made, play) for play in (before, first, second)] == ["", "wanted", "wanted"]
    contested(made, second)
    made.act(actions.void_play, **about(made, fourth), reason="why")
    with pytest.raises(Refused) as refused:
        made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False)
    assert codes(refused) == ["missing_reason"]
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False, reason="one referee only")
    assert [look(made, play) for play in (first, second, fourth)] == ["", "contested", "wanted"]
    assert [look(each, play) for each, play in elsewhere] == ["wanted", ""]
    notes = LedgerNote.objects.filter(row__action="ask_second_look").order_by("pk")
    assert list(notes.values_list("text", flat=True)) == ["it is the final", "one referee only"]
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    assert [look(made, play) for play in (before, first, second)] == ["", "", "contested"]
    assert agrees(made)


def test_one_play_can_be_asked_about_and_asked_again() -> None:
    made = final(asked=False)
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    with pytest.raises(Refused) as refused:
        made.act(actions.ask_second_look_at, play=play)
    assert codes(refused) == ["looked_at_already"]
    act_as(made.referee(), made, actions.accept_play, **about(made, play))
    made.act(actions.ask_second_look_at, play=play)
    assert look(made, play) == "wanted"
    corrected(made, play)
    assert look(made, play) == "wanted"


def test_a_game_that_was_set_aside_is_asked_about_when_it_counts_again() -> None:
    made = running_session(players=3)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    ejected, *others = made.uids

    def game(first: str) -> dict[str, Any]:
        times: list[int | None] = [100, 200, None]
        outs = zip([ejected, *others], [first, "out", "last"], times, strict=True)
        results: list[dict[str, Any]] = [
            {"entry": uid, "outcome": how, "elapsed_s": at, "hand": {}} for uid, how, at in outs
        ]
        return {"ended": "last", "duration_s": 200, "results": results}

    plays = [uuid4(), uuid4()]
    for number, play in enumerate(plays, 1):
        made.act(actions.record_game, table=made.table.uid, play=play, number=number, **game("out"))
    made.act(actions.correct_game, **about(made, plays[0]), reason="ejected", **game("ejected"))
    assert made.play(plays[1]).state == "set_aside"
    assert look(made, plays[1]) == "wanted"
    made.act(actions.correct_game, **about(made, plays[0]), reason="not ejected", **game("out"))
    assert [(made.play(play).state, look(made, play)) for play in plays] == [("entered", "wanted")] * 2
    assert agrees(made)


def test_what_was_entered_while_nobody_was_asked_is_asked_about_when_that_is_undone() -> None:
    made = final()
    row = made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False, reason="alone").sequence
    play = recorded_round(made)
    made.act(actions.undo, row=row)
    assert look(made, play) == "wanted"
    assert agrees(made)


def test_what_was_asked_about_at_several_tables_is_as_before_when_that_is_undone() -> None:
    made = running_match(players=4, tables=2)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    plays = []
    for table in made.refresh().tables:
        made.tables = [table]
        plays.append(recorded_round(made))
    row = made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False, reason="alone").sequence
    assert {look(made, play) for play in plays} == {""}
    made.act(actions.undo, row=row)
    assert [(look(made, play), made.play(play).table_id) for play in plays] == [
        ("wanted", table.pk) for table in made.refresh().tables
    ]
    assert agrees(made)


def test_a_running_game_is_asked_about_when_it_has_ended() -> None:
    made = running_session(players=2)
    play = started_game(made)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    assert look(made, play) == ""
    made.act(actions.record_out, play=play, entry=made.uids[0])
    assert look(made, play) == "wanted"


def test_what_was_entered_before_anybody_was_asked_stays_so_when_something_else_is_undone() -> None:
    made = final(asked=False)
    play = recorded_round(made)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    tick = made.act(actions.set_decks, decks=3).sequence
    made.act(actions.undo, row=tick)
    assert look(made, play) == ""


# ---- several at once ----


def test_a_second_referee_accepts_several_rounds_at_once_and_takes_that_back() -> None:
    made = final()
    plays = [recorded_round(made) for _ in range(3)]
    referee = made.referee(Membership.Role.TABLE_REFEREE)
    asked = {"table": made.table.uid, "plays": seen(made, *plays)}
    row = act_as(referee, made, actions.accept_plays, **asked).sequence
    assert [look(made, play) for play in plays] == ["accepted"] * 3
    act_as(referee, made, actions.undo_at_table, table=made.table.uid, row=row)
    assert [look(made, play) for play in plays] == ["wanted"] * 3
    assert agrees(made)


def test_of_several_rounds_each_that_was_changed_meanwhile_is_named_and_none_is_accepted() -> None:
    made = final()
    plays = [recorded_round(made) for _ in range(4)]
    asked = {"table": made.table.uid, "plays": seen(made, *plays)}
    corrected(made, plays[1])
    contested(made, plays[2])
    tries: list[Callable[[], object]] = [
        lambda: act_as(made.referee(), made, actions.accept_plays, **asked),
        lambda: at_table(made, actions.accept_plays_at_table, plays=asked["plays"]),
    ]
    for try_it in tries:
        with pytest.raises(Refused) as refused:
            try_it()
        assert [
            fault_text(fault).split(" has changed in the meantime.")[0] for fault in refused.value.faults
        ] == [
            "Table 1, round 2",
            "Table 1, round 3",
        ]
    assert [look(made, play) for play in plays] == ["wanted", "wanted", "contested", "wanted"]


def test_nobody_accepts_the_own_round_among_several() -> None:
    made = final()
    plays = seen(made, *(recorded_round(made) for _ in range(2)))
    with pytest.raises(Refused) as refused:
        made.act(actions.accept_plays, table=made.table.uid, plays=plays)
    assert codes(refused) == ["own_entry"]


def test_the_players_accept_several_rounds_at_once_within_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = final()
    plays = [recorded_round(made) for _ in range(2)]
    later(monkeypatch, ACCEPT_WITHIN - timedelta(seconds=30))
    plays.append(recorded_round(made))
    at_table(made, actions.accept_plays_at_table, plays=seen(made, *plays[:2]))
    assert [look(made, play) for play in plays] == ["accepted", "accepted", "wanted"]
    later(monkeypatch, LATER + ACCEPT_WITHIN)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.accept_plays_at_table, plays=seen(made, plays[2]))
    assert codes(refused) == ["too_late_to_accept"]
    assert agrees(made)


# ---- who may do what in which state ----


def wanted() -> Entered:
    made = final()
    return made, recorded_round(made)


def none() -> Entered:
    made = final(asked=False)
    return made, recorded_round(made)


def accepted() -> Entered:
    made, play = wanted()
    act_as(made.referee(), made, actions.accept_play, **about(made, play))
    return made, play


def in_dispute() -> Entered:
    made, play = wanted()
    contested(made, play)
    return made, play


def void() -> Entered:
    made, play = wanted()
    made.act(actions.void_play, **about(made, play), reason="why")
    return made, play


def tried(made: Event, play: UUID, who: str, what: str) -> str:
    """Give the state of the play afterwards, or the fault."""
    name: Callable[..., Receipt]
    try:
        if who == "table":
            name = {"accept": actions.accept_play_at_table, "contest": actions.contest_play_at_table}[what]
            at_table(made, name, **about(made, play))
        else:
            user = made.user if who == "enterer" else made.referee(Membership.Role.TABLE_REFEREE)
            name = {"accept": actions.accept_play, "contest": actions.contest_play}[what]
            act_as(user, made, name, **about(made, play))
    except Refused as refused:
        return refused.faults[0].code
    return look(made, play)


@pytest.mark.parametrize(
    ("state", "who", "accept", "contest"),
    [
        (none, "enterer", "nothing_to_accept", "nothing_to_accept"),
        (none, "other", "nothing_to_accept", "nothing_to_accept"),
        (none, "table", "nothing_to_accept", "nothing_to_accept"),
        (wanted, "enterer", "own_entry", "contested"),
        (wanted, "other", "accepted", "contested"),
        (wanted, "table", "accepted", "contested"),
        (accepted, "enterer", "nothing_to_accept", "contested"),
        (accepted, "other", "nothing_to_accept", "contested"),
        (accepted, "table", "nothing_to_accept", "nothing_to_accept"),
        (in_dispute, "enterer", "own_entry", "nothing_to_accept"),
        (in_dispute, "other", "accepted", "nothing_to_accept"),
        (in_dispute, "table", "nothing_to_accept", "nothing_to_accept"),
        (void, "other", "nothing_to_accept", "nothing_to_accept"),
        (void, "table", "nothing_to_accept", "nothing_to_accept"),
    ],
)
@pytest.mark.sweep
def test_states_and_who_may_do_what(
    state: Callable[[], Entered], who: str, accept: str, contest: str
) -> None:
    for what, becomes in (("accept", accept), ("contest", contest)):
        made, play = state()
        assert tried(made, play, who, what) == becomes, what
        assert agrees(made)


def test_who_corrected_it_last_does_not_accept_it_but_who_entered_it_may() -> None:
    made, play = wanted()
    other = made.referee()
    corrected(made, play, other)
    with pytest.raises(Refused) as refused:
        act_as(other, made, actions.accept_play, **about(made, play))
    assert codes(refused) == ["own_entry"]
    made.act(actions.accept_play, **about(made, play))
    assert look(made, play) == "accepted"


def test_an_older_version_is_not_accepted() -> None:
    made, play = wanted()
    seen = about(made, play)
    corrected(made, play)
    with pytest.raises(Conflict):
        act_as(made.referee(), made, actions.accept_play, **seen)
    with pytest.raises(Conflict):
        at_table(made, actions.accept_play_at_table, **seen)


def test_the_players_have_a_quarter_of_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    made, play = wanted()
    later(monkeypatch, LATER)
    for action in (actions.accept_play_at_table, actions.contest_play_at_table):
        with pytest.raises(Refused) as refused:
            at_table(made, action, **about(made, play))
        assert codes(refused) == ["too_late_to_accept"]
        assert refused.value.faults[0].parameters == {"minutes": 15}
    act_as(made.referee(), made, actions.accept_play, **about(made, play))


def test_the_last_moment_of_the_quarter_is_the_players_too(monkeypatch: pytest.MonkeyPatch) -> None:
    made, play = wanted()
    entered = LedgerRow.objects.get(tournament=made.tournament, sequence=made.play(play).version)
    monkeypatch.setattr("tournament.actions.kernel.work.now", lambda: entered.at + ACCEPT_WITHIN)
    at_table(made, actions.accept_play_at_table, **about(made, play))
    assert look(made, play) == "accepted"


def test_who_accepts_another_version_than_they_saw_is_told_of_both() -> None:
    made, play = wanted()
    seen = {"play": play, "version": made.play(play).version - 1}
    with pytest.raises(Conflict) as other:
        act_as(made.referee(), made, actions.accept_play, **seen)
    assert other.value.current.play.second_look == "wanted"
    assert other.value.offered.play.second_look == "accepted"


def test_the_players_of_another_table_say_nothing_of_it() -> None:
    made = running_match(players=4, tables=2)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    play = recorded_round(made)
    with pytest.raises(Refused) as refused:
        at_table(made, actions.accept_play_at_table, made.tables[1], **about(made, play))
    assert codes(refused) == ["unknown_play"]


# ---- calls ----


def test_a_contest_calls_a_referee_until_it_is_settled() -> None:
    for settle in (
        corrected,
        lambda made, play: act_as(made.referee(), made, actions.accept_play, **about(made, play)),
        lambda made, play: made.act(actions.void_play, **about(made, play), reason="why"),
    ):
        made, play = in_dispute()
        (call,) = open_calls(made)
        assert (call.kind, call.play.uid if call.play else None) == (Call.Kind.CONTEST, play)
        settle(made, play)
        assert open_calls(made) == []
        call.refresh_from_db()
        assert call.answered_by
        assert agrees(made)


def test_players_take_back_what_they_contested_and_not_what_a_referee_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, play = wanted()
    assert tried(made, play, "table", "contest") == "contested"
    assert len(open_calls(made)) == 1
    assert tried(made, play, "table", "accept") == "accepted"
    assert open_calls(made) == []
    assert agrees(made)
    made, play = wanted()
    assert tried(made, play, "other", "contest") == "contested"
    assert tried(made, play, "table", "accept") == "nothing_to_accept"
    made, play = wanted()
    assert tried(made, play, "table", "contest") == "contested"
    later(monkeypatch, LATER)
    assert tried(made, play, "table", "accept") == "too_late_to_accept"


def test_a_call_goes_on_about_the_other_play_that_is_contested() -> None:
    made = final()
    first, second = recorded_round(made), recorded_round(made)
    contested(made, first)
    contested(made, second)
    corrected(made, first)
    (call,) = open_calls(made)
    assert call.play
    assert call.play.uid == second
    assert agrees(made)
    corrected(made, second)
    assert open_calls(made) == []
    assert agrees(made)


def test_a_table_that_called_for_help_is_called_to_about_a_contest_too_and_each_table_for_itself() -> None:
    made = running_match(players=6, tables=2)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    here, there = made.tables
    first, second = recorded_round(made), recorded_round(made)
    made.tables = [there]
    elsewhere = recorded_round(made)
    made.tables = [here]

    def called_to() -> set[tuple[Table, str]]:
        return {(call.table, str(call.kind)) for call in open_calls(made)}

    at_table(made, actions.call_at_table, here)
    for play in (elsewhere, first):
        contested(made, play)
    assert called_to() == {(here, "help"), (there, "contest"), (here, "contest")}
    corrected(made, first)
    assert called_to() == {(here, "help"), (there, "contest")}
    contested(made, second)
    at_table(made, actions.call_at_table, there)
    assert called_to() == {(table, kind) for table in (here, there) for kind in ("help", "contest")}
    act_as(made.referee(), made, actions.accept_play, **about(made, elsewhere))
    assert called_to() == {(here, "help"), (here, "contest"), (there, "help")}
    (help_here,) = (call for call in open_calls(made) if (call.table, call.kind) == (here, "help"))
    made.act(actions.answer_call, call=help_here.uid)
    act_as(made.referee(), made, actions.accept_play, **about(made, second))
    assert called_to() == {(there, "help")}
    at_table(made, actions.call_at_table, here)
    assert (here, "help") in called_to()


def test_a_call_stays_about_its_play_while_another_is_settled() -> None:
    made = final()
    first, second, third, fourth = (recorded_round(made) for _ in range(4))
    for play in (second, first, third):
        contested(made, play)
    act_as(made.referee(), made, actions.accept_play, **about(made, third))
    assert [call.play.uid for call in open_calls(made) if call.play] == [second]
    made.act(actions.void_play, **about(made, fourth), reason="why")
    assert [call.play.uid for call in open_calls(made) if call.play] == [second]


def test_a_contested_play_that_was_set_aside_keeps_no_referee_at_the_table() -> None:
    made = running_match(players=2, target=50)
    first, _second, third = (recorded_round(made) for _ in range(3))
    for play in (third, first):
        made.act(actions.ask_second_look_at, play=play)
    contested(made, third)
    winner, other = made.at(made.table)
    for card in ("wild", "wild4"):
        ended = {"winner": winner, "hands": {str(other): {card: 1}}, "reason": "miscounted"}
        made.act(actions.correct_round, **about(made, first), **ended)
        assert (made.play(third).state, look(made, third)) == ("set_aside", "contested")
        assert len(open_calls(made)) == (card == "wild")
        if card == "wild":
            contested(made, first)


def test_no_call_goes_on_about_a_play_that_the_correction_sets_aside() -> None:
    made = running_match(players=2, target=50)
    first, second = (recorded_round(made) for _ in range(2))
    for play in (first, second):
        made.act(actions.ask_second_look_at, play=play)
        contested(made, play)
    winner, other = made.at(made.table)
    ended = {"winner": winner, "hands": {str(other): {"wild": 1}}, "reason": "miscounted"}
    made.act(actions.correct_round, **about(made, first), **ended)
    assert made.play(second).state == "set_aside"
    assert open_calls(made) == []


# ---- finishing ----


def test_a_stage_is_not_finished_while_a_play_waits() -> None:
    made = final()
    first, second = recorded_round(made), recorded_round(made)
    contested(made, second)
    made.act(actions.stop_match, table=made.table.uid)
    with pytest.raises(Refused) as refused:
        made.act(actions.finish_stage, stage=made.stage.uid)
    assert [(fault.code, fault.parameters["number"]) for fault in refused.value.faults] == [
        ("play_unaccepted", 1),
        ("play_contested", 2),
    ]
    at_table(made, actions.accept_play_at_table, **about(made, first))
    act_as(made.referee(), made, actions.accept_play, **about(made, second))
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert {play.state for play in Play.objects.all()} == {"official"}
    assert agrees(made)


def test_a_stage_says_which_round_it_waits_for() -> None:
    made, play = wanted()
    contested(made, play)
    with pytest.raises(Refused) as refused:
        made.act(actions.finish_stage, stage=made.stage.uid)
    said = [fault_text(fault) for fault in refused.value.faults]
    assert "Table 1, round 1 is contested. Correct it, or let another referee confirm it." in said


def test_one_referee_alone_finishes_without_second_looks() -> None:
    made, _play = wanted()
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False, reason="one referee")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.refresh()
    assert made.stage.state == "finished"


def test_one_referee_alone_settles_their_own_contested_round() -> None:
    made, play = wanted()
    assert tried(made, play, "table", "contest") == "contested"
    winner, *others = made.at(made.table)
    same = {"winner": winner, "hands": {str(uid): {"7": 1} for uid in others}}
    made.act(actions.correct_round, **about(made, play), **same, reason="counted again")
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=False, reason="one referee")
    assert look(made, play) == ""
    assert open_calls(made) == []


def test_a_final_that_is_planned_by_a_form_is_looked_at_twice() -> None:
    made = event("tite-2022", 4)
    heats, last = uuid4(), uuid4()
    made.act(
        actions.set_levels,
        levels=[
            {"stage": heats, "kind": "heats"},
            {"stage": last, "kind": "final", "settings": {"target": 300}},
        ],
    )
    planned = dict(Stage.objects.filter(tournament=made.tournament).values_list("kind", "second_look"))
    assert planned == {"heats": False, "final": True}
    made.act(actions.ask_second_look, stage=last, wanted=False, reason="small")
    made.act(actions.set_levels, levels=[{"stage": heats, "kind": "heats"}, {"stage": last, "kind": "final"}])
    assert not Stage.objects.get(uid=last).second_look


# ---- proposals ----
