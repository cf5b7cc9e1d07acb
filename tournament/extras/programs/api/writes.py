"""API commands by URL. Other actions are in `NOT_OFFERED` with reasons, or by link."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast
from uuid import UUID

from tournament import actions
from tournament.actions.kernel import UNCHANGED
from tournament.extras.programs.api.bodies import arguments_of
from tournament.server.extras import modules, with_extras

NEW_EVENT = frozenset({"plan_event", "copy_event"})  # the event's uid is the command's id

# URL names by the argument that holds a new uid.
MADE = {
    "entry": "entry",
    "incident": "incident",
    "new": "play",
    "play": "play",
    "stage": "stage",
    "table": "table",
}


@dataclass(frozen=True, slots=True)
class Write:
    """`makes`: optional argument with the new uid. `secret` reads what only the first answer has. Actions with
    UNCHANGED arguments edit: PUT requires all, PATCH some."""

    action: str
    method: str
    path: str
    summary: str
    makes: str = ""
    secret: Callable[[UUID], str] | None = None

    @property
    def function(self) -> Callable[..., Any]:
        return cast("Callable[..., Any]", getattr(actions, self.action))

    @property
    def operation(self) -> str:
        return f"{self.action}_partial" if self.method == "PATCH" else self.action

    @property
    def shows(self) -> str:
        """URL name of what it makes; "" if that has no address."""
        return "tournament" if self.action in NEW_EVENT else MADE.get(self.makes, "")

    @property
    def edits(self) -> bool:
        """Whether it edits stored data (lost updates)."""
        return any(each.default is UNCHANGED for each in arguments_of(self.function).values())

    @property
    def status(self) -> int:
        """201 if something with a uid is created, else 200."""
        return 201 if self.makes or self.action in NEW_EVENT else 200

    @property
    def in_address(self) -> set[str]:
        return set(re.findall(r"<uuid:(\w+)>", self.path)) & arguments_of(self.function).keys()

    @property
    def kind(self) -> str:
        """Ledger kind of the address's last object, whose version If-Match states; "" for the event's."""
        *_others, name = ["", *re.findall(r"<uuid:(\w+)>", self.path)]
        return KINDS.get(self.path, KINDS.get(name, ""))

    @property
    def needs_version(self) -> bool:
        """Whether If-Match is required: edits, and changes of plays."""
        declared = arguments_of(self.function).get("version")
        return self.edits or (declared is not None and declared.default is declared.empty)


EVENT = "tournaments/<uuid:tournament>"
STAGE = "stages/<uuid:stage>"
AT_TABLE = "tables/<uuid:table>"
OF_PLAY = "plays/<uuid:play>"
ENTRY = "entries/<uuid:entry>"
INCIDENT = "incidents/<uuid:incident>"

# By URL or the last name in it.
KINDS = {
    **{name: name for name in ("announcement", "call", "entry", "incident", "invite", "membership", "play")},
    **{name: name for name in ("proposal", "screen", "season", "stage", "table")},
    "pair": "apart",
    EVENT: "tournament",
    f"{EVENT}/registration": "registration",
}

WRITES = (
    # Events
    Write("plan_event", "POST", "tournaments", "Create an event, with its stages"),
    Write("copy_event", "POST", f"{EVENT}/copies", "Copy an event"),
    Write("edit_tournament", "PUT", EVENT, "Change how an event is shown"),
    Write("put_away", "POST", f"{EVENT}/put-away", "Hide an event"),
    Write("bring_back", "POST", f"{EVENT}/bring-back", "Restore a hidden event"),
    Write("set_decks", "PUT", f"{EVENT}/decks", "Set the number of decks"),
    Write("tick", "POST", f"{EVENT}/tick", "Tick an item of the checklist"),
    Write("untick", "POST", f"{EVENT}/untick", "Untick an item of the checklist"),
    Write("undo", "POST", f"{EVENT}/undo", "Undo a row of the ledger"),
    Write("set_registration", "PUT", f"{EVENT}/registration", "Set how players register"),
    Write("set_programme", "POST", f"{EVENT}/programme", "Change when stages are played"),
    Write("publish_programme", "POST", f"{EVENT}/programme/publish", "Publish the programme"),
    # Roles
    Write("grant_role", "POST", f"{EVENT}/roles", "Give a user a role", makes="membership"),
    Write("revoke_role", "DELETE", f"{EVENT}/roles/<uuid:membership>", "Remove a role"),
    Write(
        "create_invite",
        "POST",
        f"{EVENT}/invites",
        "Create an invite: a link that gives a role",
        makes="invite",
    ),
    Write("revoke_invite", "POST", f"{EVENT}/invites/<uuid:invite>/revoke", "Withdraw an invite"),
    Write("place_referee", "POST", f"{EVENT}/referees", "Choose a referee's tables"),
    Write("post_referees", "POST", f"{STAGE}/referees", "Assign referees to tables"),
    # Announcements
    Write("announce", "POST", f"{EVENT}/announcements", "Make an announcement", makes="announcement"),
    Write(
        "take_down",
        "POST",
        f"{EVENT}/announcements/<uuid:announcement>/take-down",
        "Take an announcement down",
    ),
    # Screens
    Write("add_screen", "POST", f"{EVENT}/screens", "Add a big screen", makes="screen"),
    Write("set_screen", "PUT", f"{EVENT}/screens/<uuid:screen>", "Choose what a screen shows"),
    Write("remove_screen", "DELETE", f"{EVENT}/screens/<uuid:screen>", "Remove a screen"),
    # The hall's clock
    Write("start_hall_clock", "POST", f"{STAGE}/clock", "Start the hall's clock for a stage"),
    Write(
        "pause_hall_clock",
        "POST",
        f"{EVENT}/clock/pause",
        "Pause the hall's clock, until a time or indefinitely",
    ),
    Write("resume_hall_clock", "POST", f"{EVENT}/clock/resume", "Resume the hall's clock"),
    Write("extend_hall_clock", "POST", f"{EVENT}/clock/extend", "Give all tables more minutes"),
    Write("stop_hall_clock", "DELETE", f"{EVENT}/clock", "Stop the hall's clock"),
    Write("give_table_minutes", "PUT", f"{AT_TABLE}/minutes", "Give one table more minutes"),
    # Players
    Write("enter_players", "POST", f"{EVENT}/entries", "Enter players"),
    Write("walk_in", "POST", f"{EVENT}/walk-ins", "Add a walk-in", makes="entry"),
    Write("check_in", "POST", f"{EVENT}/check-in", "Check players in"),
    Write("take_back_check_in", "POST", f"{EVENT}/check-in/take-back", "Undo players' check-in"),
    Write("mark_paid", "POST", f"{EVENT}/paid", "Record that players paid their fee"),
    Write("no_show", "POST", f"{EVENT}/no-show", "Mark players as no-shows"),
    Write("approve_entries", "POST", f"{EVENT}/approve", "Accept players who ask to take part"),
    Write("merge_entries", "POST", f"{EVENT}/merge", "Merge two entries of one player"),
    Write("keep_apart", "POST", f"{EVENT}/apart", "Keep two players apart"),
    Write("no_longer_apart", "DELETE", f"{EVENT}/apart/<uuid:pair>", "No longer keep two players apart"),
    Write("join_people", "POST", f"{EVENT}/people/join", "Join people of several events"),
    Write("part_people", "POST", f"{EVENT}/people/part", "Part people who were joined"),
    Write("edit_entry", "PUT", ENTRY, "Change a player's data"),
    # By event: repeatable after deletion.
    Write("withdraw_entry", "DELETE", f"{EVENT}/entries/<uuid:entry>", "Remove an entry made by mistake"),
    Write("same_person", "POST", f"{ENTRY}/player", "Match a player with one from earlier events"),
    Write("different_people", "POST", f"{ENTRY}/different", "Record that two players are different people"),
    Write("part_person", "POST", f"{ENTRY}/part", "Tell a player apart from earlier events"),
    Write("comes_late", "POST", f"{ENTRY}/comes-late", "Mark a player as late"),
    Write("player_leaves", "POST", f"{ENTRY}/leave", "Mark a player as left"),
    Write("remove_player", "POST", f"{ENTRY}/remove", "Remove a player from the event"),
    Write("readmit_player", "POST", f"{ENTRY}/readmit", "Let a player back in"),
    Write("decline_entry", "POST", f"{ENTRY}/decline", "Decline a player who asks to take part"),
    Write("take_from_waiting", "POST", f"{ENTRY}/take-from-waiting", "Give a place to a waiting player"),
    Write("renew_link", "POST", f"{ENTRY}/link", "Give a player a new link"),
    # Stages
    Write("plan_stage", "POST", f"{EVENT}/stages", "Plan a stage", makes="stage"),
    Write("set_levels", "PUT", f"{EVENT}/stages", "Plan every stage, in order"),
    Write("set_stage_settings", "PUT", f"{STAGE}/settings", "Set what the ruleset leaves open"),
    Write("choose_target", "PUT", f"{STAGE}/target", "Choose the target, before the first round is entered"),
    Write("start_stage", "POST", f"{STAGE}/start", "Start a stage"),
    Write("finish_stage", "POST", f"{STAGE}/finish", "Finish a stage"),
    Write("reopen_stage", "POST", f"{STAGE}/reopen", "Reopen a finished stage"),
    Write(
        "let_players_time", "PUT", f"{STAGE}/players-clock", "Let players run the clock of a session's tables"
    ),
    Write("ask_second_look", "PUT", f"{STAGE}/second-look", "Require confirmation of the stage's results"),
    Write("freeze_standings", "POST", f"{STAGE}/freeze", "Freeze the standings"),
    Write("begin_reveal", "POST", f"{STAGE}/reveal", "Start revealing the standings"),
    Write("reveal_next", "POST", f"{STAGE}/reveal/next", "Reveal the next place"),
    Write("lift_freeze", "POST", f"{STAGE}/thaw", "End the freeze and show the current standings"),
    # Seats
    Write("seat_stage", "PUT", f"{STAGE}/tables", "Seat the whole stage"),
    Write("seat_table", "POST", f"{STAGE}/tables", "Seat players at a table", makes="table"),
    Write("fill_stage", "POST", f"{STAGE}/fill", "Seat the players who are through from the heats"),
    Write("name_reserves", "PUT", f"{STAGE}/reserves", "Name reserves"),
    Write("call_reserve", "POST", f"{STAGE}/reserves/call", "Seat a reserve"),
    Write(
        "plan_tie_break", "POST", f"{STAGE}/tie-break", "Have a tie at the cut played out", makes="tie_break"
    ),
    Write("keep_finalists", "POST", f"{STAGE}/finalists/keep", "Keep the seats after a correction"),
    Write("swap_finalist", "POST", f"{STAGE}/finalists/swap", "Give a seat to another player"),
    Write("name_roles", "PUT", f"{AT_TABLE}/roles", "Set the oldest and youngest player and the starter"),
    Write("renew_link_of_table", "POST", f"{AT_TABLE}/link", "Give a table a new code"),
    # Games, rounds, heats
    Write("record_round", "POST", f"{AT_TABLE}/rounds", "Enter a round", makes="play"),
    Write("record_heat", "POST", f"{AT_TABLE}/heats", "Enter a heat", makes="play"),
    Write(
        "record_game", "POST", f"{AT_TABLE}/games", "Enter a whole game, for example from paper", makes="play"
    ),
    Write("start_game", "POST", f"{AT_TABLE}/games/start", "Start a game", makes="play"),
    Write("stop_match", "POST", f"{AT_TABLE}/stop", "End a match before its target"),
    Write("resume_match", "POST", f"{AT_TABLE}/resume", "Resume a match"),
    Write("correct_round", "PUT", f"{OF_PLAY}/round", "Correct a round, with a reason"),
    Write("correct_heat", "PUT", f"{OF_PLAY}/heat", "Correct a heat, with a reason"),
    Write("correct_game", "PUT", f"{OF_PLAY}/game", "Correct a game, with a reason"),
    Write("void_play", "POST", f"{OF_PLAY}/void", "Void a play"),
    Write("leave_out_plays", "POST", f"{AT_TABLE}/leave-out", "Void several plays that are on hold"),
    Write("revert_play", "POST", f"{OF_PLAY}/revert", "Restore an earlier version"),
    Write("move_play", "POST", f"{OF_PLAY}/move", "Move a play to another table", makes="new"),
    Write("set_game_start", "PUT", f"{OF_PLAY}/start", "Set when a game began"),
    Write("choose_start", "POST", f"{OF_PLAY}/start/choose", "Choose between two moments when a game began"),
    Write("join_game", "POST", f"{OF_PLAY}/join", "Let a player join a running game"),
    Write("record_out", "POST", f"{OF_PLAY}/out", "Record that a player is out of cards"),
    Write("record_give_up", "POST", f"{OF_PLAY}/give-up", "Record that a player gives up"),
    Write("eject_player", "POST", f"{OF_PLAY}/eject", "Eject a player from a game"),
    Write("take_back", "POST", f"{OF_PLAY}/take-back", "Undo what was recorded for a player"),
    Write("end_game", "POST", f"{OF_PLAY}/end", "End a game"),
    # Confirmations, proposals, calls
    Write("ask_second_look_at", "POST", f"{OF_PLAY}/ask", "Ask for confirmation of a play"),
    Write("accept_play", "POST", f"{OF_PLAY}/accept", "Confirm a play"),
    Write("accept_plays", "POST", f"{AT_TABLE}/accept", "Confirm several plays"),
    Write("contest_play", "POST", f"{OF_PLAY}/contest", "Contest a play"),
    Write("accept_proposal", "POST", f"{EVENT}/proposals/<uuid:proposal>/accept", "Accept a proposal"),
    Write("decline_proposal", "POST", f"{EVENT}/proposals/<uuid:proposal>/decline", "Decline a proposal"),
    Write("call_referee", "POST", f"{AT_TABLE}/call", "Call the head referee"),
    Write("answer_call", "POST", f"{EVENT}/calls/<uuid:call>/answer", "Answer a call"),
    Write("take_back_call", "DELETE", f"{EVENT}/calls/<uuid:call>", "Withdraw a call"),
    # Incidents
    Write("record_penalty", "POST", f"{AT_TABLE}/penalties", "Enter a penalty", makes="incident"),
    Write("warn_player", "POST", f"{AT_TABLE}/warnings", "Warn a player", makes="incident"),
    Write("record_dispute", "POST", f"{AT_TABLE}/disputes", "Enter a dispute", makes="incident"),
    Write("record_ruling", "POST", f"{EVENT}/rulings", "Enter a ruling", makes="incident"),
    Write("withdraw_incident", "POST", f"{INCIDENT}/withdraw", "Withdraw an incident"),
)


@cache
def commands() -> tuple[Write, ...]:
    """Commands of the core and of extras; those that edit also as PATCH."""
    each = (*WRITES, *(write for module in modules("api") for write in getattr(module, "WRITES", ())))
    return (*each, *(replace(write, method="PATCH") for write in each if write.edits))


# Example uids.
TOURNAMENT = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"
HEATS = "0b9c8c39-8a9e-4a63-a3a8-6a0f2a3d1c22"
FINAL = "0b9c8c39-8a9e-4a63-a3a8-6a0f2a3d1c23"
TABLE = "c2f5f3a8-5f0b-4a6b-8b86-8d5c7a1e9f33"
OTHER_TABLE = "c2f5f3a8-5f0b-4a6b-8b86-8d5c7a1e9f34"
PLAY = "9d3e1b57-2c4f-4e1d-9a77-3b6f8c0d2e44"
AINO = "1a2b3c4d-0000-4000-8000-00000000000a"
BORJE = "1a2b3c4d-0000-4000-8000-00000000000b"
NEW = "5d0c7f86-97a1-4b6e-8a9b-2f6a3c1d4e55"

_WHY = {"reason": "misread"}
_SEEN = {"play": PLAY, "version": 37}
_ROUND = {"winner": AINO, "hands": {BORJE: {"7": 1, "draw2": 1}}}
_HEAT = {"finish_order": [AINO], "advance": 1}
_GAME = {
    "ended": "last",
    "results": [{"entry": AINO, "outcome": "out", "elapsed_s": 754}, {"entry": BORJE, "outcome": "last"}],
}
_EVENT = {"name": "Club night", "starts_on": "2026-05-09", "place": "Helsinki"}
_EVENING = {"starts_at": "2026-05-09T18:00:00+03:00", "minutes": 40}

# Example bodies by operation.
SENT: Mapping[str, Mapping[str, Any]] = {
    "plan_event": {
        **_EVENT,
        "ruleset": "tite-2022",
        "listed": False,
        "stages": [
            {"kind": "heats", "settings": {"advance": 2}, "plan": _EVENING},
            {"kind": "final", "settings": {"target": 300}},
        ],
    },
    "copy_event": {"name": "Club night II", "starts_on": "2027-05-08", "players": True, "roles": True},
    "edit_tournament": {
        **_EVENT,
        "time_zone": "Europe/Helsinki",
        "language": "fi",
        "slug": "club-night",
        "listed": False,
        "description": "Friends of the card club are welcome.",
        "doors_at": "17:30",
        "starts_at": "18:00",
        "fee": "5 €",
        "bring": "",
        "colour": "#8a1c4a",
    },
    "edit_tournament_partial": {"place": "Espoo", "fee": "free"},
    "set_decks": {"decks": 6},
    "tick": {"item": "backup"},
    "untick": {"item": "backup"},
    "undo": {"sequence": 41, "reason": "not that one"},
    "set_registration": {
        "opened": True,
        "closes_at": "2026-05-08T18:00:00+03:00",
        "approval": False,
        "most": 60,
        "check_in_from": None,
        "check_in_until": None,
        "terms": "Be on time.",
        "safer_space": "",
        "contact_person": "Outi, at the desk",
    },
    "set_registration_partial": {"opened": False},
    "set_programme": {"parts": [{"stage": HEATS, "plan": _EVENING}]},
    "grant_role": {"user": NEW, "role": "table_referee", "table": TABLE},
    "place_referee": {"user": NEW, "tables": [TABLE]},
    "create_invite": {
        "role": "table_referee",
        "expires_at": "2026-05-10T02:00:00+03:00",
        "label": "Tables 1-3",
    },
    "revoke_invite": {"with_roles": True},
    "announce": {"words": {"en": "Food is served", "fi": "Ruoka on valmis"}, "minutes": 15},
    "add_screen": {"name": "Hall"},
    "set_screen": {"name": "Hall", "scenes": ["seats", "standings"], "seconds": 12, "stage": None},
    "set_screen_partial": {"seconds": 20},
    "start_hall_clock": {"minutes": 20, "last_hand": 0},
    "pause_hall_clock": {"goes_on_at": "2026-05-09T19:30:00+03:00"},
    "extend_hall_clock": {"minutes": 5},
    "give_table_minutes": {"minutes": 5},
    "enter_players": {"players": [{"public_name": "Aino"}, {"public_name": "Börje", "club": "Card club"}]},
    "walk_in": {"public_name": "Çağla", "table": TABLE},
    "check_in": {"entries": [AINO, BORJE]},
    "take_back_check_in": {"entries": [BORJE]},
    "mark_paid": {"entries": [AINO], "paid": True},
    "different_people": {"other": BORJE},
    "no_show": {"entries": [BORJE]},
    "approve_entries": {"entries": [AINO, BORJE]},
    "merge_entries": {"keep": AINO, "other": BORJE},
    "keep_apart": {"first": AINO, "second": BORJE},
    "join_people": {"groups": [[AINO, BORJE]]},
    "part_people": {"sequence": 41},
    "edit_entry": {
        "public_name": "Aino K.",
        "start_number": 1,
        "club": "Card club",
        "birth_date": "1990-01-02",
        "contact": "aino@example.org",
        "real_name": "Aino Korhonen",
        "guardian": False,
        "division": "",
    },
    "edit_entry_partial": {"club": "Card club"},
    "same_person": {"player": NEW},
    "player_leaves": {"reason": "last bus"},
    "remove_player": {"reason": "disturbed the table", "table": TABLE},
    "readmit_player": {"table": TABLE},
    "decline_entry": {"reason": "full"},
    "plan_stage": {
        "kind": "match",
        "settings": {"target": 500},
        "source": {"parts": [{"stage": 1, "take": "first", "count": 5}]},
    },
    "set_levels": {
        "levels": [
            {"stage": HEATS, "kind": "heats", "settings": {"advance": 2}, "plan": _EVENING},
            {"kind": "final", "settings": {"target": 300}},
        ]
    },
    "set_stage_settings": {"settings": {"target": 300}, "name": "", "card_texts": [], "source": {}},
    "set_stage_settings_partial": {"name": "Final table"},
    "choose_target": {"target": 300},
    "finish_stage": {"without": [4], "reason": "nobody came to table 4"},
    "reopen_stage": _WHY,
    "let_players_time": {"players_clock": True},
    "ask_second_look": {"second_look": True},
    "reveal_next": {"left": 3},
    "seat_stage": {"tables": [{"number": 1, "entries": [AINO, BORJE]}]},
    "seat_table": {"number": 1, "entries": [AINO, BORJE]},
    "fill_stage": {"tables": 2, "seed": "4711"},
    "name_reserves": {"entries": [BORJE], "reason": "went out next"},
    "call_reserve": {"entry": BORJE, "reason": "a place is free"},
    "plan_tie_break": {"tie_break": NEW},
    "keep_finalists": {"reason": "the final has begun"},
    "swap_finalist": {"out": AINO, "enters": BORJE, "reason": "feels ill"},
    "name_roles": {"oldest": AINO, "youngest": BORJE, "starter": None},
    "name_roles_partial": {"starter": BORJE},
    "record_round": {"number": 1, **_ROUND},
    "record_heat": {"number": 1, **_HEAT},
    "record_game": {"number": 1, **_GAME},
    "start_game": {"number": 1, "entries": [AINO, BORJE]},
    "stop_match": {"reason": "the hall closes"},
    "resume_match": {"reason": "it does not"},
    "correct_round": {**_WHY, **_ROUND},
    "correct_heat": {**_WHY, **_HEAT},
    "correct_game": {**_WHY, **_GAME},
    "void_play": {"reason": "a card lay on the floor"},
    "leave_out_plays": {"plays": [_SEEN], "reason": "the match was over"},
    "revert_play": {"to": 38, "reason": "it was right"},
    "move_play": {"to": OTHER_TABLE, "reason": "the wrong table"},
    "set_game_start": {"elapsed_s": 90, "reason": "the clock was late"},
    "choose_start": {"started_at": "2026-05-09T18:05:00+03:00"},
    "join_game": {"entry": BORJE},
    "record_out": {"entry": AINO, "elapsed_s": 754},
    "record_give_up": {"entry": BORJE, "reason": "tired"},
    "eject_player": {"entry": BORJE, "reason": "showed cards"},
    "take_back": {"entry": AINO},
    "end_game": {
        "ended": "early",
        "hands": {AINO: {"7": 1}, BORJE: {"skip": 2}},
        "remaining": [AINO, BORJE],
        "elapsed_s": 3000,
    },
    "accept_plays": {"plays": [_SEEN]},
    "accept_proposal": {"result": _ROUND},
    "decline_proposal": {"reason": "the hands do not add up"},
    "record_penalty": {"code": "uno_not_said", "entry": BORJE},
    "warn_player": {"entry": BORJE, "text": "spoke of cards"},
    "record_dispute": {"text": "Was it red?", "ruling": "It was."},
    "record_ruling": {"text": "May one look at the pile?", "ruling": "One may not."},
    "withdraw_incident": {"reason": "the wrong player"},
}


@cache
def example_bodies() -> Mapping[str, Mapping[str, Any]]:
    """Example bodies of the core and of extras by operation."""
    return with_extras("SENT", SENT)


# Not callable by API, with reasons.
NOT_OFFERED: Mapping[str, str] = {
    "accept_invite": "accepting an invite is up to the person, whom it signs in",
    "create_tournament": "POST tournaments does this, with or without stages",
    "stop_at_bell": "a program stops each match by itself",
    "undo_at_table": "this is the tap at the table; POST undo does the same",
    "erase_person": "erasing a person is done on a page that first says what will be gone",
    "rename_person": "a person of several events is renamed on a page; PATCH of an entry renames it there",
    "leave_out_person": "the people to choose from are only on a page",
    "delete_event": "deleting an event is done on a page that first says what will be gone",
    "bring_in_results": "a list of results is read, asked about and confirmed on a page",
    "replan_event": "changing what is played is done on a page that first says what will be removed",
    "set_questions": "the questions to players are edited on a page that first says which answers will be removed",
    "remember_columns": "columns are matched when the list is previewed",
    "answer_ask": "only a person who sees the phone can accept it",
}

# By action, arguments never in bodies.
NOT_IN_BODIES: Mapping[str, Mapping[str, str]] = {
    "start_game": {"other_late_s": "a phone's second reading of its clock"},
    "record_game": {"other_late_s": "a phone's second reading of its clock"},
    "edit_entry": {"answers": "players' answers are private, and the API never returns them"},
    "seat_stage": {
        "draw": "the record of a draw on the page, which the program did not draw",
        "seen": "the seats that a person saw on the page",
    },
}

# By action, arguments renamed to match the responses.
RENAMED: Mapping[str, Mapping[str, str]] = {
    "ask_second_look": {"wanted": "second_look"},
    "join_game": {"name": "public_name"},
    "let_players_time": {"wanted": "players_clock"},
    "part_people": {"row": "sequence"},
    "set_programme": {"stages": "parts"},
    "undo": {"row": "sequence"},
    "walk_in": {"name": "public_name"},
}

# By action, optional even in PUT.
OPTIONAL: Mapping[str, Mapping[str, str]] = {
    "edit_tournament": {"logo": "no answer has the picture"},
    "edit_entry": {"division": "clients of 0.3 do not send it"},
    "set_stage_settings": {"source": "clients of 0.3 do not send it"},
}
