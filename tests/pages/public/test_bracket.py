"""Pictures on published pages, and the way to the final: what stands there, for whom, and what a freeze holds back."""

import re
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tournament import actions
from tournament.models import Entry, Stage, Tournament
from tournament.pages.public.scenes import Bracket, BracketTable, bracket_of
from tournament.pages.public.stage import everybody_in
from tournament.queries.visible import shown, taking_part
from tournament.results.contests import forget

pytestmark = pytest.mark.django_db


def text(client: Client, made: Event, rest: str = "", language: str = "en") -> str:
    response = client.get(f"/{language}/t/{made.tournament.slug}/{rest}")
    assert response.status_code == 200
    return str(response.content.decode())


def drawings(page: str) -> list[ET.Element]:
    """The pictures of a page; raises where one is not well-formed."""
    found = re.findall(r'<svg class="picture__drawing".*?</svg>', page, re.DOTALL)
    return [ET.fromstring(each) for each in found]


# ---- the pictures of a contest ----


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_stage_draws_its_match_as_well_formed_svg(client: Client, language: str) -> None:
    made = running_match(4)
    for _ in range(3):
        recorded_round(made)
    page = text(client, made, f"stage/{made.stage.uid}/", language)
    assert len(drawings(page)) == 2
    for drawing in drawings(page):
        numbers = [each.get(name) for each in drawing.iter() for name in ("x", "y") if each.get(name)]
        assert numbers
        assert all(
            re.fullmatch(r"\d+([.]\d+)?", str(number)) for number in numbers
        )  # in no reader's notation
    assert 'id="points-' in page


def test_each_table_has_its_own_pictures(client: Client) -> None:
    made = running_match(8, tables=2)
    recorded_round(made)
    assert len(drawings(text(client, made, f"stage/{made.stage.uid}/"))) == 1
    recorded_round(made)
    assert len(drawings(text(client, made, f"stage/{made.stage.uid}/"))) == 2


def test_a_name_in_a_picture_is_text(client: Client) -> None:
    made = event("mattel-108")
    names = ["<script>alert(1)</script>", "Ada & \"B\" 'C'"]
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    add_stage(made, "match")
    recorded_round(made)
    page = text(client, made, f"stage/{made.stage.uid}/")
    (drawing,) = drawings(page)
    assert "<script>alert(1)</script> " in str(drawing.findtext("desc"))
    assert "<script>alert" not in page


def test_the_brief_page_of_a_tournament_has_no_pictures(client: Client) -> None:
    made = to_the_final()
    assert drawings(text(client, made)) == []
    assert drawings(text(client, made, f"stage/{made.stage.uid}/"))


# ---- the way to the final ----


def finish(made: Event) -> None:
    made.act(actions.finish_stage, stage=made.stage.uid)


def next_stage(made: Event, kind: str, *, start: bool = True, **more: object) -> None:
    """The stage that is filled from the one before."""
    uid = uuid4()
    finish(made)
    made.act(actions.plan_stage, stage=uid, kind=kind, settings=more.pop("settings", {}))
    made.act(actions.fill_stage, stage=uid, **more)
    if start:
        made.act(actions.start_stage, stage=uid)
    made.stage = Stage.objects.get(uid=uid)
    made.refresh()


def to_the_final() -> Event:
    """Twelve players at three tables: two of each go on to two tables, and one of each of these to the final, which
    runs."""
    made = running_heats(12, tables=3, advance=2)
    for table in made.tables:
        recorded_heat(made, table)
    next_stage(made, "heats", tables=2)
    for table in made.tables:
        recorded_heat(made, table)
    next_stage(made, "final", settings={"target": 300})
    recorded_round(made)
    return made


def bracket(made: Event) -> Bracket:
    row = Tournament.objects.get(pk=made.tournament.pk)
    stages = list(Stage.objects.filter(tournament=row).select_related("tournament").order_by("number"))
    seen = [shown(stage) for stage in stages]
    entries = taking_part(row, stages)
    found = bracket_of(
        row, seen, {k: who for one in seen for k, who in everybody_in(row, entries, one).items()}
    )
    assert found is not None
    return found


def on(table: BracketTable) -> list[tuple[str, int | None]]:
    return [(player.person.name, player.next_table) for player in table.players if player.goes_on]


def test_levels_lead_to_the_tables_of_the_next() -> None:
    made = to_the_final()
    heats, semi_finals, final = bracket(made)
    assert [level.title for level in (heats, final)] == ["Heats", "Final"]
    assert [[len(table.players) for table in level.tables] for level in (heats, semi_finals, final)] == [
        [4, 4, 4],
        [3, 3],
        [2],
    ]
    assert [len(on(table)) for table in heats.tables] == [2, 2, 2]
    for table in heats.tables:  # each through to the very table where they sit then
        for name, number in on(table):
            assert name in [one.person.name for one in semi_finals.tables[(number or 0) - 1].players]
    assert [number for table in semi_finals.tables for _name, number in on(table)] == [None, None]
    assert [player.place for player in final.tables[0].players] == [1, 2]
    assert [player.goes_on or player.won for player in final.tables[0].players] == [False, False]
    assert [level.coming for level in (heats, semi_finals, final)] == [0, 6, 2]


def test_the_winner_of_a_final_that_is_over_is_marked(client: Client) -> None:
    made = to_the_final()
    winner, loser = made.at(made.table)
    for _ in range(3):
        recorded_round(made, winner=winner, **{str(loser): {"wild4": 2}})
    players = bracket(made)[-1].tables[0].players
    assert [(player.key, player.won) for player in players] == [(str(winner), True), (str(loser), False)]
    page = text(client, made, "bracket/")
    assert page.count('data-status="winner"') == 1
    assert page.count("goes through") == 1 + 6 + 2  # the legend's too


def test_a_planned_level_says_how_many_come(client: Client) -> None:
    made = running_heats(8, tables=2, advance=2)
    recorded_heat(made)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    heats, final = bracket(made)
    assert [table.settled for table in heats.tables] == [True, False]
    assert (final.coming, list(final.tables)) == (2, [])
    assert "2 players will play here." in text(client, made, "bracket/")


def test_a_decision_sends_somebody_else(client: Client) -> None:
    made = running_heats(8, tables=2)
    for table in made.tables:
        recorded_heat(made, table)
    gone, decided = made.at(made.table)[:2]
    made.act(actions.player_leaves, entry=gone)
    next_stage(made, "final", decided=[decided], reason="She left.", settings={"target": 300})
    heats, final = bracket(made)
    assert [player.key for player in heats.tables[0].players if player.goes_on] == [str(decided)]
    assert str(decided) in {player.key for player in final.tables[0].players}
    assert final.coming == 2


def test_of_many_heats_only_those_who_go_through_are_listed(client: Client) -> None:
    made = running_heats(40, tables=8, advance=2)
    recorded_heat(made)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    heats = bracket(made)[0]
    assert [(len(table.players), table.more) for table in heats.tables] == [(2, 3)] + [(0, 5)] * 7
    page = text(client, made, "bracket/")
    assert "and 3 more" in page
    assert page.count("5 players") == 7


@pytest.mark.parametrize("sessions", [1, 2])
def test_sessions_alone_lead_to_nothing(client: Client, sessions: int) -> None:
    made = running_session(4)
    for _ in range(sessions - 1):
        made.act(actions.plan_stage, stage=uuid4(), kind="session", settings={})
    assert "bracket/" not in text(client, made)
    assert client.get(f"/en/t/{made.tournament.slug}/bracket/").status_code == 404


def test_the_tournament_leads_to_it(client: Client) -> None:
    made = to_the_final()
    assert f'href="/en/t/{made.tournament.slug}/bracket/"' in text(client, made)


def test_a_frozen_level_keeps_who_goes_on_to_itself(client: Client) -> None:
    made = running_heats(8, tables=2)
    heats = made.stage.uid
    made.act(actions.freeze_standings, stage=heats)
    before = text(client, made)
    for table in made.tables:
        recorded_heat(made, table)
    next_stage(made, "final", settings={"target": 300})
    assert "bracket/" not in before
    levels = bracket(made)
    assert [player.goes_on for table in levels[0].tables for player in table.players] == [False] * 8
    assert [player.place for table in levels[0].tables for player in table.players] == [None] * 8
    assert list(levels[1].tables) == []
    made.act(actions.lift_freeze, stage=heats)
    assert sum(player.goes_on for table in bracket(made)[0].tables for player in table.players) == 2


def test_it_asks_as_often_for_two_tables_as_for_six(client: Client) -> None:
    counts = []
    for tables in (2, 6):
        made = running_heats(4 * tables, tables=tables)
        for table in made.tables:
            recorded_heat(made, table)
        made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
        client.get("/en/")
        forget()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            text(client, made, "bracket/")
        counts.append(len(asked))
    assert counts[0] == counts[1]
