"""The formulas of a season's workbook as LibreOffice works them out, against scoring; and page, interface and workbook
of one season say the same."""

from datetime import date
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from openpyxl import Workbook, load_workbook

from scoring import SEASON_TIES, EveningResult, SeasonRule, season_worth
from tests.depth import SOAK
from tests.support.recalculated import recalculated
from tests.support.tour_evenings import Club
from tournament.extras.season.actions import set_season, start_season
from tournament.extras.season.files import write_season
from tournament.extras.season.queries.answers import TourEvent
from tournament.extras.season.queries.seasons import Evening, SeasonTable, season_table
from tournament.models import Season

PLAYERS = "abcdefgh"


def event(number: int) -> TourEvent:
    return TourEvent(
        uid=UUID(int=number),
        version=1,
        slug=f"evening-{number}",
        name=f"=Evening {number}",
        starts_on=date(2026, 1, number),
        place="",
        ruleset="kpgut-2016",
        state="finished",
        taken=(),
    )


def generated(seed: int) -> SeasonTable:
    """A season without a database: a random rule and random evenings of up to eight players."""
    chance = Random(seed)
    ties = list(SEASON_TIES)
    chance.shuffle(ties)
    rule = SeasonRule(
        counts=chance.choice(("average", "places", "sum")),
        lowest=chance.random() < 0.5,
        best=chance.choice((None, 1, 2, 3)),
        place_points=tuple(sorted((chance.randint(0, 9) for _ in range(chance.randint(1, 5))), reverse=True)),
        least_evenings=chance.randint(0, 2),
        least_games=chance.randint(0, 3),
        ties=tuple(ties[: chance.randint(0, 4)]),
    )
    evenings = [
        [
            EveningResult(
                player=player,
                place=chance.randint(1, 5),
                points=Fraction(chance.randint(0, 12)),
                games=chance.randint(1, 4),
            )
            for player in PLAYERS
            if chance.random() < 0.7
        ]
        for _ in range(chance.randint(1, 6))
    ]
    evenings = [[each for each in one if season_worth(rule, each) is not None] for one in evenings]
    club = chance.choice(("", "Noppa"))
    return SeasonTable(
        season=Season(name=f"Season {seed}", club=club),
        version=1,
        rule=rule,
        evenings=tuple(
            Evening(event=event(number), results=tuple(one), corrected_at=None)
            for number, one in enumerate(evenings, 1)
        ),
        left_out=(),
        names={player: f"Player {player}" for player in PLAYERS},
        clubs={player: "Noppa" if player < "f" else "" for player in PLAYERS},
        erased=0,
    )


def written(found: SeasonTable) -> bytes:
    file = BytesIO()
    write_season(found, file)
    return file.getvalue()


def standings(book: Workbook) -> list[tuple[Any, ...]]:
    """Place, player, value, status, evenings and games of each row; headings are the second row."""
    sheet = book["Standings"]
    ids: dict[Any, Any] = {cell.value: cell.column for cell in sheet[2]}
    shown = ("player_id", "Place", "Status", "Evenings", "Games")
    value = 3  # the third column has the season's own unit
    return [
        (
            *(sheet.cell(row, ids[name]).value or None for name in shown),
            round(float(str(sheet.cell(row, value).value)), 6),
        )
        for row in range(3, sheet.max_row + 1)
    ]


def wanted(found: SeasonTable) -> list[tuple[Any, ...]]:
    return [
        (
            line.player,
            line.place,
            str(Season.Status(line.status).label),
            line.evenings or None,
            line.games or None,
            round(float(line.value), 6),
        )
        for line in found.standings
    ]


@pytest.mark.program
def test_formulas_find_the_places_that_scoring_finds(tmp_path: Path) -> None:
    seasons = {f"season-{seed}": generated(seed) for seed in range(200 if SOAK else 24)}
    opened = recalculated({name: written(found) for name, found in seasons.items()}, tmp_path)
    assert {name: standings(book) for name, book in opened.items()} == {
        name: wanted(found) for name, found in seasons.items()
    }


def upside_down(content: bytes) -> bytes:
    """The workbook, its points for places sorted from the last place."""
    book, file = load_workbook(BytesIO(content)), BytesIO()
    rows = list(book["Points for places"].iter_rows(min_row=3))
    for row, values in zip(rows, [[cell.value for cell in row] for row in reversed(rows)], strict=True):
        for cell, value in zip(row, values, strict=True):
            cell.value = value
    book.save(file)
    return file.getvalue()


@pytest.mark.program
def test_every_formula_stores_the_value_that_is_computed_also_from_sorted_points(tmp_path: Path) -> None:
    books = {f"season-{seed}": upside_down(written(generated(seed))) for seed in range(24)}
    for name, computed in recalculated(books, tmp_path).items():
        stored = load_workbook(BytesIO(written(generated(int(name.removeprefix("season-"))))), data_only=True)
        del stored["Points for places"]
        cells = [
            (cell.value, computed[sheet.title][cell.coordinate].value)
            for sheet in stored
            for row in sheet.iter_rows()
            for cell in row
        ]
        assert [
            (mine, found)
            for mine, found in cells
            if (mine or None) != (found or None)
            and not (isinstance(mine, int | float) and mine == pytest.approx(found, abs=1e-8))
        ] == []


def test_file_holds_the_values_before_it_is_calculated_and_no_formula_of_a_name() -> None:
    found = generated(3)
    assert standings(load_workbook(BytesIO(written(found)), data_only=True)) == wanted(found)
    results = load_workbook(BytesIO(written(found)))["Results"]
    assert {row[2].data_type for row in results.iter_rows(min_row=3)} == {"s"}


@pytest.mark.django_db
def test_page_interface_and_workbook_say_the_same() -> None:
    club = Club()
    made = [club.match("Aino", "Börje", "Cécile", on=date(2026, month, 1)) for month in (5, 6, 7)]
    uid = uuid4()
    made[0].act(start_season, season=uid, name="The year")
    events = [each.tournament.uid for each in made]
    made[0].act(set_season, season=uid, evenings=events, ties=["wins"], best=2)
    found = season_table(uid)
    assert found
    client = Client()
    page = client.get(f"/en/o/{found.season.organiser.uid}/seasons/{uid}/").context["shown"]
    rows = client.get(f"/api/v1/seasons/{uid}/ranking").json()["results"]
    file = client.get(f"/en/o/{found.season.organiser.uid}/seasons/{uid}/season.xlsx")
    book = load_workbook(BytesIO(file.getvalue()), data_only=True)
    assert (
        [(line.key, line.place, line.value) for line in page.lines]
        == [(row["player"], row["place"], row["value"]) for row in rows]
        == [(row[0], row[1], f"{row[5]:g}") for row in standings(book)]
    )
    assert rows[0]["worth"] == ["12", "12", "12"]
    (shown,) = client.get(f"/api/v1/organisers/{found.season.organiser.uid}/seasons").json()["results"]
    assert (shown["uid"], shown["best"], shown["evenings"]) == (str(uid), 2, [str(each) for each in events])
