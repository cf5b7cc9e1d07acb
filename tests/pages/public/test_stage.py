"""The page of a stage: what runs, what counts for nobody, and which stage matters now."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import (
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.pages import of_player, of_stage, page, queries
from tournament import actions
from tournament.models import Stage
from tournament.pages.public import event_cache

pytestmark = pytest.mark.django_db


def test_running_game_shows_since_when_and_who_is_still_in(client: Client) -> None:
    made = running_session(4)
    play = started_game(made, elapsed_s=1000)
    made.act(actions.record_out, play=play, entry=made.uids[1], elapsed_s=750)
    text = page(client, made)
    assert "Still in the game" in text
    assert "out after 12 min 30 s" in text
    started = made.play(play).started_at
    assert started is not None
    assert f'datetime="{started.astimezone().year}' in text
    assert "Running" in page(client, made, of_player(made.entries[0]))


def test_times_stand_in_the_zone_of_the_tournament(client: Client) -> None:
    made = add_stage(event("kpgut-2016", 3, time_zone="Asia/Kolkata"), "session")
    play = started_game(made)
    started = made.play(play).started_at
    assert started is not None
    assert "+05:30" in page(client, made)


def test_several_tables_are_a_match_each(client: Client) -> None:
    made = running_match(6, tables=2)
    recorded_round(made)
    text = page(client, made, of_stage(made))
    assert "Table 1" in text
    assert "Table 2" in text
    assert text.count("Leads") == 1


def test_void_and_set_aside_plays_are_listed_as_such(client: Client) -> None:
    made = running_match(3, target=30)
    first = recorded_round(made)
    recorded_round(made)
    recorded_round(made)  # over: 42 points
    version = made.play(first).version
    hands = {str(uid): {"wild": 1} for uid in made.uids[1:]}
    made.act(
        actions.correct_round,
        play=first,
        version=version,
        reason="private words",
        winner=made.uids[0],
        hands=hands,
    )
    text = page(client, made, of_stage(made))
    assert text.count("On hold") == 2
    assert "private words" not in text
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="private words")
    text = page(client, made, of_stage(made))
    assert "Void" in text
    assert "Void" in page(client, made, of_player(made.entries[1]))


def test_final_after_heats_is_what_the_tournament_shows(client: Client) -> None:
    made = running_heats(8, tables=4)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    heats = of_stage(made)
    made.stage = Stage.objects.get(uid=final)
    assert "Table 1" in page(client, made, of_stage(made))  # planned: who sits where
    made.act(actions.start_stage, stage=final)
    made.refresh()
    recorded_round(made)
    text = page(client, made)
    assert text.index("Leads") < text.index("Heats")
    assert "Through" in page(client, made, heats)
    assert "Through" in page(client, made, of_player(made.entries[0]))


def test_stage_asks_as_often_for_one_round_as_for_three(client: Client) -> None:
    made = running_match(3, tables=1)
    address = f"/en/t/{made.tournament.slug}/{of_stage(made)}"
    recorded_round(made)
    one = queries(client, address)
    recorded_round(made)
    recorded_round(made)
    event_cache.forget()
    assert (
        queries(client, address) == one <= 12
    )  # one is for the hall's clock, one for what is said to everybody
