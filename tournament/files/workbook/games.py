"""The sheet of games: every player's row of every game of the sessions, with place and points by formula.

| rule | column |
| --- | --- |
| a game counts unless it runs, is void, or somebody plays in it who was ejected before | counts, ejected before |
| out: full minutes, in the order of going out | seconds |
| last: full minutes of the game's end | points of who did not give up |
| remaining: by special situation 6, in the order that the sheet of hands works out | place, points |
| gave up: the worst of the others and 30 more, at least 60 | points |
| points and games of the player up to this one, which the standings are made of | total so far, games so far |
"""

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext as _

from rulesets import RULESETS
from scoring.hands import hand_size
from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event
from tournament.files.workbook.layout import Layout, Placed
from tournament.files.workbook.plays import head, row_id, who
from tournament.files.workbook.sheet_look import looks, outcome_words
from tournament.files.workbook.writer import Looks
from tournament.models import Play, Result

Outcome = Result.Outcome
State = Play.State
OUTCOMES = (Outcome.OUT, Outcome.LAST, Outcome.REMAINING, Outcome.GAVE_UP, Outcome.EJECTED, Outcome.PLAYING)


def look(layout: Layout) -> Looks:
    """Give the choices and hints for the cells of the sheet of games."""
    hint = _("Type a time as 0:12:34 (hours, minutes and seconds).")
    return looks(layout.games, "games", OUTCOMES, times={"duration": hint, "out_after": hint})


def rows(event: Event, layout: Layout) -> Iterator[Row]:
    """List every player's row of every game of the sessions."""
    outcomes = outcome_words()
    hour_s = RULESETS[event.tournament.ruleset].hour_s
    for placed in layout.games_played:
        one, play = placed.one, placed.one.play
        # A game that the hour ended took the hour; of others somebody may have kept the time.
        seconds = hour_s if play.ended == Play.Ended.TIME else play.duration_s
        duration = None if seconds is None else timedelta(seconds=seconds)
        of_game: list[Value] = [
            *head(one),
            play.started_at,
            None if play.started_at is None or duration is None else play.started_at + duration,
            duration,
            str(Play.Ended(play.ended).label) if play.ended else None,
        ]
        formulas = _Formulas(placed, layout)
        for at, row in enumerate(play.results, placed.rows.first):
            player = str(row.entry)
            yield [
                *of_game,
                *who(row, event.entries),
                outcomes[row.outcome],
                None if row.elapsed_s is None else timedelta(seconds=row.elapsed_s),
                hand_size(row.hand) if row.outcome == Outcome.REMAINING else None,
                one.place(player),
                one.points(player),
                event.entered.get(play.uid),
                *formulas.of(at, layout.before.get(((one.key, player), at))),
                row_id(play, row),
            ]


class _Formulas:
    """The formulas of one game's rows."""

    def __init__(self, placed: Placed, layout: Layout) -> None:
        sheet, block = layout.games, placed.rows
        assert placed.hands is not None
        self._sheet, self._letters = sheet, sheet.letters
        self._hands, self._hands_from = layout.hands, placed.hands.first - block.first
        self._seconds, self._stayed, self._ejected_before, self._outcomes, self._states = (
            sheet.rows(key, block) for key in ("seconds", "stayed", "ejected_before", "outcome", "state")
        )
        self._order, self._order_2 = (
            layout.hands.rows_from_elsewhere(key, placed.hands) for key in ("order", "order_2")
        )
        self._check, self._words = layout.words.check, layout.words.outcomes
        self._running, self._void = (layout.words.states[state] for state in (State.RUNNING, State.VOID))
        self._base, self._step, self._extra, self._least = (
            layout.setting(placed.one.stage, key) for key in ("base", "step", "extra", "least")
        )

    def of(self, row: int, before: int | None) -> list[Value]:
        """The formulas of a row; `before` is the row of the player's game before this one."""
        at = self._sheet.cells(row)
        return [
            Formula(self._place(at, row)),
            Formula(self._points(at)),
            self._check(at, "place", "points"),
            Formula(
                f"IF(OR(COUNTIF({self._states},{self._running})>0,SUM({self._ejected_before})>0),0,"
                f"IF(COUNTIF({self._states},{self._void})>0,-1,1))"
            ),
            Formula(self._ejected(before)),
            Formula(f'IF({self._is(at, Outcome.OUT)},ROUND({at["out_after"]}*86400,0),"")'),
            Formula(self._points_of_who_stayed(at)),
            Formula(f"{self._so_far('total', before)}N({at['points_f']})"),
            Formula(f"{self._so_far('played', before)}COUNT({at['points_f']})"),
        ]

    def _so_far(self, key: str, before: int | None) -> str:
        return "" if before is None else f"{self._letters[key]}{before}+"

    def _is(self, at: dict[str, str], outcome: Outcome) -> str:
        return f"AND({at['counts']}=1,{at['outcome']}={self._words[outcome]})"

    def _count(self, outcome: Outcome) -> str:
        return f"COUNTIF({self._outcomes},{self._words[outcome]})"

    def _ejected(self, before: int | None) -> str:
        if before is None:
            return "0"
        at = self._sheet.cells(before)
        return (
            f"IF(OR({at['ejected_before']}=1,"
            f"AND({at['outcome']}={self._words[Outcome.EJECTED]},{at['counts']}<>0)),1,0)"
        )

    def _rank(self, row: int) -> str:
        """The place among those remaining: one more than have a better hand."""
        mine, mine_2 = self._hand("order", row), self._hand("order_2", row)
        remaining = f"({self._outcomes}={self._words[Outcome.REMAINING]})"
        return (
            f"(1+SUMPRODUCT({remaining}*"
            f"(({self._order}<{mine})+({self._order}={mine})*({self._order_2}<{mine_2}))))"
        )

    def _hand(self, key: str, row: int) -> str:
        return self._hands.cell_from_elsewhere(key, row + self._hands_from)

    def _place(self, at: dict[str, str], row: int) -> str:
        word, out = at["outcome"], f"COUNT({self._seconds})"
        return (
            f'IF({at["counts"]}<>1,"",'
            f'IF({word}={self._words[Outcome.OUT]},1+COUNTIF({self._seconds},"<"&{at["seconds"]}),'
            f"IF({word}={self._words[Outcome.LAST]},{out}+1,"
            f"IF({word}={self._words[Outcome.REMAINING]},{out}+{self._rank(row)},"
            f"IF({word}={self._words[Outcome.GAVE_UP]},"
            f'{out}+{self._count(Outcome.LAST)}+{self._count(Outcome.REMAINING)}+1,"")))))'
        )

    def _points(self, at: dict[str, str]) -> str:
        return (
            f"IF({self._is(at, Outcome.GAVE_UP)},"
            f"MAX({self._least},MAX({self._stayed})+{self._extra}),{at['stayed']})"
        )

    def _points_of_who_stayed(self, at: dict[str, str]) -> str:
        word = at["outcome"]
        return (
            f'IF({at["counts"]}<>1,"",'
            f"IF({word}={self._words[Outcome.OUT]},INT({at['seconds']}/60),"
            f"IF({word}={self._words[Outcome.LAST]},INT({self._end(at)}/60),"
            f"IF({word}={self._words[Outcome.REMAINING]},"
            f'{self._base}+{self._step}*({at["place_f"]}-COUNT({self._seconds})),""))))'
        )

    def _end(self, at: dict[str, str]) -> str:
        """The game's end in seconds: its duration where somebody left and it was kept, else when the last went out."""
        left = f"{self._count(Outcome.GAVE_UP)}+{self._count(Outcome.EJECTED)}"
        return f'IF(AND({at["duration"]}<>"",{left}>0),ROUND({at["duration"]}*86400,0),MAX({self._seconds}))'
