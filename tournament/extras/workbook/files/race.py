"""Table of a race's games: a row per player and game, with formulas.

| rule | formula |
| --- | --- |
| own hand: the own card points; winner takes: the others', else 0 | `points_f` |
| placing: others with more points, half of those level, by all others; the winner holds less than anyone | `points_f` |
| cards left in the own hand | `cards` |
| a game with one player left gives nothing (`outcome` playing) | `points_f` |
| the best so many games count, by `rank`, then points, wins, cards; level ones by their order | `counted` |
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from rulesets import OWN_HAND, WINNER_TAKES
from scoring import PLACING, why_of
from scoring.why import RaceWhy
from tournament.extras.workbook.files.plays import ENTERED, IDS, PLAY, PLAYER, Cells, results_of
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import IFS, Formula
from tournament.models import Result, Stage
from tournament.results import ContestResults

OFFICIAL, FOUND = "outcome points last_cards drew", "points_f won cards counted order check"
COLUMNS = f"{PLAY} ending {PLAYER} {OFFICIAL} {ENTERED} {FOUND} {IDS}"
KINDS = (Stage.Kind.RACE, Stage.Kind.RACES)
WORTH, OTHERS = "SUMIFS(hands_worth,hands_id,[id])", "(COUNTIFS(race_play_id,[play_id])-1)"
WINNER = 'COUNTIFS(race_play_id,[play_id],race_outcome,"won")'
GAINS = {
    OWN_HAND: WORTH,
    WINNER_TAKES: 'IF([outcome]="won",SUMIFS(hands_worth,hands_play_id,[play_id]),0)',
    PLACING: (
        f'IF([outcome]="won",1,(COUNTIFS(hands_play_id,[play_id],hands_worth,">"&{WORTH})'
        f"+(COUNTIFS(hands_play_id,[play_id],hands_worth,{WORTH})-1-IF({WORTH}=0,{WINNER},0))/2)/{OTHERS})"
    ),
}
RESULT = 'AND([counts]="yes",[outcome]<>"playing")'
CHECK = f'{IFS}([points]=[points_f],"OK",TRUE,"differs")'
ALIKE = 0.000001  # smaller differences of points are level: floats
OWN = 'race_stage,[stage],race_entry_id,[entry_id],race_points_f,">=0"'
AT_TABLE = ",race_table,[table]"  # where each table has a race of its own


def rows(event: Event) -> Iterator[Cells]:
    """Rows by column."""
    for order, (one, result, answer, cells) in enumerate(results_of(event, *KINDS), 1):
        settings = one.contest.sheet.data["settings"]
        points, won = answer.points if answer else None, result.outcome == Result.Outcome.WON
        counts = points is not None
        best = one.contest.once("games that count", _counting)
        yield {
            **cells,
            "points": points,
            "points_f": Formula(f'{IFS}({RESULT},{GAINS[settings["scoring"]]},TRUE,"")', points),
            "won": Formula(f'{IFS}(AND({RESULT},[outcome]="won"),1,TRUE,0)', int(counts and won)),
            "cards": Formula(
                f"{IFS}({RESULT},SUMIFS(hands_order,hands_id,[id]),TRUE,0)",
                sum(result.hand.values()) if counts else 0,
            ),
            "counted": Formula(
                _counted(settings, OWN + AT_TABLE * (one.contest.table is not None)),
                int((one.play.uid, str(result.entry)) in best),
            ),
            "order": order,
            "check": Formula(CHECK, "OK"),
        }


def _counting(contest: ContestResults) -> frozenset[tuple[UUID, str]]:
    """Plays that count for a player, as (play, player)."""
    found: set[tuple[UUID, str]] = set()
    for line in contest.answer.standings:
        why = why_of(contest.sheet.data, contest.answer, line.player)
        assert isinstance(why, RaceWhy)
        plays = [contest.play_of_round(game.index + 1) for game in why.games if game.counts]
        found |= {(play.uid, line.player) for play in plays if play}
    return frozenset(found)


def _counted(settings: Mapping[str, Any], own: str) -> str:
    """Whether the game counts: it has a result, and fewer than `best` of the player's `own` others are better."""
    if settings.get("best") is None:
        return 'IF([points_f]="",0,1)'
    criteria = dict.fromkeys(
        "points" if word in {"average", "total"} else word
        for word in [*settings.get("rank", ["average"]), "total", "wins", "cards"]
    )
    side, by = (
        ("<", f"([points_f]-{ALIKE})") if settings["scoring"] == OWN_HAND else (">", f"([points_f]+{ALIKE})")
    )
    better = {
        "points": f'race_points_f,"{side}"&{by}',
        "wins": 'race_won,">"&[won]',
        "cards": 'race_cards,"<"&[cards]',
    }
    level = {
        "points": f'race_points_f,">="&([points_f]-{ALIKE}),race_points_f,"<="&([points_f]+{ALIKE})',
        "wins": "race_won,[won]",
        "cards": "race_cards,[cards]",
    }
    terms, before = [], own
    for word in criteria:
        terms.append(f"COUNTIFS({before},{better[word]})")
        before = f"{before},{level[word]}"
    terms.append(f'COUNTIFS({before},race_order,"<"&[order])')
    return f'IF([points_f]="",0,IF({"+".join(terms)}<{settings["best"]},1,0))'
