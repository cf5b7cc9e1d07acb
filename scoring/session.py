"""KPGUT sessions: games, lowest average wins.

| rule | section | where |
| --- | --- | --- |
| points / games | KPGUT, the session | `_standings` |
| ejected: listed without place | ruling on ejected players | `_status` |
| fewest games to be ranked | ruling on `min_games` | `_status` |
| lowest average wins, ties share | KPGUT, the session | `_standings` |
| list order | score sheet, order of rows | `_standings` |
"""

from collections.abc import Iterable
from fractions import Fraction

from .answers import GameAnswer, SessionAnswer, SessionStanding
from .faults import Faults, Path
from .games import ejected_in, score_game
from .hands import cards_available, check_cards, check_fit, decks_for, places_of
from .roster import check_each_named, check_enough, check_named, check_number, check_players
from .sheets import Game, Hand, Memos, SessionSheet

STATUSES = ("ranked", "too_few_games", "not_played", "disqualified")  # in list order


def score_session(sheet: SessionSheet, memos: Memos) -> SessionAnswer:
    """Score a valid session sheet."""
    rounds = tuple(
        score_game(game, sheet.ruleset, kept) for game, kept in zip(sheet.games, memos, strict=True)
    )
    standings = _standings(sheet, rounds, memos)
    return SessionAnswer(
        ruleset=sheet.ruleset.id,
        standings=standings,
        rounds=rounds,
        winners=tuple(standing.player for standing in standings if standing.place == 1),
    )


def _standings(
    sheet: SessionSheet, rounds: Iterable[GameAnswer], memos: Memos
) -> tuple[SessionStanding, ...]:
    points = _points(sheet, rounds)
    average = {player: Fraction(sum(each), len(each)) for player, each in points.items() if each}
    disqualified = set(sheet.removed).union(*map(ejected_in, sheet.games, memos))  # void games too
    status = {
        player: _status(len(each), sheet.min_games, player in disqualified) for player, each in points.items()
    }
    place = places_of({player: average[player] for player, said in status.items() if said == "ranked"})
    standings = [
        SessionStanding(
            player=player,
            place=place.get(player),
            status=status[player],
            games=len(each),
            points=sum(each),
            average=average.get(player),
        )
        for player, each in points.items()
    ]
    standings.sort(key=lambda standing: (STATUSES.index(standing.status), standing.place or 0))
    return tuple(standings)


def _points(sheet: SessionSheet, rounds: Iterable[GameAnswer]) -> dict[str, list[int]]:
    points: dict[str, list[int]] = {player: [] for player in sheet.players}
    for game in rounds:
        for result in game.results:
            if result.points is not None:
                points[result.player].append(result.points)
    return points


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
    check_players(sheet.players, faults)
    known = frozenset(sheet.players)
    ejected: set[str] = set()
    stood = ("stood", sheet.ruleset.id, sheet.decks)
    for index, (game, kept) in enumerate(zip(sheet.games, memos, strict=True)):
        path: Path = ("games", index)
        check_number(game.number, index, path, faults)
        players, before = kept.get(stood), len(faults)
        if not (isinstance(players, frozenset) and players <= known and players.isdisjoint(ejected)):
            if _check_rows(game, path, known, ejected, faults):
                _check_ending(game, path, faults)
                if game.ended != "void":
                    _check_times(game, path, sheet.ruleset.hour_s, faults)
                    _check_hands(game, path, sheet, faults)
            if len(faults) == before:
                kept[stood] = frozenset(row.player for row in game.results)
        ejected |= ejected_in(game, kept)
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
    before = len(faults)
    latest_s = 0
    for index, row in enumerate(game.results):
        if row.elapsed_s is None:
            continue
        latest_s = max(latest_s, row.elapsed_s)
        if not 0 <= row.elapsed_s <= hour_s:
            where = (*path, "results", index, "elapsed_s")
            faults.add("elapsed_over_limit", where, player=row.player, found=row.elapsed_s, most=hour_s)
    if len(faults) == before:  # bad times would cause false faults
        _check_duration(game, path, latest_s, hour_s, faults)


def _check_duration(game: Game, path: Path, latest_s: int, hour_s: int, faults: Faults) -> None:
    left = any(row.outcome in LEFT for row in game.results)
    least_s = hour_s if game.ended == "time" else latest_s
    most_s = latest_s if game.ended == "last" and not left else hour_s
    where = (*path, "duration_s")
    if game.duration_s is None:
        if game.ended == "last" and left:
            faults.add("missing_duration", where)
    elif game.duration_s < least_s:
        faults.add("duration_too_short", where, found=game.duration_s, least=least_s)
    elif game.duration_s > most_s:
        faults.add("duration_too_long", where, found=game.duration_s, most=most_s)


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
