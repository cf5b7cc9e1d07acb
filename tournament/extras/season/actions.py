"""Seasons: start, change, remove; an event's place in them.

Writes are commands of one of the organiser's events. A season's fields are not in the ledger, so nothing is undone.
"""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from scoring import SEASON_LEAST_GAMES
from tournament.actions.kernel import (
    UNCHANGED,
    Faults,
    Unchanged,
    Work,
    action,
    check,
    chosen,
    or_refuse,
    planned_for,
    refuse,
    refuse_if,
)
from tournament.models import Season, SeasonEvening, Tournament
from tournament.permissions import runs_organiser
from tournament.results import Fault, Forbidden, whole
from tournament.words.text import clean

__all__ = ["put_in_season", "remove_season", "set_season", "start_season"]

MOST_SEASONS = 100  # of an organiser
MOST_PLACES_WITH_POINTS = 200
MOST_PLACE_POINTS = 10_000
FIRST_PLACE_POINTS = [12, 10, 8, 7, 6, 5, 4, 3, 2, 1]


@action(least="organiser", says=_("started a season"), undo="again", account=True)
def start_season(work: Work, *, season: UUID, name: str) -> None:
    """Start a season of this event's year and ruleset; it counts average points a game if the ruleset does, else points
    for places. Refused `too_many_seasons`, `rehearsal_in_season`, name faults."""
    event = work.tournament
    _refuse_strangers(work)
    refuse_if(event.rehearsal, Fault("rehearsal_in_season"))
    known = Season.objects.filter(organiser=event.organiser).count()
    refuse_if(known >= MOST_SEASONS, Fault("too_many_seasons", "/name", {"most": MOST_SEASONS}))
    by_average = "session" in RULESETS[event.ruleset].kinds
    row = Season(
        uid=season,
        organiser=event.organiser,
        name=clean(name),
        starts_on=date(event.starts_on.year, 1, 1),
        ends_on=date(event.starts_on.year, 12, 31),
        rulesets=[event.ruleset],
        counts=Season.Counts.AVERAGE if by_average else Season.Counts.PLACES,
        lowest=by_average,
        place_points=FIRST_PLACE_POINTS,
        least_games=SEASON_LEAST_GAMES if by_average else 0,
    )
    check(row)
    row.save(force_insert=True)
    SeasonEvening.objects.create(season=row, tournament=event)


@action(least="organiser", says=_("changed a season"), undo="again")
def set_season(
    work: Work,
    *,
    season: UUID,
    name: str | Unchanged = UNCHANGED,
    public: bool | Unchanged = UNCHANGED,
    over: bool | Unchanged = UNCHANGED,
    starts_on: date | Unchanged | None = UNCHANGED,
    ends_on: date | Unchanged | None = UNCHANGED,
    rulesets: Sequence[str] | Unchanged = UNCHANGED,
    counts: str | Unchanged = UNCHANGED,
    lowest: bool | Unchanged = UNCHANGED,
    best: int | Unchanged | None = UNCHANGED,
    place_points: Sequence[int] | Unchanged = UNCHANGED,
    least_evenings: int | Unchanged = UNCHANGED,
    least_games: int | Unchanged = UNCHANGED,
    club: str | Unchanged = UNCHANGED,
    ties: Sequence[str] | Unchanged = UNCHANGED,
    evenings: Sequence[UUID] | Unchanged = UNCHANGED,
) -> None:
    """Change a season; `evenings`: its events, all of its organiser.

    Refused `unknown_season`, `season_dates`, `unknown_ruleset`, `unknown_tie`, `no_place_points`, `place_points_wrong`,
    `place_points_rise`, `season_sum_lowest`, `unknown_tournament`, `rehearsal_in_season`, field faults.
    """
    row = _season(work, season)
    row.name, row.club = clean(chosen(name, row.name)), clean(chosen(club, row.club))
    row.public, row.over = chosen(public, row.public), chosen(over, row.over)
    row.starts_on, row.ends_on = chosen(starts_on, row.starts_on), chosen(ends_on, row.ends_on)
    row.counts, row.lowest, row.best = (
        chosen(counts, row.counts),
        chosen(lowest, row.lowest),
        chosen(best, row.best),
    )
    row.least_evenings = whole(chosen(least_evenings, row.least_evenings), "/least_evenings")
    row.least_games = whole(chosen(least_games, row.least_games), "/least_games")
    row.rulesets = [*dict.fromkeys(chosen(rulesets, row.rulesets))]
    row.place_points = [whole(each, "/place_points") for each in chosen(place_points, row.place_points)]
    row.ties = [*dict.fromkeys(chosen(ties, row.ties))]
    with work.faults:
        check(row)
    if evenings is not UNCHANGED:
        events = list(Tournament.objects.filter(organiser=row.organiser_id, uid__in=evenings))
        work.faults.add_if(len(events) < len(set(evenings)), Fault("unknown_tournament", "/evenings"))
        work.faults.add_if(any(each.rehearsal for each in events), Fault("rehearsal_in_season", "/evenings"))
        row.evenings.set(events)
    _refuse_wrong(row, work.faults)
    row.save()


@action(least="organiser", says=_("removed a season"), undo="again")
def remove_season(work: Work, *, season: UUID) -> None:
    """Remove a season; its events stay as they are. Refused `unknown_season`."""
    _season(work, season).delete()


@action(least="organiser", says=_("put the event into a season, or took it out"), undo="again")
def put_in_season(work: Work, *, season: UUID, belongs: bool) -> None:
    """Make this event an evening of the season, or no longer one. Refused `unknown_season`, `rehearsal_in_season`."""
    row = _season(work, season)
    refuse_if(work.tournament.rehearsal and belongs, Fault("rehearsal_in_season"))
    if belongs:
        SeasonEvening.objects.get_or_create(season=row, tournament=work.tournament)
    else:
        SeasonEvening.objects.filter(season=row, tournament=work.tournament).delete()


def _season(work: Work, season: UUID) -> Season:
    """The season, locked. Raises Forbidden for organisers of one event by invite; Refused `unknown_season`."""
    _refuse_strangers(work)
    rows = Season.objects.select_for_update().filter(organiser=work.tournament.organiser_id)
    return or_refuse(rows.filter(uid=season).first(), Fault("unknown_season", "/season"))


def _refuse_strangers(work: Work) -> None:
    if not runs_organiser(work.command.actor, work.tournament.organiser):
        raise Forbidden(work.action)


def _refuse_wrong(row: Season, faults: Faults) -> None:
    with faults:
        planned_for(row.starts_on, "/starts_on")
    with faults:
        planned_for(row.ends_on, "/ends_on")
    ends_first = row.starts_on and row.ends_on and row.ends_on < row.starts_on
    faults.add_if(ends_first, Fault("season_dates", "/ends_on"))
    faults.add_if({*row.rulesets} - RULESETS.keys(), Fault("unknown_ruleset", "/rulesets"))
    faults.add_if({*row.ties} - {*Season.Tie.values}, Fault("unknown_tie", "/ties"))
    points, path = row.place_points, "/place_points"
    most = {"most": MOST_PLACES_WITH_POINTS, "points": MOST_PLACE_POINTS}
    too_many = len(points) > MOST_PLACES_WITH_POINTS
    outside = not all(0 <= each <= MOST_PLACE_POINTS for each in points)
    faults.add_if(too_many or outside, Fault("place_points_wrong", path, most))
    faults.add_if(points != sorted(points, reverse=True), Fault("place_points_rise", path))
    faults.add_if(row.counts == Season.Counts.PLACES and not any(points), Fault("no_place_points", path))
    unfair = row.counts == Season.Counts.SUM and row.lowest and row.least_evenings < (row.best or 1000)
    faults.add_if(unfair, Fault("season_sum_lowest", "/least_evenings"))
    refuse(faults)
