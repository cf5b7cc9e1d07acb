"""Common columns of games, rounds, heats and hands.

Includes running, void and set-aside plays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import CARDS
from scoring import ResultAnswer
from tournament.files.workbook.event import Event
from tournament.models import Result, Stage
from tournament.queries.incidents import look_of
from tournament.results import ContestResults, PlayFacts, ResultFacts, kind_of

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)
PLAY = "stage stage_name table play state counts"
PLAYER = "number player"
ENTERED = "entered_at entered_by ledger_row"
IDS = "play_id entry_id id"
YES = "yes"  # value of `counts`; otherwise the reason why not

Cells = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A play with its answer rows by player, {} if it does not count."""

    stage: Stage
    contest: ContestResults
    play: PlayFacts
    answer: Mapping[str, ResultAnswer]


def played(event: Event, *kinds: str) -> Iterator[Played]:
    """Plays of these stages in score sheet order; heats by table."""
    for read in (read for read in event.stages if read.stage.kind in kinds):
        for contest in read.results:
            answers = {
                play.uid: {row.player: row for row in answer.results} for play, answer in contest.counted
            }
            plays, tables = contest.contest.in_order, contest.contest.table_numbers
            if kind_of(read.stage.kind).one_play:
                plays = tuple(sorted(plays, key=lambda play: tables[play.table]))
            for play in plays:
                yield Played(read.stage, contest, play, answers.get(play.uid, {}))


def results_of(event: Event, *kinds: str) -> Iterator[tuple[Played, ResultFacts, ResultAnswer | None, Cells]]:
    """Rows of these stages: (play, result, its answer or None, common cells)."""
    people = {line.sequence: line.who for line in event.ledger or ()}
    for one in played(event, *kinds):
        play, row = one.play, event.entry_rows.get(one.play.uid)
        of_play: Cells = {
            "stage": one.stage.number,
            "stage_name": str(one.stage),
            "table": one.contest.contest.table_numbers[play.table],
            "play": play.number,
            "state": str(look_of(play)),
            "ending": play.ended or None,
            "counts": one.contest.why_not(play) or YES,
            "entered_at": event.entered.get(play.uid),
            "entered_by": people.get(row) if row else None,
            "ledger_row": row,
            "play_id": str(play.uid),
        }
        cards = ", ".join(f"{play.last_cards[card]} × {card}" for card in CARDS if play.last_cards.get(card))
        for result in play.results:
            player = str(result.entry)
            entry = event.entries[player]
            of_player = {
                "number": entry.start_number,
                "player": entry.shown_name,
                "outcome": str(result.outcome),
                "last_cards": cards or None if result.outcome == Result.Outcome.WON else None,
                "drew": YES if play.drew == result.entry else None,
                "entry_id": player,
                "id": f"{play.uid} {player} {play.version}",
            }
            yield one, result, one.answer.get(player), of_play | of_player
