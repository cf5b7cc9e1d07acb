"""Table of heats: a row per player and heat; the first `advance` qualify, by formula."""

from collections.abc import Iterator

from tournament.files.workbook.event import Event
from tournament.files.workbook.plays import ENTERED, IDS, PLAY, PLAYER, YES, Cells, results_of
from tournament.files.workbook.writer import Formula
from tournament.models import Stage

COLUMNS = f"{PLAY} {PLAYER} outcome finish advance place through {ENTERED} place_f through_f check {IDS}"

PLACE = (
    'IF(OR([counts]<>"yes",[outcome]<>"finished"),"",'
    '1+COUNTIFS(heats_play_id,[play_id],heats_outcome,"finished",heats_finish,"<"&[finish]))'
)
THROUGH = 'IF(N([place_f])=0,"",IF([place_f]<=[advance],"yes",""))'
CHECK = 'IF(AND([place]=[place_f],[through]=[through_f]),"OK","differs")'


def rows(event: Event) -> Iterator[Cells]:
    """Yield rows as {column: value}."""
    for one, result, answer, cells in results_of(event, Stage.Kind.HEATS):
        place = answer.place if answer else None
        through = YES if answer and answer.advances else None
        yield {
            **cells,
            "outcome": str(result.outcome),
            "finish": result.finish,
            "advance": one.play.advance or one.contest.sheet.data["settings"].get("advance") or 1,
            "place": place,
            "through": through,
            "place_f": Formula(PLACE, place),
            "through_f": Formula(THROUGH, through),
            "check": Formula(CHECK, "OK"),
        }
