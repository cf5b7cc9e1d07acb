"""Matches: rounds of card points to a target.

| rule | section | where |
| --- | --- | --- |
| winner_takes | Mattel, standard count; TiTe, final | `gains` |
| own_hand | Mattel, alternative count | `gains` |
| target reached | Mattel, both counts; TiTe, final | `reached` |
| removed or left: no place | ruling on removing and leaving | `still_in` |
| at most one left: over | same | `score_match` |
| leaving after the end: place stands | same | `score_match` |
| most points win, own_hand fewest; ties share | rulings on level totals | `_standings` |
| stopped: totals stand | ruling on stopping | `score_match` |
"""

from collections.abc import Mapping, Sequence
from itertools import starmap

from rulesets import OWN_HAND

from .answers import MatchAnswer, MatchStanding, RoundAnswer, RoundResult
from .hands import hand_points
from .places import places_of
from .sheets import Kept, MatchSheet, Memos, Round

InPlay = dict[str, None]  # ordered set, in sheet order


def still_in(in_play: InPlay, removed: Sequence[str], withdrawn: Sequence[str]) -> InPlay:
    """Players in play without `removed` and `withdrawn`."""
    if not removed and not withdrawn:
        return in_play
    gone = {*removed, *withdrawn}
    return dict.fromkeys(player for player in in_play if player not in gone)


def gains(sheet: MatchSheet, round_: Round, in_play: InPlay) -> dict[str, int]:
    """Points gained per player in play; all 0 without a winner."""
    if round_.winner is None:
        return dict.fromkeys(in_play, 0)
    held = {player: hand_points(sheet.ruleset, round_.hands.get(player, {})) for player in in_play}
    if sheet.scoring == OWN_HAND:
        return held
    return {**dict.fromkeys(in_play, 0), round_.winner: sum(held.values())}


def score_round(sheet: MatchSheet, round_: Round, in_play: InPlay, kept: Kept) -> RoundAnswer:
    """Score a valid round (cached)."""
    by = ("scored", sheet.ruleset.id, sheet.scoring, *in_play)
    scored = kept.get(by)
    if not isinstance(scored, RoundAnswer) or scored.number != round_.number:
        results = (
            scored.results
            if isinstance(scored, RoundAnswer)
            else tuple(starmap(RoundResult, gains(sheet, round_, in_play).items()))
        )
        kept[by] = scored = RoundAnswer(round_.number, results)
    return scored


def reached(sheet: MatchSheet, totals: Mapping[str, int]) -> bool:
    """Whether a player has reached the target."""
    return sheet.target is not None and any(points >= sheet.target for points in totals.values())


def score_match(sheet: MatchSheet, memos: Memos) -> MatchAnswer:
    """Score a valid match sheet."""
    in_play = dict.fromkeys(sheet.players)
    totals = dict.fromkeys(sheet.players, 0)
    rounds = []
    for round_, kept in zip(sheet.rounds, memos, strict=True):
        in_play = still_in(in_play, round_.removed, round_.withdrawn)
        scored = score_round(sheet, round_, in_play, kept)
        for result in scored.results:
            totals[result.player] += result.points
        rounds.append(scored)
    over = reached(sheet, totals) or len(in_play) <= 1
    if not over:  # after the end the place stands
        in_play = still_in(in_play, sheet.removed, sheet.withdrawn)
    standings = _standings(sheet, in_play, totals)
    complete = over or len(in_play) <= 1 or (sheet.stopped and bool(sheet.rounds))
    winners = tuple(standing.player for standing in standings if standing.place == 1)
    return MatchAnswer(sheet.ruleset.id, standings, tuple(rounds), winners if complete else (), complete)


def _standings(sheet: MatchSheet, in_play: InPlay, totals: Mapping[str, int]) -> tuple[MatchStanding, ...]:
    won = dict.fromkeys(sheet.players, 0)
    for round_ in sheet.rounds:
        if round_.winner is not None:
            won[round_.winner] += 1
    side = 1 if sheet.scoring == OWN_HAND else -1
    place = places_of({player: side * totals[player] for player in in_play})
    withdrawn = set(sheet.withdrawn).union(*(round_.withdrawn for round_ in sheet.rounds))

    def standing(player: str) -> MatchStanding:
        gone = "withdrawn" if player in withdrawn else "disqualified"
        return MatchStanding(
            player, place.get(player), "ranked" if player in place else gone, totals[player], won[player]
        )

    standings = [standing(player) for player in sheet.players]
    standings.sort(key=lambda line: (line.place is None, line.place or 0, line.status == "disqualified"))
    return tuple(standings)
