"""Table of standings by kind of contest, with formulas and settings.

| rule | formula |
| --- | --- |
| session: points, number of counted games, quotient | `points_f`, `games_f`, `average_f` |
| session: 1 + ranked players with a lower average, without rounding | `place_f` |
| match: most points of counted rounds, in alternative scoring fewest | `points_f`, `place_f` |
| match: no place before a counted round, unless one player is left | `place_f` |
| race: sums of the games that count; 1 + ranked players better by `rank`, fractions level within `ALIKE` | `place_f` |
| heats: as in their table; decisions override qualifiers | `place_f` |

Formulas read the official `status`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets import OWN_HAND, RULESETS, ByKind
from scoring import MatchAnswer, RaceAnswer, SessionAnswer
from tournament.extras.workbook.files.plays import YES, Cells
from tournament.extras.workbook.files.race import ALIKE, AT_TABLE
from tournament.files.workbook.event import Event, StageRead
from tournament.files.workbook.writer import Formula
from tournament.models import Entry
from tournament.results import ContestResults, lowest_wins, target_of

COLUMNS = (
    "stage stage_name table place number player club points games average average_exact rounds_won wins cards through"
    " status winner out out_from place_f points_f games_f average_f rounds_won_f wins_f cards_f counted counted_f check"
    " entry_id"
)

OF_STAGE = "games_stage,[stage],games_entry_id,[entry_id]"
OF_TABLE = "rounds_stage,[stage],rounds_table,[table]"
RANKED = 'standings_stage,[stage],standings_table,[table],standings_status,"ranked"'
SESSION = {
    "points": f"SUMIFS(games_points_f,{OF_STAGE})",
    "games": f'COUNTIFS({OF_STAGE},games_points_f,">=0")',
    "average": 'IF([games_f]=0,"",[points_f]/[games_f])',
    "place": (
        'IF([status]<>"ranked","",1+SUMPRODUCT((standings_stage=[stage])*(standings_status="ranked")'
        "*(standings_points_f*[games_f]<[points_f]*standings_games_f)))"
    ),
}
MATCH = {
    "points": f"SUMIFS(rounds_points_f,{OF_TABLE},rounds_entry_id,[entry_id])",
    "rounds_won": (
        f'COUNTIFS({OF_TABLE},rounds_entry_id,[entry_id],rounds_outcome,"won",rounds_counts,"yes")'
    ),
    "place": (
        f'IF(OR([status]<>"ranked",AND(COUNTIFS({OF_TABLE},rounds_counts,"yes")=0,COUNTIFS({RANKED})>1)),"",'
        f'1+COUNTIFS({RANKED},standings_points_f,">"&[points_f]))'
    ),
}
LOWEST = {**MATCH, "place": MATCH["place"].replace('">"', '"<"')}
FINISHED = "SUMIFS(heats_place_f,heats_stage,[stage],heats_entry_id,[entry_id])"
HEATS = {"place": f'IF({FINISHED}=0,"",{FINISHED})'}


RACE = {
    "points": "SUMIFS(race_points_f,{own},race_counted,1)",
    "games": 'COUNTIFS({own},race_points_f,">=0")',
    "average": 'IF([counted_f]=0,"",[points_f]/[counted_f])',
    "wins": "SUMIFS(race_won,{own},race_counted,1)",
    "cards": "SUMIFS(race_cards,{own},race_counted,1)",
    "counted": "COUNTIFS({own},race_counted,1)",
}
BEHIND = {  # how far a line is behind the row's own, where the most is best
    "average": "([points_f]*standings_counted_f-standings_points_f*[counted_f])",
    "total": "([points_f]-standings_points_f)",
    "wins": "([wins_f]-standings_wins_f)",
    "cards": "(standings_cards_f-[cards_f])",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows of a kind. `lines`: (player, cells) of a contest; `settings`: effective ones."""

    lines: Callable[[StageRead, ContestResults], Iterator[tuple[str, Cells]]]
    settings: Callable[[dict[str, Any]], Cells]


def rows(event: Event) -> Iterator[Cells]:
    """Standings per stage, or per table of a match."""
    for read in event.stages:
        for contest in read.results:
            seats = {str(seat.entry): seat for seat in contest.contest.seats if seat.out_as}
            for player, line in KINDS[contest.answer.kind].lines(read, contest):
                entry, out = event.entries[player], seats.get(player)
                # a no-show has not left
                came = line.get("status") in {None, "ranked"} or entry.state != Entry.State.NO_SHOW
                yield {
                    "stage": read.stage.number,
                    "stage_name": str(read.stage),
                    "table": contest.table_number,
                    "number": entry.start_number,
                    "player": entry.shown_name,
                    "club": entry.club or None,
                    "winner": YES if player in contest.answer.winners else None,
                    "out": str(out.out_as) if out else None,
                    "out_from": out.out_from if out else None,
                    "entry_id": player,
                    **line,
                    **({} if came else {"status": str(entry.state)}),
                }


def _computed(line: Cells, formulas: dict[str, str]) -> Cells:
    """Adds formulas and `check`."""
    same = ",".join(f"[{key}]=[{key}_f]" for key in formulas)
    found = {f"{key}_f": Formula(text, line[key]) for key, text in formulas.items()}
    return {**line, **found, "check": Formula(f'IF(AND({same}),"OK","differs")', "OK")}


def _session(_read: StageRead, contest: ContestResults) -> Iterator[tuple[str, Cells]]:
    assert isinstance(contest.answer, SessionAnswer)
    for line in contest.answer.standings:
        cells: Cells = {
            "place": line.place,
            "points": line.points,
            "games": line.games,
            "average": line.average,
            "average_exact": None if line.average is None else str(line.average),
            "status": line.status,
        }
        yield line.player, _computed(cells, SESSION)


def _match(_read: StageRead, contest: ContestResults) -> Iterator[tuple[str, Cells]]:
    formulas = LOWEST if lowest_wins(contest.sheet.data) else MATCH
    assert isinstance(contest.answer, MatchAnswer)
    for line in contest.answer.standings:
        cells: Cells = {
            "place": line.place,
            "points": line.points,
            "rounds_won": line.rounds_won,
            "status": line.status,
        }
        yield line.player, _computed(cells, formulas)


def _race(_read: StageRead, contest: ContestResults) -> Iterator[tuple[str, Cells]]:
    settings = contest.sheet.data["settings"]
    alone = contest.table is not None
    own = "race_stage,[stage],race_entry_id,[entry_id]" + AT_TABLE * alone
    formulas = {key: text.replace("{own}", own) for key, text in RACE.items()}
    formulas["place"] = _place_in_race(settings, alone=alone)
    assert isinstance(contest.answer, RaceAnswer)
    for line in contest.answer.standings:
        cells: Cells = {
            "place": line.place,
            "points": line.points,
            "games": line.games,
            "average": line.average,
            "average_exact": None if line.average is None else str(line.average),
            "wins": line.wins,
            "cards": line.cards,
            "counted": min(line.games, settings.get("best") or line.games),
            "status": line.status,
        }
        yield line.player, _computed(cells, formulas)


def _place_in_race(settings: Mapping[str, Any], *, alone: bool) -> str:
    """1 and who is ranked better by `rank`; `alone`: at the same table."""
    better = "0"
    for word in reversed(settings.get("rank", ["average"])):
        behind = BEHIND[word]
        if settings["scoring"] == OWN_HAND and word in {"average", "total"}:
            behind = f"(-{behind})"
        better = f"(({behind}<-{ALIKE})+(ABS({behind})<={ALIKE})*{better})"
    of = '(standings_stage=[stage])*(standings_status="ranked")' + "*(standings_table=[table])" * alone
    return f'IF([status]<>"ranked","",1+SUMPRODUCT({of}*{better}))'


def _heats(read: StageRead, contest: ContestResults) -> Iterator[tuple[str, Cells]]:
    for play, heat in contest.counted:
        for line in heat.results:
            through = YES if line.advances else None
            if line.player in read.steps_back:
                through = "no_by_decision"
            elif read.going_on and line.player in read.going_on.gone:
                through = "no_does_not_play_on"
            elif line.player in read.decided:
                through = "by_decision"
            table = contest.contest.table_numbers[play.table]
            yield line.player, _computed({"table": table, "place": line.place, "through": through}, HEATS)


KINDS: ByKind[Kind] = ByKind(
    "extras/workbook/files/standings_by_kind.py",
    {
        "session": Kind(_session, lambda sheet: {"min_games": sheet["settings"].get("min_games") or 1}),
        "match": Kind(
            _match,
            lambda sheet: {
                "target": target_of(sheet),
                "scoring": sheet["settings"].get("scoring") or RULESETS[sheet["ruleset"]].scorings[0],
            },
        ),
        "race": Kind(_race, lambda sheet: {"rank": ", ".join(sheet["settings"].get("rank", ["average"]))}),
        "heats": Kind(_heats, lambda sheet: {"advance": sheet["settings"].get("advance") or 1}),
    },
)
