"""The sheet of rounds: every player's row of every round of the matches and finals, with points by formula.

| rule | column |
| --- | --- |
| standard count: the winner gains what the others hold; alternative count: everybody their own hand | points |
| a round counts unless it runs, is void, the match was over, or somebody plays in it who is out | counts |
| the match is over once somebody reaches the target | total so far, over before |
| who is out from a round on is out of it | gone |
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scoring.hands import hand_size
from tournament.files.workbook.addresses import Rows
from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event
from tournament.files.workbook.layout import Layout, Placed
from tournament.files.workbook.plays import (
    ContestKey,
    cards_text,
    head,
    row_id,
    who,
)
from tournament.files.workbook.sheet_look import outcome_words
from tournament.models import Play, Result

Outcome = Result.Outcome
State = Play.State
OUTCOMES = (Outcome.WON, Outcome.HOLDS, Outcome.EMPTIED)


def rows(event: Event, layout: Layout) -> Iterator[Row]:
    """List every player's row of every round of the matches and finals."""
    outcomes = outcome_words()
    before: dict[ContestKey, Rows] = {}
    for placed in layout.rounds_played:
        one, play = placed.one, placed.one.play
        of_round, last_cards = head(one), cards_text(play.last_cards, layout.ruleset)
        formulas = _Formulas(placed, before.get(one.key), layout)
        before[one.key] = placed.rows
        for at, row in enumerate(play.results, placed.rows.first):
            player = str(row.entry)
            yield [
                *of_round,
                *who(row, event.entries),
                outcomes[row.outcome],
                hand_size(row.hand),
                one.points(player),
                last_cards if row.outcome == Outcome.WON else None,
                _("yes") if play.drew == row.entry else None,
                event.entered.get(play.uid),
                *formulas.of(at, player),
                row_id(play, row),
            ]


class _Formulas:
    """The formulas of one round's rows; `before` are the rows of the match's round before this one."""

    def __init__(self, placed: Placed, before: Rows | None, layout: Layout) -> None:
        assert placed.hands is not None
        self._placed, self._before, self._layout = placed, before, layout
        sheet, block, stage = layout.rounds, placed.rows, placed.one.stage
        self._states, self._outcomes, self._gone = (
            sheet.rows(key, block) for key in ("state", "outcome", "gone")
        )
        self._worth = layout.hands.rows_from_elsewhere("worth", placed.hands)
        self._hands_from = placed.hands.first - block.first
        self._target, self._count = (layout.setting(stage, key) for key in ("target", "count"))
        words = layout.words
        self._running, self._void = (words.states[state] for state in (State.RUNNING, State.VOID))
        self._won, self._own_hand, self._check = words.outcomes[Outcome.WON], words.own_hand, words.check

    def of(self, row: int, player: str) -> list[Value]:
        """The formulas of a player's row."""
        at = self._layout.rounds.cells(row)
        before = self._layout.before.get(((self._placed.one.key, player), row))
        total = "" if before is None else f"{self._layout.rounds.letters['total']}{before}+"
        return [
            Formula(self._points(at, row)),
            self._check(at, "points"),
            Formula(
                f"IF(OR(COUNTIF({self._states},{self._running})>0,COUNTIF({self._states},{self._void})>0,"
                f"{at['over_before']}=1,SUM({self._gone})>0),0,1)"
            ),
            Formula(f"{total}N({at['points_f']})"),
            Formula(self._over_before()),
            Formula(self._is_gone(at, player)),
        ]

    def _points(self, at: dict[str, str], row: int) -> str:
        own = self._layout.hands.cell_from_elsewhere("worth", row + self._hands_from)
        won = f"{at['outcome']}={self._won}"
        return (
            f'IF({at["counts"]}<>1,"",IF({self._count}={self._own_hand},IF({won},0,{own}),'
            f"IF({won},SUMPRODUCT(({self._outcomes}<>{self._won})*{self._worth}),0)))"
        )

    def _over_before(self) -> str:
        if self._before is None:
            return "0"
        over, total = (self._layout.rounds.rows(key, self._before) for key in ("over_before", "total"))
        return f"IF(OR(MAX({over})=1,MAX({total})>={self._target}),1,0)"

    def _is_gone(self, at: dict[str, str], player: str) -> str:
        """Tell whether the standings say that the player was out from this round on, or before."""
        stage = self._placed.one.stage
        row = self._layout.of_standing.get((stage.uid, player))
        if row is None:  # gave the seat up to somebody else, before anything that counts
            return "0"
        out, out_from = (
            self._layout.standings[stage.uid].cell_from_elsewhere(key, row) for key in ("out", "out_from")
        )
        return f'IF(AND({out}<>"",{out_from}<={at["play"]}),1,0)'
