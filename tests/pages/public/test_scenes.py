"""Every scene of a big screen: with nothing, with one and with many."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.arriving import opened
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.walls import EVERY, wall
from tournament import actions
from tournament.models import Stage, Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_an_event_without_anything_has_every_scene(language: str) -> None:
    text = wall(event(), language=language)
    assert text.count('class="scene scene--') == len(EVERY)
    assert f'<html lang="{language}">' in text


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ("seats", "Seats have not been drawn yet."),
        ("clock", "No game is running."),
        ("standings", "Nothing has been played yet."),
        ("bracket", "There is only one stage. Nobody has to get through."),
        ("final", "Nothing has been played yet."),
        ("calls", "No table is waiting for a referee."),
        ("results", "Nothing has been played yet."),
        ("programme", "The programme has not been published yet."),
        ("season", "This event is in no public season."),
    ],
)
def test_a_scene_says_that_it_has_nothing_to_show(scene: str, words: str) -> None:
    assert words in wall(event(), scene)


def test_welcome_names_the_event_and_whether_one_can_register() -> None:
    made = event(name="Uno night", place="The old barn")
    text = wall(made, "welcome")
    assert "Uno night" in text
    assert "The old barn" in text
    assert "9 May 2026" in text
    assert "Registration is open" not in text
    opened(made)
    assert "Registration is open" in wall(made, "welcome")


def seats_in(text: str) -> list[tuple[str, ...]]:
    """(letter, name, table, seat) of each row; the letter where it is the first of its own."""
    rows = text.split('<li class="wall__row')[1:]
    found: list[tuple[str, ...]] = []
    for row in rows:
        letter = row.split('data-letter="')[1][0] if row.startswith(" wall__row--letter") else ""
        name = row.split("data-name>")[1].split("<")[0]
        table = row.split("<strong>")[1].split("<")[0]
        seat = row.split("</strong> <span>")[1].split("<")[0].strip()
        found.append((letter, name, table, seat))
    return found


def test_seats_go_by_name_with_the_letters_to_search_by() -> None:
    made = event("tite-2022", language="fi")
    names = ["örjan", "Åke", "Bertil", "berit", "Émile", "1 of many", "Edit"]
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])
    made.entries = list(made.tournament.entries.all())
    add_stage(made, "heats", tables=2, start=False)
    assert seats_in(wall(made, "seats")) == [
        ("#", "1 of many", "2", "seat 3"),
        ("B", "berit", "2", "seat 2"),
        ("", "Bertil", "1", "seat 2"),
        ("E", "Edit", "1", "seat 4"),
        ("", "Émile", "1", "seat 3"),
        ("Å", "Åke", "2", "seat 1"),
        ("Ö", "örjan", "1", "seat 1"),
    ]


def test_at_one_table_the_seat_is_the_news() -> None:
    text = wall(running_match(players=4), "seats")
    seats = [row.split("<strong>")[1].split("<")[0] for row in text.split('class="wall__seat">')[1:]]
    assert sorted(seats) == ["1", "2", "3", "4"]
    assert text.count('class="wall__seat"><span>Seat</span>') == 4


def test_who_left_has_no_seat() -> None:
    made = running_heats(6)
    made.act(actions.player_leaves, entry=made.uids[1])
    assert len(seats_in(wall(made, "seats"))) == 5


def test_clock_says_since_when_each_game_runs() -> None:
    made = running_session(8, tables=2)
    play = started_game(made, elapsed_s=754)
    began = made.play(play).started_at
    assert began is not None
    text = wall(made, "clock")
    assert f'data-since="{began.timestamp():.6f}" data-limit="3600"' in text
    assert "Table 1" in text
    assert "Still in the game" in text
    assert "Aino" in text
    made.act(actions.record_out, play=play, entry=made.at(made.table)[0])
    assert "Aino" not in wall(made, "clock")


def test_many_clocks_count_who_is_still_in() -> None:
    made = running_session(12, tables=3)
    for table in made.tables:
        made.act(actions.start_game, table=table.uid, play=uuid4(), number=1, elapsed_s=60)
    text = wall(made, "clock")
    assert text.count("data-since=") == 3
    assert text.count("4 still in") == 3
    assert "Aino" not in text


def programmed(made: Event, minutes: int = 30, *, published: bool = True) -> None:
    plan = {
        "starts_at": (timezone.now() + timedelta(minutes=minutes)).isoformat(),
        "minutes": 60,
        "players": 8,
    }
    Tournament.objects.update(starts_on=timezone.now().date())
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    if published:
        made.act(actions.publish_programme)


def test_clock_counts_down_to_the_next_published_part() -> None:
    made = add_stage(event("tite-2022", 8), "heats", start=False)
    programmed(made, published=False)
    assert "No game is running." in wall(made, "clock")
    made.act(actions.publish_programme)
    text = wall(made, "clock", "programme")
    assert "data-until=" in text
    assert text.count("8 players") == 1
    made.act(actions.start_stage, stage=made.stage.uid)
    assert "No game is running." in wall(made, "clock")


def test_standings_name_the_leader_on_every_page_and_who_moved() -> None:
    made = running_match(4)
    recorded_round(made, made.uids[1])
    recorded_round(made, made.uids[0], **{str(made.uids[2]): {"wild4": 1}})
    text = wall(made, "standings")
    assert 'class="scene__leader"' in text
    leader = text.split('class="scene__leader"')[1].split("</p>")[0]
    assert "Aino" in leader
    assert "Leads" in leader
    assert "up 1 place" in text
    assert text.count('class="wall__row') == 4


def test_several_tables_stand_beside_each_other() -> None:
    made = running_match(8, tables=2)
    recorded_round(made)
    text = wall(made, "standings")
    assert text.count('class="wall__card"') == 2
    assert 'class="scene__leader"' not in text


def test_heats_show_who_is_through() -> None:
    made = running_heats(8, tables=2)
    recorded_heat(made)
    text = wall(made, "standings")
    assert text.count('class="wall__card"') == 2
    assert text.count("Through") == 1
    assert re.findall(r'wall__head">.*?data-status="(\w+)"', text) == ["finished", "running"]


def test_final_shows_the_way_to_the_target_and_the_rounds_won() -> None:
    made = running_match(3, "tite-2022", kind="final", target=300)
    recorded_round(made, made.uids[0], **{str(made.uids[1]): {"wild4": 1}})
    text = wall(made, "final")
    assert '<rect class="wall__run" width="19"' in text
    assert "First to 300 points." in text
    assert "Rounds won" in text
    assert "picture__line" in text


def to_the_final() -> Event:
    """Heats that are over, and their final with one round."""
    made = running_heats(8, tables=2, advance=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.fill_stage, stage=final)
    made.act(actions.start_stage, stage=final)
    made.stage = Stage.objects.get(uid=final)
    recorded_round(made.refresh())
    return made


def test_the_stage_that_matters_now_or_the_one_that_was_chosen() -> None:
    made = to_the_final()
    assert 'class="scene__leader"' in wall(made, "standings")
    heats = Stage.objects.get(tournament=made.tournament, kind="heats")
    text = wall(made, "standings", stage=heats.uid)
    assert 'class="wall__card"' in text
    assert 'class="scene__leader"' not in text


def test_bracket_leads_from_the_heats_to_the_final() -> None:
    text = wall(to_the_final(), "bracket")
    assert text.count("bracket__level ") == 2
    assert text.count('class="goes-on"') == 4


def test_calls_say_which_table_and_not_why() -> None:
    made = running_match(8, tables=3)
    made.act(actions.call_referee, table=made.tables[1].uid)
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    referee = made.referee()
    by = actions.Command(uuid4(), referee)
    actions.contest_play(by, made.tournament.uid, play=play, version=made.play(play).version)
    text = wall(made, "calls")
    assert text.index("Table 2") < text.index("Table 1")
    assert text.count("is calling a referee") == 1
    assert text.count("is asking for a result to be checked") == 1
    assert referee.first_name not in text


def test_a_contested_result_of_a_frozen_stage_is_a_call_like_any_other() -> None:
    made = running_match(4)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    play = recorded_round(made)
    made.act(actions.ask_second_look_at, play=play)
    by = actions.Command(uuid4(), made.referee())
    actions.contest_play(by, made.tournament.uid, play=play, version=made.play(play).version)
    text = wall(made, "calls")
    assert "is asking for a result" not in text
    assert text.count("is calling a referee") == 1


def test_results_name_the_newest_first() -> None:
    made = running_match(4, tables=2)
    made.tables = made.tables[::-1]
    recorded_round(made)
    made.tables = made.tables[::-1]
    recorded_round(made)
    text = wall(made, "results")
    assert text.index("Table 1, round 1") < text.index("Table 2, round 1")
    assert "7 <small>points</small>" in text


def test_results_of_games_and_heats_name_who_was_first() -> None:
    session = running_session(3)
    rows: list[dict[str, Any]] = [
        {"entry": session.uids[1], "outcome": "out", "elapsed_s": 600},
        {"entry": session.uids[0], "outcome": "out", "elapsed_s": 900},
        {"entry": session.uids[2], "outcome": "last"},
    ]
    session.act(
        actions.record_game, table=session.table.uid, play=uuid4(), number=1, ended="last", results=rows
    )
    text = wall(session, "results")
    assert "Börje" in text
    assert "Aino" not in text
    assert "10 <small>points</small>" in text
    heats = running_heats(8, advance=2)
    recorded_heat(heats)
    text = wall(heats, "results")
    assert text.count("data-name") == 2
    assert "Through" in text
