"""Examples of commands, by action: what is sent, and the receipt that answers it."""

from collections.abc import Mapping
from typing import Any

TOURNAMENT = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"
HEATS = "0b9c8c39-8a9e-4a63-a3a8-6a0f2a3d1c22"
FINAL = "0b9c8c39-8a9e-4a63-a3a8-6a0f2a3d1c23"
TABLE = "c2f5f3a8-5f0b-4a6b-8b86-8d5c7a1e9f33"
OTHER_TABLE = "c2f5f3a8-5f0b-4a6b-8b86-8d5c7a1e9f34"
PLAY = "9d3e1b57-2c4f-4e1d-9a77-3b6f8c0d2e44"
AINO = "1a2b3c4d-0000-4000-8000-00000000000a"
BORJE = "1a2b3c4d-0000-4000-8000-00000000000b"
MADE = "5d0c7f86-97a1-4b6e-8a9b-2f6a3c1d4e55"

_WHY = {"reason": "misread"}
_ROUND = {"winner": AINO, "hands": {BORJE: {"7": 1, "draw2": 1}}}
_HEAT = {"finish_order": [AINO], "advance": 1}
_GAME = {
    "ended": "time",
    "results": [
        {"entry": AINO, "outcome": "out", "elapsed_s": 754},
        {"entry": BORJE, "outcome": "remaining", "hand": {"7": 1}},
    ],
}
_EVENT = {"name": "Club night", "starts_on": "2026-05-09", "place": "Helsinki"}
_EVENING = {"starts_at": "2026-05-09T18:00:00+03:00", "minutes": 40}

# What stands in the body; an action that is not here takes none.
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
    "edit_tournament": _EVENT,
    "set_decks": {"decks": 6},
    "tick": {"item": "backup"},
    "untick": {"item": "backup"},
    "undo": {"row": 41, "reason": "not that one"},
    "set_registration": {"opened": True, "closes_at": "2026-05-08T18:00:00+03:00", "most": 60},
    "set_programme": {"stages": [{"stage": HEATS, "plan": _EVENING}]},
    "grant_role": {"user": MADE, "role": "table_referee", "table": TABLE},
    "create_invite": {
        "role": "table_referee",
        "expires_at": "2026-05-10T02:00:00+03:00",
        "label": "Tables 1-3",
    },
    "revoke_invite": {"with_roles": True},
    "add_screen": {"name": "Hall"},
    "set_screen": {"scenes": ["seats", "standings"], "seconds": 12},
    "enter_players": {"players": [{"name": "Aino"}, {"name": "Börje", "club": "Card club"}]},
    "walk_in": {"name": "Çağla", "table": TABLE},
    "check_in": {"entries": [AINO, BORJE]},
    "take_back_check_in": {"entries": [BORJE]},
    "no_show": {"entries": [BORJE]},
    "approve_entries": {"entries": [AINO, BORJE]},
    "merge_entries": {"keep": AINO, "other": BORJE},
    "keep_apart": {"first": AINO, "second": BORJE},
    "edit_entry": {"public_name": "Aino K.", "start_number": 1, "club": "Card club"},
    "same_person": {"player": MADE},
    "player_leaves": {"reason": "last bus"},
    "remove_player": {"reason": "disturbed the table", "table": TABLE},
    "readmit_player": {"table": TABLE},
    "decline_entry": {"reason": "full"},
    "plan_stage": {"kind": "match", "settings": {"target": 500}},
    "set_levels": {
        "levels": [
            {"stage": HEATS, "kind": "heats", "settings": {"advance": 2}, "plan": _EVENING},
            {"kind": "final", "settings": {"target": 300}},
        ]
    },
    "set_stage_settings": {"settings": {"target": 300}},
    "finish_stage": {"without": [4], "reason": "nobody came to table 4"},
    "reopen_stage": _WHY,
    "ask_second_look": {"wanted": True},
    "reveal_next": {"left": 3},
    "seat_stage": {"tables": [{"number": 1, "entries": [AINO, BORJE]}]},
    "seat_table": {"number": 1, "entries": [AINO, BORJE]},
    "fill_stage": {"tables": 2, "seed": "4711"},
    "name_reserves": {"entries": [BORJE], "reason": "went out next"},
    "call_reserve": {"entry": BORJE, "reason": "a place is free"},
    "keep_finalists": {"reason": "the final has begun"},
    "swap_finalist": {"out": AINO, "enters": BORJE, "reason": "feels ill"},
    "name_roles": {"oldest": AINO, "youngest": BORJE},
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
    "revert_play": {"to": 38, "reason": "it was right"},
    "move_play": {"to": OTHER_TABLE, "reason": "the wrong table"},
    "set_game_start": {"elapsed_s": 90, "reason": "the clock was late"},
    "join_game": {"entry": BORJE},
    "record_out": {"entry": AINO, "elapsed_s": 754},
    "record_give_up": {"entry": BORJE, "reason": "tired"},
    "eject_player": {"entry": BORJE, "reason": "showed cards"},
    "take_back": {"entry": AINO},
    "end_game": {"ended": "early", "hands": {AINO: {"7": 1}, BORJE: {"skip": 2}}, "elapsed_s": 3000},
    "accept_proposal": {"result": _ROUND},
    "decline_proposal": {"reason": "the hands do not add up"},
    "record_penalty": {"code": "uno_not_said", "entry": BORJE},
    "warn_player": {"entry": BORJE, "text": "spoke of cards"},
    "record_dispute": {"text": "Was it red?", "ruling": "It was."},
    "record_ruling": {"text": "May one look at the pile?", "ruling": "One may not."},
    "withdraw_incident": {"reason": "the wrong player"},
}


def receipt(play: Mapping[str, Any] | None = None, made: str | None = None) -> Mapping[str, Any]:
    """What answers a command."""
    at = "2026-05-09T18:31:07.120000Z"
    return {"sequence": 41, "at": at, "replayed": False, "made": made, "play": play}
