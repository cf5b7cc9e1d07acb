"""Heats: qualifiers for the next level.

| rule | section | where |
| --- | --- | --- |
| first out qualify | TiTe, heats | `score_heats` |
| play until enough are out | TiTe, heats | `_check_order` |
| one heat per player | score sheet, heats | `check_heats` |
| removed players never qualify | ruling on removing and leaving | `_check_order` |
"""

from .answers import HeatAnswer, HeatResult, HeatsAnswer
from .faults import Faults, Path, check_each_named, check_enough, check_named, check_players
from .sheets import Heat, HeatsSheet, Memos


def check_heats(sheet: HeatsSheet, _memos: Memos, faults: Faults) -> None:
    """Record every fault of `sheet`."""
    check_players(sheet.players, faults)
    known = frozenset(sheet.players)
    seated: set[str] = set()
    free = set(range(1, len(sheet.heats) + 1))
    for index, heat in enumerate(sheet.heats):
        path: Path = ("heats", index)
        if heat.number in free:  # parallel heats, in any order
            free.remove(heat.number)
        else:
            faults.add("bad_number", (*path, "number"), found=heat.number, expected=index + 1)
        for seat, player in enumerate(heat.players):
            check_named(player, (*path, "players", seat), known, seated, faults)
        check_enough(len(heat.players), (*path, "players"), faults)
        _check_order(heat, path, faults)


def _check_order(heat: Heat, path: Path, faults: Faults) -> None:
    seated = frozenset(heat.players)
    order: Path = (*path, "finish_order")
    removed = {one for _, one in check_each_named(heat.removed, (*path, "removed"), seated, set(), faults)}
    for where, player in check_each_named(heat.finish_order, order, seated, set(), faults):
        if player in removed:
            faults.add("removed_plays", where, player=player)
    least = min(heat.advance, len(heat.players) - len(removed))
    if len(heat.finish_order) < least:
        faults.add("incomplete_order", order, count=len(heat.finish_order), least=least)


def score_heats(sheet: HeatsSheet, _memos: Memos) -> HeatsAnswer:
    """Score a valid heats sheet."""
    rounds: list[HeatAnswer] = []
    finalists: list[str] = []
    for heat in sheet.heats:
        place = {player: index for index, player in enumerate(heat.finish_order, 1)}
        through = heat.finish_order[: heat.advance]
        results = (HeatResult(player, place.get(player), player in through) for player in heat.players)
        rounds.append(HeatAnswer(heat.number, tuple(results)))
        finalists.extend(through)
    return HeatsAnswer(sheet.ruleset.id, tuple(rounds), tuple(finalists))
