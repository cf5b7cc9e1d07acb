"""Every fault of a body is named at once, at its place in the body; and a game that is over says so."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.sending import a_round, codes, read, rows, send
from tests.extras.programs.api.test_writes import playing
from tests.support.factories import Event, add_stage, event, running_match, running_session, started_game
from tournament import actions
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def test_all_hands_of_a_round_are_judged_at_once(client: Client) -> None:
    made = running_match(players=5, ruleset="mattel-108")
    winner, empty, many, strange, forgot = map(str, made.at(made.table))
    hands = {winner: {"7": 1}, empty: {}, many: {"wild": 9}, strange: {"joker": 1}}
    other = str(uuid4())
    entered = {**a_round(made), "winner": winner, "hands": {**hands, other: {"7": 1}}}
    before = rows()
    answer = send(client, made, "record_round", entered)
    assert (answer.status_code, rows()) == (422, before)
    assert sorted(codes(answer)) == sorted(
        [
            ("unknown_player", f"/hands/{other}"),
            ("winner_has_cards", f"/hands/{winner}"),
            ("empty_hand", f"/hands/{empty}"),
            ("deck_exceeded", f"/hands/{many}/wild"),
            ("unknown_card", f"/hands/{strange}/joker"),
            ("missing_hand", f"/hands/{forgot}"),
        ]
    )


def test_a_winner_who_does_not_play_hides_no_stranger(client: Client) -> None:
    """Scoring is not asked about the other players then."""
    made, winner, other = running_match(players=2), uuid4(), str(uuid4())
    entered = {**a_round(made), "winner": winner, "hands": {other: {"7": 1}}}
    assert codes(send(client, made, "record_round", entered)) == [
        ("unknown_player", "/winner"),
        ("unknown_player", f"/hands/{other}"),
    ]


def test_a_wrong_type_hides_no_name_instead_of_a_uid(client: Client) -> None:
    made = running_match(players=2)
    loser = made.at(made.table)[1]
    hands = {"Börje": {"7": 1}, str(loser): {"7": "1"}}
    wrong = {"table": made.table.uid, "number": "1", "winner": "Aino", "hands": hands}
    answer = send(client, made, "record_round", wrong)
    assert (answer.status_code, codes(answer)) == (
        400,
        [
            ("field_invalid", "/number"),
            ("field_invalid", "/winner"),
            ("field_invalid", "/hands/Börje"),
            ("field_invalid", f"/hands/{loser}/7"),
        ],
    )


PLAN: dict[str, Any] = {
    "name": "",
    "starts_on": "2026-05-09",
    "ruleset": "mattel-108",
    "organiser_name": "Club",
    "stages": [
        {"kind": "session"},
        {"kind": "match", "name": "x" * 61, "settings": {"speed": 1}, "card_texts": ["x" * 101]},
        {"kind": "match", "plan": {"starts_at": "2027-05-09T18:00:00Z", "tables": 0}},
    ],
}
OF_STAGES = [
    ("wrong_kind_of_stage", "/stages/0/kind"),
    ("unknown_setting", "/stages/1/settings/speed"),
    ("field_max_length", "/stages/1/card_texts/0"),
    ("too_many_card_texts", "/stages/1/card_texts/0"),
    ("field_max_length", "/stages/1/name"),
    ("malformed", "/stages/2/plan/tables"),
    ("not_on_event_days", "/stages/2/plan/starts_at"),
]


def test_a_new_event_and_its_stages_are_judged_at_once(client: Client) -> None:
    answer = send(client, event(), "plan_event", PLAN)
    assert (answer.status_code, codes(answer)) == (422, [("field_blank", "/name"), *OF_STAGES])
    assert Tournament.objects.count() == 1


def test_sources_of_new_stages_are_judged_at_once(client: Client) -> None:
    source = {"parts": [{"stage": 9, "take": "first", "count": 1}]}
    stages = [{"kind": "match", "source": source}, {"kind": "match"}, {"kind": "match", "source": source}]
    answer = send(client, event(), "plan_event", {**PLAN, "name": "Night", "stages": stages})
    assert codes(answer) == [("unknown_stage", f"/stages/{index}/source/parts/0/stage") for index in (0, 2)]


# ---- places ----


def seated() -> Event:
    return add_stage(event(players=4), "match", start=False)


def seats() -> Any:
    made = seated()
    first, second, third, _fourth = made.uids
    tables = [{"number": 3, "entries": [first, uuid4()]}, {"number": 5, "entries": [third, second, first]}]
    return (
        made,
        "seat_stage",
        {"stage": made.stage.uid, "tables": tables},
        [
            ("unknown_player", "/tables/0/entries/1"),
            ("seated_elsewhere", "/tables/1/entries/2"),
        ],
    )


def seats_of_a_table_that_plays() -> Any:
    made = running_match(players=4, tables=2)
    made.act(actions.record_round, play=uuid4(), **a_round(made))
    first, second, third, fourth = made.uids
    tables = [{"number": 2, "entries": [second, fourth]}, {"number": 1, "entries": [third, first]}]
    asked = {"stage": made.stage.uid, "tables": tables}
    return made, "seat_stage", asked, [("table_has_begun", "/tables/1")]


def table_that_is_there() -> Any:
    made = seated()
    asked = {"stage": made.stage.uid, "number": 1, "entries": made.uids}
    return made, "seat_table", asked, [("number_taken", "/number")]


def table_that_plays() -> Any:
    made = running_match(players=2)
    made.act(actions.record_round, play=uuid4(), **a_round(made))
    return made, "walk_in", {"name": "Late", "table": made.table.uid}, [("table_has_begun", "/table")]


def playing_already() -> Any:
    made, play, seats = playing()
    return made, "join_game", {"play": play, "entry": seats[0]}, [("player_in_game", "/entry")]


def out_after_the_hour() -> Any:
    made, play, seats = playing()
    asked = {"play": play, "entry": seats[0], "elapsed_s": -1}
    return made, "record_out", asked, [("elapsed_over_limit", "/elapsed_s")]


def still_playing() -> Any:
    made, play, seats = playing()
    return made, "take_back", {"play": play, "entry": seats[0]}, [("nothing_to_take_back", "/entry")]


def too_many_cards() -> Any:
    made, play, seats = playing()
    hands = {str(uid): {"wild": 9} if uid == seats[1] else {"7": 1} for uid in seats}
    asked = {"play": play, "ended": "early", "hands": hands, "remaining": seats}
    return made, "end_game", asked, [("deck_exceeded", f"/hands/{seats[1]}/wild")]


def no_cards() -> Any:
    made, play, seats = playing()
    hands = {str(uid): {"7": 1} for uid in seats[1:]}
    asked = {"play": play, "ended": "early", "hands": hands, "remaining": seats}
    return made, "end_game", asked, [("empty_hand", f"/hands/{seats[0]}")]


def strangers() -> Any:
    made, uid = event(players=1), uuid4()
    return made, "check_in", {"entries": [uid]}, [("unknown_player", f"/entries/{uid}")]


@pytest.mark.parametrize(
    "make",
    [
        seats, seats_of_a_table_that_plays, table_that_is_there, table_that_plays, playing_already,
        out_after_the_hour, still_playing, too_many_cards, no_cards, strangers,
    ],
)  # fmt: skip
def test_a_fault_is_where_the_body_has_it(client: Client, make: Callable[[], Any]) -> None:
    made, action, asked, faults = make()
    answer = send(client, made, action, asked)
    assert (answer.status_code, codes(answer)) == (422, faults)


# ---- a game that is over ----


def over() -> tuple[Event, UUID, list[UUID]]:
    """A game that ended by itself, when one of two went out."""
    made = running_session(players=2)
    play = started_game(made, elapsed_s=60)
    made.act(actions.record_out, play=play, entry=made.uids[0])
    return made, play, made.uids


@pytest.mark.parametrize("version", ["", "now", "*"])
def test_a_game_that_is_over_says_when_and_how_it_ended(client: Client, version: str) -> None:
    made, play, uids = over()
    headers = {"if-match": f'"{made.play(play).version}"' if version == "now" else version}
    for action, asked in (
        ("end_game", {"ended": "time", "hands": {str(uids[1]): {"7": 1}}}),
        ("end_game", {"ended": "early", "hands": {}}),
        ("record_out", {"entry": uids[1]}),
    ):
        before = rows()
        answer = send(client, made, action, {"play": play, **asked}, headers=headers)
        assert (answer.status_code, read(answer)["code"], rows()) == (409, "conflict", before)
        (error,) = read(answer)["errors"]
        assert (error["code"], error["path"], error["parameters"]["ended"]) == ("game_over", "/play", "last")
        assert "one player was left. Correct it" in error["message"]
        assert read(answer)["current"]["play"]["ended"] == "last"


def test_a_game_that_another_ended_meanwhile_is_another_version(client: Client) -> None:
    made = running_session(players=2)
    play = started_game(made)
    seen = f'"{made.play(play).version}"'
    made.act(actions.record_out, play=play, entry=made.uids[0])
    answer = send(
        client, made, "end_game", {"play": play, "ended": "early", "hands": {}}, headers={"if-match": seen}
    )
    assert (answer.status_code, read(answer)["code"]) == (412, "version_changed")
    assert codes(answer) == [("game_over", "/play")]


def test_a_void_game_says_so(client: Client) -> None:
    made, play, uids = over()
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="the wrong table")
    answer = send(client, made, "record_out", {"play": play, "entry": uids[1]})
    assert (answer.status_code, codes(answer)) == (409, [("already_void", "/play")])


# ---- what belongs there instead ----


def test_a_wrong_kind_of_json_is_said_in_its_own_words(client: Client) -> None:
    made = running_match(players=2)
    loser = str(made.at(made.table)[1])
    for body, path, message in (
        ({"hands": [loser]}, "/hands", "Send a JSON object: {…}."),
        ({"hands": {loser: "7"}}, f"/hands/{loser}", "Send a JSON object: {…}."),
        ({"removed": loser}, "/removed", "Send a JSON array: […]."),
    ):
        answer = send(client, made, "record_round", {**a_round(made), **body})
        (error,) = read(answer)["errors"]
        assert (error["path"], error["message"]) == (path, message)


def test_a_value_that_scoring_cannot_read_names_what_it_expects(client: Client) -> None:
    made = running_session(players=2)
    first, second = made.uids
    results = [{"entry": first, "outcome": "out"}, {"entry": second, "outcome": "last"}]
    asked = {"table": made.table.uid, "number": 1, "ended": "last", "results": results}
    (error,) = read(send(client, made, "record_game", asked))["errors"]
    assert (error["code"], error["path"]) == ("malformed", f"/results/{first}/elapsed_s")
    assert "whole number" in error["message"]


def test_a_name_that_looks_private_is_confirmed_by_its_member(client: Client) -> None:
    asked = {"players": [{"public_name": "040 123 4567"}]}
    (error,) = read(send(client, event(), "enter_players", asked))["errors"]
    assert "`public_name_is_right`" in error["message"]
