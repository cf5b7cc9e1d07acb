"""Tables of rounds and of heats: a row per player and play, with formulas.

| rule | formula |
| --- | --- |
| standard scoring: the winner gains the others' hands | `WINNER_TAKES` |
| alternative: all gain their own | `OWN_HAND` |
| the first `advance` of a heat qualify | `THROUGH` |
"""

from collections.abc import Iterator

from tournament.extras.workbook.files.plays import ENTERED, IDS, MATCHES, PLAY, PLAYER, YES, Cells, results_of
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import IFS, Formula
from tournament.models import Stage
from tournament.results import lowest_wins

COLUMNS = f"{PLAY} {PLAYER} outcome points last_cards drew {ENTERED} points_f check {IDS}"
HEAT_COLUMNS = f"{PLAY} {PLAYER} outcome finish advance place through {ENTERED} place_f through_f check {IDS}"

WINNER_TAKES = f'{IFS}([counts]<>"yes","",[outcome]="won",SUMIFS(hands_worth,hands_play_id,[play_id]),TRUE,0)'
OWN_HAND = f'{IFS}([counts]<>"yes","",[outcome]="won",0,TRUE,SUMIFS(hands_worth,hands_id,[id]))'
CHECK_ROUND = f'{IFS}([points]=[points_f],"OK",TRUE,"differs")'
PLACE = (
    'IF(OR([counts]<>"yes",[outcome]<>"finished"),"",'
    '1+COUNTIFS(heats_play_id,[play_id],heats_outcome,"finished",heats_finish,"<"&[finish]))'
)
THROUGH = 'IF(N([place_f])=0,"",IF([place_f]<=[advance],"yes",""))'
CHECK_HEAT = 'IF(AND([place]=[place_f],[through]=[through_f]),"OK","differs")'


def rows(event: Event) -> Iterator[Cells]:
    """Rows of rounds by column."""
    for one, _result, answer, cells in results_of(event, *MATCHES):
        points = answer.points if answer else None
        gained = OWN_HAND if lowest_wins(one.contest.sheet.data) else WINNER_TAKES
        yield {
            **cells,
            "points": points,
            "points_f": Formula(gained, points),
            "check": Formula(CHECK_ROUND, "OK"),
        }


def heat_rows(event: Event) -> Iterator[Cells]:
    """Rows of heats by column."""
    for one, result, answer, cells in results_of(event, Stage.Kind.HEATS):
        place = answer.place if answer else None
        through = YES if answer and answer.advances else None
        yield {
            **cells,
            "finish": result.finish,
            "advance": one.play.advance or one.contest.sheet.data["settings"].get("advance") or 1,
            "place": place,
            "through": through,
            "place_f": Formula(PLACE, place),
            "through_f": Formula(THROUGH, through),
            "check": Formula(CHECK_HEAT, "OK"),
        }
