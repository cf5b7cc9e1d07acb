"""The sheet of heats: every player's row of every heat; who goes through follows by formula.

| rule | column |
| --- | --- |
| a heat counts unless it runs, is void, or somebody finished in it who was out before | place |
| the first out go through, as many as the referees let | place, goes through |
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event
from tournament.files.workbook.layout import Layout, Placed
from tournament.files.workbook.plays import head, row_id, who
from tournament.files.workbook.sheet_look import outcome_words
from tournament.models import Play, Result

Outcome = Result.Outcome
OUTCOMES = (Outcome.FINISHED, Outcome.PLAYING)


def rows(event: Event, layout: Layout) -> Iterator[Row]:
    """List every player's row of every heat."""
    outcomes = outcome_words()
    for placed in layout.heats_played:
        one, play = placed.one, placed.one.play
        of_heat = head(one)
        out = {
            (seat.table, seat.entry)
            for seat in one.contest.contest.seats
            if (seat.out_from or play.number + 1) <= play.number
        }
        for at, row in enumerate(play.results, placed.rows.first):
            player = str(row.entry)
            yield [
                *of_heat,
                *who(row, event.entries),
                outcomes[row.outcome],
                row.finish,
                one.place(player),
                _("yes") if one.advances(player) else None,
                event.entered.get(play.uid),
                *_formulas(placed, at, layout),
                play.advance or Formula(layout.setting(one.stage, "advance")),
                _("yes") if (one.table, row.entry) in out else None,
                row_id(play, row),
            ]


def _formulas(placed: Placed, row: int, layout: Layout) -> list[Value]:
    sheet = layout.heats
    at = sheet.cells(row)
    states, outcomes, order, out = (
        sheet.rows(key, placed.rows) for key in ("state", "outcome", "finish", "out")
    )
    words, finished = layout.words, layout.words.outcomes[Outcome.FINISHED]
    aside = "+".join(
        [
            *(f"COUNTIF({states},{words.states[state]})" for state in (Play.State.RUNNING, Play.State.VOID)),
            f'SUMPRODUCT(({outcomes}={finished})*({out}<>""))',
        ]
    )
    return [
        Formula(
            f'IF(OR({aside}>0,{at["outcome"]}<>{finished}),"",'
            f'1+COUNTIFS({outcomes},{finished},{order},"<"&{at["finish"]}))'
        ),
        Formula(f'IF(N({at["place_f"]})=0,"",IF({at["place_f"]}<={at["advance"]},{words.yes},""))', "word"),
        words.check(at, "place", "through"),
    ]
