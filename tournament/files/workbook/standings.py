"""Rows of the standings: one sheet for each stage, with what its kind of contest is decided by, and by formula.

| rule | column |
| --- | --- |
| session: points of the games that count, how many, one divided by the other | points, games, average |
| session: ranked unless ejected, removed or in too few games | ranked |
| session: 1 + how many ranked have a lower average; points times games are compared, nothing is rounded | place |
| match: the points of the rounds that count; most are best, in the alternative count fewest | points, place |
| match: no place before a round counts, unless only one is left | place |
| match: out is who was removed or left, unless the match was over then | in play |
| match: it is won at the target, by the only one left, or where it was stopped | wins |
| heats: who goes through, unless people decided otherwise | goes through |
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from django.utils.translation import gettext as _

from scoring import HeatsAnswer, MatchAnswer, SessionAnswer
from tournament.files.workbook.addresses import Rows, Sheet, quoted
from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.clubs import in_standings
from tournament.files.workbook.event import StageRead
from tournament.files.workbook.layout import FIRST, Layout
from tournament.files.workbook.plays import key_of
from tournament.files.workbook.sheet_look import looks
from tournament.files.workbook.writer import MEDALS, Coloured, Looks
from tournament.models import Entry, Result, Seat
from tournament.results import ContestResults, following_number
from tournament.words.kinds import STATUSES

THROUGH = "FFDCEFE3"

Entries = Mapping[str, Entry]


def look(read: StageRead, sheet: Sheet) -> Looks:
    """Give the look of the standings: the first three places that were played for have the colours of medals, and who
    goes through from heats stands out."""
    look, coloured, first = looks(sheet), [], FIRST
    for contest in read.results:
        block = Rows(first, first + len(contest.answer.lines) - 1)
        first = block.last + 1
        if isinstance(contest.answer, HeatsAnswer):
            through, words = sheet.cells(block.first)["through"], (_("yes"), _("by decision"))
            is_one = ",".join(f"${through}={quoted(word)}" for word in words)
            coloured.append(Coloured(block, f"OR({is_one})", THROUGH))
        elif earned := sum(line.earned for line in contest.answer.standings):
            place = sheet.cells(block.first)["place"]
            earners = Rows(block.first, block.first + earned - 1)
            coloured += [Coloured(earners, f"${place}={at}", colour) for at, colour in enumerate(MEDALS, 1)]
    printed = sheet.index("fraction") if "fraction" in sheet.columns else look.printed
    return replace(look, coloured=coloured, large=True, printed=printed)


def rows(read: StageRead, entries: Entries, layout: Layout) -> Iterator[Row]:
    """The standings of a stage as they stand, table by table where each table is a match."""
    club = layout.standings[read.stage.uid].index("club")
    for at, row in enumerate(_rows(read, entries, layout), FIRST):
        yield [*row, *in_standings(read, at, str(row[club] or ""), layout)]


def _rows(read: StageRead, entries: Entries, layout: Layout) -> Iterator[Row]:
    first = FIRST
    for contest in read.results:
        answer = contest.answer
        block = Rows(first, first + len(answer.lines) - 1)
        match answer:
            case SessionAnswer():
                yield from _session(contest, answer, entries, _SessionFormulas(read, contest, block, layout))
            case MatchAnswer():
                yield from _match(contest, answer, entries, _MatchFormulas(read, contest, block, layout))
            case HeatsAnswer():
                yield from _heats(contest, entries, read, layout)
            case _:
                assert_never(answer)
        first = block.last + 1


def _session(
    contest: ContestResults, answer: SessionAnswer, entries: Entries, formulas: "_SessionFormulas"
) -> Iterator[Row]:
    removed = {str(seat.entry) for seat in contest.contest.seats if seat.out_as == Seat.OutAs.REMOVED}
    for row, line in enumerate(answer.standings, formulas.block.first):
        yield [
            line.place,
            *who(line.player, entries),
            line.points,
            line.games,
            line.average,
            _status(line.player, line.status, entries),
            None if line.average is None else str(line.average),
            *formulas.of(row, line.player),
            _("yes") if line.player in removed else None,
            formulas.ranked(row, line.player),
        ]


class _SessionFormulas:
    """The formulas of a session's standings, which stand in the rows of `block`. Points and games are those so far in
    the player's last game: a sum over all rows for each player would take a spreadsheet minutes in a long session."""

    def __init__(self, read: StageRead, contest: ContestResults, block: Rows, layout: Layout) -> None:
        self.block = block
        self._sheet = layout.standings[read.stage.uid]
        self._key, self._layout, self._games = key_of(read.stage, contest), layout, layout.games
        self._rows = layout.of_contest.get(self._key)
        self._least, self._words = layout.setting(read.stage, "min_games"), layout.words

    def of(self, row: int, player: str) -> list[Value]:
        at = self._sheet.cells(row)
        points, games = (self._last(key, player) or "0" for key in ("total", "played"))
        mine_points, mine_games = at["points_f"], at["games_f"]
        all_points, all_games, ranked = (
            self._sheet.rows(key, self.block) for key in ("points_f", "games_f", "ranked")
        )
        return [
            Formula(
                f'IF({at["ranked"]}=0,"",'
                f"1+SUMPRODUCT({ranked}*({all_points}*{mine_games}<{mine_points}*{all_games})))"
            ),
            Formula(points),
            Formula(games),
            Formula(f'IF({mine_games}=0,"",{mine_points}/{mine_games})', "average"),
            self._words.check(at, "place", "points", "games", "average"),
        ]

    def ranked(self, row: int, player: str) -> Formula:
        """Give 1 for a player who has a place: neither removed nor ejected, and in enough games."""
        at = self._sheet.cells(row)
        return Formula(
            f'IF(AND({at["out"]}="",{self._ejected(at, player)}=0,{at["games_f"]}>=MAX(1,{self._least})),1,0)'
        )

    def _last(self, key: str, player: str) -> str | None:
        """Give the cell of the player's last game; None if they played none."""
        rows = self._layout.of_player.get((self._key, player))
        return self._games.cell_from_elsewhere(key, rows[-1]) if rows else None

    def _ejected(self, at: Mapping[str, str], player: str) -> str:
        """Count how often the player was ejected in a game that is not set aside; all rows are searched only if the
        player was ejected at all."""
        before, outcome = (self._last(key, player) for key in ("ejected_before", "outcome"))
        if before is None or self._rows is None:
            return "0"
        word = self._words.outcomes[Result.Outcome.EJECTED]
        number, outcomes, counts = (
            self._games.rows_from_elsewhere(key, self._rows) for key in ("number", "outcome", "counts")
        )
        return (
            f"IF(OR({before}=1,{outcome}={word}),"
            f'COUNTIFS({number},{at["number"]},{outcomes},{word},{counts},"<>0"),0)'
        )


def _match(
    contest: ContestResults, answer: MatchAnswer, entries: Entries, formulas: "_MatchFormulas"
) -> Iterator[Row]:
    played = contest.contest
    following, order = following_number(played.plays), played.order_of_leaving
    out = {
        str(seat.entry): seat
        for seat in played.seats
        if seat.out_as
        and not (played.stopped and (seat.out_from or 0) > following)  # left after it was stopped
    }
    for row, line in enumerate(answer.standings, formulas.block.first):
        seat = out.get(line.player)
        yield [
            contest.table_number,
            line.place,
            *who(line.player, entries),
            line.points,
            line.rounds_won,
            _status(line.player, line.status, entries),
            _("yes") if line.player in answer.winners else None,
            *formulas.of(row),
            str(Seat.OutAs(seat.out_as).label) if seat else None,
            (seat.out_from or 0) if seat else None,
            order[seat.entry] if seat else None,
            _("yes") if played.stopped else None,
            formulas.in_play(row),
        ]


class _MatchFormulas:
    """The formulas of a match's standings, which stand in the rows of `block`."""

    def __init__(self, read: StageRead, contest: ContestResults, block: Rows, layout: Layout) -> None:
        self.block = block
        self._sheet = layout.standings[read.stage.uid]
        self._rounds, self._rows = layout.rounds, layout.of_contest.get(key_of(read.stage, contest))
        self._count, self._words = layout.setting(read.stage, "count"), layout.words
        self._points, self._in_play, self._stopped, self._out, self._left = (
            self._sheet.rows(key, block) for key in ("points_f", "in_play", "stopped", "out", "left")
        )
        self._over = f"MAX({self._points})>={layout.setting(read.stage, 'target')}"

    def _played(self, key: str) -> str:
        """The cells of a column of the sheet of rounds, of this match."""
        assert self._rows is not None
        return self._rounds.rows_from_elsewhere(key, self._rows)

    def of(self, row: int) -> list[Value]:
        at = self._sheet.cells(row)
        points = won = counted = "0"
        if self._rows:
            mine = f"{self._played('number')},{at['number']}"
            word = self._words.outcomes[Result.Outcome.WON]
            points = f"SUMIFS({self._played('points_f')},{mine})"
            won = f"COUNTIFS({mine},{self._played('outcome')},{word},{self._played('counts')},1)"
            counted = f"SUM({self._played('counts')})"
        fewer, more = (f"SUMPRODUCT({self._in_play}*({self._points}{sign}{at['points_f']}))" for sign in "<>")
        stopped = f'AND(SUMPRODUCT(--({self._stopped}<>""))>0,{counted}>0)'
        complete = f"OR({self._over},SUM({self._in_play})<=1,{stopped})"
        return [
            Formula(
                f'IF(OR({at["in_play"]}=0,AND({counted}=0,SUM({self._in_play})>1)),"",'
                f"1+IF({self._count}={self._words.own_hand},{fewer},{more}))"
            ),
            Formula(points),
            Formula(won),
            Formula(f'IF(AND(N({at["place_f"]})=1,{complete}),{self._words.yes},"")', "word"),
            self._words.check(at, "place", "points", "won", "wins"),
        ]

    def in_play(self, row: int) -> Formula:
        """Give 1 for a player who was not out, or only after the match was over: the target was reached, or all others
        were out."""
        at = self._sheet.cells(row)
        last = f"SUMPRODUCT(MAX({self._played('play')}*{self._played('counts')}))" if self._rows else "0"
        still = f'SUMPRODUCT(--(({self._out}="")+({self._left}>={at["left"]})>0))'
        return Formula(
            f'IF({at["out"]}="",1,IF(OR(AND({self._over},{at["out_from"]}>{last}),{still}<=1),1,0))'
        )


def _heats(contest: ContestResults, entries: Entries, read: StageRead, layout: Layout) -> Iterator[Row]:
    sheet, row = layout.standings[read.stage.uid], FIRST
    for play, heat in contest.counted:
        seats = [str(result.entry) for result in play.results]
        for line in heat.results:
            at = sheet.cells(row)
            place, through = (
                layout.heats.cell_from_elsewhere(
                    key, layout.of_play[play.uid].rows.first + seats.index(line.player)
                )
                for key in ("place_f", "through_f")
            )
            decision = _decision(line.player, read)
            yield [
                contest.contest.table_numbers[play.table],
                line.place,
                *who(line.player, entries),
                decision or (_("yes") if line.advances else None),
                Formula(place),
                Formula(f'IF({at["decision"]}<>"",{at["decision"]},{through})', "word"),
                layout.words.check(at, "place", "through"),
                decision,
            ]
            row += 1


def _decision(player: str, read: StageRead) -> str | None:
    """Word why it is not as the heat says whether this player goes through; None where it is."""
    if player in read.steps_back:
        return _("no, by decision")
    if read.going_on and player in read.going_on.gone:
        return _("no, does not play on")
    return _("by decision") if player in read.decided else None


def _status(player: str, status: str, entries: Entries) -> str:
    """Say why somebody has no place; a player who never came has not left."""
    entry = entries[player]
    if status != "ranked" and entry.state == Entry.State.NO_SHOW:
        return str(entry.get_state_display())
    return str(STATUSES[status])


def who(player: str, entries: Entries) -> list[Value]:
    """A player's name, club and start number."""
    entry = entries[player]
    return [entry.shown_name, entry.club or None, entry.start_number]
