"""KPGUT games tap by tap and from paper: what each tap stores, what it may follow, and what takes it back."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.asking_actions import (
    agrees,
    conflict,
    refusal,
    result_in,
    results,
    standings,
    state_of,
    states,
    version,
)
from tests.support.factories import Event, event, running_session, started_game
from tournament import actions
from tournament.actions.kernel import work
from tournament.models import Entry, Incident, LedgerRow, Play, Seat
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db

HAND = {"7": 1, "draw2": 1}


def rows_of(made: Event, play: UUID) -> list[tuple[str, int | None]]:
    """Outcome and seconds of each player, in the order of the seats."""
    return list(made.play(play).results.order_by("id").values_list("outcome", "elapsed_s"))


def out(made: Event, play: UUID, player: int, elapsed_s: int, how: Any = actions.record_out) -> None:
    more = {"reason": "insulted the oldest"} if how is actions.eject_player else {}
    made.act(how, play=play, entry=made.uids[player], elapsed_s=elapsed_s, **more)


def paper(made: Event, number: int, *outcomes: str, entries: list[UUID] | None = None) -> dict[str, Any]:
    """The arguments of a whole game that ended with the last player; the outs came a minute apart."""
    given = entries or made.uids
    rows = [
        {"entry": entry, "outcome": outcome} | ({"elapsed_s": 60 * place} if outcome == "out" else {})
        for place, (entry, outcome) in enumerate(zip(given, outcomes, strict=False), 1)
    ]
    return {"number": number, "ended": "last", "results": rows}


def enter(made: Event, number: int, *outcomes: str, duration_s: int | None = None, **more: Any) -> UUID:
    play = uuid4()
    given = paper(made, number, *outcomes, **more)
    made.act(actions.record_game, table=made.table.uid, play=play, duration_s=duration_s, **given)
    return play


def correct(made: Event, play: UUID, *outcomes: str, duration_s: int | None = None, **more: Any) -> None:
    given = paper(made, 0, *outcomes, **more)
    del given["number"]
    made.act(
        actions.correct_game,
        play=play,
        version=version(made, play),
        reason="a slip",
        duration_s=duration_s,
        **given,
    )


def test_a_game_runs_until_one_player_is_left_who_is_last() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=100)
    out(made, play, 1, 60)
    assert made.play(play).state == "running"
    assert results(made).sheet.data["games"] == []
    out(made, play, 0, 119)
    game = made.play(play)
    assert (game.state, game.ended, game.duration_s) == ("entered", "last", 119)
    assert rows_of(made, play) == [("out", 119), ("out", 60), ("last", None)]
    assert standings(made) == {
        "Aino": (1, "ranked", 1),
        "Börje": (1, "ranked", 1),
        "Cécile": (1, "ranked", 1),
    }


@pytest.mark.parametrize(("late_s", "ago_s"), [(0, 60), (30, 90), (-30, 60)])
def test_the_clock_began_before_the_tap_however_late_that_comes(
    late_s: int, ago_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, now, play = running_session(players=2), timezone.now(), uuid4()
    monkeypatch.setattr(work, "now", lambda: now)
    made.act(actions.start_game, table=made.table.uid, play=play, number=1, elapsed_s=60, late_s=late_s)
    assert made.play(play).started_at == now - timedelta(seconds=ago_s)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"entries": "all"}, ("malformed", "/entries")),
        ({"elapsed_s": -1}, ("elapsed_over_limit", "/elapsed_s")),
        ({"elapsed_s": 3601}, ("elapsed_over_limit", "/elapsed_s")),
        ({"late_s": "2"}, ("malformed", "/late_s")),
    ],
)
def test_a_start_that_cannot_be_is_refused_at_its_place(
    given: dict[str, Any], fault: tuple[str, str]
) -> None:
    made = running_session(players=2)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1} | given
    assert refusal(made, actions.start_game, **asked) == [fault]


def test_a_game_is_of_two_players_at_least() -> None:
    made = running_session(players=2)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "entries": made.uids[:1]}
    with pytest.raises(Refused) as refused:
        made.act(actions.start_game, **asked)
    assert [(fault.code, fault.parameters) for fault in refused.value.faults] == [
        ("too_few_players", {"least": 2})
    ]


def test_a_game_seats_whom_it_names_at_a_table_where_nobody_sat() -> None:
    made = running_session(players=2)
    table = uuid4()
    made.act(actions.seat_table, stage=made.stage.uid, table=table, number=2, entries=[])
    made.act(actions.start_game, table=table, play=uuid4(), number=1, entries=made.uids)
    seats = Seat.objects.filter(table__uid=table).order_by("position")
    assert list(seats.values_list("entry__uid", "position")) == list(zip(made.uids, (1, 2), strict=True))


def test_the_decks_of_a_game_are_as_said() -> None:
    made = running_session(players=2)
    play, whole = uuid4(), paper(made, 2, "out", "last")
    made.act(actions.start_game, table=made.table.uid, play=play, number=1, decks=1)
    assert made.play(play).decks == 1
    made.act(actions.void_play, play=play, version=version(made, play), reason="wrong cards")
    play = uuid4()
    made.act(actions.record_game, table=made.table.uid, play=play, decks=99, **whole)
    assert made.play(play).decks == 99
    del whole["number"]
    made.act(actions.correct_game, play=play, version=version(made, play), reason="x", decks=1, **whole)
    assert made.play(play).decks == 1


def test_a_tap_without_a_time_takes_the_servers() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=300)
    made.act(actions.record_out, play=play, entry=made.uids[0])
    assert 300 <= (rows_of(made, play)[0][1] or 0) < 330


def test_a_tap_after_the_hour_needs_a_time_within_it() -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=3600)
    first = made.uids[0]
    path = f"/results/{first}/elapsed_s"
    assert refusal(made, actions.record_out, play=play, entry=first, elapsed_s=3601) == [
        ("elapsed_over_limit", path)
    ]
    assert refusal(made, actions.record_out, play=play, entry=first, elapsed_s=-1) == [
        ("elapsed_over_limit", path)
    ]
    out(made, play, 0, 3600)


def test_giving_up_last_ends_the_game_at_that_moment() -> None:
    made = running_session(players=3)
    play = started_game(made)
    out(made, play, 0, 600)
    out(made, play, 1, 1200, how=actions.record_give_up)
    assert made.play(play).duration_s == 1200
    assert standings(made) == {
        "Aino": (1, "ranked", 10),
        "Cécile": (2, "ranked", 20),
        "Börje": (3, "ranked", 60),
    }


def test_who_is_ejected_is_out_of_the_session() -> None:
    made = running_session(players=3)
    play = started_game(made)
    out(made, play, 2, 30, how=actions.eject_player)
    out(made, play, 0, 60)
    assert state_of(made.uids[2]) == "disqualified"
    assert standings(made)["Cécile"] == (None, "disqualified", 0)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 2}
    assert refusal(made, actions.start_game, entries=made.uids, **asked) == [
        ("disqualified_plays", f"/results/{made.uids[2]}")
    ]
    assert len(rows_of(made, started_game(made))) == 2


def test_a_correction_takes_an_ejection_back() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "last", "ejected", duration_s=60)
    assert state_of(made.uids[2]) == "disqualified"
    correct(made, play, "out", "last", "gave_up", duration_s=60)
    assert state_of(made.uids[2]) == "checked_in"
    assert len(rows_of(made, started_game(made))) == 3


def test_a_correction_keeps_somebody_removed_who_was_not_ejected_in_it() -> None:
    made = running_session(players=4)
    play = enter(made, 1, "out", "out", "last")
    made.act(actions.remove_player, entry=made.uids[3], reason="disturbed")
    correct(made, play, "out", "last", "gave_up", duration_s=60)
    assert state_of(made.uids[3]) == "disqualified"
    assert standings(made)["Dima"] == (None, "disqualified", 0)


def test_who_was_removed_without_a_seat_stays_disqualified() -> None:
    made = running_session(players=3)
    enter(made, 1, "out", "out", "last")
    gone = made.uids[2]
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=made.uids[:2])
    made.act(actions.remove_player, entry=gone, reason="disturbed")
    enter(made, 2, "out", "last")
    assert state_of(gone) == "disqualified"


def test_an_ejection_in_one_session_is_not_taken_back_by_a_game_of_another() -> None:
    made = running_session(players=3)
    enter(made, 1, "out", "last", "ejected", duration_s=60)
    second = uuid4()
    made.act(actions.plan_stage, stage=second, kind="session")
    table = uuid4()
    made.act(actions.seat_table, stage=second, table=table, number=1, entries=made.uids[:2])
    made.act(actions.start_stage, stage=second)
    made.act(actions.record_game, table=table, play=uuid4(), **paper(made, 1, "out", "last"))
    assert state_of(made.uids[2]) == "disqualified"


def test_who_was_ejected_is_not_readmitted_but_by_a_correction() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "last", "ejected", duration_s=60)
    gone = made.uids[2]
    path = f"/plays/{play}"
    assert refusal(made, actions.readmit_player, entry=gone) == [("ejected_in_game", path)]
    made.act(actions.void_play, play=play, version=version(made, play), reason="wrong cards")
    assert refusal(made, actions.readmit_player, entry=gone) == [("ejected_in_game", path)]
    assert state_of(gone) == "disqualified"


def test_who_was_ejected_is_not_readmitted_after_the_event_either() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "last", "ejected", duration_s=60)
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert refusal(made, actions.readmit_player, entry=made.uids[2]) == [
        ("ejected_in_game", f"/plays/{play}")
    ]


def test_an_ejection_in_a_voided_game_stands() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "last", "ejected", duration_s=60)
    made.act(actions.void_play, play=play, version=version(made, play), reason="wrong cards")
    assert standings(made) == {
        "Aino": (None, "not_played", 0),
        "Börje": (None, "not_played", 0),
        "Cécile": (None, "disqualified", 0),
    }
    assert state_of(made.uids[2]) == "disqualified"


def test_a_late_ejection_sets_later_games_aside_until_it_is_taken_back() -> None:
    made = running_session(players=3)
    first = enter(made, 1, "out", "out", "last")
    enter(made, 2, "out", "out", "last")
    enter(made, 3, "out", "last", entries=made.uids[:2])
    before = standings(made)
    correct(made, first, "out", "last", "ejected", duration_s=60)
    assert states(made) == ["entered", "set_aside", "entered"]
    assert standings(made)["Cécile"] == (None, "disqualified", 0)
    correct(made, first, "out", "out", "last")
    assert states(made) == ["entered", "entered", "entered"]
    assert standings(made) == before
    assert state_of(made.uids[2]) == "checked_in"


def test_a_voided_game_stays_void_through_a_late_ejection() -> None:
    """Game 2 cannot have been played so once Cécile was ejected in game 1, so the ejection in it does not stand either;
    when that is taken back, game 2 is as void as before."""
    made = running_session(players=4)
    first = enter(made, 1, "out", "out", "out", "last")
    second = enter(made, 2, "out", "last", "out", "ejected", duration_s=180)
    made.act(actions.void_play, play=second, version=version(made, second), reason="wrong cards")
    before = standings(made)
    correct(made, first, "out", "out", "ejected", "last", duration_s=120)
    assert states(made) == ["entered", "void"]
    assert {name: status for name, (_, status, _) in standings(made).items()} == {
        "Aino": "ranked",
        "Börje": "ranked",
        "Cécile": "disqualified",
        "Dima": "ranked",
    }
    assert state_of(made.uids[3]) == "checked_in"
    correct(made, first, "out", "out", "out", "last")
    assert states(made) == ["entered", "void"]
    assert standings(made) == before
    assert state_of(made.uids[3]) == "disqualified"


def test_a_game_that_was_set_aside_can_be_voided() -> None:
    made = running_session(players=4)
    first = enter(made, 1, "out", "out", "out", "last")
    second = enter(made, 2, "out", "last", "out", "ejected", duration_s=180)
    correct(made, first, "out", "out", "ejected", "last", duration_s=120)
    assert states(made) == ["entered", "set_aside"]
    made.act(actions.void_play, play=second, version=version(made, second), reason="never played")
    assert states(made) == ["entered", "void"]


def test_taking_back_a_tap_puts_the_player_back_into_the_game() -> None:
    made = running_session(players=3)
    play = started_game(made)
    out(made, play, 0, 60)
    made.act(actions.take_back, play=play, entry=made.uids[0])
    assert rows_of(made, play) == [("playing", None)] * 3
    assert refusal(made, actions.take_back, play=play, entry=made.uids[0]) == [
        ("nothing_to_take_back", f"/results/{made.uids[0]}")
    ]


def test_taking_back_the_tap_that_ended_the_game_lets_it_run_again() -> None:
    made = running_session(players=3)
    play = started_game(made)
    out(made, play, 0, 60)
    out(made, play, 1, 90, how=actions.eject_player)
    assert state_of(made.uids[1]) == "disqualified"
    made.act(actions.take_back, play=play, entry=made.uids[1])
    game = made.play(play)
    assert (game.state, game.ended, game.duration_s) == ("running", "", None)
    assert rows_of(made, play) == [("out", 60), ("playing", None), ("playing", None)]
    assert state_of(made.uids[1]) == "checked_in"


def test_nothing_is_taken_back_once_the_next_game_began() -> None:
    made = running_session(players=2)
    play = started_game(made)
    out(made, play, 0, 60)
    later = started_game(made)
    asked = {"play": play, "entry": made.uids[0]}
    assert refusal(made, actions.take_back, **asked) == [("next_game_began", "/play")]
    out(made, later, 0, 60)
    assert refusal(made, actions.take_back, **asked) == [("next_game_began", "/play")]


def test_a_game_from_paper_has_no_tap_to_take_back() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    assert refusal(made, actions.take_back, play=play, entry=made.uids[0]) == [
        ("nothing_to_take_back", f"/results/{made.uids[0]}")
    ]


def test_nothing_is_taken_back_while_somebody_plays_elsewhere() -> None:
    made = running_session(players=4, tables=2)
    first, second = made.at(made.tables[0])
    play = started_game(made)
    out(made, play, made.uids.index(first), 60)
    made.act(
        actions.start_game,
        table=made.tables[1].uid,
        play=uuid4(),
        number=1,
        entries=[*made.at(made.tables[1]), second],
    )
    assert refusal(made, actions.take_back, play=play, entry=first) == [
        ("player_in_game", f"/results/{second}")
    ]


def test_a_latecomer_joins_with_a_seat_until_somebody_is_out() -> None:
    made = running_session(players=3)
    late, later = uuid4(), uuid4()
    made.act(
        actions.enter_players, players=[{"entry": late, "name": "Late"}, {"entry": later, "name": "Later"}]
    )
    play = started_game(made)
    before = version(made, play)
    made.act(actions.join_game, play=play, entry=late)
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=version(made, play))
    assert row.replaces == before
    assert [row[0] for row in rows_of(made, play)] == ["playing"] * 4
    assert Seat.objects.get(entry__uid=late).position == 4
    assert refusal(made, actions.join_game, play=play, entry=late) == [("player_in_game", f"/results/{late}")]
    out(made, play, 0, 60)
    assert refusal(made, actions.join_game, play=play, entry=later) == [
        ("joined_too_late", f"/results/{later}")
    ]


def test_somebody_from_outside_is_entered_here_and_joins_in_one_row() -> None:
    made = running_session(players=3)
    play, new = started_game(made), uuid4()
    assert refusal(made, actions.join_game, play=play, entry=new) == [("unknown_player", f"/results/{new}")]
    assert refusal(made, actions.join_game, play=play, entry=new, name=" ") == [("field_blank", "/name")]
    assert refusal(made, actions.join_game, play=play, entry=new, name="aino ") == [
        ("entered_already", "/name")
    ]
    made.act(actions.join_game, play=play, entry=new, name=" Outi ")
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=version(made, play))
    assert row.payload["entry"][str(new)]["state"] == "checked_in"
    assert str(new) in {result["entry"] for result in row.payload["play"][str(play)]["results"]}
    entry = Entry.objects.get(uid=new)
    assert (entry.public_name, Seat.objects.get(entry=entry).position) == ("Outi", 4)
    out(made, play, 0, 60)
    later = uuid4()
    assert refusal(made, actions.join_game, play=play, entry=later, name="Later") == [
        ("joined_too_late", f"/results/{later}")
    ]
    assert not Entry.objects.filter(uid=later).exists()


def test_a_name_for_somebody_who_is_entered_changes_nothing() -> None:
    made = running_session(players=3)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    made.act(actions.join_game, play=started_game(made), entry=late, name="Another")
    assert Entry.objects.get(uid=late).public_name == "Late"


def test_a_latecomer_changes_no_decks_on_the_table() -> None:
    made = running_session(players=7)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    play = started_game(made)
    made.act(actions.join_game, play=play, entry=late)
    hands = {str(uid): {"7": 1} for uid in made.uids} | {str(late): {"wild": 5}}
    asked = {"play": play, "version": version(made, play), "ended": "early", "elapsed_s": 60}
    assert refusal(made, actions.end_game, hands=hands, **asked) == [
        ("deck_exceeded", f"/results/{late}/hand/wild")
    ]


def test_a_latecomer_joins_with_the_decks_that_the_stage_has() -> None:
    made = running_session(players=2, decks=2)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    play = started_game(made)
    made.act(actions.join_game, play=play, entry=late)
    assert made.play(play).decks == 2


@pytest.mark.parametrize(
    ("ended", "elapsed_s", "kept"),
    [("time", None, None), ("early", 1800, 1800), ("early", 3700, 3600)],
)
def test_ending_a_game_ranks_the_remaining_by_their_hands(
    ended: str, elapsed_s: int | None, kept: int | None
) -> None:
    made = running_session(players=3)
    play = started_game(made)
    out(made, play, 0, 600)
    hands = {str(made.uids[1]): {"7": 2}, str(made.uids[2]): {"draw2": 1}}
    made.act(
        actions.end_game,
        play=play,
        version=version(made, play),
        ended=ended,
        hands=hands,
        elapsed_s=elapsed_s,
    )
    game = made.play(play)
    assert (game.state, game.ended, game.duration_s) == ("entered", ended, kept)
    assert standings(made) == {
        "Aino": (1, "ranked", 10),
        "Cécile": (2, "ranked", 65),
        "Börje": (3, "ranked", 70),
    }


@pytest.mark.parametrize(
    ("hand", "code", "where"),
    [
        ({"7": 9}, "deck_exceeded", "/7"),
        ({}, "empty_hand", ""),
        ({"7": -1}, "negative_count", "/7"),
        ({"shuffle": 1}, "card_not_in_deck", "/shuffle"),
        ({"jack": 1}, "unknown_card", "/jack"),
    ],
)
def test_a_bad_hand_is_refused_at_its_place_and_the_game_runs_on(
    hand: dict[str, int], code: str, where: str
) -> None:
    made = running_session(players=2)
    play = started_game(made)
    first, second = made.uids
    asked = {"play": play, "version": version(made, play), "ended": "time"}
    assert refusal(made, actions.end_game, hands={str(first): HAND, str(second): hand}, **asked) == [
        (code, f"/results/{second}/hand{where}")
    ]
    assert made.play(play).state == "running"
    made.act(actions.end_game, hands={str(first): HAND, str(second): HAND}, **asked)


@pytest.mark.parametrize("field", ["elapsed_s", "remaining"])
def test_an_end_that_cannot_be_is_refused_at_its_place(field: str) -> None:
    made = running_session(players=2)
    asked = {"play": started_game(made), "ended": "early", "hands": {}}
    assert refusal(made, actions.end_game, **asked) == [("field_required", "/remaining")]
    asked |= {"remaining": made.uids, field: "2"}
    assert refusal(made, actions.end_game, **asked) == [("malformed", f"/{field}")]


def test_two_taps_on_two_players_count_both_and_two_on_one_conflict() -> None:
    made = running_session(players=4)
    play = started_game(made)
    out(made, play, 0, 60)
    out(made, play, 1, 60)
    assert [row[0] for row in rows_of(made, play)] == ["out", "out", "playing", "playing"]
    told = conflict(made, actions.record_give_up, play=play, entry=made.uids[1], elapsed_s=61)
    assert result_in(told.current, made.uids[1]).outcome == "out"
    assert result_in(told.offered, made.uids[1]).outcome == "gave_up"
    assert told.current.by == made.user.display_name()


def test_a_game_of_somebody_playing_elsewhere_or_of_one_is_refused() -> None:
    made = running_session(players=4, tables=2)
    started_game(made)
    first = made.at(made.tables[0])[0]
    asked = {"table": made.tables[1].uid, "play": uuid4(), "number": 1}
    assert refusal(made, actions.start_game, entries=[first, *made.at(made.tables[1])], **asked) == [
        ("player_in_game", f"/results/{first}")
    ]
    assert refusal(made, actions.start_game, entries=made.at(made.tables[1])[:1], **asked) == [
        ("too_few_players", "/results")
    ]
    assert refusal(made, actions.start_game, table=made.tables[0].uid, play=uuid4(), number=2) == [
        ("another_game_running", "/play")
    ]


def test_a_player_named_twice_or_of_nobody_here_is_refused() -> None:
    made = running_session(players=2)
    stranger = event("kpgut-2016", 1).uids[0]
    first = made.uids[0]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1}
    assert (
        refusal(made, actions.start_game, entries=[first, first], **asked)
        == [("duplicate_player", f"/results/{first}")] * 2
    )
    assert refusal(made, actions.start_game, entries=[first, stranger], **asked) == [
        ("unknown_player", f"/results/{stranger}")
    ]
    assert refusal(
        made,
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        **paper(made, 1, "out", "last", entries=[first, stranger]),
    ) == [("unknown_player", f"/results/{stranger}")]


def test_a_game_from_paper_seats_who_had_no_seat() -> None:
    made = running_session(players=2)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    enter(made, 1, "out", "out", "last", entries=[*made.uids, late])
    assert Seat.objects.filter(table=made.table, entry__uid=late).exists()
    assert standings(made)["Late"] == (2, "ranked", 2)


def test_a_correction_may_name_somebody_who_had_no_seat() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    correct(made, play, "out", "last", entries=[made.uids[0], late])
    assert standings(made)["Late"] == (1, "ranked", 1)
    assert standings(made)["Börje"] == (None, "not_played", 0)


def test_a_correction_seats_nobody_anew_who_has_moved_to_another_table() -> None:
    made = running_session(players=4, tables=2)
    here, there = made.tables
    play = enter(made, 1, "out", "last", entries=made.at(here))
    moved, stays = made.at(here)
    for table, number, seated in ((here, 1, [stays]), (there, 2, [*made.at(there), moved])):
        made.act(actions.seat_table, stage=made.stage.uid, table=table.uid, number=number, entries=seated)
    correct(made, play, "out", "last", entries=[stays, moved])
    assert Seat.objects.filter(entry__uid=moved).count() == 1


def test_a_game_on_paper_takes_no_number_that_is_taken() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    asked = {"table": made.table.uid, "play": uuid4(), **paper(made, 1, "last", "out")}
    assert conflict(made, actions.record_game, **asked).current.play.uid == play


def test_a_correction_is_of_the_version_that_was_seen_and_says_why() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    asked = paper(made, 1, "out", "last") | {"play": play, "version": version(made, play)}
    del asked["number"]
    assert refusal(made, actions.correct_game, reason=" ", **asked) == [("missing_reason", "/reason")]
    correct(made, play, "out", "last")
    assert conflict(made, actions.correct_game, reason="late", **asked).current.play.uid == play


def test_a_void_game_counts_again_once_corrected() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    before = standings(made)
    made.act(actions.void_play, play=play, version=version(made, play), reason="wrong")
    assert standings(made)["Aino"] == (None, "not_played", 0)
    assert refusal(made, actions.void_play, play=play, version=version(made, play), reason="again") == [
        ("already_void", "/play")
    ]
    correct(made, play, "out", "last")
    assert standings(made) == before


def test_a_running_game_may_be_voided() -> None:
    made = running_session(players=2)
    play = started_game(made)
    made.act(actions.void_play, play=play, version=version(made, play), reason="fire alarm")
    started_game(made)
    assert states(made) == ["void", "running"]


def test_every_row_keeps_its_uid_through_a_correction() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "out", "last")
    before = set(made.play(play).results.values_list("uid", flat=True))
    correct(made, play, "out", "last", "gave_up", duration_s=70)
    assert set(made.play(play).results.values_list("uid", flat=True)) == before


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"ended": "time"}, ("wrong_ending", "/results/{1}/outcome")),
        ({"ended": "never"}, ("malformed", "/ended")),
        ({"ended": "void"}, ("malformed", "/ended")),
        ({"duration_s": 59}, ("duration_too_short", "/duration_s")),
        ({"duration_s": 61}, ("duration_too_long", "/duration_s")),
        ({"duration_s": -5}, ("duration_too_short", "/duration_s")),
        ({"duration_s": 10**40}, ("duration_too_long", "/duration_s")),
    ],
)
def test_a_game_from_paper_that_cannot_be_is_refused_at_its_place(
    given: dict[str, Any], fault: tuple[str, str]
) -> None:
    made = running_session(players=2)
    asked = paper(made, 1, "out", "last") | given
    code, path = fault
    assert (code, path.format(*made.uids)) in refusal(
        made, actions.record_game, table=made.table.uid, play=uuid4(), **asked
    )
    assert not Play.objects.exists()


@pytest.mark.parametrize(
    ("elapsed_s", "code"),
    [(0, None), (3600, None), (-1, "elapsed_over_limit"), (3601, "elapsed_over_limit")],
)
def test_a_time_on_paper_is_within_the_hour(elapsed_s: int, code: str | None) -> None:
    made = running_session(players=2)
    first, second = made.uids
    rows = [{"entry": first, "outcome": "out", "elapsed_s": elapsed_s}, {"entry": second, "outcome": "last"}]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "ended": "last", "results": rows}
    if code:
        expected = [(code, f"/results/{first}/elapsed_s")]
        assert refusal(made, actions.record_game, **asked) == expected
    else:
        made.act(actions.record_game, **asked)


def test_who_gave_up_has_no_time_after_the_hour_either() -> None:
    made = running_session(players=3)
    first, second, third = made.uids
    rows = [
        {"entry": first, "outcome": "gave_up", "elapsed_s": 10**40},
        {"entry": second, "outcome": "out", "elapsed_s": 60},
        {"entry": third, "outcome": "last"},
    ]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "ended": "last", "duration_s": 60}
    assert refusal(made, actions.record_game, results=rows, **asked) == [
        ("elapsed_over_limit", f"/results/{first}/elapsed_s")
    ]


def test_of_a_game_on_paper_only_hands_of_who_remained_and_whole_seconds_are_read() -> None:
    made = running_session(players=3)
    first, second, third = made.uids
    rows = [
        {"entry": first, "outcome": "out", "elapsed_s": 60, "hand": {"7": 1}},
        {"entry": second, "outcome": "remaining", "hand": {"7": 1, "8": 0}},
        {"entry": third, "outcome": "gave_up", "elapsed_s": True, "hand": "two"},
    ]
    asked = {"table": made.table.uid, "number": 1, "ended": "early", "duration_s": 90}
    play = uuid4()
    made.act(actions.record_game, play=play, results=rows, **asked)
    kept = made.play(play).results.order_by("id").values_list("outcome", "elapsed_s", "hand")
    assert list(kept) == [("out", 60, {}), ("remaining", None, {"7": 1}), ("gave_up", None, {})]


def test_a_tap_in_a_game_from_paper_has_no_clock() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    told = conflict(made, actions.record_out, play=play, entry=made.uids[1])
    assert result_in(told.offered, made.uids[1]).elapsed_s == 0


@pytest.mark.parametrize(("ahead_s", "elapsed_s"), [(0, 0), (5, 0), (-1, 1)])
def test_a_tap_by_a_clock_that_is_a_little_behind_comes_at_the_start(
    ahead_s: int, elapsed_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_session(players=3)
    play = started_game(made)
    began = made.play(play).started_at
    assert began is not None
    monkeypatch.setattr(work, "now", lambda: began - timedelta(seconds=ahead_s))
    made.act(actions.record_out, play=play, entry=made.uids[0])
    assert rows_of(made, play)[0] == ("out", elapsed_s)


def test_a_tap_by_a_clock_that_is_far_behind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_session(players=3)
    play = started_game(made)
    began = made.play(play).started_at
    assert began is not None
    monkeypatch.setattr(work, "now", lambda: began - timedelta(seconds=6))
    assert refusal(made, actions.record_out, play=play, entry=made.uids[0]) == [
        ("elapsed_over_limit", f"/results/{made.uids[0]}/elapsed_s")
    ]


def test_a_game_that_is_over_is_not_ended_again() -> None:
    made = running_session(players=2)
    play = enter(made, 1, "out", "last")
    seen = {"play": play, "ended": "early", "hands": {}, "version": version(made, play)}
    assert conflict(made, actions.end_game, **seen).current.play.uid == play


def test_who_was_removed_before_they_came_here_plays_no_game_from_paper() -> None:
    made = running_session(players=3)
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    made.act(actions.remove_player, entry=late, reason="disturbed")
    asked = paper(made, 1, "out", "last", entries=[made.uids[0], late])
    assert refusal(made, actions.record_game, table=made.table.uid, play=uuid4(), **asked) == [
        ("disqualified_plays", f"/results/{late}")
    ]


def test_who_was_removed_here_before_the_game_plays_none_from_paper() -> None:
    made = running_session(players=3)
    gone = made.uids[2]
    made.act(actions.remove_player, entry=gone, reason="disturbed")
    asked = {"table": made.table.uid, "play": uuid4(), **paper(made, 1, "out", "out", "last")}
    assert refusal(made, actions.record_game, **asked) == [("disqualified_plays", f"/results/{gone}")]


def test_who_was_removed_stays_so_when_an_earlier_game_ejects_them_too() -> None:
    made = running_session(players=3)
    play = enter(made, 1, "out", "out", "last")
    gone = made.uids[2]
    made.act(actions.remove_player, entry=gone, reason="disturbed")
    correct(made, play, "out", "last", "ejected", duration_s=60)
    assert state_of(gone) == "disqualified"
    correct(made, play, "out", "out", "last")
    assert state_of(gone) == "disqualified"
    assert agrees(made)


def test_a_removal_does_not_rewrite_why_somebody_was_ejected_before() -> None:
    made = running_session(players=3)
    play = started_game(made)
    gone = made.uids[2]
    made.act(actions.eject_player, play=play, entry=gone, elapsed_s=60, reason="insulted the oldest")
    out(made, play, 0, 120)
    made.act(actions.plan_stage, stage=uuid4(), kind="session")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.readmit_player, entry=gone)
    made.act(actions.remove_player, entry=gone, reason="did it again")
    texts = dict(Incident.objects.filter(entry__uid=gone).values_list("play__uid", "text"))
    assert texts == {play: "insulted the oldest", None: "did it again"}
    assert not Incident.objects.filter(withdrawn=True).exists()
    assert agrees(made)
