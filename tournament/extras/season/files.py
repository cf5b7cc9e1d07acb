"""A season in Excel, standings by formulas.

| sheet | one row per | formulas |
| --- | --- | --- |
| standings | player | value, place after each tie-break, evenings, games |
| results | player and evening | worth, order among the player's own results, whether it counts |
| points | place | none |

A place is 1 plus the number of ranked players who are better, by value, then by each tie-break. Values are compared
after rounding to DIGITS decimals.
"""

from collections.abc import Iterator
from typing import IO
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext as _, pgettext

from scoring import season_worth
from tournament.files.workbook.writer import Formula, Looks, Plain, Row, WorkbookWriter
from tournament.models import Season
from tournament.queries.tour.seasons import SeasonTable

DIGITS = 9
OF_NAMES = 30  # characters in a line of names
ABSENT = "1E+99"  # after every result that is there
OWN = "(results_player_id=[player_id])"


def write_season(found: SeasonTable, file: IO[bytes]) -> None:
    """Write the workbook to a binary file, in the active language."""
    book = WorkbookWriter(
        file,
        title=found.season.name,
        language=get_language() or "en",
        zone=ZoneInfo("UTC"),
        made=timezone.now(),
    )
    headings = _headings(found)
    hidden = [key for key in headings if key not in SHOWN and not key.startswith("evening_")]
    looks, above = Looks(named="standings", hidden=hidden, widest=OF_NAMES), [found.season.name]
    book.add_sheet(_("Standings"), headings, _standings(found, list(headings)), looks, above)
    headings = {
        "evening": _("Evening"),
        "date": _("Date"),
        "event": _("Event"),
        "player": _("Player"),
        "place": pgettext("narrow column", "Place"),
        "points": _("Points"),
        "games": _("Games"),
        "worth": _("Worth"),
        "order": "order",
        "counts": _("Counts"),
        "player_id": "player_id",
    }
    looks = Looks(named="results", hidden=["order", "player_id"], widest=OF_NAMES)
    book.add_sheet(_("Results"), headings, _results(found), looks, above)
    book.add_sheet(
        _("Points for places"),
        {"place": _("Place"), "points": _("Points")},
        ([place, worth] for place, worth in enumerate(found.rule.place_points, 1)),
        Looks(named="points"),
        above,
    )
    book.finish()


SHOWN = ("place", "player", "value", "evenings", "games", "status")


def _headings(found: SeasonTable) -> dict[str, str]:
    return {
        "place": pgettext("narrow column", "Place"),
        "player": _("Player"),
        "value": _("Average") if found.rule.counts == "average" else _("Points"),
        **{
            f"evening_{number}": f"{number} · {date_format(each.event.starts_on, 'SHORT_DATE_FORMAT')}"
            for number, each in enumerate(found.evenings, 1)
        },
        "evenings": _("Evenings"),
        "games": _("Games"),
        "status": _("Status"),
        "eligible": "eligible",
        **{step: step for step in _steps(found)},
        **{f"rank_{step}": f"rank_{step}" for step in ("value", *_steps(found))},
        "player_id": "player_id",
    }


def _steps(found: SeasonTable) -> dict[str, str]:
    """Formulas of the tie-breaks by column, less is better."""
    sign = "" if _lowest(found) else "-"
    last = len(found.evenings)
    steps: dict[str, str] = {}
    for tie in found.rule.ties:
        if tie == "wins":
            steps[tie] = "-COUNTIFS(results_player_id,[player_id],results_place,1)"
        elif tie == "most_evenings":
            steps[tie] = "-[evenings]"
        elif tie == "last_evening":
            steps[tie] = (
                f"IF(COUNTIFS(results_player_id,[player_id],results_evening,{last})=0,{ABSENT},"
                f"{sign}ROUND(SUMIFS(results_worth,results_player_id,[player_id],results_evening,{last}),{DIGITS}))"
            )
        else:
            steps |= {
                f"{tie}_{number}": f"IF([evenings]<{number},{ABSENT},{sign}ROUND(SUMIFS(results_worth,"
                f"results_player_id,[player_id],results_order,{number}),{DIGITS}))"
                for number in range(1, last + 1)
            }
    return steps


def _quoted(status: str) -> str:
    """A status in words, as a text of a formula."""
    return '"{}"'.format(str(Season.Status(status).label).replace('"', '""'))


def _lowest(found: SeasonTable) -> bool:
    return found.rule.lowest and found.rule.counts != "places"


def _ranks(found: SeasonTable) -> Iterator[tuple[str, str]]:
    """Places after the value and each tie-break."""
    better, ranked = "<" if _lowest(found) else ">", f"(standings_status={_quoted('ranked')})"
    yield "value", f"1+SUMPRODUCT({ranked}*(standings_value{better}[value]))"
    before = "value"
    for step in _steps(found):
        level = f"(standings_rank_{before}=[rank_{before}])"
        yield step, f"[rank_{before}]+SUMPRODUCT({ranked}*{level}*(standings_{step}<[{step}]))"
        before = step


def _standings(found: SeasonTable, columns: list[str]) -> Iterator[Row]:
    rule = found.rule
    counted = f"SUMPRODUCT({OWN}*results_counts*results_"
    value = f"{counted}points)/{counted}games)" if rule.counts == "average" else f"{counted}worth)"
    status = (
        f'IF([eligible]<>"yes",{_quoted("not_eligible")},'
        f"IF([evenings]<{rule.least_evenings},{_quoted('too_few_evenings')},"
        f"IF([games]<{rule.least_games},{_quoted('too_few_games')},{_quoted('ranked')})))"
    )
    ranks = dict(_ranks(found))
    last = list(ranks)[-1]
    formulas = {
        "place": f'IF([status]={_quoted("ranked")},[rank_{last}],"")',
        "value": f"ROUND({value},{DIGITS})",
        "evenings": "COUNTIFS(results_player_id,[player_id])",
        "games": "SUMIFS(results_games,results_player_id,[player_id])",
        "status": status,
        **_steps(found),
        **{f"rank_{step}": text for step, text in ranks.items()},
    }
    for number in range(1, len(found.evenings) + 1):
        own = f"results_player_id,[player_id],results_evening,{number}"
        formulas[f"evening_{number}"] = f'IF(COUNTIFS({own})=0,"",SUMIFS(results_worth,{own}))'
    for line in found.standings:
        cells: dict[str, Plain] = {
            "place": line.place,
            "player": found.names[line.player],
            "value": line.value,
            "evenings": line.evenings,
            "games": line.games,
            "status": str(Season.Status(line.status).label),
            "eligible": "no" if line.status == "not_eligible" else "yes",
            "player_id": line.player,
            **{f"evening_{number}": each for number, each in enumerate(line.worth, 1)},
        }
        yield [
            Formula(formulas[key], cells.get(key)) if key in formulas else cells.get(key) for key in columns
        ]


def _results(found: SeasonTable) -> Iterator[Row]:
    worths = {
        "average": "[points]/[games]",
        "sum": "[points]",
        "places": 'IF([place]="",0,IFERROR(INDEX(points_points,[place]),0))',
    }
    better = "<" if _lowest(found) else ">"
    order = (
        f"1+SUMPRODUCT({OWN}*((ROUND(results_worth-[worth],{DIGITS}){better}0)"
        f"+(ROUND(results_worth-[worth],{DIGITS})=0)*((results_games>[games])"
        "+(results_games=[games])*(results_evening<[evening]))))"
    )
    counts = f"IF([order]<={found.rule.best or len(found.evenings)},1,0)"
    lines = {line.player: line for line in found.standings}
    for number, each in enumerate(found.evenings, 1):
        for result in each.results:
            yield [
                number,
                each.event.starts_on,
                each.event.name,
                found.names[result.player],
                result.place,
                result.points,
                result.games or 0,
                Formula(worths[found.rule.counts], season_worth(found.rule, result)),
                Formula(order),
                Formula(counts, int(number - 1 in lines[result.player].counted)),
                result.player,
            ]
