"""Table of rounds: a row per player and round. Standard scoring: the winner gains the others' hands; alternative: all
gain their own."""

from collections.abc import Iterator

from rulesets import CARDS
from tournament.files.workbook.event import Event
from tournament.files.workbook.plays import ENTERED, IDS, MATCHES, PLAY, PLAYER, YES, Cells, results_of
from tournament.files.workbook.writer import IFS, Formula
from tournament.models import Result
from tournament.results import lowest_wins

COLUMNS = f"{PLAY} {PLAYER} outcome points last_cards drew {ENTERED} points_f check {IDS}"

WINNER_TAKES = f'{IFS}([counts]<>"yes","",[outcome]="won",SUMIFS(hands_worth,hands_play_id,[play_id]),TRUE,0)'
OWN_HAND = f'{IFS}([counts]<>"yes","",[outcome]="won",0,TRUE,SUMIFS(hands_worth,hands_id,[id]))'
CHECK = f'{IFS}([points]=[points_f],"OK",TRUE,"differs")'


def rows(event: Event) -> Iterator[Cells]:
    """Yield rows as {column: value}."""
    for one, result, answer, cells in results_of(event, *MATCHES):
        points = answer.points if answer else None
        gained = OWN_HAND if lowest_wins(one.contest.sheet.data) else WINNER_TAKES
        won, last_cards = result.outcome == Result.Outcome.WON, one.play.last_cards
        cards = ", ".join(f"{last_cards[card]} × {card}" for card in CARDS if last_cards.get(card))
        yield {
            **cells,
            "outcome": str(result.outcome),
            "points": points,
            "last_cards": cards or None if won else None,
            "drew": YES if one.play.drew == result.entry else None,
            "points_f": Formula(gained, points),
            "check": Formula(CHECK, "OK"),
        }
