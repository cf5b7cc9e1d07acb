"""An organiser of one event does nothing to another by naming its rows: every action that names a row, with a row of
another event in the place of each one that it names."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.arriving import by_link, opened, registered, token_of
from tests.support.extras import of_extras
from tests.support.factories import (
    Event,
    UserFactory,
    add_stage,
    event,
    recorded_heat,
    running_session,
    started_game,
    webhook_of,
)
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import stored_facts
from tournament.links import short_code, token_for
from tournament.models import (
    Announcement,
    Apart,
    Call,
    Entry,
    Incident,
    Invite,
    Membership,
    Proposal,
    Screen,
    Stage,
    Tournament,
    User,
)
from tournament.permissions import ACTIONS
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db


@dataclass
class Rows:
    """One row of each kind in an event of heats that are played, with its final planned and somebody who asks."""

    made: Event
    asks: UUID
    final: UUID
    play: UUID
    user: User

    @property
    def pair(self) -> UUID:
        return Apart.objects.get(tournament=self.made.tournament).uid

    @property
    def invite(self) -> UUID:
        return Invite.objects.get(tournament=self.made.tournament).uid

    @property
    def membership(self) -> UUID:
        return Membership.objects.filter(tournament=self.made.tournament, user=self.user)[0].uid

    @property
    def incident(self) -> UUID:
        return Incident.objects.filter(tournament=self.made.tournament)[0].uid

    @property
    def call(self) -> UUID:
        return Call.objects.filter(table__stage__tournament=self.made.tournament)[0].uid

    @property
    def seen(self) -> list[dict[str, Any]]:
        return [{"play": self.play, "version": self.made.play(self.play).version}]

    @property
    def proposal(self) -> UUID:
        return Proposal.objects.get(table__stage__tournament=self.made.tournament).uid

    @property
    def screen(self) -> UUID:
        return Screen.objects.get(tournament=self.made.tournament).uid

    @property
    def announcement(self) -> UUID:
        return Announcement.objects.get(tournament=self.made.tournament).uid

    @property
    def table_token(self) -> str:
        return token_for("table", self.made.tables[0].uid)

    @property
    def free(self) -> UUID:
        return self.made.uids[6]


def rows(kind: str = "heats") -> Rows:
    """The rows of a new event of an organiser of its own, who is no staff."""
    made = running_session(7) if kind == "session" else event("tite-2022", 7)
    opened(made, approval=True)
    asks = registered(made, "Asks")
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    until = timezone.now() + timedelta(days=1)
    made.act(actions.create_invite, invite=uuid4(), role="table_referee", expires_at=until)
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    made.act(actions.announce, announcement=uuid4(), words={"en": "Food is served"})
    webhook_of(made)
    user = UserFactory()
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role="organiser")
    if kind == "session":
        return Rows(made, asks, made.stage.uid, started_game(made), user)
    six, made.entries = made.entries, made.entries[:6]
    add_stage(made, "heats", tables=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.entries = six
    made.refresh()
    made.act(actions.record_ruling, incident=uuid4(), text="May one?", ruling="One may.")
    made.act(actions.call_referee, table=made.tables[0].uid)
    played = recorded_heat(made, made.tables[0])
    made.act(actions.ask_second_look_at, play=played)
    there = token_for("table", made.tables[1].uid)
    by_link(made, actions.propose_result, token=there, proposal=uuid4(), play=uuid4(), number=1, fields={})
    return Rows(made, asks, final, played, user)


# The arguments for each action, from rows of one event only.
CALLS: dict[str, Callable[[Rows], dict[str, Any]]] = {
    "edit_entry": lambda it: {"entry": it.free, "public_name": "New", "start_number": 77},
    "withdraw_entry": lambda it: {"entry": it.free},
    "erase_person": lambda it: {"entry": it.free},
    "enter_players": lambda it: {"players": [{"entry": it.free, "name": "New"}]},
    "bring_in_results": lambda it: {"players": [{"entry": it.free, "name": "New", "place": 1}]},
    "walk_in": lambda it: {"entry": uuid4(), "name": "New", "table": it.made.tables[0].uid},
    "check_in": lambda it: {"entries": [it.free]},
    "mark_paid": lambda it: {"entries": [it.free]},
    "take_back_check_in": lambda it: {"entries": [it.free]},
    "comes_late": lambda it: {"entry": it.free},
    "no_show": lambda it: {"entries": [it.free]},
    "player_leaves": lambda it: {"entry": it.free},
    "remove_player": lambda it: {"entry": it.free, "reason": "why"},
    "readmit_player": lambda it: {"entry": it.free},
    "merge_entries": lambda it: {"keep": it.made.uids[5], "other": it.free},
    "different_people": lambda it: {"entry": it.free, "other": it.made.uids[0]},
    "same_person": lambda it: {"entry": it.free, "player": it.made.entries[0].player.uid},
    "join_people": lambda it: {"groups": [[entry.player.uid for entry in it.made.entries[:2]]]},
    "part_person": lambda it: {"entry": it.free},
    "rename_person": lambda it: {"player": it.made.entries[0].player.uid, "name": "New"},
    "leave_out_person": lambda it: {"player": it.made.entries[0].player.uid, "left_out": True},
    "set_stage_settings": lambda it: {"stage": it.final, "settings": {"target": 400}},
    "choose_target": lambda it: {"stage": it.final, "target": 400},
    "plan_stage": lambda it: {"stage": it.final, "kind": "final"},
    "seat_table": lambda it: {
        "stage": it.final,
        "table": it.made.tables[0].uid,
        "number": 9,
        "entries": it.made.uids[:2],
    },
    "seat_stage": lambda it: {"stage": it.final, "tables": [{"number": 1, "entries": it.made.uids[:2]}]},
    "keep_apart": lambda it: {"first": it.made.uids[2], "second": it.made.uids[3]},
    "no_longer_apart": lambda it: {"pair": it.pair},
    "fill_stage": lambda it: {"stage": it.final, "decided": it.made.uids[:2], "reason": "why"},
    "plan_tie_break": lambda it: {"stage": it.final, "tie_break": uuid4()},
    "name_reserves": lambda it: {"stage": it.final, "entries": [it.free], "reason": "why"},
    "keep_finalists": lambda it: {"stage": it.final, "reason": "why"},
    "swap_finalist": lambda it: {
        "stage": it.final,
        "out": it.made.uids[0],
        "enters": it.free,
        "reason": "why",
    },
    "call_reserve": lambda it: {"stage": it.final, "entry": it.free, "reason": "why"},
    "set_levels": lambda it: {
        "levels": [
            {"stage": it.made.stage.uid, "kind": "heats", "settings": dict(it.made.stage.settings)},
            {"stage": it.final, "kind": "final", "settings": {"target": 400}},
        ]
    },
    "announce": lambda it: {"announcement": it.announcement, "words": {"en": "Food"}},
    "take_down": lambda it: {"announcement": it.announcement},
    "start_hall_clock": lambda it: {"stage": it.made.stage.uid, "minutes": 20},
    "give_table_minutes": lambda it: {"table": it.made.tables[0].uid, "minutes": 5},
    "add_screen": lambda it: {"screen": it.screen, "name": "Wall"},
    "set_screen": lambda it: {
        "screen": it.screen,
        "scenes": ["standings"],
        "seconds": 9,
        "stage": it.final,
    },
    "remove_screen": lambda it: {"screen": it.screen},
    "set_programme": lambda it: {"stages": [{"stage": it.final, "plan": {"minutes": 30}}]},
    "start_stage": lambda it: {"stage": it.final},
    "finish_stage": lambda it: {"stage": it.made.stage.uid, "without": [1, 2], "reason": "why"},
    "reopen_stage": lambda it: {"stage": it.made.stage.uid, "reason": "why"},
    "freeze_standings": lambda it: {"stage": it.made.stage.uid},
    "begin_reveal": lambda it: {"stage": it.made.stage.uid},
    "reveal_next": lambda it: {"stage": it.made.stage.uid, "left": 1},
    "lift_freeze": lambda it: {"stage": it.made.stage.uid},
    "grant_role": lambda it: {
        "membership": it.membership,
        "user": it.user.uid,
        "role": "table_referee",
        "table": it.made.tables[0].uid,
    },
    "revoke_role": lambda it: {"membership": it.membership},
    "create_invite": lambda it: {
        "invite": it.invite,
        "role": "table_referee",
        "expires_at": timezone.now() + timedelta(hours=1),
        "tables": [it.made.tables[0].uid],
    },
    "revoke_invite": lambda it: {"invite": it.invite, "with_roles": True},
    "place_referee": lambda it: {"user": it.user.uid, "tables": [it.made.tables[0].uid]},
    "post_referees": lambda it: {"stage": it.made.stage.uid},
    "approve_entries": lambda it: {"entries": [it.asks]},
    "decline_entry": lambda it: {"entry": it.asks},
    "take_from_waiting": lambda it: {"entry": it.asks},
    "renew_link": lambda it: {"entry": it.free},
    "name_roles": lambda it: {"table": it.made.tables[0].uid, "oldest": it.made.at(it.made.tables[0])[0]},
    "record_heat": lambda it: {
        "table": it.made.tables[1].uid,
        "play": it.play,
        "number": 1,
        "finish_order": it.made.at(it.made.tables[1])[:1],
    },
    "correct_heat": lambda it: {
        "play": it.play,
        "version": it.made.play(it.play).version,
        "finish_order": it.made.at(it.made.tables[0])[1:2],
        "reason": "why",
    },
    "revert_play": lambda it: {"play": it.play, "version": it.made.play(it.play).version, "to": 1},
    "move_play": lambda it: {
        "play": it.play,
        "version": it.made.play(it.play).version,
        "to": it.made.tables[1].uid,
        "new": uuid4(),
        "reason": "why",
    },
    "accept_play": lambda it: {"play": it.play, "version": it.made.play(it.play).version},
    "contest_play": lambda it: {"play": it.play, "version": it.made.play(it.play).version},
    "ask_second_look": lambda it: {"stage": it.made.stage.uid, "wanted": True},
    "let_players_time": lambda it: {"stage": it.made.stage.uid, "wanted": True},
    "ask_second_look_at": lambda it: {"play": it.play},
    "accept_proposal": lambda it: {
        "proposal": it.proposal,
        "result": {"finish_order": it.made.at(it.made.tables[1])[:1]},
    },
    "decline_proposal": lambda it: {"proposal": it.proposal, "reason": "why"},
    "renew_link_of_table": lambda it: {"table": it.made.tables[0].uid},
    "ask_to_join": lambda it: {
        "table": it.made.tables[0].uid,
        "code": short_code(it.made.tables[0].uid, 0),
    },
    "answer_ask": lambda it: {"table": it.made.tables[0].uid, "ask": uuid4(), "yes": True},
    "answer_ask_at_table": lambda it: {"token": it.table_token, "ask": uuid4(), "yes": True},
    "accept_play_at_table": lambda it: {
        "token": it.table_token,
        "play": it.play,
        "version": it.made.play(it.play).version,
    },
    "contest_play_at_table": lambda it: {
        "token": it.table_token,
        "play": it.play,
        "version": it.made.play(it.play).version,
    },
    "call_at_table": lambda it: {"token": it.table_token},
    "propose_result": lambda it: {
        "token": it.table_token,
        "proposal": it.proposal,
        "play": it.play,
        "number": 2,
        "fields": {},
    },
    "sit_down": lambda it: {"token": token_for("stage", it.made.stage.uid), "entries": it.made.uids[:2]},
    "withdraw_proposal": lambda it: {"token": it.table_token, "proposal": it.proposal},
    "accept_plays": lambda it: {"table": it.made.tables[0].uid, "plays": it.seen},
    "accept_plays_at_table": lambda it: {"token": it.table_token, "plays": it.seen},
    "leave_out_plays": lambda it: {"table": it.made.tables[0].uid, "plays": it.seen, "reason": "why"},
    "undo_at_table": lambda it: {"table": it.made.tables[0].uid, "row": 1},
    "void_play": lambda it: {"play": it.play, "version": it.made.play(it.play).version, "reason": "why"},
    "record_penalty": lambda it: {
        "table": it.made.tables[0].uid,
        "incident": it.incident,
        "code": "uno_not_said",
        "entry": it.made.at(it.made.tables[0])[0],
        "play": it.play,
    },
    "warn_player": lambda it: {
        "table": it.made.tables[0].uid,
        "incident": it.incident,
        "entry": it.made.at(it.made.tables[0])[0],
        "text": "shouts",
        "play": it.play,
    },
    "record_dispute": lambda it: {
        "table": it.made.tables[0].uid,
        "incident": it.incident,
        "text": "Was it red?",
        "ruling": "It was.",
        "play": it.play,
    },
    "record_ruling": lambda it: {
        "table": it.made.tables[0].uid,
        "incident": it.incident,
        "text": "May one?",
        "ruling": "One may.",
    },
    "withdraw_incident": lambda it: {"incident": it.incident},
    "call_referee": lambda it: {"table": it.made.tables[0].uid},
    "take_back_call": lambda it: {"call": it.call},
    "answer_call": lambda it: {"call": it.call},
    "take_role": lambda it: {"token": token_for("invite", it.invite)},
    "say_hello": lambda it: {"token": token_for("hello", it.made.tournament.uid)},
    "register": lambda it: {"entry": it.free, "public_name": "New", "terms": True},
    "check_in_self": lambda it: {"token": token_of(it.free)},
    "come_late": lambda it: {"token": token_of(it.free)},
    "cancel_self": lambda it: {"token": token_of(it.asks)},
    "leave_self": lambda it: {"token": token_of(it.free)},
    "come_back_self": lambda it: {"token": token_of(it.free)},
    "change_own_entry": lambda it: {"token": token_of(it.free), "public_name": "New"},
    "erase_self": lambda it: {"token": token_of(it.free)},
    **of_extras("cases", "CALLS"),
}

# Only where a KPGUT game runs; a match's are refused before anything is looked up. And such as name no row.
OTHERWISE = {
    "choose_start", "set_game_start", "start_game", "record_out", "record_give_up", "eject_player", "take_back",
    "join_game", "end_game",
    "record_game", "correct_game", "record_round", "correct_round", "stop_match", "resume_match",
}  # fmt: skip
NAMES_NONE = {
    "edit_tournament", "undo", "publish_programme", "put_away", "bring_back", "tick", "untick", "set_decks",
    "set_questions", "remember_columns", "set_registration", "replan_event", "pause_hall_clock", "resume_hall_clock",
    "extend_hall_clock", "stop_hall_clock", "stop_at_bell", "part_people",
}  # fmt: skip
PASSED_OVER = {("grant_role", "user"), ("place_referee", "user")}  # users belong to no event


def test_every_action_is_tried_or_names_no_row() -> None:
    assert {*CALLS, *OTHERWISE, *NAMES_NONE} == ACTIONS.keys() - {"create_tournament"}


@pytest.mark.sweep
def test_no_action_takes_a_row_of_another_event() -> None:
    own, foreign = rows(), rows()
    before = [facts_of(each) for each in (own, foreign)]
    for name, call in CALLS.items():
        for argument in call(own):
            if (name, argument) in PASSED_OVER:
                continue
            asked, theirs = call(own), call(foreign)
            if not names_a_row(theirs[argument]) or asked[argument] == theirs[argument]:
                continue
            refused(own, name, asked | {argument: theirs[argument]})
    assert [facts_of(each) for each in (own, foreign)] == before


def refused(own: Rows, name: str, asked: dict[str, Any]) -> None:
    command = Command(uuid4(), own.user)
    with pytest.raises((Refused, Forbidden)):  # noqa: PT012 - says which action took it
        getattr(actions, name)(command, own.made.tournament.uid, **asked)
        pytest.fail(f"{name} took {asked}")


def names_a_row(value: Any) -> bool:
    if isinstance(value, dict):
        return any(names_a_row(each) for each in value.values())
    if isinstance(value, list | tuple):
        return any(names_a_row(each) for each in value)
    return isinstance(value, UUID) or (isinstance(value, str) and len(value) == 43)


def facts_of(each: Rows) -> Any:
    row = Tournament.objects.get(pk=each.made.tournament.pk)
    names = list(
        Entry.objects.filter(tournament=row).order_by("pk").values_list("public_name", "player__name")
    )
    return row.version, stored_facts(row), names, list(Stage.objects.filter(tournament=row).values())
