"""Random seasons of a club, with people joined and erased, results voided and evenings taken out, against an
independent reckoning: 25 seasons in CI, 1,000 in the soak. Table, page, interface and workbook say the same."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from io import BytesIO
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring import SEASON_TIES, SeasonRule
from tests.depth import SOAK
from tests.extras.season.test_files import standings, written
from tests.scoring.test_season import Reckoned
from tests.support.factories import Event
from tests.support.tour_evenings import Club
from tournament import actions
from tournament.extras.season.actions import put_in_season, set_season, start_season
from tournament.extras.season.queries.seasons import rule_of, season_table
from tournament.models import Entry, Play, Season

pytestmark = pytest.mark.django_db

NAMES = "ABCDEFGH"
CLUBS, SEASONS = 40 if SOAK else 1, 25
Row = dict[str, Any]  # place, points, games, unplaced


@dataclass
class Evening:
    """An evening as it is reckoned here: results of a file by entry, or the seconds of each game."""

    made: Event
    lowest: bool
    rows: dict[UUID, Row] = field(default_factory=dict)
    games: list[dict[UUID, int]] = field(default_factory=list)  # of those who are out; who is last has 0

    def results(self) -> dict[UUID, Row]:
        """In a game each player gets the full minutes until they were out, the last player those of the one before."""
        points: dict[UUID, list[Fraction]] = defaultdict(list)
        for game in self.games:
            longest = max(game.values())
            for entry, seconds in game.items():
                points[entry].append(Fraction((seconds or longest) // 60))
        averages = {entry: sum(mine) / len(mine) for entry, mine in points.items()}
        return self.rows or {
            entry: {
                "place": 1 + sum(other < averages[entry] for other in averages.values()),
                "points": sum(mine, Fraction(0)),
                "games": len(mine),
                "unplaced": False,
            }
            for entry, mine in points.items()
        }


class Year:
    """A club with evenings, changed at random; `people`: the player of each entry."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.club, self.people = chance, Club(), dict[UUID, UUID]()
        self.evenings = [self._evening(date(2026, month, 1)) for month in range(1, 7)]

    def _evening(self, on: date) -> Evening:
        chance = self.chance
        names = sorted(chance.sample(NAMES, chance.randint(3, 6)))
        if chance.random() < 0.5:
            times = [[*chance.sample(range(1, 3600), len(names) - 1), 0] for _ in range(chance.randint(2, 3))]
            evening = Evening(made := self.club.session(*names, games=times, on=on), lowest=True)
            evening.games = [dict(zip(made.uids, seconds, strict=True)) for seconds in times]
        else:
            ruleset = chance.choice(["kpgut-2016", "mattel-108"])
            evening = Evening(made := self.club.event(ruleset, *names, on=on), ruleset == "kpgut-2016")
            for uid in made.uids:
                evening.rows[uid] = {
                    "place": chance.choice([None, 1, 2, 3, 4]),
                    "points": chance.choice([None, *range(12)]),
                    "games": chance.choice([None, 1, 2, 3]),
                    "unplaced": False,
                }
            said = {"points": str, "place": int, "games": int}
            told = [
                {name: said[name](value) for name, value in row.items() if name in said and value is not None}
                for row in evening.rows.values()
            ]
            rows = [{"entry": uid, "note": "x", **row} for uid, row in zip(made.uids, told, strict=True)]
            made.act(actions.bring_in_results, players=rows)
        self.people |= {
            entry.uid: entry.player.uid for entry in Entry.objects.filter(tournament=made.tournament)
        }
        return evening

    def change(self) -> None:
        """Join two people, erase one, or void a game."""
        match self.chance.choice(["join", "erase", "void"]):
            case "join":
                one, other = self.chance.sample(sorted({*self.people.values()}), 2)
                if not any(
                    {one, other} <= {self.people[uid] for uid in each.made.uids} for each in self.evenings
                ):
                    self.evenings[0].made.act(actions.join_people, groups=[[one, other]])
                    self.people = {entry: one if who == other else who for entry, who in self.people.items()}
            case "erase":
                made = self.chance.choice(self.evenings).made
                made.act(actions.erase_person, entry=self.chance.choice(made.uids))
            case "void":
                if long := [each for each in self.evenings if len(each.games) > 1]:
                    evening = self.chance.choice(long)
                    self._void(evening, self.chance.randrange(len(evening.games)))

    def _void(self, evening: Evening, at: int) -> None:
        made = evening.made.refresh()
        made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
        play = list(made.table.plays.exclude(state=Play.State.VOID).order_by("number"))[at]
        made.act(actions.void_play, play=play.uid, version=play.version, reason="misread")
        made.act(actions.finish_stage, stage=made.stage.uid)
        del evening.games[at]

    def season(self) -> tuple[Season, list[Evening]]:
        """A season of some evenings, one of them taken out again; and those that are in it."""
        chance, uid = self.chance, uuid4()
        inside = chance.sample(self.evenings, chance.randint(1, len(self.evenings)))
        counts, lowest = chance.choice(["average", "places", "sum"]), chance.random() < 0.7
        best = chance.choice([None, 1, 2, 3])
        rule: dict[str, Any] = {
            "counts": counts,
            "lowest": lowest,
            "best": best,
            "least_evenings": chance.randint(0, 2),
            "least_games": chance.randint(0, 4),
            "place_points": sorted((chance.randint(1, 9) for _ in range(chance.randint(1, 4))), reverse=True),
            "ties": chance.sample([*SEASON_TIES], chance.randint(0, 4)),
            "rulesets": chance.choice([[], ["kpgut-2016"]]),
            "starts_on": chance.choice([None, date(2026, 2, 1)]),
            "ends_on": chance.choice([None, date(2026, 5, 1)]),
        }
        if counts == "sum" and lowest:
            rule["least_evenings"] = rule["best"] = best or 1
        made = self.evenings[0].made
        made.act(start_season, season=uid, name="The year")
        made.act(set_season, season=uid, evenings=[each.made.tournament.uid for each in inside], **rule)
        if len(inside) > 1:
            inside.pop().made.act(put_in_season, season=uid, belongs=False)
        return Season.objects.get(uid=uid), inside

    def reckoned(self, season: Season, inside: list[Evening]) -> dict[str, Reckoned]:
        """What each player has by the season's rule."""
        rule = rule_of(season)
        evenings = [
            {str(self.people[entry]): row for entry, row in each.results().items()}
            for each in sorted(inside, key=lambda each: each.made.tournament.starts_on)
            if self._counts(each, season)
        ]
        counted = [each for each in evenings if any(Reckoned([each], rule, player).mine for player in each)]
        players = {player for each in counted for player in each}
        found = {player: Reckoned(counted, rule, player) for player in players}
        return {player: each for player, each in found.items() if each.mine}

    def _counts(self, evening: Evening, season: Season) -> bool:
        event = evening.made.tournament
        return (
            (not season.starts_on or season.starts_on <= event.starts_on)
            and (not season.ends_on or event.starts_on <= season.ends_on)
            and (not season.rulesets or event.ruleset in season.rulesets)
            and (season.counts == "places" or evening.lowest == season.lowest)
        )


def place_of(me: Reckoned, players: dict[str, Reckoned], rule: SeasonRule) -> int | None:
    """1 and how many are ahead, by the value, then by each step for those who are level."""
    if me.status != "ranked":
        return None
    steps, ranked = ("value", *rule.ties), [each for each in players.values() if each.status == "ranked"]
    return 1 + sum(next((by for step in steps if (by := each.ahead(me, step))), 0) > 0 for each in ranked)


@pytest.mark.parametrize("seed", range(CLUBS))
def test_random_seasons_agree_with_an_independent_reckoning(seed: int) -> None:
    year, client = Year(Random(seed)), Client()
    for _number in range(SEASONS):
        row, inside = year.season()
        year.change()
        found = season_table(row.uid)
        assert found
        players = year.reckoned(row, inside)
        assert {
            line.player: (line.place, line.value, line.status, line.games, line.evenings)
            for line in found.standings
        } == {
            player: (place_of(me, players, found.rule), me.value, me.status, me.games, len(me.mine))
            for player, me in players.items()
        }
        page = f"/en/o/{row.organiser.uid}/seasons/{row.uid}/"
        lines = client.get(page).context["shown"].lines
        ranking = client.get(f"/api/v1/seasons/{row.uid}/ranking").json()["results"]
        book = load_workbook(BytesIO(written(found)), data_only=True)
        table = [(line.player, line.place, line.value) for line in found.standings]
        assert [(each["player"], each["place"], Fraction(each["value"])) for each in ranking] == table
        assert [(line.key, line.place, line.value) for line in lines] == [
            (player, place, found.text(value)) for player, place, value in table
        ]
        assert [(cells[0], cells[1], cells[-1]) for cells in standings(book)] == [
            (player, place, round(float(value), 6)) for player, place, value in table
        ]
