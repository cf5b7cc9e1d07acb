"""Values of a season's pages and buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext as _, gettext_lazy, ngettext_lazy

from scoring import SeasonStanding
from tournament.extras.season.queries.seasons import SeasonTable, season_tables
from tournament.models import Season, Tournament
from tournament.pages.components import StandingsRow
from tournament.pages.public.standings import NO_SHOW, Person
from tournament.permissions import organisers_of
from tournament.words.text import in_alphabet

UNITS: Mapping[str, str | Promise] = {
    "average": gettext_lazy("Average"),
    "places": gettext_lazy("Points"),
    "sum": gettext_lazy("Points"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningHead:
    """An evening: its `number` in the season, from 1; `winners`: who had its first place."""

    number: int
    name: str
    url: str
    starts_on: Any
    winners: Sequence[str]
    corrected_at: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A player's result of one evening; "" for none."""

    text: str
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`cells`: newest evening first; `note`: why no place, or what decided."""

    key: str
    place: int | None
    person: Person
    value: str
    cells: Sequence[Cell]
    evenings: int
    games: int
    moved: int | None
    note: str

    @property
    def moved_down(self) -> int:
        return -(self.moved or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPage:
    """`evenings`: newest first; `notes`: sentences on what does not count."""

    season: Season
    unit: str
    rule: Sequence[str]
    evenings: Sequence[EveningHead]
    lines: Sequence[Line]
    leaders: Sequence[Person]
    best: str
    notes: Sequence[str]


def season_page(found: SeasonTable, *, organises: bool) -> SeasonPage:
    """The page; unlisted events only if the reader `organises`."""
    people = {player: _person(found, player) for player in found.names}
    return SeasonPage(
        season=found.season,
        unit=str(UNITS[found.rule.counts]),
        rule=rule_lines(found.season),
        evenings=[
            EveningHead(
                number=number,
                name=each.event.name,
                url=reverse("tournament", args=[each.event.slug]),
                starts_on=each.event.starts_on,
                winners=[found.names[one.player] for one in each.results if one.place == 1],
                corrected_at=each.corrected_at,
            )
            for number, each in enumerate(found.evenings, 1)
        ][::-1],
        lines=[_line(found, line, people[line.player]) for line in found.standings],
        leaders=[people[player] for player in found.leaders],
        best=found.text(found.standings[0].value) if found.leaders else "",
        notes=_notes(found, organises=organises),
    )


def rule_lines(season: Season) -> list[str]:
    """The rule in sentences."""
    places = season.counts == Season.Counts.PLACES
    points = {"points": ", ".join(map(str, season.place_points))}
    ties = "; ".join(str(Season.Tie(tie).label) for tie in season.ties)
    return [
        str(COUNTS[season.counts, season.lowest and not places]),
        *([_("Points for places: %(points)s.") % points] if places else []),
        *(text % {"n": n} for name, least, text in NUMBERS if (n := getattr(season, name) or 0) >= least),
        *([_("Only members of %(club)s are ranked.") % {"club": season.club}] if season.club else []),
        _("Level players: %(ties)s.") % {"ties": ties} if ties else _("Level players share the place."),
    ]


# field, least, words
NUMBERS = (
    ("best", 1, ngettext_lazy("The best evening counts.", "The %(n)s best evenings count.", "n")),
    (
        "least_evenings",
        2,
        ngettext_lazy("You need %(n)s evening to be ranked.", "You need %(n)s evenings to be ranked.", "n"),
    ),
    (
        "least_games",
        1,
        ngettext_lazy(
            "You need %(n)s game or round to be ranked.",
            "You need %(n)s games or rounds to be ranked.",
            "n",
        ),
    ),
)
COUNTS: Mapping[tuple[str, bool], str | Promise] = {
    ("average", True): gettext_lazy(
        "All points of the evenings that count, divided by the number of games. The lowest average is best."
    ),
    ("average", False): gettext_lazy(
        "All points of the evenings that count, divided by the number of games or rounds. The highest average is best."
    ),
    ("places", False): gettext_lazy("Each place in an evening is worth points. The most points win."),
    ("sum", True): gettext_lazy("The points of the evenings are added. The fewest points win."),
    ("sum", False): gettext_lazy("The points of the evenings are added. The most points win."),
}
REASONS: Mapping[str, str | Promise] = {
    "not_listed": gettext_lazy(
        "%(event)s is not in the list of tournaments, so this public season leaves it out."
    ),
    "outside_dates": gettext_lazy(
        "%(event)s (%(date)s) is outside the days of the season and does not count."
    ),
    "other_ruleset": gettext_lazy("%(event)s was played by other rules and does not count."),
    "other_direction": gettext_lazy(
        "In %(event)s it is the other way round who is better, fewer points or more, so it does not count."
    ),
    "not_played": gettext_lazy("%(event)s has no finished results yet."),
    "no_places": ngettext_lazy(
        "%(event)s: %(n)s result has no place and does not count.",
        "%(event)s: %(n)s results have no place and do not count.",
        "n",
    ),
    "no_points": ngettext_lazy(
        "%(event)s: %(n)s result has no points and does not count.",
        "%(event)s: %(n)s results have no points and do not count.",
        "n",
    ),
    "no_games": ngettext_lazy(
        "%(event)s: %(n)s result lacks points or games and does not count.",
        "%(event)s: %(n)s results lack points or games and do not count.",
        "n",
    ),
}
SPARE = ngettext_lazy(
    "%(n)s place has points that nobody has taken yet.",
    "%(n)s places have points that nobody has taken yet.",
    "n",
)
ERASED = ngettext_lazy(
    "%(n)s player had their name erased. The results still count.",
    "%(n)s players had their names erased. The results still count.",
    "n",
)


def _notes(found: SeasonTable, *, organises: bool) -> list[str]:
    left_out = [
        REASONS[each.reason]
        % {
            "event": each.event.name,
            "date": date_format(each.event.starts_on, "SHORT_DATE_FORMAT"),
            "n": each.results,
        }
        for each in found.left_out
        if organises or each.reason != "not_listed"
    ]
    counted = ((found.places_without_players, SPARE), (found.erased, ERASED))
    return [*left_out, *(text % {"n": n} for n, text in counted if n)]


def _line(found: SeasonTable, line: SeasonStanding, person: Person) -> Line:
    cells = [
        Cell(text="" if worth is None else found.text(worth), counted=number in line.counted)
        for number, worth in enumerate(line.worth)
    ]
    return Line(
        key=line.player,
        place=line.place,
        person=person,
        value=found.text(line.value),
        cells=cells[::-1],
        evenings=line.evenings,
        games=line.games,
        moved=found.moved.get(line.player),
        note=_note(line),
    )


def _note(line: SeasonStanding) -> str:
    if line.place is None:
        return str(Season.Status(line.status).label)
    if line.reason == "shared":
        return _("level, shared place")
    return (
        _("level, decided by %(tie)s") % {"tie": Season.Tie(line.reason).label}
        if line.reason != "value"
        else ""
    )


def _person(found: SeasonTable, player: str) -> Person:
    url = reverse("tour-player", args=[found.season.organiser.uid, player]) if found.season.public else ""
    return Person(name=found.names[player], url=url)


# ---- Buttons ----


def of_tour(organiser: UUID) -> list[dict[str, Any]]:
    """Tiles of the organiser's public seasons, with their leaders."""
    return [
        {
            "season": table.season,
            "url": reverse("season", args=[organiser, table.season.uid]),
            "evenings": len(table.evenings),
            "leaders": [_person(table, player) for player in table.leaders],
            "best": table.text(table.standings[0].value) if table.leaders else "",
        }
        for table in season_tables(Season.objects.filter(organiser__uid=organiser, public=True))
    ]


def tour_url(tournament: Tournament) -> str:
    """URL of the organiser's tour; "" if the event is no part."""
    is_part = tournament.listed and not tournament.rehearsal
    return reverse("tour", args=[tournament.organiser.uid]) if is_part else ""


def of_start(context: Mapping[str, Any]) -> dict[str, Any]:
    """The organisers of the listed events, by name."""
    rows = (row for part in ("now", "past", "earlier") for row, _ruleset in context[part])
    organisers = {row.organiser: tour_url(row) for row in rows}
    return {
        "organisers": sorted(
            organisers.items(), key=lambda each: in_alphabet(each[0].name, get_language() or "en")
        )
    }


def of_event(context: Mapping[str, Any]) -> dict[str, str] | None:
    """The tour that the page's event is a part of; None without."""
    url = tour_url(context["tournament"])
    return {"tour": url} if url else None


def of_player(context: Mapping[str, Any]) -> dict[str, str] | None:
    """The history of the page's player; None without."""
    event, entry = context["tournament"], context["entry"]
    if entry.state == NO_SHOW or not tour_url(event):
        return None
    return {"history": reverse("tour-player", args=[event.organiser.uid, entry.player.uid])}


def of_screen(context: Mapping[str, Any]) -> dict[str, Any]:
    """A screen's scene of the event's public season that began last, if any."""
    found = next(iter(season_tables(context["tournament"].seasons.filter(public=True))), None)
    if found is None:
        return {"title": _("Season")}
    rows = [
        StandingsRow(
            key=line.player,
            place=line.place,
            name=found.names[line.player],
            value=found.text(line.value),
            moved=found.moved.get(line.player),
        )
        for line in found.standings
    ]
    return {"title": found.season.name, "rows": rows}


def of_reader(context: Mapping[str, Any]) -> dict[str, Any] | None:
    """Seasons of the organisers whose events the reader runs; None without."""
    own = Season.objects.filter(organiser__in=organisers_of(context["request"].user))
    rows = own.select_related("organiser")
    return {"seasons": rows} if rows else None
