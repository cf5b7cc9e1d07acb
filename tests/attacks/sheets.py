"""Large things that a visitor may send: score sheets and lists of names."""

import json
from functools import cache
from urllib.parse import quote

PLAYERS, ROWS = 15, 300


@cache
def session(players: int = PLAYERS, games: int = ROWS) -> str:
    """A score sheet of a session, as a form carries it."""
    people = [f"p{number}" for number in range(1, players + 1)]
    results = [
        {"player": player, "outcome": "out", "elapsed_s": 60 + number}
        for number, player in enumerate(people[:-1])
    ] + [{"player": people[-1], "outcome": "last"}]
    sheet = {
        "sheet": 1,
        "kind": "session",
        "ruleset": "kpgut-2016",
        "settings": {},
        "players": [{"id": player, "name": player} for player in people],
        "games": [{"number": number, "ended": "last", "results": results} for number in range(1, games + 1)],
    }
    return quote(json.dumps(sheet, separators=(",", ":")))


def names(many: int) -> list[str]:
    """So many different names."""
    return [f"Player {number}" for number in range(many)]
