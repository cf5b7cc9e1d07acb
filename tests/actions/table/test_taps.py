"""A running KPGUT game's clock and its taps by more than one referee: a start put right, one fact said twice."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import conflict, refusal, state_of, states
from tests.support.factories import Event, event, running_session, started_game
from tournament import actions
from tournament.actions import Receipt
from tournament.actions.kernel import work
from tournament.models import Entry, LedgerRow, Play
from tournament.results.faults import Agreed, Fault, Refused
from tournament.server import clock

pytestmark = pytest.mark.django_db


def seconds(made: Event, play: UUID) -> list[int | None]:
    return list(made.play(play).results.order_by("id").values_list("elapsed_s", flat=True))


def out(made: Event, play: UUID, player: int, elapsed_s: int, **more: Any) -> None:
    asked = {"play": play, "entry": made.uids[player], "elapsed_s": elapsed_s}
    made.act(actions.record_out, **(asked | more))


def agreed(made: Event, play: UUID, player: int, elapsed_s: int) -> bool:
    """Tell whether a second referee who says so hears that it is there already."""
    command = actions.Command(uuid4(), made.referee())
    before = LedgerRow.objects.count()
    try:
        actions.record_out(
            command, made.tournament.uid, play=play, entry=made.uids[player], elapsed_s=elapsed_s
        )
    except Agreed as there:
        by = there.current.by
    else:
        return False
    assert by == made.user.display_name()
    assert LedgerRow.objects.count() == before
    return True


def test_two_taps_a_few_seconds_apart_are_one_fact_with_the_earlier_second() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    assert agreed(made, play, 0, 502)
    assert seconds(made, play)[0] == 500
    assert not agreed(made, play, 0, 498)
    assert seconds(made, play)[0] == 498
    assert made.play(play).state == "running"
    assert conflict(made, actions.record_out, play=play, entry=made.uids[0], elapsed_s=450)


@pytest.mark.parametrize(("elapsed_s", "same"), [(500, True), (505, True), (506, False)])
def test_up_to_five_seconds_later_it_is_the_same_fact(elapsed_s: int, same: bool) -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    if same:
        assert agreed(made, play, 0, elapsed_s)
    else:
        told = conflict(made, actions.record_out, play=play, entry=made.uids[0], elapsed_s=elapsed_s)
        assert not isinstance(told, Agreed)
    assert seconds(made, play)[0] == 500


def test_the_tap_that_ended_the_game_may_have_been_earlier_too() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    assert made.play(play).state == "entered"
    assert not agreed(made, play, 0, 497)
    assert (seconds(made, play), made.play(play).duration_s) == ([497, None], 497)


def test_which_tap_ended_the_game_is_read_from_its_own_event() -> None:
    earlier = event(players=1)  # another event with rows of the same numbers
    for _time in range(8):
        earlier.act(actions.renew_link, entry=earlier.uids[0])
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 3)
    assert LedgerRow.objects.filter(tournament=earlier.tournament, sequence=made.play(play).version).exists()
    assert not agreed(made, play, 0, 0)
    assert (seconds(made, play), made.play(play).duration_s) == ([0, None], 0)


def test_nobody_leaves_a_game_who_is_not_in_it() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    stranger = uuid4()
    with pytest.raises(Refused) as refused:
        out(made, play, 0, 500, entry=stranger)
    assert refused.value.faults == (
        Fault("unknown_player", f"/results/{stranger}", {"player": str(stranger)}),
    )


def test_each_tap_names_the_row_in_whose_place_it_comes() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    first = {"entry": made.uids[0]}
    taps: dict[str, dict[str, Any]] = {
        "record_out": {"elapsed_s": 500, **first},
        "take_back": first,
        "set_game_start": {"elapsed_s": 700, "reason": "late"},
    }
    for name, asked in taps.items():
        before = made.play(play).version
        made.act(getattr(actions, name), play=play, **asked)
        row = LedgerRow.objects.get(tournament=made.tournament, sequence=made.play(play).version)
        assert (row.action, row.replaces) == (name, before)


def test_a_game_that_ended_otherwise_has_no_tap_to_take_back() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=3600)
    out(made, play, 0, 500)
    hands = {str(uid): {"7": 1} for uid in made.uids[1:]}
    made.act(actions.end_game, play=play, ended="time", remaining=made.uids[1:], hands=hands)
    assert refusal(made, actions.take_back, play=play, entry=made.uids[0]) == [
        ("nothing_to_take_back", f"/results/{made.uids[0]}")
    ]


def test_a_tap_changes_nothing_in_a_game_that_was_corrected_since() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    rows = [
        {"entry": made.uids[0], "outcome": "out", "elapsed_s": 495},
        {"entry": made.uids[1], "outcome": "last"},
    ]
    made.act(
        actions.correct_game,
        play=play,
        version=made.play(play).version,
        reason="by the oldest player’s watch",
        ended="last",
        results=rows,
    )
    assert agreed(made, play, 0, 493)
    assert seconds(made, play) == [495, None]


def test_a_start_put_right_moves_everybodys_minutes_and_keeps_why() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    began = made.play(play).started_at
    made.act(actions.set_game_start, play=play, elapsed_s=780, reason="The cards were dealt before")
    moved = made.play(play).started_at
    assert began is not None
    assert moved is not None
    assert timedelta(seconds=170) < began - moved < timedelta(seconds=185)
    shift = round((began - moved).total_seconds())
    assert seconds(made, play)[0] == 500 + shift
    row = LedgerRow.objects.order_by("sequence").last()
    assert row is not None
    assert (row.action, row.note.text) == ("set_game_start", "The cards were dealt before")


@pytest.mark.parametrize("fraction", [0.0, 0.4, 0.6, 0.99])
def test_a_start_moved_by_whole_seconds_moves_everybody_by_as_many(
    fraction: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 120)
    began = made.play(play).started_at
    assert began is not None
    monkeypatch.setattr(work, "now", lambda: began + timedelta(seconds=700 + fraction))
    for earlier_s in (600, -600, 61):
        made.act(actions.set_game_start, play=play, earlier_s=earlier_s, reason="by the wall clock")
    assert made.play(play).started_at == began - timedelta(seconds=61)
    assert seconds(made, play)[0] == 181


def test_a_start_is_moved_by_a_number_or_not_at_all() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    asked = {"play": play, "reason": "x"}
    assert refusal(made, actions.set_game_start, **asked) == [("not_a_time", "/elapsed_s")]
    for earlier_s in (3100, -700, 10**15):
        found = refusal(made, actions.set_game_start, **asked, earlier_s=earlier_s)
        assert found == [("elapsed_over_limit", "/elapsed_s")]


@pytest.mark.parametrize(
    ("elapsed_s", "reason", "code"),
    [
        (
            50,
            "late",
            "elapsed_over_limit",
        ),  # who went out after 500 of 600 seconds would have before the start
        (3599, "early", "elapsed_over_limit"),  # and after 3500 seconds after the hour
        (3601, "early", "elapsed_over_limit"),
        (-1, "late", "elapsed_over_limit"),
        (600, "", "missing_reason"),
    ],
)
def test_no_start_gives_anybody_an_impossible_time(elapsed_s: int, reason: str, code: str) -> None:
    made = running_session(players=4)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    out(made, play, 1, 3500)
    asked = {"play": play, "elapsed_s": elapsed_s, "reason": reason}
    assert [found for found, _path in refusal(made, actions.set_game_start, **asked)][:1] == [code]
    assert seconds(made, play)[:2] == [500, 3500]


@pytest.mark.parametrize("elapsed_s", [-1, 3601])
def test_no_start_is_in_the_future_or_over_an_hour_ago(elapsed_s: int) -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    asked = {"play": play, "elapsed_s": elapsed_s, "reason": "x"}
    assert refusal(made, actions.set_game_start, **asked) == [("elapsed_over_limit", "/elapsed_s")]


def test_only_a_running_game_has_a_start_to_put_right() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    asked = {"play": play, "elapsed_s": 700, "reason": "x"}
    assert refusal(made, actions.set_game_start, **asked) == [("game_not_running", "/play")]


@pytest.mark.parametrize("how", [actions.record_out, actions.record_give_up, actions.eject_player])
def test_a_late_tap_keeps_why(how: Callable[..., Receipt]) -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    made.act(how, play=play, entry=made.uids[0], elapsed_s=400, reason="Tapped late")
    row = LedgerRow.objects.order_by("sequence").last()
    assert row is not None
    assert row.note.text == "Tapped late"


def test_nobody_is_ejected_without_a_word() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    asked = {"play": play, "entry": made.uids[0], "elapsed_s": 400, "reason": " "}
    assert refusal(made, actions.eject_player, **asked) == [("missing_reason", "/reason")]


def test_hands_are_for_those_who_were_seen_to_remain_whatever_the_version() -> None:
    made = running_session(players=4)
    play = started_game(made, elapsed_s=3600)
    out(made, play, 0, 500)
    hands = {str(uid): {"7": 1} for uid in made.uids[1:]}
    asked: dict[str, Any] = {"play": play, "ended": "time", "hands": hands}
    out(made, play, 3, 600)
    assert conflict(made, actions.end_game, remaining=made.uids[1:], **asked)
    del hands[str(made.uids[3])]
    made.act(actions.end_game, remaining=made.uids[1:3], **asked)
    assert made.play(play).state == "entered"


def test_a_game_from_paper_may_be_from_before_an_ejection_at_another_table() -> None:
    made = running_session(players=6, tables=2)
    here, there = (made.at(table) for table in made.tables)
    ejected = there[0]
    _paper(made, 0, 1, _whole(here))
    _paper(made, 0, 2, [{"entry": ejected, "outcome": "ejected"}, *_whole(here[1:])])
    assert state_of(ejected) == Entry.State.DISQUALIFIED
    first = made.table.plays.get(number=1).entered_at
    assert first
    _paper(made, 1, 1, _whole(there), started_at=first - timedelta(microseconds=1))
    assert states(made) == ["entered", "entered"]
    asked = {
        "table": made.tables[1].uid,
        "play": uuid4(),
        "number": 2,
        "ended": "last",
        "results": _whole(there),
    }
    assert refusal(made, actions.record_game, **asked) == [
        ("disqualified_plays", f"/results/{ejected}/player")
    ]
    assert state_of(ejected) == Entry.State.DISQUALIFIED


def _whole(players: list[UUID]) -> list[dict[str, Any]]:
    """Everybody out after a minute but one, who is last."""
    out = [{"entry": uid, "outcome": "out", "elapsed_s": 60} for uid in players[:-1]]
    return [*out, {"entry": players[-1], "outcome": "last"}]


def _paper(made: Event, table: int, number: int, rows: list[dict[str, Any]], **more: Any) -> None:
    made.act(
        actions.record_game,
        table=made.tables[table].uid,
        play=uuid4(),
        number=number,
        ended="last",
        results=rows,
        duration_s=60,
        **more,
    )


@pytest.mark.beside
def test_nobody_is_moved_from_a_running_game_but_a_latecomer_may_sit_down() -> None:
    made = running_session(players=6, tables=2)
    first, second = (made.at(table) for table in made.tables)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    Entry.objects.filter(uid=late).update(state=Entry.State.CHECKED_IN)
    play = uuid4()
    made.act(actions.start_game, table=made.tables[0].uid, play=play, number=1)
    seat: dict[str, Any] = {"stage": made.stage.uid, "table": made.tables[0].uid, "number": 1}
    assert refusal(made, actions.seat_table, entries=first[:2], **seat) == [
        ("game_running_here", "/tables/1")
    ]
    assert refusal(made, actions.seat_table, entries=first[::-1], **seat) == [
        ("game_running_here", "/tables/1")
    ]
    made.act(actions.seat_table, entries=[*first, late], **seat)
    made.act(actions.seat_table, entries=second[::-1], **(seat | {"table": made.tables[1].uid, "number": 2}))
    Play.objects.filter(uid=play).update(state="void")
    made.act(actions.seat_table, entries=first[:2], **seat)


# ---- the same start from two referees ----


def start_again(made: Event, elapsed_s: int, **more: Any) -> str:
    """Start game 1 again as a second referee, `elapsed_s` seconds ago; gives the result in one word."""
    asked: dict[str, Any] = {"table": made.table.uid, "play": uuid4(), "number": 1, "elapsed_s": elapsed_s}
    try:
        actions.start_game(actions.Command(uuid4(), made.referee()), made.tournament.uid, **(asked | more))
    except Agreed:
        return "agreed"
    except Refused as refused:
        return refused.faults[0].code
    return "saved"


@pytest.mark.parametrize(
    ("second", "became", "out_after"),
    [
        (600, "agreed", 300),
        (575, "agreed", 300),
        (630, "saved", 330),
        (569, "conflict", 300),
        (631, "conflict", 300),
    ],
)
def test_two_starts_half_a_minute_apart_are_one_and_the_earlier_counts(
    second: int, became: str, out_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(work, "now", lambda: now)
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 300)
    assert start_again(made, second) == became
    assert Play.objects.count() == 1
    assert seconds(made, play)[0] == out_after


def test_a_start_of_other_players_or_of_a_game_that_was_voided_is_another() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    assert start_again(made, 600, entries=made.uids[:2]) == "conflict"
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="wrong table")
    assert start_again(made, 600) == "conflict"


def test_the_start_of_a_game_that_is_over_by_now_is_the_same_too() -> None:
    made = running_session(players=2)
    play = started_game(made, elapsed_s=600)
    out(made, play, 0, 500)
    assert start_again(made, 0, late_s=620) == "agreed"
    assert seconds(made, play) == [500, None]


def test_nobody_is_out_after_the_hour_by_another_phones_start() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=3590)
    out(made, play, 0, 3585)
    assert start_again(made, 3600) == "saved"
    assert start_again(made, 0, late_s=3615) == "agreed"
    assert seconds(made, play)[0] == 3595


def test_a_start_by_a_clock_that_was_set_is_the_same_if_it_can_be() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=600)
    assert start_again(made, 0, late_s=9000, other_late_s=610) == "agreed"
    assert not made.play(play).other_start
