"""Table of games: a row per player and game, with formulas.

| rule | formula |
| --- | --- |
| out: full minutes, in order | `elapsed_s`, `stayed` |
| last: full minutes to the end | `stayed` |
| remaining: special situation 6, by the table of hands | `place_f`, `stayed` |
| gave up: worst of the others plus 30, at least 60 | `points_f` |
"""

from collections.abc import Iterator
from datetime import timedelta

from rulesets import RULESETS
from tournament.extras.workbook.files.plays import ENTERED, IDS, PLAY, PLAYER, Cells, results_of
from tournament.files.workbook.event import Event
from tournament.files.workbook.writer import IFS, MAXIFS, Formula
from tournament.models import Play, Result, Stage

COLUMNS = (
    f"{PLAY} started ended duration ending {PLAYER} outcome out_after place points {ENTERED}"
    f" place_f points_f check elapsed_s stayed {IDS}"
)

OUT = 'COUNTIFS(games_play_id,[play_id],games_outcome,"out")'
LAST = 'COUNTIFS(games_play_id,[play_id],games_outcome,"last")'
REMAINING = 'COUNTIFS(games_play_id,[play_id],games_outcome,"remaining")'
LEFT = (
    'COUNTIFS(games_play_id,[play_id],games_outcome,"gave_up")'
    '+COUNTIFS(games_play_id,[play_id],games_outcome,"ejected")'
)
EARLIER = 'COUNTIFS(games_play_id,[play_id],games_outcome,"out",games_elapsed_s,"<"&[elapsed_s])'
ORDER, ORDER_2 = "SUMIFS(hands_order,hands_id,[id])", "SUMIFS(hands_order_2,hands_id,[id])"
BETTER = (
    f'COUNTIFS(hands_play_id,[play_id],hands_order,"<"&{ORDER})'
    f'+COUNTIFS(hands_play_id,[play_id],hands_order,{ORDER},hands_order_2,"<"&{ORDER_2})'
)
PLACE = (
    f'{IFS}([counts]<>"yes","",[outcome]="out",1+{EARLIER},[outcome]="last",1+{OUT},'
    f'[outcome]="remaining",1+{OUT}+{BETTER},[outcome]="gave_up",1+{OUT}+{LAST}+{REMAINING},TRUE,"")'
)
# The duration if a player left, else the last time out.
END = (
    f'IF(AND([duration]<>"",{LEFT}>0),ROUND([duration]*86400,0),'
    f'{MAXIFS}(games_elapsed_s,games_play_id,[play_id],games_outcome,"out"))'
)
CHECK = f'{IFS}(AND([place]=[place_f],[points]=[points_f]),"OK",TRUE,"differs")'
ELAPSED = f'{IFS}([out_after]="","",TRUE,ROUND([out_after]*86400,0))'


def rows(event: Event) -> Iterator[Cells]:
    """Rows by column."""
    ruleset = RULESETS[event.tournament.ruleset]
    stayed = (
        f'{IFS}([counts]<>"yes","",[outcome]="out",INT([elapsed_s]/60),[outcome]="last",INT({END}/60),'
        f'[outcome]="remaining",{ruleset.remaining_base}+{ruleset.remaining_step}*([place_f]-{OUT}),TRUE,"")'
    )
    points = (
        'IF(AND([counts]="yes",[outcome]="gave_up"),'
        f"MAX({ruleset.give_up_least},{MAXIFS}(games_stayed,games_play_id,[play_id])+{ruleset.give_up_extra}),[stayed])"
    )
    for one, result, answer, cells in results_of(event, Stage.Kind.SESSION):
        place, scored = (answer.place, answer.points) if answer else (None, None)
        gave_up = result.outcome == Result.Outcome.GAVE_UP
        # a game ended by time took the full hour
        seconds = ruleset.hour_s if one.play.ended == Play.Ended.TIME else one.play.duration_s
        duration = None if seconds is None else timedelta(seconds=seconds)
        ended = None if one.play.started_at is None or duration is None else one.play.started_at + duration
        yield {
            **cells,
            "started": one.play.started_at,
            "ended": ended,
            "duration": duration,
            "out_after": None if result.elapsed_s is None else timedelta(seconds=result.elapsed_s),
            "place": place,
            "points": scored,
            "place_f": Formula(PLACE, place),
            "points_f": Formula(points, scored),
            "check": Formula(CHECK, "OK"),
            "elapsed_s": Formula(ELAPSED, result.elapsed_s),
            "stayed": Formula(stayed, None if gave_up else scored),
        }
