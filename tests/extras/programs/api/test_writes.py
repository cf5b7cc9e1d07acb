"""Everything that can be done through the interface: each action once, with the very arguments that a page calls it
with; what is not offered has a reason."""

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.actions.event.undo.test_each import CASES as UNDONE_CASES
from tests.extras.programs.api.sending import BY_ACTION, read, send
from tests.support.arriving import by_link, opened, registered
from tests.support.at_table import over_before
from tests.support.extras import of_extras
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
from tournament.actions import every
from tournament.extras.programs.api.writes import MADE, NEW_EVENT, NOT_OFFERED, Write, commands
from tournament.ledger.chain import content_digest
from tournament.ledger.verify import verify
from tournament.links import token_for as link_for
from tournament.models import Call, Incident, LedgerRow, Play, Proposal, Screen, Tournament
from tournament.permissions import ACTIONS
from tournament.queries.visible import left_of
from tournament.results.answer import stage_results
from tournament.server.clock import now

pytestmark = pytest.mark.django_db

Case = tuple[Event, str, dict[str, Any]]  # the event, the action, its arguments
CASES: dict[str, Callable[[], Case]] = {
    name: case
    for name, case in UNDONE_CASES.items()
    if name not in NOT_OFFERED and not ACTIONS[name.partition("__")[0]].by_link
}
DRAWN = {name for name in CASES if name == "seat_stage__drawn"}  # with the record of a page's own draw


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    CASES[make.__name__] = make
    return make


# ---- the event ----


@case
def edit_tournament() -> Case:
    return event(), "edit_tournament", {"name": "Another", "starts_on": date(2026, 6, 1)}


@case
def put_away() -> Case:
    return event(rehearsal=True, listed=False), "put_away", {}


@case
def bring_back() -> Case:
    made = event(rehearsal=True, listed=False)
    made.act(actions.put_away)
    return made, "bring_back", {}


@case
def undo() -> Case:
    made = event()
    row = made.act(actions.tick, item="backup").sequence
    return made, "undo", {"row": row, "reason": "not yet"}


@case
def set_registration() -> Case:
    until = datetime(2026, 5, 8, 18, tzinfo=UTC)
    return event(), "set_registration", {"opened": True, "closes_at": until, "most": 40, "terms": "Be kind."}


@case
def create_invite() -> Case:
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=3)
    return event(), "create_invite", {"invite": uuid4(), "role": "table_referee", "expires_at": until}


@case
def announce() -> Case:
    words = {"en": "Food is served", "fi": "Ruoka on valmis"}
    return event(), "announce", {"announcement": uuid4(), "words": words, "minutes": 15}


@case
def add_screen() -> Case:
    return event(), "add_screen", {"screen": uuid4(), "name": "Hall"}


def screen() -> tuple[Event, UUID]:
    made = event()
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    return made, Screen.objects.get(tournament=made.tournament).uid


@case
def set_screen() -> Case:
    made, uid = screen()
    return made, "set_screen", {"screen": uid, "scenes": ["standings", "seats"], "seconds": 12}


@case
def remove_screen() -> Case:
    made, uid = screen()
    return made, "remove_screen", {"screen": uid}


# ---- players ----


@case
def edit_entry() -> Case:
    made = event(players=2)
    born = date(1990, 1, 2)
    more = {"public_name": "New", "start_number": 7, "birth_date": born, "real_name": "Real"}
    return made, "edit_entry", {"entry": made.uids[0], **more}


@case
def withdraw_entry() -> Case:
    made = event(players=2)
    return made, "withdraw_entry", {"entry": made.uids[0]}


@case
def different_people() -> Case:
    made = event(players=2)
    return made, "different_people", {"entry": made.uids[0], "other": made.uids[1]}


@case
def mark_paid() -> Case:
    made = event(players=2)
    return made, "mark_paid", {"entries": made.uids}


def met_twice() -> tuple[Event, list[UUID]]:
    """The second of two events of an organiser, and the two players who are one person."""
    first = event(players=1)
    second = event(players=1, user=first.user, organiser=first.tournament.organiser.uid)
    return second, [each.entries[0].player.uid for each in (first, second)]


@case
def join_people() -> Case:
    made, players = met_twice()
    return made, "join_people", {"groups": [players]}


@case
def part_people() -> Case:
    made, action, arguments = join_people()
    return made, "part_people", {"row": made.act(getattr(actions, action), **arguments).sequence}


@case
def part_person() -> Case:
    made, action, arguments = join_people()
    made.act(getattr(actions, action), **arguments)
    return made, "part_person", {"entry": made.uids[0]}


@case
def same_person() -> Case:
    made = event(players=1)
    organiser = made.tournament.organiser.uid
    other = event(players=1, organiser=organiser, organiser_name="", user=made.user)
    return other, "same_person", {"entry": other.uids[0], "player": made.entries[0].player.uid}


@case
def player_leaves() -> Case:
    made = running_match(players=4)
    return made, "player_leaves", {"entry": made.uids[0], "reason": "last bus"}


@case
def remove_player() -> Case:
    made = running_match(players=4)
    return made, "remove_player", {"entry": made.uids[0], "reason": "cheated", "table": made.table.uid}


@case
def readmit_player() -> Case:
    made = running_match(players=4)
    made.act(actions.player_leaves, entry=made.uids[0])
    return made, "readmit_player", {"entry": made.uids[0]}


@case
def renew_link() -> Case:
    made = event(players=1)
    opened(made)
    return made, "renew_link", {"entry": registered(made, "Asks")}


# ---- stages and seats ----


@case
def set_stage_settings() -> Case:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    return made, "set_stage_settings", {"stage": made.stage.uid, "settings": {"target": 250}, "name": "Night"}


@case
def choose_target() -> Case:
    made = running_match(players=4, ruleset="tite-2022", kind="final")
    return made, "choose_target", {"stage": made.stage.uid, "target": 250}


def with_clock() -> Event:
    made = running_heats()
    made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=20)
    return made


@case
def start_hall_clock() -> Case:
    made = running_heats()
    return made, "start_hall_clock", {"stage": made.stage.uid, "minutes": 20, "last_hand": 1}


@case
def pause_hall_clock() -> Case:
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    return with_clock(), "pause_hall_clock", {"goes_on_at": at}


@case
def resume_hall_clock() -> Case:
    made = with_clock()
    made.act(actions.pause_hall_clock)
    return made, "resume_hall_clock", {}


@case
def extend_hall_clock() -> Case:
    return with_clock(), "extend_hall_clock", {"minutes": 5}


@case
def stop_hall_clock() -> Case:
    return with_clock(), "stop_hall_clock", {}


@case
def give_table_minutes() -> Case:
    made = with_clock()
    return made, "give_table_minutes", {"table": made.table.uid, "minutes": 5}


@case
def freeze_standings() -> Case:
    made = running_match(players=3)
    return made, "freeze_standings", {"stage": made.stage.uid}


def frozen() -> Event:
    """A stage that is over and was frozen in the middle."""
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made.refresh()


@case
def begin_reveal() -> Case:
    made = frozen()
    return made, "begin_reveal", {"stage": made.stage.uid}


def steps_left(made: Event) -> int:
    return left_of(made.refresh().stage, stage_results(made.stage))


@case
def reveal_next() -> Case:
    made = frozen()
    made.act(actions.begin_reveal, stage=made.stage.uid)
    return made, "reveal_next", {"stage": made.stage.uid, "left": steps_left(made)}


@case
def lift_freeze() -> Case:
    made = frozen()
    return made, "lift_freeze", {"stage": made.stage.uid}


@case
def name_roles() -> Case:
    made = running_session(players=3)
    return made, "name_roles", {"table": made.table.uid, "oldest": made.uids[0], "youngest": made.uids[1]}


@case
def renew_link_of_table() -> Case:
    made = running_match(players=2)
    return made, "renew_link_of_table", {"table": made.table.uid}


# ---- matches ----


def a_round(made: Event) -> dict[str, Any]:
    first, *others = made.at(made.table)
    return {"winner": first, "hands": {str(uid): {"7": 1, "draw2": 1} for uid in others}}


@case
def record_round() -> Case:
    made = running_match(players=3)
    return made, "record_round", {"table": made.table.uid, "play": uuid4(), "number": 1, **a_round(made)}


def one_round() -> tuple[Event, dict[str, Any]]:
    made = running_match(players=3)
    play = recorded_round(made)
    return made, {"play": play, "version": made.play(play).version}


@case
def correct_round() -> Case:
    made, seen = one_round()
    return made, "correct_round", {**seen, "reason": "misread", **a_round(made)}


@case
def void_play() -> Case:
    made, seen = one_round()
    return made, "void_play", {**seen, "reason": "the cards fell"}


@case
def leave_out_plays() -> Case:
    made, later = over_before()
    return made, "leave_out_plays", {"table": made.table.uid, "plays": later, "reason": "the match was over"}


@case
def revert_play() -> Case:
    made, seen = one_round()
    made.act(actions.correct_round, **seen, reason="misread", **a_round(made))
    again = made.play(seen["play"]).version
    return made, "revert_play", {"play": seen["play"], "version": again, "to": seen["version"]}


@case
def move_play() -> Case:
    """A game that was entered at the table where its players sat before."""
    made = running_session(players=6, tables=2)
    one, other = made.tables
    seated = {1: made.at(one), 2: made.at(other)}
    play = uuid4()
    made.act(actions.record_game, table=one.uid, play=play, number=1, **a_game(made))
    tables = [{"number": number, "entries": seated[3 - number]} for number in (1, 2)]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables)
    version = made.play(play).version
    there = {"to": other.uid, "new": uuid4(), "reason": "the wrong table"}
    return made, "move_play", {"play": play, "version": version, **there}


@case
def stop_match() -> Case:
    made, _seen = one_round()
    return made, "stop_match", {"table": made.table.uid}


@case
def resume_match() -> Case:
    made, action, arguments = stop_match()
    made.act(getattr(actions, action), **arguments)
    return made, "resume_match", arguments


# ---- heats ----


@case
def record_heat() -> Case:
    made = running_heats(players=4, tables=1)
    order = made.at(made.table)[:1]
    return made, "record_heat", {"table": made.table.uid, "play": uuid4(), "number": 1, "finish_order": order}


@case
def correct_heat() -> Case:
    made = running_heats(players=4, tables=1)
    play = recorded_heat(made)
    seen = {"play": play, "version": made.play(play).version}
    order = made.at(made.table)[1:2]
    return made, "correct_heat", {**seen, "reason": "misread", "finish_order": order}


# ---- games ----


def a_game(made: Event) -> dict[str, Any]:
    first, second, third = made.at(made.table)
    return {
        "ended": "time",
        "results": [
            {"entry": first, "outcome": "out", "elapsed_s": 600},
            {"entry": second, "outcome": "remaining", "hand": {"7": 1}},
            {"entry": third, "outcome": "remaining", "hand": {"draw2": 2}},
        ],
    }


@case
def record_game() -> Case:
    made = running_session(players=3)
    return made, "record_game", {"table": made.table.uid, "play": uuid4(), "number": 1, **a_game(made)}


@case
def correct_game() -> Case:
    made, action, arguments = record_game()
    made.act(getattr(actions, action), **arguments)
    seen = {"play": arguments["play"], "version": made.play(arguments["play"]).version}
    results = [{**row, "elapsed_s": 700} if "elapsed_s" in row else row for row in arguments["results"]]
    return made, "correct_game", {**seen, "reason": "misread", "ended": "time", "results": results}


@case
def start_game() -> Case:
    made = running_session(players=3)
    return made, "start_game", {"table": made.table.uid, "play": uuid4(), "number": 1}


def playing(elapsed_s: int = 300) -> tuple[Event, UUID, list[UUID]]:
    made = running_session(players=4)
    return made, started_game(made, elapsed_s=elapsed_s), made.at(made.table)


@case
def set_game_start() -> Case:
    made, play, _seated = playing()
    return made, "set_game_start", {"play": play, "elapsed_s": 60, "reason": "the clock was late"}


@case
def choose_start() -> Case:
    made, play = running_session(players=4), uuid4()
    told = {"table": made.table.uid, "number": 1, "late_s": 60, "other_late_s": 600}
    made.act(actions.start_game, play=play, **told)
    moment = made.play(play).other_start
    assert moment
    return made, "choose_start", {"play": play, "started_at": moment.replace(microsecond=0)}


@case
def join_game() -> Case:
    made = running_session(players=4)
    play = uuid4()
    first, second, third, late = made.at(made.table)
    made.act(actions.start_game, table=made.table.uid, play=play, number=1, entries=[first, second, third])
    return made, "join_game", {"play": play, "entry": late}


@case
def record_out() -> Case:
    made, play, seated = playing()
    return made, "record_out", {"play": play, "entry": seated[0], "elapsed_s": 200}


@case
def record_give_up() -> Case:
    made, play, seated = playing()
    return made, "record_give_up", {"play": play, "entry": seated[0], "reason": "tired"}


@case
def eject_player() -> Case:
    made, play, seated = playing()
    return made, "eject_player", {"play": play, "entry": seated[0], "reason": "cheated"}


@case
def take_back() -> Case:
    made, play, seated = playing()
    made.act(actions.record_out, play=play, entry=seated[0])
    return made, "take_back", {"play": play, "entry": seated[0]}


@case
def end_game() -> Case:
    made, play, seated = playing()
    hands = {str(uid): {"7": 1} for uid in seated}
    return made, "end_game", {"play": play, "ended": "early", "hands": hands, "remaining": seated}


@case
def end_game__as_seen() -> Case:
    made, action, arguments = end_game()
    del arguments["remaining"]
    return made, action, {**arguments, "version": made.play(arguments["play"]).version}


# ---- looking twice, proposals, calls ----


@case
def let_players_time() -> Case:
    made = running_session()
    return made, "let_players_time", {"stage": made.stage.uid, "wanted": True}


@case
def ask_second_look_at() -> Case:
    made, seen = one_round()
    return made, "ask_second_look_at", {"play": seen["play"]}


def looked_at() -> Case:
    """A round that a table referee entered, and of which a second person is asked."""
    made = running_match(players=3)
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    enters = made.referee("table_referee")
    play = uuid4()
    arguments = {"table": made.table.uid, "play": play, "number": 1, **a_round(made)}
    actions.record_round(actions.Command(uuid4(), enters), made.tournament.uid, **arguments)
    return made, "", {"play": play, "version": made.play(play).version}


@case
def accept_play() -> Case:
    made, _action, seen = looked_at()
    return made, "accept_play", seen


@case
def accept_plays() -> Case:
    made, _action, seen = looked_at()
    return made, "accept_plays", {"table": made.table.uid, "plays": [seen]}


@case
def contest_play() -> Case:
    made, _action, seen = looked_at()
    return made, "contest_play", seen


def proposed() -> tuple[Event, UUID]:
    made = running_heats(players=4, tables=1)
    there = link_for("table", made.table.uid)
    by_link(made, actions.propose_result, token=there, proposal=uuid4(), play=uuid4(), number=1, fields={})
    return made, Proposal.objects.get().uid


@case
def accept_proposal() -> Case:
    made, uid = proposed()
    return made, "accept_proposal", {"proposal": uid, "result": {"finish_order": made.at(made.table)[:1]}}


@case
def decline_proposal() -> Case:
    made, uid = proposed()
    return made, "decline_proposal", {"proposal": uid, "reason": "nobody was out"}


@case
def call_referee() -> Case:
    made = running_match(players=2)
    return made, "call_referee", {"table": made.table.uid}


@case
def answer_call() -> Case:
    made, action, arguments = call_referee()
    made.act(getattr(actions, action), **arguments)
    return made, "answer_call", {"call": Call.objects.get().uid}


@case
def take_back_call() -> Case:
    made, _action, arguments = answer_call()
    return made, "take_back_call", arguments


# ---- beside the cards ----


def incident(**more: Any) -> tuple[Event, dict[str, Any]]:
    made = running_match(players=3)
    return made, {"table": made.table.uid, "incident": uuid4(), **more}


@case
def record_penalty() -> Case:
    made, arguments = incident(code="uno_not_said")
    return made, "record_penalty", {**arguments, "entry": made.uids[0]}


@case
def warn_player() -> Case:
    made, arguments = incident(text="spoke of cards")
    return made, "warn_player", {**arguments, "entry": made.uids[0]}


@case
def record_dispute() -> Case:
    made, arguments = incident(text="Was it red?", ruling="It was.")
    return made, "record_dispute", arguments


@case
def record_ruling() -> Case:
    return event(), "record_ruling", {"incident": uuid4(), "text": "May one?", "ruling": "One may."}


@case
def withdraw_incident() -> Case:
    made, action, arguments = record_ruling()
    made.act(getattr(actions, action), **arguments)
    return made, "withdraw_incident", {"incident": Incident.objects.get().uid}


CASES |= of_extras("cases", "CASES")

# ---- each of them ----


def test_every_action_is_offered_or_has_a_reason_not_to_be() -> None:
    by_link = {name for name, declared in ACTIONS.items() if declared.by_link}
    known = {name for name, offered in vars(every).items() if inspect.isfunction(offered)}
    assert [
        f"{name}: give it a row in WRITES of tournament/extras/programs/api/writes.py, or a reason in NOT_OFFERED"
        for name in known - by_link - set(BY_ACTION) - set(NOT_OFFERED)
    ] == []
    assert set(BY_ACTION) | set(NOT_OFFERED) == known - by_link
    assert not set(BY_ACTION) & set(NOT_OFFERED)
    assert all(NOT_OFFERED.values())


def test_every_action_that_is_offered_has_a_case() -> None:
    assert {made.partition("__")[0] for made in CASES} == set(BY_ACTION) - NEW_EVENT


@pytest.mark.parametrize("name", sorted(set(CASES) - DRAWN))
@pytest.mark.sweep
def test_command_does_what_the_page_does(client: Client, name: str) -> None:
    """The ledger row has the digest of the very arguments with which a page calls the action."""
    made, action, arguments = CASES[name]()
    key = uuid4()
    before = LedgerRow.objects.filter(tournament=made.tournament).count()
    response = send(client, made, action, arguments, key=key)
    assert response.status_code in {200, 201}, response.content
    said = read(response)
    said.pop("secret", None)  # only in the first answer
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=before + 1)
    assert (row.action, row.command, row.actor, said["sequence"]) == (action, key, made.user, row.sequence)
    assert row.device.startswith("api-")
    assert row.content == content_digest(
        {"action": action, "arguments": arguments, "tournament": made.tournament.uid}
    )
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []
    again = send(client, made, action, arguments, key=key)
    assert (again.status_code, read(again)["replayed"]) == (response.status_code, True)
    assert {**read(again), "replayed": False} == said
    assert LedgerRow.objects.filter(tournament=made.tournament).count() == before + 1


@pytest.mark.parametrize(
    "write", [write for write in commands() if write.makes in MADE], ids=lambda it: it.action
)
def test_what_was_made_is_where_location_says(client: Client, write: Write) -> None:
    made, action, arguments = CASES[write.action]()
    named = arguments.pop(write.makes)
    response = send(client, made, action, arguments)
    uid = read(response)["made"]
    assert (response.status_code, uid != str(named)) == (201, True)
    assert response["Location"].endswith(f"/{uid}")
    secret = response.wsgi_request.headers["authorization"]
    found = client.get(response["Location"], headers={"authorization": secret})
    assert (found.status_code, read(found)["uid"]) == (200, uid)


def test_written_play_is_in_the_answer_with_its_version(client: Client) -> None:
    made, action, arguments = record_round()
    response = send(client, made, action, arguments)
    play = read(response)["play"]
    assert (play["uid"], play["version"]) == (str(arguments["play"]), read(response)["sequence"])
    second = {"play": arguments["play"], "reason": "misread", **a_round(made)}
    changed = send(client, made, "correct_round", second, headers={"if-match": response["ETag"]})
    assert changed.status_code == 200
    assert Play.objects.get().version == read(changed)["play"]["version"]


def test_proposal_taken_as_another_kind_of_result_is_refused(client: Client) -> None:
    made, uid = proposed()
    wrong = {"winner": made.uids[0], "hands": {}}
    response = send(client, made, "accept_proposal", {"proposal": uid, "result": wrong})
    assert (response.status_code, read(response)["errors"][0]["path"]) == (422, "/result")


def test_players_and_levels_without_a_uid_get_one_that_a_repeat_has_again(client: Client) -> None:
    made, key = event("tite-2022"), uuid4()
    players = {"players": [{"name": "Ada"}, {"name": "Bo"}]}
    answers = [send(client, made, "enter_players", players, key=key) for _time in range(2)]
    assert [read(each)["replayed"] for each in answers] == [False, True]
    levels = {"levels": [{"kind": "heats", "settings": {"advance": 2}}, {"kind": "final"}]}
    assert send(client, made, "set_levels", levels).status_code == 200
    assert (made.tournament.entries.count(), made.tournament.stages.count()) == (2, 2)


def test_a_null_start_makes_it_unknown_and_an_absent_one_leaves_it(client: Client) -> None:
    made, action, arguments = record_game()
    began = now().replace(microsecond=0)
    made.act(getattr(actions, action), **arguments, started_at=began)
    play = made.play(arguments["play"])
    asked: dict[str, Any] = {"play": play.uid, "reason": "misread", **a_game(made)}
    starts: list[tuple[dict[str, Any], datetime | None]] = [
        ({}, began),
        ({"started_at": None}, None),
        ({"started_at": began}, began),
    ]
    for more, start in starts:
        seen = {"version": made.play(play.uid).version}
        assert send(client, made, "correct_game", asked | seen | more).status_code == 200
        assert made.play(play.uid).started_at == start
