"""A tour's published pages. Scope: organiser's uid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from scoring import SEASON_LEAST_GAMES, places_of
from tournament.extras.season.pages import of_tour
from tournament.extras.season.queries.answers import (
    BEGINNING,
    Appearance,
    Rated,
    Season,
    Tour,
    TourEvent,
    tour_of,
)
from tournament.extras.season.queries.kinds import Played
from tournament.live.pages import published_page
from tournament.models import Player, stage_title
from tournament.pages.components import Pages, StandingsRow, StandingsTable
from tournament.pages.pictures.chart import Frame, Picture, Series, line_chart
from tournament.pages.public.paging import part_of
from tournament.pages.public.standings import Person
from tournament.results import kind_of
from tournament.words.faults import ruleset_name
from tournament.words.kinds import DECIDING, KINDS
from tournament.words.text import average_text


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A rating; `place` by lower bound; the band in percent of all."""

    person: Person
    rated: Rated
    place: int
    low: float
    middle: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedLine:
    """A result in one stage; `status`: a key of STATES or ""."""

    title: str
    place: int | None
    value: str
    unit: str
    note: str
    status: str


@require_safe
def tour(request: HttpRequest, organiser: UUID) -> HttpResponse:
    """Champions, seasons, events."""
    found = _tour(organiser)
    people = _people(found)
    context = {
        "hall": [
            (
                year,
                [
                    _link(title.event, champions=[people[each] for each in title.champions])
                    for title in titles
                ],
            )
            for year, titles in found.hall().items()
        ],
        "seasons": [
            {
                "season": shown,
                "url": reverse("tour-season", args=[found.organiser, shown.year]),
                "leaders": _leaders(shown, people),
                "average": _best(shown),
            }
            for shown in map(found.season, found.seasons())
        ],
        "events": [_link(event) for event in found.events],
        "rated": len(found.ratings()),
        "season_tiles": of_tour(found.organiser),
    }
    return _page(request, found, "tour", context)


@require_safe
def season(request: HttpRequest, organiser: UUID, year: int, page: int = 1) -> HttpResponse:
    """A year's KPGUT averages, paginated."""
    found = _tour(organiser)
    if year not in found.seasons():
        raise Http404
    people = _people(found)
    shown = found.season(year)
    part, pages = _part(request, "places", len(shown.standings), page, "tour-season", found.organiser, year)
    context = {
        "season": shown,
        "table": StandingsTable(
            caption=_("Season, lowest average points per game first"),
            unit=_("Average"),
            rows=[
                StandingsRow(
                    key=row.player,
                    place=row.place,
                    name=people[row.player].name,
                    url=people[row.player].url,
                    state="" if row.status == "ranked" else row.status,
                    value=average_text(row.value),
                    extras=(str(row.evenings), str(row.games), str(row.points)),
                )
                for row in shown.standings[part.start : part.stop]
            ],
            extras=[_("Sessions"), _("Games"), _("Points")],
        ),
        "pages": pages,
        "least": SEASON_LEAST_GAMES,
        "leaders": _leaders(shown, people),
        "average": _best(shown),
    }
    return _page(request, found, "season", context)


@require_safe
def rating_list(request: HttpRequest, organiser: UUID, page: int = 1) -> HttpResponse:
    """Ratings with uncertainty, paginated."""
    found = _tour(organiser)
    rows = _rating_rows(found)
    part, pages = _part(request, "players", len(rows), page, "tour-ratings", found.organiser)
    return _page(
        request,
        found,
        "ratings",
        {"rows": rows[part.start : part.stop], "pages": pages, "beginning": BEGINNING},
    )


@require_safe
def player(request: HttpRequest, organiser: UUID, player: UUID) -> HttpResponse:
    """A player's history; joined players redirect."""
    found = _tour(organiser)
    key = str(player)
    if key not in found.names:
        joined = get_object_or_404(Player, uid=player, organiser__uid=organiser, joined_to__isnull=False)
        return redirect("tour-player", organiser, joined.joined_to)
    mine = list(found.appearances(key))
    appearances = [
        {
            "appearance": each,
            "ruleset": ruleset_name(each.event.ruleset),
            "url": reverse("entry", args=[each.event.slug, each.taken.entry]),
            "lines": [_line(played) for played in each.taken.played],
        }
        for each in mine
    ]
    context = {
        "name": found.names[key],
        "rated": found.ratings().get(key),
        "beginning": BEGINNING,
        "picture": _picture(found.names[key], mine),
        "appearances": appearances,
        "played": sum(bool(each.taken.played) for each in mine),
        "titles": [row for row, each in zip(appearances, mine, strict=True) if each.champion],
    }
    return _page(request, found, "player", context)


def _tour(organiser: UUID) -> Tour:
    found = tour_of(organiser)
    if found is None:
        raise Http404
    return found


def _page(request: HttpRequest, found: Tour, name: str, context: Mapping[str, Any]) -> HttpResponse:
    return published_page(
        request,
        f"tour/{name}.html",
        {"tour": found, **context},
        scope=str(found.organiser),
        version=found.version,
    )


def _part(
    request: HttpRequest, of: str, people: int, page: int, name: str, *arguments: object
) -> tuple[range, Pages | None]:

    def url(number: int) -> str:
        first = number == 1
        return reverse(name, args=arguments) if first else reverse(f"{name}-page", args=[*arguments, number])

    found = part_of(of, [1] * people, range(1, people + 1), page, url)
    if found is None or request.path != url(page):
        raise Http404
    return found


def _people(found: Tour) -> dict[str, Person]:
    return {key: _person(found, key, name) for key, name in found.names.items()}


def _person(found: Tour, key: str, name: str) -> Person:
    return Person(name=name, url=reverse("tour-player", args=[found.organiser, key]))


def _link(event: TourEvent, champions: Sequence[Person] = ()) -> dict[str, Any]:
    return {"event": event, "ruleset": ruleset_name(event.ruleset), "champions": champions}


def _leaders(shown: Season, people: Mapping[str, Person]) -> list[Person]:
    return [people[row.player] for row in shown.standings if row.place == 1]


def _best(shown: Season) -> str:
    return next((average_text(row.value) for row in shown.standings if row.place == 1), average_text(None))


def _rating_rows(found: Tour) -> list[RatingRow]:
    rated = found.ratings()
    lowest = min((each.now.low for each in rated.values()), default=0)
    places = places_of({key: -each.now.low for key, each in rated.items()})
    span = max((each.now.high for each in rated.values()), default=0) - lowest or 1

    def percent(points: int) -> float:
        return round(100 * points / span, 1)

    return [
        RatingRow(
            person=_person(found, key, found.names[key]),
            rated=each,
            place=places[key],
            low=percent(each.now.low - lowest),
            middle=percent(each.now.points - lowest),
            width=percent(each.now.high - each.now.low),
        )
        for key, each in rated.items()
    ]


def _picture(name: str, appearances: Sequence[Appearance]) -> Picture | None:
    """Rating per rated event with band; None below two."""
    rated = [each.rating for each in reversed(appearances) if each.rating]
    if len(rated) < 2:
        return None

    def line(called: str, values: Sequence[int], *, named: bool = False) -> Series:
        return Series(name=called, values=values, texts=[str(value) for value in values], named=named)

    return line_chart(
        key="rating",
        title=_("Rating by event"),
        caption=_("The pale lines are the ends of the band."),
        frame=Frame(
            across=_("Event, oldest first"),
            steps=[str(number) for number in range(1, len(rated) + 1)],
            upwards=_("Rating"),
        ),
        series=[
            line(name, [each.points for each in rated], named=True),
            line(_("Upper end of the band"), [each.high for each in rated]),
            line(_("Lower end of the band"), [each.low for each in rated]),
        ],
    )


def _line(played: Played) -> PlayedLine:
    title = stage_title(played.stage, played.kind)
    if played.table is not None:
        title = _("%(stage)s, table %(table)s") % {"stage": title, "table": played.table}
    words, counts = DECIDING[played.decided_by], played.value is not None
    return PlayedLine(
        title=title,
        place=played.place,
        value=words.text(played.value) if counts else "",
        unit=words.worth(played.value) if counts else "",
        note=_note(played),
        status="through" if played.through else "" if played.status == "ranked" else played.status,
    )


def _note(played: Played) -> str:
    kind = kind_of(played.kind)
    if kind.one_play:
        return ngettext("%(n)s player", "%(n)s players", played.ranked) % {"n": played.ranked}
    plays = KINDS[kind.sheet].plays(played.plays) if played.plays else ""
    if played.place is None:
        return plays
    among = ngettext("of %(n)s player", "of %(n)s players", played.ranked) % {"n": played.ranked}
    return ", ".join(filter(None, (among, plays)))
