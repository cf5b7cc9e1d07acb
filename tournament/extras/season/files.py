"""A season in Excel, standings by formulas.

| sheet | one row per | formulas |
| --- | --- | --- |
| standings | player | value, tie-breaks, place, evenings, games |
| results | player and evening | worth, order among the player's own, whether it counts |
| points | place | none |

Values are compared after rounding to DIGITS decimals.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import IO
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext as _, pgettext

from scoring import SEASON_TIES, EveningResult, season_order, season_worth
from tournament.extras.season.queries.seasons import SeasonTable
from tournament.files.workbook.writer import Formula, Looks, Plain, Row, WorkbookWriter
from tournament.models import Season

DIGITS = 9
OF_NAMES = 30  # characters
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
        "player_id": "player_id",
    }


def _steps(found: SeasonTable) -> dict[str, str]:
    sign, last, own = "" if _lowest(found) else "-", len(found.evenings), "results_player_id,[player_id]"
    worth = f"{sign}ROUND(SUMIFS(results_worth,{own},results_%s,%s),{DIGITS})"
    ties = {
        "wins": {"wins": f"-COUNTIFS({own},results_place,1)"},
        "most_evenings": {"most_evenings": "-[evenings]"},
        "last_evening": {
            "last_evening": f"IF(COUNTIFS({own},results_evening,{last})=0,{ABSENT},{worth % ('evening', last)})"
        },
        "best_evenings": {
            f"best_evenings_{number}": f"IF([evenings]<{number},{ABSENT},{worth % ('order', number)})"
            for number in range(1, last + 1)
        },
    }
    return {step: formula for tie in found.rule.ties for step, formula in ties[tie].items()}


def _quoted(status: str) -> str:
    return '"{}"'.format(str(Season.Status(status).label).replace('"', '""'))


def _lowest(found: SeasonTable) -> bool:
    return found.rule.lowest and found.rule.counts != "places"


def _place(found: SeasonTable) -> str:
    """The first difference outweighs all after it."""
    value = "[value]-standings_value" if _lowest(found) else "standings_value-[value]"
    differences = [value, *(f"[{step}]-standings_{step}" for step in _steps(found))]
    better = "+".join(f"SIGN({each})*2^{at}" for at, each in enumerate(reversed(differences)))
    ranked = _quoted("ranked")
    return f'IF([status]={ranked},1+SUMPRODUCT((standings_status={ranked})*({better}>0)),"")'


def _own(found: SeasonTable, player: str) -> dict[int, EveningResult]:
    """A player's results by number of the evening, from 0."""
    return {
        number: result
        for number, evening in enumerate(found.evenings)
        for result in evening.results
        if result.player == player
    }


def _ties(found: SeasonTable, player: str) -> list[int | Fraction]:
    ranks = (
        SEASON_TIES[tie](found.rule, _own(found, player), len(found.evenings)) for tie in found.rule.ties
    )
    pairs = (rank if rank[1:] else (Fraction(0), *rank) for rank in ranks)
    return [
        int(float(ABSENT)) if absent else value
        for each in pairs
        for absent, value in zip(each[::2], each[1::2], strict=True)
    ]


def _standings(found: SeasonTable, columns: list[str]) -> Iterator[Row]:
    rule = found.rule
    counted = f"SUMPRODUCT({OWN}*results_counts*results_"
    value = f"{counted}points)/{counted}games)" if rule.counts == "average" else f"{counted}worth)"
    status = (
        f'IF([eligible]<>"yes",{_quoted("not_eligible")},'
        f"IF([evenings]<{rule.least_evenings},{_quoted('too_few_evenings')},"
        f"IF([games]<{rule.least_games},{_quoted('too_few_games')},{_quoted('ranked')})))"
    )
    steps = _steps(found)
    formulas = {
        "place": _place(found),
        "value": f"ROUND({value},{DIGITS})",
        "evenings": "COUNTIFS(results_player_id,[player_id])",
        "games": "SUMIFS(results_games,results_player_id,[player_id])",
        "status": status,
        **steps,
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
            **dict(zip(steps, _ties(found, line.player), strict=True)),
        }
        yield [
            Formula(formulas[key], cells.get(key)) if key in formulas else cells.get(key) for key in columns
        ]


def _results(found: SeasonTable) -> Iterator[Row]:
    worths = {
        "average": "[points]/[games]",
        "sum": "[points]",
        "places": "SUMIFS(points_points,points_place,[place])",
    }
    better = "<" if _lowest(found) else ">"
    order = (
        f"1+SUMPRODUCT({OWN}*((ROUND(results_worth-[worth],{DIGITS}){better}0)"
        f"+(ROUND(results_worth-[worth],{DIGITS})=0)*((results_games>[games])"
        "+(results_games=[games])*(results_evening<[evening]))))"
    )
    counts = f"IF([order]<={found.rule.best or len(found.evenings)},1,0)"
    lines = {line.player: line for line in found.standings}
    orders = {player: season_order(found.rule, _own(found, player)) for player in lines}
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
                Formula(order, orders[result.player].index(number - 1) + 1),
                Formula(counts, int(number - 1 in lines[result.player].counted)),
                result.player,
            ]
