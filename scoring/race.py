"""Races: hands at changing tables, ranked by average, total, wins or cards (score sheet, race; no rule sheet has them).

| rule | section | where |
| --- | --- | --- |
| own_hand, winner_takes, placing | race, `scoring` | `_gains` |
| time: hands as held at the bell, no winner | race, `"ended": "time"` | `_check_game` |
| void, or fewer than two left: counts for no one | race, void game, walkover | `score_race` |
| the best so many games count | race, `best` | `counted` |
| `rank` decides, level ones share the place | race, `rank` | `_rank` |
| removed: disqualified; withdrawn in a played game: no place | race, removed, withdrawn | `_statuses` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rulesets import OWN_HAND, WINNER_TAKES

from .answers import RaceAnswer, RaceGameAnswer, RaceResult, RaceStanding
from .faults import Faults, Path, check_each_named, check_enough, check_named, check_number, check_players
from .hands import cards_available, hand_points, hand_size, places_of
from .match import Table, check_deck, check_hands, check_round, check_walkover
from .sheets import Kept, Memos, RaceGame, RaceSheet, Round

STATUSES = ("ranked", "too_few_games", "not_played", "withdrawn", "disqualified")  # in list order


@dataclass(frozen=True, slots=True)
class Part:
    """A player's result in one game, or in all that count."""

    points: Fraction
    wins: int
    cards: int  # left in the own hand


def score_race(sheet: RaceSheet, memos: Memos) -> RaceAnswer:
    """Score a valid race sheet."""
    parts: dict[str, list[Part]] = {player: [] for player in sheet.players}
    rounds = []
    for game, kept in zip(sheet.games, memos, strict=True):
        scored = score_race_game(sheet, game, kept)
        for player, part in scored.items():
            parts[player].append(part)
        results = (
            RaceResult(player, scored[player].points if player in scored else None) for player in game.players
        )
        rounds.append(RaceGameAnswer(game.number, tuple(results)))
    standings = _standings(sheet, parts)
    winners = tuple(standing.player for standing in standings if standing.place == 1)
    return RaceAnswer(sheet.ruleset.id, standings, tuple(rounds), winners, sheet.rank[0])


def score_race_game(sheet: RaceSheet, game: RaceGame, kept: Kept) -> dict[str, Part]:
    """What each player takes from the game (cached); empty if it counts for no one."""
    by = ("scored", sheet.ruleset.id, sheet.scoring)
    scored = kept.get(by)
    if not isinstance(scored, dict):
        hands = {player: game.played.hands.get(player, {}) for player in game.in_play()}
        held = {player: hand_points(sheet.ruleset, hand) for player, hand in hands.items()}
        winner = game.played.winner
        kept[by] = scored = {
            player: Part(points, int(player == winner), hand_size(hands[player]))
            for player, points in (_gains(sheet.scoring, held, winner) if game.counts() else {}).items()
        }
    return scored


def _gains(scoring: str, held: Mapping[str, int], winner: str | None) -> dict[str, Fraction]:
    """Points by player, from the card points held; `winner` None at the bell."""
    if scoring == OWN_HAND:
        return {player: Fraction(points) for player, points in held.items()}
    if scoring == WINNER_TAKES:
        total = sum(held.values())
        return {player: Fraction(total if player == winner else 0) for player in held}
    level = {player: -1 if player == winner else points for player, points in held.items()}
    others = len(held) - 1
    return {
        player: Fraction(
            2 * sum(points > own for points in level.values())
            + sum(points == own for points in level.values())
            - 1,
            2 * others,
        )
        for player, own in level.items()
    }


def _rank(sheet: RaceSheet, part: Part, games: int, rank: Sequence[str]) -> tuple[Fraction, ...]:
    """What decides, where less is better."""
    points = part.points if sheet.scoring == OWN_HAND else -part.points
    by = {
        "average": Fraction(points, games),
        "total": points,
        "wins": Fraction(-part.wins),
        "cards": Fraction(part.cards),
    }
    return tuple(by[word] for word in rank)


def counted(sheet: RaceSheet, parts: Sequence[Part]) -> Sequence[int]:
    """Indexes of a player's games that count: the best `best`, each judged alone by `rank`, then by points, wins and
    cards."""
    if sheet.best is None:
        return range(len(parts))
    rank = (*sheet.rank, "total", "wins", "cards")
    return sorted(range(len(parts)), key=lambda at: _rank(sheet, parts[at], 1, rank))[: sheet.best]


def _standings(sheet: RaceSheet, parts: Mapping[str, Sequence[Part]]) -> tuple[RaceStanding, ...]:
    best = {player: [each[at] for at in counted(sheet, each)] for player, each in parts.items()}
    sums = {
        player: Part(
            sum((part.points for part in each), Fraction(0)),
            sum(part.wins for part in each),
            sum(part.cards for part in each),
        )
        for player, each in best.items()
    }
    status = _statuses(sheet, parts)
    place = places_of(
        {
            player: _rank(sheet, sums[player], len(best[player]), sheet.rank)
            for player, said in status.items()
            if said == "ranked"
        }
    )
    standings = [
        RaceStanding(
            player=player,
            place=place.get(player),
            status=status[player],
            games=len(parts[player]),
            points=sums[player].points,
            average=Fraction(sums[player].points, len(each)) if each else None,
            wins=sums[player].wins,
            cards=sums[player].cards,
            decided_by=sheet.rank[0],
        )
        for player, each in best.items()
    ]
    standings.sort(key=lambda line: (STATUSES.index(line.status), line.place or 0))
    return tuple(standings)


def _statuses(sheet: RaceSheet, parts: Mapping[str, Sequence[Part]]) -> dict[str, str]:
    """Withdrawing between games or in a void one leaves a player ranked who has played enough."""
    played = [game.played for game in sheet.games if not game.void]
    void = [game.played for game in sheet.games if game.void]
    removed = set(sheet.removed).union(*(each.removed for each in (*played, *void)))
    in_play = {player for each in played for player in each.withdrawn}
    between = set(sheet.withdrawn).union(*(each.withdrawn for each in void))
    status = {}
    for player, games in parts.items():
        if player in removed:
            status[player] = "disqualified"
        elif player in in_play or (player in between and len(games) < sheet.min_games):
            status[player] = "withdrawn"
        elif len(games) >= sheet.min_games:
            status[player] = "ranked"
        else:
            status[player] = "too_few_games" if games else "not_played"
    return status


# ---- Checks race sheets against the rules ----


def check_race(sheet: RaceSheet, memos: Memos, faults: Faults) -> None:
    """Record every fault of `sheet`."""
    check_players(sheet.players, faults)
    games = dict.fromkeys(sheet.players, 0)
    gone: set[str] = set()
    for index, (game, kept) in enumerate(zip(sheet.games, memos, strict=True)):
        path: Path = ("games", index)
        check_number(game.number, index, path, faults)
        _check_players(sheet, game, path, faults, games=games, gone=gone)
        gone.update(_check_leaving(game.played, path, frozenset(game.players), faults))
        if check_enough(len(game.players), (*path, "players"), faults):
            _check_game(sheet, game, path, kept, faults)
    _check_leaving(sheet, (), frozenset(sheet.players), faults)


def _check_players(
    sheet: RaceSheet, game: RaceGame, path: Path, faults: Faults, *, games: dict[str, int], gone: set[str]
) -> None:
    """Count the game in `games`, by player."""
    playing = game.in_play() if game.counts() else ()
    seated: set[str] = set()
    for index, player in enumerate(game.players):
        where = (*path, "players", index)
        if not check_named(player, where, games, seated, faults):
            continue
        if player in gone:
            faults.add("removed_plays", where, player=player)
        elif player in playing:
            games[player] += 1
            if sheet.max_games is not None and games[player] > sheet.max_games:
                faults.add("too_many_games", where, player=player, most=sheet.max_games)


def _check_leaving(part: RaceSheet | Round, path: Path, known: frozenset[str], faults: Faults) -> list[str]:
    """Check who is removed or withdrawn, each once; return those that stand."""
    seen: set[str] = set()
    lists = (("removed", part.removed), ("withdrawn", part.withdrawn))
    return [
        player
        for key, players in lists
        for _, player in check_each_named(players, (*path, key), known, seen, faults)
    ]


def _check_game(sheet: RaceSheet, game: RaceGame, path: Path, kept: Kept, faults: Faults) -> None:
    """Check winner, hands and cards (cached once they stand), not of a void game."""
    stood = ("stood", sheet.ruleset.id, sheet.decks, sheet.custom_cards)
    if game.void or stood in kept:
        return
    before = len(faults.errors)
    available = cards_available(sheet.ruleset, game.decks or sheet.decks, sheet.custom_cards)
    in_play = dict.fromkeys(game.in_play())
    table = Table(sheet.ruleset, frozenset(game.players), path, in_play, available, faults)
    if len(in_play) < 2:
        check_walkover(game.played, table)
    elif game.by_time:
        winner = game.played.winner
        if winner is not None:
            table.faults.add("wrong_ending", (*table.path, "winner"), ended="time", expected="nobody has won")
        held = check_hands(replace(game.played, winner=None), table, set(), complete=winner is None)
        check_deck(held, {}, table)
    else:
        check_round(game.played, table)
    if len(faults.errors) == before:
        kept[stood] = True
