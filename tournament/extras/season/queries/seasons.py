"""A season's table, computed from the facts of its evenings: a correction in an old one moves it at once.

Of a public season only listed evenings count, so that its page shows no name from a hidden one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from uuid import UUID

from django.db.models import Max, OuterRef, QuerySet, Subquery, Sum

from scoring import EveningResult, SeasonRule, SeasonStanding, score_season, season_worth
from tournament.extras.season.queries.answers import TourEvent, tour_event
from tournament.models import LedgerRow, Season, SeasonEvening, Tournament
from tournament.results import grouped
from tournament.server.database import snapshot
from tournament.words.text import amount_text, as_read, average_text

CORRECTIONS = (
    "correct_round",
    "correct_heat",
    "correct_game",
    "void_play",
    "revert_play",
    "move_play",
    "leave_out_plays",
    "undo",
)
LACKS = {
    "average": "no_games",
    "places": "no_places",
    "sum": "no_points",
}  # by Season.counts


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Why an evening, or `results` of it, do not count: `not_listed`, `outside_dates`, `other_ruleset`,
    `other_direction`, `not_played`, or what its results lack: `no_places`, `no_points`, `no_games`."""

    event: Tournament
    reason: str
    results: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """An evening that counts; `corrected_at`: last change of a result after it had ended, or None."""

    event: TourEvent
    results: tuple[EveningResult, ...]
    corrected_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class SeasonTable:
    """A season with its standings; `names` and `clubs` by player, of the newest evening. `version`: of the organiser's
    scope. `erased`: players without a name."""

    season: Season
    version: int
    rule: SeasonRule
    evenings: tuple[Evening, ...]  # oldest first
    left_out: tuple[LeftOut, ...]
    names: Mapping[str, str]
    clubs: Mapping[str, str]
    erased: int

    @cached_property
    def standings(self) -> tuple[SeasonStanding, ...]:
        """The season now."""
        return self._after(len(self.evenings))

    @cached_property
    def moved(self) -> Mapping[str, int]:
        """Places gained by the last evening."""
        before = {line.player: line.place for line in self._after(len(self.evenings) - 1)}
        return {
            line.player: was - line.place
            for line in self.standings
            if line.place is not None and (was := before.get(line.player)) is not None
        }

    @property
    def leaders(self) -> list[str]:
        """Players on the first place; the champions once the season is over."""
        return [line.player for line in self.standings if line.place == 1]

    @property
    def places_without_players(self) -> int:
        """How many of the places with points no evening had; 0 where places do not count."""
        taken = max((each.place or 0 for one in self.evenings for each in one.results), default=0)
        paid = sum(points > 0 for points in self.rule.place_points)
        return max(paid - taken, 0) if self.rule.counts == "places" and self.evenings else 0

    def text(self, value: Fraction) -> str:
        """An average with two decimals, other values as whole numbers where they are whole."""
        return (average_text if self.rule.counts == "average" else amount_text)(value)

    def _after(self, evenings: int) -> tuple[SeasonStanding, ...]:
        club = as_read(self.season.club)
        eligible = {player for player, of in self.clubs.items() if as_read(of) == club} if club else None
        return score_season([each.results for each in self.evenings[: max(evenings, 0)]], self.rule, eligible)


def rule_of(season: Season) -> SeasonRule:
    """The season's rule, for scoring."""
    return SeasonRule(
        counts=season.counts,  # type: ignore[arg-type]  # one of Season.Counts
        lowest=season.lowest,
        best=season.best,
        place_points=tuple(season.place_points),
        least_evenings=season.least_evenings,
        least_games=season.least_games,
        ties=tuple(season.ties),
    )


def season_table(season: UUID) -> SeasonTable | None:
    """The season's table; None if there is no such season."""
    return next(iter(season_tables(Season.objects.filter(uid=season))), None)


def season_tables(seasons: QuerySet[Season]) -> list[SeasonTable]:
    """Tables of these seasons, in a constant number of queries."""
    with snapshot():
        rows = list(seasons.select_related("organiser"))
        ledgers = Tournament.objects.filter(organiser__in=[row.organiser_id for row in rows])
        totals = ledgers.order_by().values("organiser").annotate(total=Sum("version"))
        versions = dict(totals.values_list("organiser", "total"))
        belongs = SeasonEvening.objects.filter(season__in=rows, tournament__in=Tournament.objects.visible())
        events = grouped(
            (each.season_id, each.tournament)
            for each in belongs.filter(tournament__rehearsal=False)
            .select_related("tournament")
            .order_by("tournament__starts_on", "tournament")
        )
        keys = {event.pk for of_season in events.values() for event in of_season}
        listed = {*Tournament.objects.listed().filter(pk__in=keys).values_list("pk", flat=True)}
        corrected = _corrections(keys)
        erasing = LedgerRow.objects.filter(tournament__in=keys, action__in=("erase_person", "erase_self"))
        erased = {uid for payload in erasing.values_list("payload", flat=True) for uid in payload["entry"]}
    return [
        _table(
            row,
            events.get(row.pk, []),
            version=versions.get(row.organiser_id, 0),
            listed=listed,
            corrected=corrected,
            erased=erased,
        )
        for row in rows
    ]


def _table(
    row: Season,
    events: Sequence[Tournament],
    *,
    version: int,
    listed: Collection[int],
    corrected: Mapping[int, datetime],
    erased: Collection[str],
) -> SeasonTable:
    rule, evenings, left_out = rule_of(row), [], []
    for event in events:
        shown = event.pk in listed or not row.public  # a cached event may have been listed before
        found = tour_event(event, unlisted=not row.public) if shown else None
        results = (
            tuple(each for each in found.results if season_worth(rule, each) is not None) if found else ()
        )
        lacking = len(found.results) - len(results) if found else 0
        reason = _reason(row, event, found)
        if reason or lacking:
            left_out.append(LeftOut(event=event, reason=reason or LACKS[rule.counts], results=lacking))
        if found and results and not reason:
            evenings.append(Evening(event=found, results=results, corrected_at=corrected.get(event.pk)))
    taken = [each for evening in evenings for each in evening.event.taken]
    return SeasonTable(
        season=row,
        version=version,
        rule=rule,
        evenings=tuple(evenings),
        left_out=tuple(left_out),
        names={each.player: each.name for each in taken},
        clubs={each.player: each.club for each in taken},
        erased=len({each.player for each in taken if str(each.entry) in erased and each.played}),
    )


def _reason(season: Season, event: Tournament, found: TourEvent | None) -> str:
    if found is None:
        return "not_listed"
    first, last = season.starts_on or event.starts_on, season.ends_on or event.starts_on
    by_points = season.counts != Season.Counts.PLACES
    wrong = {
        "outside_dates": not first <= event.starts_on <= last,
        "other_ruleset": season.rulesets and event.ruleset not in season.rulesets,
        "not_played": not found.results,
        "other_direction": by_points and found.lowest not in (None, season.lowest),
    }
    return next((reason for reason, is_so in wrong.items() if is_so), "")


def _corrections(events: Collection[int]) -> dict[int, datetime]:
    """When a result was last changed after the first stage had ended, by the event's key."""
    ends = LedgerRow.objects.filter(tournament=OuterRef("tournament"), action="finish_stage").order_by(
        "sequence"
    )
    rows = LedgerRow.objects.filter(
        tournament__in=events,
        action__in=CORRECTIONS,
        payload__has_key="play",
        sequence__gt=Subquery(ends.values("sequence")[:1]),
    ).order_by()
    return dict(rows.values("tournament").annotate(last=Max("at")).values_list("tournament", "last"))
