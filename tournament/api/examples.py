"""Examples of what is sent and answered, by operation: (sent, answered). Tests hold them against the document."""

from collections.abc import Mapping
from typing import Any

from tournament.api.write_examples import AINO, BORJE, HEATS, MADE, PLAY, SENT, TABLE, TOURNAMENT, receipt
from tournament.api.writes import WRITES, Write

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
    "ruleset_revision": "2016",
    "state": "running",
    "listed": True,
    "rehearsal": False,
    "version": 42,
}

_PLAY = {
    "uid": PLAY,
    "table": TABLE,
    "number": 1,
    "state": "entered",
    "started_at": None,
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


def _page(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"count": 1, "next": None, "previous": None, "results": [row]}


def _receipt(write: Write) -> Mapping[str, Any]:
    """The answer to a command: with the play that it is about, and the uid of what it made."""
    if write.makes == "play":
        return receipt(_PLAY, PLAY)
    of_event = {"plan_event", "copy_event"}
    return receipt(made=MADE if write.makes or write.action in of_event else None)


EXAMPLES: Mapping[str, tuple[Any, Any]] = {
    "tournaments_read": (None, _page(_EVENT)),
    "tournament_read": (None, _EVENT),
    "plays_read": (None, _page(_PLAY)),
    "play_read": (None, _PLAY),
    "standings_read": (
        None,
        {
            "stage": HEATS,
            "state": "running",
            "version": 41,
            "frozen": None,
            "contests": [{"table": TABLE, "answer": _ANSWER}],
        },
    ),
    "sheets_read": (
        None,
        {"stage": HEATS, "version": 41, "sheets": [{"table": TABLE, "sheet": _SHEET, "plays": [PLAY]}]},
    ),
    "score_send": (_SHEET, _ANSWER),
    **{write.action: (SENT.get(write.action), _receipt(write)) for write in WRITES},
}
