"""What can be done through the interface: each action with its address. What is not in the table is in `NOT_OFFERED`,
with the reason, or a link allows it; a test holds both complete."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tournament import actions

# Arguments that are the uid of something new, and the address that then gives it.
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
    """One command: its action, and where it is sent.

    `makes` is the argument that is the uid of something new; it may be left out. An argument `version` comes from
    If-Match.
    """

    action: str
    method: str
    path: str
    summary: str
    makes: str = ""

    @property
    def function(self) -> Callable[..., Any]:
        """The action itself."""
        found: Callable[..., Any] = getattr(actions, self.action)
        return found

    @property
    def body(self) -> str:
        """What its body is called in the document."""
        return "".join(word.capitalize() for word in self.action.split("_"))


EVENT = "tournaments/<uuid:tournament>"
STAGE = "stages/<uuid:stage>"
TABLE = "tables/<uuid:table>"
PLAY = "plays/<uuid:play>"
ENTRY = "entries/<uuid:entry>"
INCIDENT = "incidents/<uuid:incident>"

WRITES: tuple[Write, ...] = (
    # Events
    Write("plan_event", "POST", "tournaments", "Make a tournament, with its stages"),
    Write("copy_event", "POST", f"{EVENT}/copies", "Make a tournament as this one was"),
    Write("edit_tournament", "PUT", EVENT, "Change how a tournament is shown"),
    Write("put_away", "POST", f"{EVENT}/put-away", "Put a rehearsal away"),
    Write("bring_back", "POST", f"{EVENT}/bring-back", "Bring a rehearsal back"),
    Write("set_decks", "PUT", f"{EVENT}/decks", "Say how many decks there are"),
    Write("tick", "POST", f"{EVENT}/tick", "Tick off a point of the checklist"),
    Write("untick", "POST", f"{EVENT}/untick", "Take a tick back"),
    Write("undo", "POST", f"{EVENT}/undo", "Undo a row of the ledger"),
    Write("set_registration", "PUT", f"{EVENT}/registration", "Say how players register"),
    Write("set_programme", "POST", f"{EVENT}/programme", "Change when stages are played"),
    Write("publish_programme", "POST", f"{EVENT}/programme/publish", "Show everybody the programme"),
    # Who may do what
    Write("grant_role", "POST", f"{EVENT}/roles", "Give somebody a role", makes="membership"),
    Write("revoke_role", "DELETE", f"{EVENT}/roles/<uuid:membership>", "Take a role back"),
    Write("create_invite", "POST", f"{EVENT}/invites", "Offer a role by a link", makes="invite"),
    Write("revoke_invite", "POST", f"{EVENT}/invites/<uuid:invite>/revoke", "End an invite"),
    Write("post_referees", "POST", f"{STAGE}/referees", "Post referees at the tables"),
    # Screens
    Write("add_screen", "POST", f"{EVENT}/screens", "Add a big screen", makes="screen"),
    Write("set_screen", "PUT", f"{EVENT}/screens/<uuid:screen>", "Choose what a screen shows"),
    Write("remove_screen", "DELETE", f"{EVENT}/screens/<uuid:screen>", "Take a screen away"),
    # Players
    Write("enter_players", "POST", f"{EVENT}/entries", "Enter players"),
    Write("walk_in", "POST", f"{EVENT}/walk-ins", "Let somebody in at the door", makes="entry"),
    Write("check_in", "POST", f"{EVENT}/check-in", "These players are here"),
    Write("take_back_check_in", "POST", f"{EVENT}/check-in/take-back", "These players are not here yet"),
    Write("no_show", "POST", f"{EVENT}/no-show", "These players did not come"),
    Write("approve_entries", "POST", f"{EVENT}/approve", "Yes to those who ask to take part"),
    Write("merge_entries", "POST", f"{EVENT}/merge", "Two entries are one player's"),
    Write("keep_apart", "POST", f"{EVENT}/apart", "Two players do not sit together"),
    Write("no_longer_apart", "DELETE", f"{EVENT}/apart/<uuid:pair>", "Two players may sit together"),
    Write("edit_entry", "PUT", ENTRY, "Change a player's data"),
    Write("withdraw_entry", "DELETE", f"{EVENT}/entries/<uuid:entry>", "Take out an entry made by mistake"),
    Write("same_person", "POST", f"{ENTRY}/player", "Say who a player of earlier events is"),
    Write("comes_late", "POST", f"{ENTRY}/comes-late", "A player comes late"),
    Write("player_leaves", "POST", f"{ENTRY}/leave", "A player leaves the event"),
    Write("remove_player", "POST", f"{ENTRY}/remove", "Remove a player from the event"),
    Write("readmit_player", "POST", f"{ENTRY}/readmit", "Take a leaving or removal back"),
    Write("decline_entry", "POST", f"{ENTRY}/decline", "No to somebody who asks to take part"),
    Write("take_from_waiting", "POST", f"{ENTRY}/take-from-waiting", "Give a place to who waits"),
    Write("renew_link", "POST", f"{ENTRY}/link", "Give a player a new link"),
    # Stages
    Write("plan_stage", "POST", f"{EVENT}/stages", "Plan a stage", makes="stage"),
    Write("set_levels", "PUT", f"{EVENT}/stages", "Plan every stage, in order"),
    Write("set_stage_settings", "PUT", f"{STAGE}/settings", "Set what the ruleset leaves open"),
    Write("start_stage", "POST", f"{STAGE}/start", "Start a stage"),
    Write("finish_stage", "POST", f"{STAGE}/finish", "Finish a stage"),
    Write("reopen_stage", "POST", f"{STAGE}/reopen", "Open a finished stage again"),
    Write("ask_second_look", "PUT", f"{STAGE}/second-look", "Ask for a second person's yes"),
    Write("freeze_standings", "POST", f"{STAGE}/freeze", "Freeze the standings"),
    Write("begin_reveal", "POST", f"{STAGE}/reveal", "Begin to reveal the standings"),
    Write("reveal_next", "POST", f"{STAGE}/reveal/next", "Reveal what comes next"),
    Write("lift_freeze", "POST", f"{STAGE}/thaw", "Show the standings as they are"),
    # Seats
    Write("seat_stage", "PUT", f"{STAGE}/tables", "Seat the whole stage"),
    Write("seat_table", "POST", f"{STAGE}/tables", "Seat players at a table", makes="table"),
    Write("fill_stage", "POST", f"{STAGE}/fill", "Seat those who go through from the heats"),
    Write("name_reserves", "PUT", f"{STAGE}/reserves", "Name reserves"),
    Write("call_reserve", "POST", f"{STAGE}/reserves/call", "Seat a reserve"),
    Write("keep_finalists", "POST", f"{STAGE}/finalists/keep", "Keep the seats after a correction"),
    Write("swap_finalist", "POST", f"{STAGE}/finalists/swap", "Give a seat to another"),
    Write("name_roles", "PUT", f"{TABLE}/roles", "Say who is oldest, youngest, starter"),
    Write("renew_link_of_table", "POST", f"{TABLE}/link", "Give a table a new code"),
    # Games, rounds, heats
    Write("record_round", "POST", f"{TABLE}/rounds", "Enter a round", makes="play"),
    Write("record_heat", "POST", f"{TABLE}/heats", "Enter a heat", makes="play"),
    Write("record_game", "POST", f"{TABLE}/games", "Enter a game, as from paper", makes="play"),
    Write("start_game", "POST", f"{TABLE}/games/start", "Start a game", makes="play"),
    Write("stop_match", "POST", f"{TABLE}/stop", "End a match before its target"),
    Write("resume_match", "POST", f"{TABLE}/resume", "Go on with a match"),
    Write("correct_round", "PUT", f"{PLAY}/round", "Enter a round anew"),
    Write("correct_heat", "PUT", f"{PLAY}/heat", "Enter a heat anew"),
    Write("correct_game", "PUT", f"{PLAY}/game", "Enter a game anew"),
    Write("void_play", "POST", f"{PLAY}/void", "Make a play void"),
    Write("revert_play", "POST", f"{PLAY}/revert", "Go back to an earlier version"),
    Write("move_play", "POST", f"{PLAY}/move", "Move a play to another table", makes="new"),
    Write("set_game_start", "PUT", f"{PLAY}/start", "Say when a game began"),
    Write("join_game", "POST", f"{PLAY}/join", "A latecomer joins a game"),
    Write("record_out", "POST", f"{PLAY}/out", "A player is out of cards"),
    Write("record_give_up", "POST", f"{PLAY}/give-up", "A player gives up a game"),
    Write("eject_player", "POST", f"{PLAY}/eject", "Eject a player from a game"),
    Write("take_back", "POST", f"{PLAY}/take-back", "Take back what happened to a player"),
    Write("end_game", "POST", f"{PLAY}/end", "End a game"),
    # Looking twice, proposals, calls
    Write("ask_second_look_at", "POST", f"{PLAY}/ask", "Ask for a second person's yes to a play"),
    Write("accept_play", "POST", f"{PLAY}/accept", "A second person finds a play right"),
    Write("contest_play", "POST", f"{PLAY}/contest", "A referee finds a play wrong"),
    Write(
        "accept_proposal", "POST", f"{EVENT}/proposals/<uuid:proposal>/accept", "Take what players proposed"
    ),
    Write("decline_proposal", "POST", f"{EVENT}/proposals/<uuid:proposal>/decline", "Do not take it"),
    Write("call_referee", "POST", f"{TABLE}/call", "Call the head referee"),
    Write("answer_call", "POST", f"{EVENT}/calls/<uuid:call>/answer", "Say that somebody comes"),
    Write("take_back_call", "DELETE", f"{EVENT}/calls/<uuid:call>", "Take a call back"),
    # Beside the cards
    Write("record_penalty", "POST", f"{TABLE}/penalties", "Enter a penalty", makes="incident"),
    Write("warn_player", "POST", f"{TABLE}/warnings", "Warn a player", makes="incident"),
    Write("record_dispute", "POST", f"{TABLE}/disputes", "Enter a dispute", makes="incident"),
    Write("record_ruling", "POST", f"{EVENT}/rulings", "Enter a ruling", makes="incident"),
    Write("withdraw_incident", "POST", f"{INCIDENT}/withdraw", "Withdraw an incident"),
)

BY_ACTION: Mapping[str, Write] = {write.action: write for write in WRITES}

# What no program does for a user, and why. Beside it whoever holds a link does what it allows, on its page.
NOT_OFFERED: Mapping[str, str] = {
    "accept_invite": "a person's own yes, which signs them in",
    "create_tournament": "POST tournaments does it, with stages or without",
    "found_event": "a table of friends becomes an event of whoever sits there, who is signed in by it",
    **dict.fromkeys(
        ("add_webhook", "set_webhook", "remove_webhook", "try_webhook", "send_again"),
        "whom an event tells what happens is an organiser's own choice, on its page",
    ),
    "erase_person": "a person erases a person, on its page, which says first what is gone",
    "import_event": "an archive is a file: `manage.py import_event` and the organiser's page take it",
}

# Arguments that no body holds, and why.
NOT_IN_BODIES: Mapping[tuple[str, str], str] = {
    ("seat_stage", "draw"): "the record of a draw made here, which the program did not make",
    ("seat_stage", "seen"): "what a person saw of the seats on the page",
}
