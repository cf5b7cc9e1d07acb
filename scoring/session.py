"""KPGUT sessions of timed games; the lowest average wins.

| rule | section | where |
| --- | --- | --- |
| out: full minutes | outcomes | `_scores` |
| last: the game's minutes | outcomes; ruling on the loser's points | `_scores` |
| remaining: 65, 70, 75 ... | outcomes; special situation 6; ruling on shared places | `_scores` |
| gave up: worst + 30, at least 60, last | outcomes; special situation 9 | `_scores` |
| ejected: no place, no points | outcomes; special situation 15 | `score_game` |
| void: no scores | ruling on void games | `score_game` |
| points / games | KPGUT, the session | `_standings` |
| ejected: listed without place | ruling on ejected players | `_status` |
| fewest games to be ranked | ruling on `min_games` | `_status` |
| lowest average wins, ties share | KPGUT, the session | `_standings` |
| list order | score sheet, order of rows | `_standings` |
"""

from bisect import insort_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from math import lcm
from typing import cast

from rulesets import Ruleset

from .answers import ByGame, GameAnswer, GameResult, SessionAnswer, SessionStanding
from .faults import Faults, Path, check_each_named, check_enough, check_named, check_number, check_players
from .hands import (
    cards_available,
    check_cards,
    check_fit,
    deciding_steps,
    decks_for,
    places_of,
    rank_remaining,
)
from .sheets import Game, Hand, Kept, Memos, SessionSheet, same_start

Ejection = tuple[int, frozenset[str]]
STATUSES = ("ranked", "too_few_games", "not_played", "disqualified")  # in list order
MINUTE_S = 60


def score_session(sheet: SessionSheet, memos: Memos) -> SessionAnswer:
    """Score a valid session sheet."""
    tally = _tally(sheet, memos)
    standings = _standings(sheet, tally.sums, _ejections(sheet, memos))
    return SessionAnswer(
        ruleset=sheet.ruleset.id,
        standings=standings,
        rounds=tally.rounds,
        winners=tuple(standing.player for standing in takewhile(lambda each: each.place == 1, standings)),
        by_player=tally.results,
    )


@dataclass(frozen=True, slots=True)
class Sum:
    """A player's games with points, and their points."""

    games: int = 0
    points: int = 0
    average: Fraction | None = None

    @classmethod
    def of(cls, results: ByGame) -> "Sum":
        points = [result.points for _index, result in results if result.points is not None]
        return cls(len(points), sum(points), Fraction(sum(points), len(points))) if points else cls()


Ranked = tuple[Mapping[str, Sum], frozenset[str], list[SessionStanding]]


@dataclass(frozen=True, slots=True)
class Tally:
    """Games as scored, with each player's results by index of their game, and their sums."""

    games: tuple[Game, ...]
    rounds: tuple[GameAnswer, ...]
    results: Mapping[str, ByGame]
    sums: Mapping[str, Sum]


def _tally(sheet: SessionSheet, memos: Memos) -> Tally:
    """Adds up games from where they differ from those added up last for these players; takes off the others."""
    by = ("tally", sheet.ruleset.id)
    nothing = Tally((), (), dict.fromkeys(sheet.players, ()), dict.fromkeys(sheet.players, Sum()))
    before = cast("Tally", sheet.kept.get(by, nothing))
    same = same_start(before.games, sheet.games)
    added = zip(sheet.games[same:], memos[same:], strict=True)
    rounds = (*before.rounds[:same], *(score_game(game, sheet.ruleset, kept) for game, kept in added))
    results = dict(before.results)
    for game in before.rounds[same:]:
        for result in game.results:
            results[result.player] = results[result.player][:-1]
    for index, game in enumerate(rounds[same:], same):
        for result in game.results:
            results[result.player] += ((index, result),)
    changed = {result.player for game in (*before.rounds[same:], *rounds[same:]) for result in game.results}
    sums = {**before.sums, **{player: Sum.of(results[player]) for player in changed}}
    sheet.kept[by] = found = Tally(sheet.games, rounds, results, sums)
    return found


def _standings(
    sheet: SessionSheet, sums: Mapping[str, Sum], ejections: Iterable[Ejection]
) -> tuple[SessionStanding, ...]:
    """Rank anew only the players whose sum or status differs from the last standings."""
    by = ("standings", sheet.min_games)
    before, gone_before, rows = cast("Ranked", sheet.kept.get(by, ({}, frozenset(), [])))
    gone = frozenset(sheet.removed).union(*(players for _index, players in ejections))  # of void games too
    changed = {player for player, own in sums.items() if before.get(player) is not own} | (gone ^ gone_before)
    at = {player: index for index, player in enumerate(sheet.players)}
    whole = lcm(*{own.games for own in sums.values() if own.games})

    def rank(row: SessionStanding) -> tuple[int, int, int]:
        ranked = row.status == "ranked"
        return STATUSES.index(row.status), row.points * (whole // row.games) if ranked else 0, at[row.player]

    rows = [row for row in rows if row.player not in changed]
    status = {player: _status(sums[player].games, sheet.min_games, player in gone) for player in changed}
    added = [_standing(player, None, status[player], sums[player]) for player in changed]
    if len(added) < len(rows):
        for row in added:
            insort_right(rows, row, key=rank)
    else:
        rows = sorted((*rows, *added), key=rank)
    place, points, games = 1, 0, 1
    for index, row in enumerate(rows):
        if row.status != "ranked":
            break
        if row.points * games != points * row.games:
            place, points, games = index + 1, row.points, row.games
        if row.place != place:
            rows[index] = _standing(row.player, place, row.status, row)
    sheet.kept[by] = sums, gone, rows
    return tuple(rows)


def _standing(player: str, place: int | None, status: str, own: Sum | SessionStanding) -> SessionStanding:
    return SessionStanding(player, place, status, own.games, own.points, own.average)


def _status(games: int, min_games: int, disqualified: bool) -> str:
    if disqualified:
        return "disqualified"
    if games == 0:
        return "not_played"
    return "too_few_games" if games < min_games else "ranked"


# ---- Checks session sheets against the rules ----

LEFT = ("gave_up", "ejected")  # left the game without going out


def check_session(sheet: SessionSheet, memos: Memos, faults: Faults) -> None:
    """Record every fault of `sheet`."""
    known = cast("frozenset[str]", sheet.kept.get("known")) or frozenset(sheet.players)
    if "known" not in sheet.kept:
        check_players(sheet.players, faults)
        if not faults.errors:
            sheet.kept["known"] = known
    stood = ("stood", sheet.ruleset.id, sheet.decks)
    sound = cast("tuple[Game, ...]", sheet.kept.get(stood, ()))
    same, all_before = same_start(sound, sheet.games), len(faults.errors)
    ejected = {player for index, players in _ejections(sheet, memos) if index < same for player in players}
    for index, (game, kept) in enumerate(zip(sheet.games[same:], memos[same:], strict=True), same):
        path: Path = ("games", index)
        check_number(game.number, index, path, faults)
        players, before = kept.get(stood), len(faults.errors)
        if not (isinstance(players, frozenset) and players <= known and players.isdisjoint(ejected)):
            if _check_rows(game, path, known, ejected, faults):
                _check_ending(game, path, faults)
                if game.ended != "void":
                    _check_times(game, path, sheet.ruleset.hour_s, faults)
                    _check_hands(game, path, sheet, faults)
            if len(faults.errors) == before:
                kept[stood] = frozenset(row.player for row in game.results)
        ejected |= ejected_in(game, kept)
    if len(faults.errors) == all_before and same < len(sheet.games):
        sheet.kept[stood] = sheet.games
    seen: set[str] = set()
    for where, player in check_each_named(sheet.removed, ("removed",), known, seen, faults):
        if player in ejected:
            faults.add("disqualified_plays", where, player=player)
    for index, player in enumerate(sheet.withdrawn):
        check_named(player, ("withdrawn", index), known, seen, faults)


def _check_rows(game: Game, path: Path, known: frozenset[str], ejected: set[str], faults: Faults) -> bool:
    """Whether the rows name enough distinct players to check outcomes."""
    seen: set[str] = set()
    for index, row in enumerate(game.results):
        where = (*path, "results", index, "player")
        if check_named(row.player, where, known, seen, faults) and row.player in ejected:
            faults.add("disqualified_plays", where, player=row.player)
    enough = check_enough(len(game.results), (*path, "results"), faults)
    return enough and len({row.player for row in game.results}) == len(game.results)


def _check_ending(game: Game, path: Path, faults: Faults) -> None:
    def wrong(where: Path, expected: str) -> None:
        faults.add("wrong_ending", (*path, *where), ended=game.ended, expected=expected)

    losers = [index for index, row in enumerate(game.results) if row.outcome == "last"]
    remaining = [index for index, row in enumerate(game.results) if row.outcome == "remaining"]
    if game.ended == "last":
        for index in losers[1:]:
            where = (*path, "results", index, "outcome")
            faults.add("two_losers", where, player=game.results[index].player)
        for index in remaining:
            wrong(("results", index, "outcome"), "nobody is remaining")
        if not losers:
            wrong(("ended",), "exactly one player is last")
        return
    for index in losers:
        wrong(("results", index, "outcome"), "nobody is last")
    if game.ended == "void" or losers:
        return
    if len(remaining) < (1 if any(row.outcome in LEFT for row in game.results) else 2):
        wrong(("ended",), "two or more are remaining, or one if somebody gave up or was ejected")


def _check_times(game: Game, path: Path, hour_s: int, faults: Faults) -> None:
    before = len(faults.errors)
    latest_s = 0
    for index, row in enumerate(game.results):
        if row.elapsed_s is None:
            continue
        latest_s = max(latest_s, row.elapsed_s)
        if not 0 <= row.elapsed_s <= hour_s:
            where = (*path, "results", index, "elapsed_s")
            faults.add("elapsed_over_limit", where, player=row.player, found=row.elapsed_s, most=hour_s)
    if len(faults.errors) > before:  # bad times would cause false faults
        return
    left = any(row.outcome in LEFT for row in game.results)
    least_s = hour_s if game.ended == "time" else latest_s
    most_s = latest_s if game.ended == "last" and not left else hour_s
    duration: Path = (*path, "duration_s")
    if game.duration_s is None:
        if game.ended == "last" and left:
            faults.add("missing_duration", duration)
    elif game.duration_s < least_s:
        faults.add("duration_too_short", duration, found=game.duration_s, least=least_s)
    elif game.duration_s > most_s:
        faults.add("duration_too_long", duration, found=game.duration_s, most=most_s)


def _check_hands(game: Game, path: Path, sheet: SessionSheet, faults: Faults) -> None:
    available = cards_available(
        sheet.ruleset, game.decks or sheet.decks or decks_for(sheet.ruleset, len(game.results))
    )
    sound: list[tuple[Path, Hand]] = []
    for index, row in enumerate(game.results):
        if row.outcome != "remaining":
            continue
        where: Path = (*path, "results", index, "hand")
        if row.hand is None:
            faults.add("missing_hand", where, player=row.player)
        elif check_cards(row.hand, where, sheet.ruleset, available, faults):
            if not any(row.hand.values()):
                faults.add("empty_hand", where, player=row.player)
            sound.append((where, row.hand))
    check_fit(sound, sheet.ruleset, available, faults)


# ---- One game ----


Score = tuple[int | None, int | None]  # place, points


def score_game(game: Game, ruleset: Ruleset, kept: Kept) -> GameAnswer:
    """Score a valid game in row order (cached)."""
    scored = kept.get(("scored", ruleset.id))
    if isinstance(scored, GameAnswer) and scored.number == game.number:
        return scored
    if isinstance(scored, GameAnswer):
        results = scored.results
    else:
        hands = {row.player: row.hand for row in game.results if row.hand is not None}  # empty if void
        scores = {} if game.ended == "void" else _scores(game, ruleset, hands)
        decided = deciding_steps(hands)
        results = tuple(
            GameResult(row.player, *scores.get(row.player, (None, None)), decided=decided.get(row.player))
            for row in game.results
        )
    kept["scored", ruleset.id] = answer = GameAnswer(game.number, results)
    return answer


def _scores(game: Game, ruleset: Ruleset, hands: Mapping[str, Hand]) -> Mapping[str, Score]:
    """Without a duration, the game ended when the last other went out."""
    out_s = {row.player: row.elapsed_s for row in game.results if row.elapsed_s is not None}
    scores = {player: (place, out_s[player] // MINUTE_S) for player, place in places_of(out_s).items()}
    for row in game.results:
        if row.outcome == "last":
            ended_s = max(out_s.values()) if game.duration_s is None else game.duration_s
            scores[row.player] = (len(out_s) + 1, ended_s // MINUTE_S)
    for player, rank in rank_remaining(hands).items():
        scores[player] = (len(out_s) + rank, ruleset.remaining_base + ruleset.remaining_step * rank)
    gave_up = [row.player for row in game.results if row.outcome == "gave_up"]
    if not gave_up:
        return scores
    worst = max(points for _, points in scores.values())
    points = max(worst + ruleset.give_up_extra, ruleset.give_up_least)
    return scores | dict.fromkeys(gave_up, (len(scores) + 1, points))


def ejected_in(game: Game, kept: Kept) -> frozenset[str]:
    """Players ejected in the game, even in a void one."""
    ejected = kept.get("ejected")
    if not isinstance(ejected, frozenset):
        kept["ejected"] = ejected = frozenset(row.player for row in game.results if row.outcome == "ejected")
    return ejected


def _ejections(sheet: SessionSheet, memos: Memos) -> tuple[Ejection, ...]:
    """Ejected players, by the index of their game."""
    games, found = cast(
        "tuple[tuple[Game, ...], tuple[Ejection, ...]]", sheet.kept.get("ejections", ((), ()))
    )
    same = same_start(games, sheet.games)
    of_games = enumerate(map(ejected_in, sheet.games[same:], memos[same:]), same)
    ejections = (*(each for each in found if each[0] < same), *(each for each in of_games if each[1]))
    sheet.kept["ejections"] = sheet.games, ejections
    return ejections
