"""Standings in parts of at most a hundred: each a published page of its own, and the first of them small."""

import asyncio
import gzip
import random
from typing import Any
from uuid import UUID

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import Client
from pytest_django import Settings

from scoring import score
from tests.live.conftest import forget
from tests.live.driver import ask
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    running_heats,
    running_match,
    running_session,
)
from tournament import actions
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.pages import store
from tournament.live.poller import Poller
from tournament.live.pools import django_asgi
from tournament.live.store import versions
from tournament.models import Entry, Play, Player, Result, Seat, Table
from tournament.pages.public import paging
from tournament.pages.public.paging import cut, page_with
from tournament.pages.public.standings import Column, Person, board_of
from tournament.queries.live import read_versions

application = get_wsgi_application()

pytestmark = pytest.mark.both

MOST_KB = 30  # of the first page of standings, compressed


def page(made: Event, number: int = 1, status: int = 200) -> str:
    response = Client().get(address(made, number))
    assert response.status_code == status
    return str(response.content.decode())


def address(made: Event, number: int = 1) -> str:
    rest = f"{number}/" if number > 1 else ""
    return f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/{rest}"


def rows_in(text: str) -> int:
    return text.count('<tr class="standings__row')


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ([], [range(0)]),
        ([1] * 100, [range(100)]),
        ([1] * 101, [range(100), range(100, 101)]),
        ([40, 40, 40], [range(2), range(2, 3)]),
        ([120, 5], [range(1), range(1, 2)]),
        ([0, 100, 0, 1], [range(3), range(3, 4)]),
    ],
)
def test_as_many_stand_on_a_page_as_fit(sizes: list[int], parts: list[range]) -> None:
    assert cut(sizes) == parts
    for number, part in enumerate(parts, 1):
        assert [page_with(sizes, index) for index in part] == [number] * len(part)


@pytest.fixture
def three_on_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PEOPLE_PER_PAGE", 3)


@pytest.mark.django_db
@pytest.mark.usefixtures("three_on_a_page")
class TestPages:
    def test_standings_are_cut_between_rows_and_each_part_leads_to_the_others(self) -> None:
        made = running_session(7)
        first, second, third = page(made), page(made, 2), page(made, 3)
        assert [rows_in(text) for text in (first, second, third)] == [3, 3, 1]
        assert f'href="{address(made, 2)}" rel="next"' in first
        assert 'rel="prev"' not in first
        assert f'href="{address(made)}" rel="prev"' in second
        assert f'href="{address(made, 3)}" rel="next"' in second
        assert "Places 4 to 6" in second
        assert "Places 7 to 7" in third
        assert 'rel="next"' not in third

    def test_points_stand_beside_the_same_names(self) -> None:
        made = running_session(5)
        results: list[dict[str, Any]] = [
            {"entry": uid, "outcome": "out", "elapsed_s": 600 + 60 * index}
            for index, uid in enumerate(made.uids[:4])
        ]
        last = {"entry": made.uids[4], "outcome": "last"}
        made.act(
            actions.record_game,
            table=made.table.uid,
            play=UUID(int=7),
            number=1,
            ended="last",
            results=[*results, last],
        )
        second = page(made, 2)
        named = [entry.public_name for entry in made.entries]
        scores = second.split('class="panel panel--flush scores"')[1]
        assert [name for name in named if f">{name}<" in scores] == named[3:]
        assert "Leads" in page(made)
        assert "Leads" not in second

    @pytest.mark.parametrize("number", [0, 1, 4, 10**9])
    def test_a_page_that_is_not_there_is_not_found(self, number: int) -> None:
        made = running_session(7)
        path = f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/{number}/"
        assert Client().get(path).status_code == 404

    def test_a_page_has_one_address(self) -> None:
        made = running_session(7)
        assert Client().get(f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/02/").status_code == 404

    def test_tables_of_a_match_stay_whole(self) -> None:
        made = running_match(8, tables=4)
        first, last = page(made), page(made, 4)
        assert [rows_in(text) for text in (first, last)] == [2, 2]
        assert 'id="table-4"' in last
        assert "Tables 4 to 4" in last

    def test_heats_and_seats_stay_whole(self) -> None:
        made = running_heats(8, tables=4)
        recorded_heat(made)
        assert 'id="heat-1"' in page(made)
        assert 'id="heat-4"' in page(made, 4)
        assert "1 through" in page(made)
        assert 'class="felt' not in page(made, 4)
        planned = add_stage(event("mattel-108", 8), "match", tables=4, start=False)
        assert 'id="seats-3"' in page(planned, 3)
        assert 'id="seats-1"' not in page(planned, 3)

    @pytest.mark.parametrize("tables", [1, 4], ids=["rows", "tables"])
    def test_a_player_s_page_leads_back_to_where_they_stand(self, tables: int) -> None:
        made = running_match(8, tables=tables)
        text = page(made, 3)
        player = next(entry for entry in made.entries if f'id="at-{entry.uid}"' in text)
        own = Client().get(f"/en/t/{made.tournament.slug}/player/{player.uid}/").content.decode()
        assert f'href="{address(made, 3)}#at-{player.uid}"' in own

    def test_a_heat_s_player_is_led_back_to_their_heat(self) -> None:
        made = running_heats(8, tables=4)
        player = made.at(made.tables[2])[0]
        own = Client().get(f"/en/t/{made.tournament.slug}/player/{player}/").content.decode()
        assert f'href="{address(made, 3)}#heat-3"' in own

    def test_a_player_s_page_carries_their_row_for_the_other_parts(self) -> None:
        made = running_session(4)
        own = Client().get(f"/en/t/{made.tournament.slug}/player/{made.uids[3]}/").content.decode()
        assert f'<template data-row-of="{made.stage.uid}">' in own
        assert f'data-of="{made.stage.uid}"' in page(made)


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_gone_is_not_kept(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connections["default"].settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(paging, "PEOPLE_PER_PAGE", 3)
    settings.PUBLISH = True
    forget()
    made = add_stage(event("mattel-108", 6), "match", tables=3, start=False)
    hub = Hub(versions, cap=1)
    app = Front(
        django_asgi(application, workers=1),
        versions=versions,
        store=store,
        hub=hub,
        poller=Poller(versions, read_versions),
    )
    path = address(made, 3)
    assert asyncio.run(ask(app, path)).status == 200
    assert store.fresh(path)
    halves = [{"number": number, "entries": made.uids[number - 1 :: 2]} for number in (1, 2)]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=halves)
    assert asyncio.run(ask(app, path)).status == 404
    assert store.last(path) is None
    forget()


# ---- a thousand players ----


@pytest.fixture
def crowd(db: None) -> Event:
    """A session of a thousand at a hundred tables, two games each, written in bulk."""
    chance = random.Random(5)
    made = event("kpgut-2016")
    made = add_stage(made, "session", start=False, tables=0)
    people = Player.objects.bulk_create(
        Player(organiser=made.tournament.organiser, name=name(chance)) for _ in range(1000)
    )
    entries = Entry.objects.bulk_create(
        Entry(
            uid=UUID(int=chance.getrandbits(128), version=4),
            tournament=made.tournament,
            player=player,
            public_name=player.name,
            club=name(chance).split()[1] if index % 3 else "",
            start_number=index,
        )
        for index, player in enumerate(people, 1)
    )
    tables = Table.objects.bulk_create(Table(stage=made.stage, number=number) for number in range(1, 101))
    Seat.objects.bulk_create(
        Seat(table=tables[index // 10], entry=entry, position=index % 10 + 1)
        for index, entry in enumerate(entries)
    )
    plays = Play.objects.bulk_create(
        Play(table=table, number=number, state="entered", ended="last")
        for table in tables
        for number in (1, 2)
    )
    Result.objects.bulk_create(
        Result(
            play=play,
            entry=entry,
            outcome="out" if place < 9 else "last",
            elapsed_s=chance.randrange(300 * place + 60, 300 * (place + 1)) if place < 9 else None,
        )
        for index, play in enumerate(plays)
        for place, entry in enumerate(chance.sample(entries[index // 2 * 10 :][:10], 10))
    )
    made.stage.state = "running"
    made.stage.save(update_fields=["state"])
    return made.refresh()


def name(chance: random.Random) -> str:
    syllables = [
        "ai",
        "no",
        "ter",
        "hi",
        "ka",
        "ri",
        "mä",
        "ki",
        "sa",
        "lo",
        "nen",
        "vir",
        "ta",
        "jo",
        "han",
        "sson",
    ]
    return " ".join("".join(chance.choices(syllables, k=3)).title() for _ in range(2))


def test_the_first_page_of_a_thousand_is_small(crowd: Event) -> None:
    slug = crowd.tournament.slug
    for path in (address(crowd), f"/en/t/{slug}/", address(crowd, 10)):
        body = Client().get(path).content
        assert rows_in(body.decode()) == 100
        assert len(gzip.compress(body, 6)) <= MOST_KB * 1000, path


def test_points_at_many_tables_are_each_player_s_own_games() -> None:
    games = [
        {
            "number": number,
            "ended": "last",
            "results": out_then_last([4 * number - 4 + seat for seat in range(4)]),
        }
        for number in range(1, 6)
    ]
    players = [{"id": f"p{index}", "name": f"P{index}"} for index in range(20)]
    sheet = {"sheet": 1, "kind": "session", "ruleset": "kpgut-2016", "players": players, "games": games}
    columns = [Column(number=1, table=table) for table in range(1, 6)]
    people = {player["id"]: Person(name=player["name"]) for player in players}
    scores = board_of(score(sheet), sheet, people, columns, finished=False, gained={}).scores
    assert scores is not None
    assert [column.number for column in scores.columns] == [1]
    assert all(len(row.cells) == 1 and row.cells[0].points for row in scores.rows)


def out_then_last(players: list[int]) -> list[dict[str, Any]]:
    *out, last = players
    gone = [{"player": f"p{each}", "outcome": "out", "elapsed_s": 60 * each + 60} for each in out]
    return [*gone, {"player": f"p{last}", "outcome": "last"}]
