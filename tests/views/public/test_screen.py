"""Big screens as the hall sees them: the page around the scenes, what is never on a wall, and how often it asks."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoDbBlocker, Settings

from tests.support.factories import Event, event, recorded_heat, recorded_round, running_heats, running_match
from tests.support.shared import shared_rows
from tests.support.walls import EVERY, address, hung, wall
from tests.views.public.test_privacy import SECRET, secretive
from tournament import actions
from tournament.models import Screen

pytestmark = pytest.mark.django_db
SIZES = (1, 3, 6)


def of_size(tables: int) -> Event:
    """Heats at so many tables, each played and calling."""
    made = running_heats(3 * tables, tables=tables)
    for table in made.tables:
        recorded_heat(made, table)
        made.act(actions.call_referee, table=table.uid)
    return made


@pytest.fixture(scope="module")
def heats(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Event]]:
    """Heats of each size, which the tests of this module share and leave as they are."""
    with shared_rows(django_db_blocker, lambda: [of_size(tables) for tables in SIZES]) as made:
        yield made


@pytest.fixture(autouse=True)
def _shared(heats: list[Event], db: None) -> None:
    """Every test here sees the shared rows."""


def test_a_frozen_stage_keeps_its_secret_in_every_scene() -> None:
    made = running_match(4)
    recorded_round(made, made.uids[0])
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, made.uids[3], **{str(made.uids[0]): {"wild4": 2}})
    text = wall(made)
    assert text.count("The standings are frozen as of") == 3  # standings, final, results
    assert ">114<" not in text  # what the second round gave
    assert "Round 2" not in text
    assert text.count("Aino") >= 3
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    text = wall(made, "standings")
    assert text.count('class="reveal__card"') == 4
    assert ">114<" not in text
    made.act(actions.lift_freeze, stage=made.stage.uid)
    text = wall(made, "standings", "results")
    assert text.count(">114<") == 3  # standings, results, who won
    assert "Round 2" in text


# ---- the page ----


def test_the_last_entry_is_the_last_result_that_everybody_may_know() -> None:
    made = running_match(4)
    screen = hung(made, ["standings"])

    def said() -> str:
        text = Client().get(address(made, screen)).content.decode()
        [at] = re.findall(r'screen__changed">.*?datetime="([^"]+)"', text) or [""]
        return str(at)

    assert said() == ""
    recorded_round(made, made.uids[0])
    known = said()
    row = made.tournament.ledger.order_by("sequence").last()
    assert row is not None
    assert datetime.fromisoformat(known) == row.at
    made.act(actions.call_referee, table=made.table.uid)
    made.act(actions.set_screen, screen=screen, scenes=["standings"], seconds=9)
    assert said() == known
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, made.uids[3])
    assert said() == known
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert said() > known


def test_screens_show_nothing_that_is_never_shown() -> None:
    made = secretive()
    made.act(actions.call_referee, table=made.tables[0].uid)
    text = wall(made)
    assert "Nick 0" in text
    assert [secret for secret in SECRET if secret in text] == []


def test_only_the_chosen_scenes_are_there_in_their_order() -> None:
    text = wall(event(), "standings", "seats")
    assert 'data-screen="standings seats "' in text
    assert text.index('data-scene="standings"') < text.index('data-scene="seats"')
    assert 'data-scene="clock"' not in text
    assert 'data-seconds="5"' in text


def test_a_scene_of_another_version_is_left_out() -> None:
    made = event()
    screen = hung(made)
    Screen.objects.filter(uid=screen).update(scenes=["fireworks", "seats"])
    text = Client().get(address(made, screen)).content.decode()
    assert text.count('class="scene scene--') == 1


def test_a_screen_that_was_taken_away_says_so() -> None:
    made = event()
    screen = hung(made)
    assert Client().get(address(made, screen)).status_code == 200
    made.act(actions.remove_screen, screen=screen)
    answer = Client().get(address(made, screen))
    assert answer.status_code == 404
    text = answer.content.decode()
    assert "This screen was removed" in text
    assert "data-gone" in text
    assert "js/watch/screen" in text


def test_a_screen_of_another_event_or_of_one_put_away_is_not_there() -> None:
    made = event(rehearsal=True)
    screen = hung(made)
    assert Client().get(address(event(), screen)).status_code == 404
    names = f"/en/t/{made.tournament.slug}/screen/"
    assert "Hall" in Client().get(names).content.decode()
    made.act(actions.put_away)
    assert Client().get(address(made, screen)).status_code == 404
    assert Client().get(names).status_code == 404
    assert Client().get(f"{names}way/").status_code == 404


def test_names_lead_to_each_screen() -> None:
    made = event()
    names = reverse("screens", args=[made.tournament.slug])
    assert "The organiser has not added any screens yet." in Client().get(names).content.decode()
    screen = hung(made)
    assert f'href="{address(made, screen)}"' in Client().get(names).content.decode()


def steps(*address: str) -> str:
    """An address as the wall shows it: no step of it is broken where it fits into a line."""
    return "".join(f'<span class="screen__step">{step}/</span>' for step in address)


def test_way_for_phones_is_in_the_bytes_where_the_address_is_known(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://uno.example"
    made = event()
    text = wall(made, "seats")
    assert steps("uno.example", "t", made.tournament.slug) in text
    assert "<svg" in text
    assert "data-way=" not in text


def test_way_for_phones_is_asked_for_where_it_follows_from_who_asks() -> None:
    made = event()
    text = wall(made, "seats")
    way = f"/en/t/{made.tournament.slug}/screen/way/"
    assert f'data-way="{way}"' in text
    assert "testserver" not in text
    answer = Client().get(way)
    assert steps("testserver", "t", made.tournament.slug) in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert Client().get(f"/t/{made.tournament.slug}/").status_code == 302


# ---- how often it asks ----


@pytest.mark.parametrize("scene", EVERY)
def test_a_scene_asks_as_often_for_many_tables_as_for_one(scene: str, heats: list[Event]) -> None:
    asked = []
    for made in heats:
        screen = hung(made, [scene])
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(address(made, screen)).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert asked[0] <= 20, asked


def test_matches_ask_as_often_for_many_tables_as_for_one() -> None:
    asked = []
    for tables in (1, 4):
        made = running_match(2 * tables, tables=tables)
        screen = hung(made)
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(address(made, screen)).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
