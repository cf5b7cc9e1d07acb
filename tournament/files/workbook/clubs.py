"""The sheet of clubs, and the columns of the standings that it is made of, where players of two clubs have results.

| rule | column |
| --- | --- |
| a club is called by one spelling; its best player has rank 1, those level follow each other | standings |
| as many of a club's best count as the second largest club has, at most 3; of heats everybody | players who count |
| sessions: the mean of the averages, lowest first; matches: the sum of the points; heats: who goes through | result |
| where the lowest is best, a club with fewer players has no place | place |
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scoring import CLUB_MOST, ClubStanding
from tournament.files.workbook.addresses import Rows, quoted
from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event, StageRead
from tournament.files.workbook.layout import Layout
from tournament.files.workbook.sheet_look import looks
from tournament.files.workbook.writer import MEDALS, Coloured, Looks
from tournament.queries.clubs import StageClubs
from tournament.words.clubs import rule_text
from tournament.words.text import as_read

EXACT = "0.0000001"  # the fractions of a computer differ by less


def look(layout: Layout) -> Looks:
    """Give the look of the sheet of clubs, whose first three of each stage have the colours of medals."""
    place = layout.clubs.letters["place"]
    coloured = [
        Coloured(rows, f"${place}{rows.first}={at}", colour)
        for rows in layout.clubs_rows.values()
        for at, colour in enumerate(MEDALS, 1)
    ]
    return looks(layout.clubs, coloured=coloured, large=True, kept="club")


def in_standings(read: StageRead, row: int, club: str, layout: Layout) -> list[Value]:
    """Give the cells of a row of the standings that name its club and, where not everybody counts, its rank among the
    club's players, from 1; none where the stage has no clubs."""
    clubs = layout.stage_clubs.get(read.stage.uid)
    if clubs is None:
        return []
    name = clubs.names.get(as_read(club))
    if clubs.rule.everybody:
        return [name]
    sheet, whole = layout.standings[read.stage.uid], layout.standings_rows[read.stage.uid]
    at, points, club_as = sheet.cells(row), sheet.rows("points_f", whole), sheet.rows("club_as", whole)
    ranked = f"ISNUMBER({sheet.rows('place_f', whole)})"
    of_club, above = f"({club_as}={at['club_as']})*{ranked}", f"ROW({club_as})<{row}"
    if clubs.rule.mean:  # averages are compared as points times games, as in the column of places
        mine, others = f"{at['points_f']}*{sheet.rows('games_f', whole)}", f"{points}*{at['games_f']}"
        before = _before(of_club, others, "<", mine, above)
    else:
        lowest, most = (_before(of_club, points, sign, at["points_f"], above) for sign in "<>")
        before = f"IF({layout.setting(read.stage, 'count')}={layout.words.own_hand},{lowest},{most})"
    return [name, Formula(f'IF(AND({at["club_as"]}<>"",ISNUMBER({at["place_f"]})),1+{before},"")')]


def _before(of_club: str, others: str, sign: str, mine: str, row: str) -> str:
    """Count by formula who `of_club` is better than this row, or level and above it."""
    return f"SUMPRODUCT({of_club}*(({others}{sign}{mine})+({others}={mine})*({row})))"


def rows(event: Event, layout: Layout) -> Iterator[Row]:
    """List the clubs of each stage as they stand."""
    for read in event.stages:
        if clubs := layout.stage_clubs.get(read.stage.uid):
            block = layout.clubs_rows[read.stage.uid]
            for row, line in enumerate(clubs.lines, block.first):
                yield [
                    str(read.stage),
                    line.place,
                    clubs.names[line.club],
                    line.players,
                    line.value if clubs.rule.mean else int(line.value),
                    _counted(event, clubs, line),
                    rule_text(clubs.kind, clubs.rule, clubs.best) if row == block.first else None,
                    *_formulas(read, clubs, row, block, layout),
                ]


def _counted(event: Event, clubs: StageClubs, line: ClubStanding) -> str | None:
    """Name the players of a club who count; nobody where all do."""
    names = (event.entries[player].shown_name for player in line.counted)
    return None if clubs.rule.everybody else ", ".join(names)


def _formulas(read: StageRead, clubs: StageClubs, row: int, block: Rows, layout: Layout) -> list[Value]:
    sheet, standings, whole = (
        layout.clubs,
        layout.standings[read.stage.uid],
        layout.standings_rows[read.stage.uid],
    )
    at, style = sheet.cells(row), "average" if clubs.rule.mean else "whole"
    mine = f"({standings.rows_from_elsewhere('club_as', whole)}={at['club']})"
    players, values, best = (sheet.rows(key, block) for key in ("players_f", "value_f", "best_f"))
    sign = "<" if clubs.rule.lowest else ">"
    better = f"(ROUND({values},9){sign}ROUND({at['value_f']},9))"
    if clubs.rule.everybody:
        through = standings.rows_from_elsewhere("through_f", whole)
        is_through = "+".join(f"({through}={quoted(word)})" for word in (_("yes"), _("by decision")))
        count, most = f"SUMPRODUCT({mine}*1)", at["players_f"]
        value = f"SUMPRODUCT({mine}*({is_through}))"
        place = f"1+SUMPRODUCT({better}*1)"
    else:
        rank = standings.rows_from_elsewhere("club_rank", whole)
        of = standings.rows_from_elsewhere("average_f" if clubs.rule.mean else "points_f", whole)
        count = f"SUMPRODUCT({mine}*ISNUMBER({rank}))"
        most = f"MIN({CLUB_MOST},LARGE({players},2))"
        value = f"SUMPRODUCT({mine}*ISNUMBER({rank})*({rank}<={at['best_f']}),{of})"
        if clubs.rule.mean:
            value = f"{value}/MAX(1,MIN({at['best_f']},{at['players_f']}))"
        place = f"1+SUMPRODUCT({better}*1)"
        if clubs.rule.lowest:
            place = f'IF({at["players_f"]}<{at["best_f"]},"",1+SUMPRODUCT(({players}>={best})*{better}))'
    same = f"{at['place']}={at['place_f']},{at['players']}={at['players_f']}"
    check = (
        f"IF(AND({same},ABS({at['value']}-{at['value_f']})<{EXACT}),{layout.words.same},{layout.words.other})"
    )
    return [
        Formula(place),
        Formula(count),
        Formula(most),
        Formula(value, style),
        Formula(check, "word"),
    ]
