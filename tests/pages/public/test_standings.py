"""Boards of sessions and matches: who leads, the standings, what decides."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client

from scoring import RaceAnswer, SessionAnswer
from tests.support.factories import Event, recorded_round, running_match, running_race, running_session
from tests.support.pages import ended, game, of_player, of_stage, out, page
from tournament import actions
from tournament.pages.public.standings import Person, row_of
from tournament.results import stage_results

pytestmark = pytest.mark.django_db


def test_session_shows_leader_last_and_exact_averages_rounded(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1230), ended(made, 2, "last"))
    game(made, out(made, 0, 660), ended(made, 2, "last"))
    text = page(client, made)
    assert "Leads" in text
    assert "Last place so far" in text
    assert "10.50" in text  # Aino: 10 and 11 in two games
    assert "20.00" in text  # the last of a game has the minutes at which it ended
    assert "15.50" in text
    assert 'class="is-best"' in text
    assert "10,50" in page(client, made, language="fi")


def test_finished_session_names_winner_and_loser(client: Client) -> None:
    made = running_session(2)
    game(made, out(made, 0, 600), ended(made, 1, "last"))  # level points, so nobody lost
    made.act(actions.finish_stage, stage=made.stage.uid)
    text = page(client, made)
    assert "Winner" in text
    assert "Loser" not in text
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1200), ended(made, 2, "last"))
    game(made, out(made, 0, 600), ended(made, 2, "last"))
    made.act(actions.finish_stage, stage=made.stage.uid)
    text = page(client, made)
    assert "Loser" in text
    assert "Last place so far" not in text


def test_session_words_statuses_and_shows_who_moved(client: Client) -> None:
    made = running_session(5, min_games=2)
    game(made, out(made, 0, 600), out(made, 1, 900), out(made, 2, 1200), ended(made, 3, "last"))
    game(
        made,
        out(made, 1, 60),
        out(made, 0, 1800),
        ended(made, 2, "ejected"),
        ended(made, 3, "last"),
        duration_s=1900,
    )
    made.act(actions.player_leaves, entry=made.uids[3])
    text = page(client, made)
    assert "Disqualified" in text
    assert "Not played yet" in text
    assert "Left" in text
    assert "Too few games" not in text
    game(made, out(made, 1, 60), ended(made, 4, "last"))
    text = page(client, made)
    assert "Too few games" in text


def test_movement_is_what_the_last_game_changed(client: Client) -> None:
    made = running_session(3)
    game(made, out(made, 0, 600), out(made, 1, 1200), ended(made, 2, "last"))
    assert "movement--" not in page(client, made)
    game(made, out(made, 1, 60), out(made, 0, 3000), ended(made, 2, "last"))
    text = page(client, made)
    assert "up 1 place" in text
    assert "down 1 place" in text


def test_match_shows_points_missing_and_every_round(client: Client) -> None:
    made = running_match(3)
    recorded_round(made, None, **{str(made.uids[1]): {"wild": 2, "9": 1}})
    text = page(client, made)
    assert "Leads" in text
    assert "116" in text  # 50 + 50 + 9 from one, 7 from the other
    assert "needs 384 more." in text


def test_complete_match_names_its_winner(client: Client) -> None:
    made = running_match(3, target=10)
    recorded_round(made)
    text = page(client, made, of_stage(made))
    assert "Winner" in text
    assert "missing" not in text


def test_own_hand_says_that_the_lowest_wins(client: Client) -> None:
    made = running_match(3, scoring="own_hand", target=20)
    recorded_round(made)
    assert "are 13 away." in page(client, made)


def test_stopped_match_and_those_who_left_are_worded(client: Client) -> None:
    made = running_match(4)
    recorded_round(made)
    made.act(actions.player_leaves, entry=made.uids[3])
    made.act(actions.remove_player, entry=made.uids[2], reason="private words")
    made.act(actions.stop_match, table=made.table.uid, reason="other private words")
    text = page(client, made, of_stage(made))
    for word in ("Stopped early", "Left", "Disqualified", "Winner"):
        assert word in text
    assert "private words" not in text


def test_walkover_ends_the_match(client: Client) -> None:
    made = running_match(2)
    made.act(actions.player_leaves, entry=made.uids[1])
    text = page(client, made, of_stage(made))
    assert "Winner" in text
    assert page(client, made, of_player(made.entries[0]))


def test_match_that_everybody_left_says_that_nobody_has_won(client: Client) -> None:
    made = running_match(players=2)
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=None,
        hands={},
        withdrawn=made.uids,
    )
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert "Everyone left, so nobody won." in page(client, made)


@pytest.mark.parametrize("running", [running_session, running_race])
def test_lives_left_stand_beside_the_club(running: Callable[[], Event]) -> None:
    (results,) = stage_results(running().stage)
    answer = results.answer
    assert isinstance(answer, SessionAnswer | RaceAnswer)

    someone = Person(name="Aino", club="Noppa", lives="2 lives left")
    row = row_of(answer, results.sheet.data, someone, answer.standings[0].player, {})

    assert (row.name, row.club) == ("Aino", "Noppa · 2 lives left")
