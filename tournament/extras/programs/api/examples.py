"""Examples by operation: (request, response). Tests validate them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tournament.extras.programs.api.writes import (
    AINO,
    BORJE,
    HEATS,
    NEW,
    PLAY,
    TABLE,
    TOURNAMENT,
    Write,
    commands,
    example_bodies,
)
from tournament.ledger.undoing import can_be_undone
from tournament.server.extras import with_extras

_EVENT = {
    "uid": TOURNAMENT,
    "slug": "club-night",
    "name": "Club night",
    "organiser": {"uid": "5a0e2c61-7b8f-4d3c-8e21-9f4b6a7c8d55", "name": "Card club"},
    "starts_on": "2026-05-09",
    "place": "Helsinki",
    "time_zone": "Europe/Helsinki",
    "language": "en",
    "ruleset": "mattel-108",
    "ruleset_revision": "108",
    "state": "running",
    "listed": True,
    "rehearsal": False,
    "description": "Friends of the card club are welcome.",
    "doors_at": "17:30:00",
    "starts_at": "18:00:00",
    "fee": "5 €",
    "bring": "",
    "colour": "#8a1c4a",
    "version": 42,
    "ledger_head": "5d1f0a7c4b9e83d26f0c1a5e7b94d83f2c6e0b1a9d7f4583e2b6c0a1f9d8e734",
    "links": {
        "page": "https://cards.example.org/en/t/club-night/",
        "workbook": "https://cards.example.org/en/t/club-night/results.xlsx",
        "data": "https://cards.example.org/en/t/club-night/data.xlsx",
        "csv": "https://cards.example.org/en/t/club-night/data.zip",
        "calendar": "https://cards.example.org/en/t/club-night/programme.ics",
        "feed": "https://cards.example.org/en/t/club-night/results.atom",
        "live": f"https://cards.example.org/live/{TOURNAMENT}",
    },
}

_PLAY = {
    "uid": PLAY,
    "table": TABLE,
    "number": 1,
    "state": "entered",
    "started_at": None,
    "other_start": None,
    "entered_at": None,
    "ended": "",
    "duration_s": None,
    "decks": None,
    "last_cards": {},
    "drew": None,
    "advance": None,
    "second_look": "",
    "version": 41,
    "results": [
        {
            "uid": "77777777-0000-4000-8000-000000000001",
            "entry": AINO,
            "outcome": "won",
            "elapsed_s": None,
            "hand": {},
            "finish": None,
        },
        {
            "uid": "77777777-0000-4000-8000-000000000002",
            "entry": BORJE,
            "outcome": "holds",
            "elapsed_s": None,
            "hand": {"7": 1, "draw2": 1},
            "finish": None,
        },
    ],
}

_SHEET = {
    "sheet": 1,
    "kind": "match",
    "ruleset": "mattel-108",
    "settings": {"target": 500},
    "players": [{"id": AINO, "name": "Aino"}, {"id": BORJE, "name": "Börje"}],
    "rounds": [{"number": 1, "winner": AINO, "hands": {BORJE: {"7": 1, "draw2": 1}}}],
}

_ANSWER = {
    "kind": "match",
    "ruleset": "mattel-108",
    "standings": [
        {"player": AINO, "place": 1, "status": "ranked", "points": 27, "rounds_won": 1},
        {"player": BORJE, "place": 2, "status": "ranked", "points": 0, "rounds_won": 0},
    ],
    "rounds": [{"number": 1, "results": [{"player": AINO, "points": 27}, {"player": BORJE, "points": 0}]}],
    "winners": [],
    "complete": False,
}


_OUTI = {"uid": "3e4d5c6b-0000-4000-8000-000000000003", "name": "Outi"}
_SINCE, _UNTIL = "2026-05-09T15:10:00Z", "2026-05-10T20:59:59Z"

# Rows of staff lists.
_STAFF: Mapping[str, Mapping[str, Any]] = {
    "calls_read": {
        "uid": NEW,
        "table": TABLE,
        "kind": "help",
        "play": None,
        "at": _SINCE,
        "answered_at": None,
        "answered_by": None,
    },
    "proposals_read": {
        "uid": NEW,
        "table": TABLE,
        "number": 2,
        "play": PLAY,
        "filled": {"winner": AINO},
        "state": "waiting",
        "at": _SINCE,
    },
    "screens_read": {
        "uid": NEW,
        "name": "By the door",
        "scenes": ["seats", "standings"],
        "stage": None,
        "seconds": 12,
    },
    "roles_read": {"uid": NEW, "user": _OUTI, "role": "table_referee", "table": TABLE, "invite": None},
    "invites_read": {
        "uid": NEW,
        "role": "table_referee",
        "tables": [],
        "label": "Friday's referees",
        "most": None,
        "expires_at": _UNTIL,
        "revoked_at": None,
        "accepted": 3,
        "link": "/en/i/b8f1…/",
    },
    "apart_read": {"uid": NEW, "first": AINO, "second": BORJE},
    "announcements_read": {
        "uid": NEW,
        "words": {"en": "Food is served", "fi": "Ruoka on valmis"},
        "at": _SINCE,
        "until": _UNTIL,
        "down_at": None,
    },
    "checklist_read": {"item": "decks", "at": _SINCE, "by": _OUTI},
}


def page_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A list of this row alone."""
    return {"count": 1, "next": None, "previous": None, "results": [row]}


def _receipt(write: Write) -> Mapping[str, Any]:
    of_play = write.makes == "play"
    return {
        "sequence": 41,
        "at": "2026-05-09T18:31:07.120000Z",
        "replayed": False,
        "undoable": can_be_undone(write.action),
        "entries": [AINO, BORJE] if write.action == "enter_players" else [],
        "tables": [TABLE] if write.action in {"seat_stage", "fill_stage"} else [],
        "made": PLAY if of_play else NEW if write.status == 201 else None,
        "play": _PLAY if of_play else None,
    }


_EXAMPLES: Mapping[str, tuple[Any, Any]] = {
    "tournaments_read": (None, page_of(_EVENT)),
    "tournament_read": (None, _EVENT),
    "plays_read": (None, page_of(_PLAY)),
    "play_read": (None, _PLAY),
    "standings_read": (
        None,
        {
            "stage": HEATS,
            "state": "running",
            "version": 41,
            "frozen": None,
            "standings": [
                {
                    "table": TABLE,
                    "table_number": 1,
                    "entry": AINO,
                    "public_name": "Aino",
                    "display_name": "Aino (Card club)",
                    "club": "Card club",
                    "start_number": 7,
                    "player": AINO,
                    "place": 1,
                    "status": "ranked",
                    "points": 27,
                    "rounds_won": 1,
                }
            ],
            "contests": [{"table": TABLE, "answer": _ANSWER}],
        },
    ),
    "sheets_read": (
        None,
        {"stage": HEATS, "version": 41, "sheets": [{"table": TABLE, "sheet": _SHEET, "plays": [PLAY]}]},
    ),
    "registration_read": (
        None,
        {
            "opened": True,
            "closes_at": _UNTIL,
            "approval": False,
            "most": 40,
            "check_in_from": None,
            "check_in_until": None,
            "terms": "",
            "safer_space": "",
            "contact_person": "Outi, at the desk",
        },
    ),
    **{name: (None, page_of(row)) for name, row in _STAFF.items()},
    "score_send": (_SHEET, _ANSWER),
}


@cache
def examples() -> Mapping[str, tuple[Any, Any]]:
    """Examples of the core and the extras."""
    of_commands = {
        each.operation: (example_bodies().get(each.operation), _receipt(each)) for each in commands()
    }
    return with_extras("EXAMPLES", {**_EXAMPLES, **of_commands})
