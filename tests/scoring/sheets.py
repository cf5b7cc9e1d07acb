"""Hypothesis strategies: score sheets that keep the rules, and sheets with one fault planted in them.

Built from the rule sheets alone. The decks and points are written down here a second time, and nothing of `rulesets` or
`scoring` is used, so that a fault there cannot hide itself here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from .builders import ejected, gave_up, last, out, players, remaining

Json = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

DECK_108 = {
    "0": 4,
    **dict.fromkeys("123456789", 8),
    "draw2": 8,
    "reverse": 8,
    "skip": 8,
    "wild": 4,
    "wild4": 4,
}
DECKS = {
    "kpgut-2016": DECK_108,
    "mattel-108": DECK_108,
    "mattel-112": {**DECK_108, "shuffle": 1, "custom": 3},
    "tite-2022": {card: count for card, count in DECK_108.items() if card != "wild"},
}
POINTS = {str(number): number for number in range(10)}
POINTS |= {"draw2": 20, "reverse": 20, "skip": 20, "wild": 50, "wild4": 50, "shuffle": 40, "custom": 40}
IDS = ("p1", "p2", "p3", "p4", "p5")


def worth(hand: dict[str, int]) -> int:
    """The points of a hand, counted card by card."""
    return sum(POINTS[card] for card, count in hand.items() for _ in range(count))


def _hand(draw: Draw, pile: Counter[str], least: int = 1, most: int = 6) -> dict[str, int]:
    """A hand taken off the pile."""
    hand: Counter[str] = Counter()
    wanted = draw(st.lists(st.sampled_from(sorted(pile)), min_size=least, max_size=most))
    for card in wanted:
        taken = card if pile[card] else max(pile, key=pile.__getitem__)
        pile[taken] -= 1
        hand[taken] += 1
    return dict(hand)


@st.composite
def sessions(draw: Draw, most_games: int = 4) -> Json:
    ids = list(IDS[: draw(st.integers(2, 5))])
    in_session = list(ids)
    games: list[Json] = []
    for number in range(1, draw(st.integers(0, most_games)) + 1):
        if len(in_session) < 2:
            break
        absent = draw(st.sets(st.sampled_from(in_session), max_size=len(in_session) - 2))
        at_table = [player for player in in_session if player not in absent]
        games.append({"number": number, **draw(st.sampled_from(_GAMES))(draw, at_table)})
        gone = {row["player"] for row in games[-1]["results"] if row["outcome"] == "ejected"}
        in_session = [player for player in in_session if player not in gone]
    settings = draw(st.sampled_from(({}, {"min_games": 2}, {"decks": 2}, {"min_games": 3, "decks": 1})))
    return {
        "sheet": 1,
        "kind": "session",
        "ruleset": "kpgut-2016",
        "settings": settings,
        "players": players(*ids),
        "games": games,
    }


_SECONDS = st.one_of(st.integers(0, 3600), st.sampled_from((0, 59, 60, 600, 600, 3599, 3600)))


def _ended_last(draw: Draw, at_table: list[str]) -> Json:
    loser = draw(st.sampled_from(at_table))
    rows = []
    for player in at_table:
        how = draw(st.sampled_from(("out", "out", "out", "gave_up", "ejected")))
        rows.append(last(player) if player == loser else _left(draw, player, how))
    latest_s = max((row.get("elapsed_s", 0) for row in rows), default=0)
    game: Json = {"ended": "last", "results": rows}
    if any(row["outcome"] in ("gave_up", "ejected") for row in rows):
        game["duration_s"] = draw(st.integers(latest_s, 3600))
    elif draw(st.booleans()):
        game["duration_s"] = latest_s
    return game


def _left(draw: Draw, player: str, how: str) -> Json:
    if how == "out":
        return out(player, draw(_SECONDS))
    return gave_up(player) if how == "gave_up" else ejected(player)


def _stopped_game(draw: Draw, at_table: list[str]) -> Json:
    pile: Counter[str] = Counter(DECK_108)
    hows = [draw(st.sampled_from(("out", "remaining", "remaining", "gave_up", "ejected"))) for _ in at_table]
    somebody_left = "gave_up" in hows[1:] or "ejected" in hows[1:]
    for index in range(1 if somebody_left else 2):
        hows[index] = "remaining"
    rows = [
        remaining(player, _hand(draw, pile)) if how == "remaining" else _left(draw, player, how)
        for player, how in zip(at_table, hows, strict=True)
    ]
    return {"ended": draw(st.sampled_from(("time", "early"))), "results": rows}


def _void_game(draw: Draw, at_table: list[str]) -> Json:
    outcomes = st.sampled_from(("out", "remaining", "gave_up", "ejected"))
    return {
        "ended": "void",
        "results": [{"player": player, "outcome": draw(outcomes)} for player in at_table],
    }


_GAMES = (_ended_last, _ended_last, _stopped_game, _stopped_game, _void_game)


@st.composite
def matches(draw: Draw, rulesets: tuple[str, ...] = ("mattel-108", "mattel-112", "tite-2022")) -> Json:
    ruleset = draw(st.sampled_from(rulesets))
    tite = ruleset == "tite-2022"
    settings: Json = {"target": draw(st.integers(250, 500) if tite else st.integers(1, 400))}
    if not tite:
        settings["scoring"] = draw(st.sampled_from(("winner_takes", "own_hand")))
    ids = list(IDS[: draw(st.integers(2, 5))])
    sheet: Json = {
        "sheet": 1,
        "kind": "match",
        "ruleset": ruleset,
        "settings": settings,
        "players": players(*ids),
        "rounds": [],
    }
    if draw(st.integers(0, 3)) == 0:
        sheet["stopped"] = True
    _play(draw, sheet, ids)
    return sheet


def _play(draw: Draw, sheet: Json, in_play: list[str]) -> None:
    """Rounds until somebody is at the target, one player is left, or the evening is over."""
    totals = dict.fromkeys(in_play, 0)
    for number in range(1, draw(st.integers(0, 6)) + 1):
        round_: Json = {"number": number}
        sheet["rounds"].append(round_)
        if draw(st.integers(0, 5)) == 0:
            gone = draw(st.lists(st.sampled_from(in_play), min_size=1, max_size=2, unique=True))
            round_[draw(st.sampled_from(("removed", "withdrawn")))] = gone
            in_play = [player for player in in_play if player not in gone]
        if len(in_play) <= 1:
            return
        _round(draw, sheet["ruleset"], round_, in_play)
        for player, points in gained(sheet, round_).items():
            totals[player] += points
        if max(totals.values()) >= sheet["settings"]["target"]:
            return


def gained(sheet: Json, round_: Json) -> dict[str, int]:
    """Compute each player's gain in a round, straight from the rule sheet."""
    if sheet["settings"].get("scoring") == "own_hand":
        return {player: worth(hand) for player, hand in round_["hands"].items()}
    return {round_["winner"]: sum(worth(hand) for hand in round_["hands"].values())}


def _round(draw: Draw, ruleset: str, round_: Json, in_play: list[str]) -> None:
    pile: Counter[str] = Counter(DECKS[ruleset])
    winner = draw(st.sampled_from(in_play))
    others = [player for player in in_play if player != winner]
    how = draw(st.sampled_from(("unknown", "number", "draw2", "emptied")))
    round_["winner"] = winner
    least = 1
    if how == "number":
        round_["last_cards"] = {"7": 2 if ruleset == "tite-2022" else 1}
        pile["7"] -= 2
    elif how == "draw2":
        count = draw(st.integers(1, 2)) if ruleset == "tite-2022" else 1
        round_["last_cards"] = {"draw2": count}
        round_["drew"] = others[0]
        pile["draw2"] -= count
        least = 2 * count + 1
    round_["hands"] = {others[0]: _hand(draw, pile, least, least + 5)}
    for player in others[1:]:
        if how == "emptied" and ruleset == "mattel-112" and draw(st.booleans()):
            round_.setdefault("emptied", []).append(player)
        else:
            round_["hands"][player] = _hand(draw, pile)


@st.composite
def heats(draw: Draw) -> Json:
    ids = [f"p{number}" for number in range(1, draw(st.integers(2, 12)) + 1)]
    seats = draw(st.permutations(ids))
    advance = draw(st.integers(1, 3))
    rows: list[Json] = []
    while len(seats) >= 2 and len(rows) < 4:
        size = draw(st.integers(2, 5))
        seated, seats = seats[:size], seats[size:]
        if len(seated) < 2:
            break
        rows.append(_heat(draw, len(rows) + 1, list(seated), advance))
    return {
        "sheet": 1,
        "kind": "heats",
        "ruleset": draw(st.sampled_from(("mattel-108", "mattel-112", "tite-2022"))),
        "settings": {} if advance == 1 else {"advance": advance},
        "players": players(*ids),
        "heats": rows,
    }


def _heat(draw: Draw, number: int, seated: list[str], advance: int) -> Json:
    heat: Json = {"number": number, "players": seated}
    if draw(st.integers(0, 3)) == 0:
        advance = heat["advance"] = draw(st.integers(1, 3))
    removed = draw(st.lists(st.sampled_from(seated), max_size=1))
    if removed:
        heat["removed"] = removed
    left = [player for player in seated if player not in removed]
    finished = draw(st.permutations(left))
    heat["finish_order"] = finished[: draw(st.integers(min(advance, len(left)), len(left)))]
    return heat


def sheets() -> st.SearchStrategy[Json]:
    """A sheet of any kind."""
    return st.one_of(sessions(), matches(), heats())


@st.composite
def races(draw: Draw, *, removals: bool = True) -> Json:
    ids = list(IDS[: draw(st.integers(2, 5))])
    settings: Json = {"scoring": draw(st.sampled_from(("own_hand", "winner_takes", "placing")))}
    if draw(st.booleans()):
        words = st.sampled_from(("average", "total", "wins", "cards"))
        settings["rank"] = draw(st.lists(words, min_size=1, unique=True))
    if draw(st.booleans()):
        settings["best"] = draw(st.integers(1, 3))
    settings["min_games"] = draw(st.integers(1, 3))
    sheet: Json = {
        "sheet": 1,
        "kind": "race",
        "ruleset": draw(st.sampled_from(("mattel-108", "mattel-112"))),
        "settings": settings,
        "players": players(*ids),
        "games": [],
    }
    here = ids
    for number in range(1, draw(st.integers(0, 5)) + 1):
        if len(here) < 2:
            break
        seated = draw(st.permutations(here))[: draw(st.integers(2, len(here)))]
        game: Json = {"number": number, "players": list(seated)}
        sheet["games"].append(game)
        in_play = list(seated)
        if removals and draw(st.integers(0, 5)) == 0:
            gone = draw(st.lists(st.sampled_from(seated), min_size=1, max_size=2, unique=True))
            game[draw(st.sampled_from(("removed", "withdrawn")))] = gone
            here, in_play = ([player for player in some if player not in gone] for some in (here, in_play))
        _race_game(draw, sheet["ruleset"], game, in_play)
    if removals and draw(st.integers(0, 4)) == 0:
        sheet[draw(st.sampled_from(("removed", "withdrawn")))] = [draw(st.sampled_from(ids))]
    return sheet


def _race_game(draw: Draw, ruleset: str, game: Json, in_play: list[str]) -> None:
    how = draw(st.sampled_from(("won", "won", "won", "time", "void")))
    if how == "void":
        game["void"] = True
    elif how == "won" and len(in_play) >= 2:
        _round(draw, ruleset, game, in_play)
    elif len(in_play) >= 2:
        pile: Counter[str] = Counter(DECKS[ruleset])
        game |= {"ended": "time", "hands": {player: _hand(draw, pile) for player in in_play}}
