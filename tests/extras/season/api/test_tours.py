"""The tour of an organiser."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.programs.api.asking import ask, read
from tests.extras.programs.api.championship import token_for
from tests.support.factories import running_session, started_game
from tournament import actions
from tournament.extras.season.queries.answers import tour_of

pytestmark = pytest.mark.django_db


def test_tour_is_what_its_pages_show(client: Client) -> None:
    made = running_session(players=3, min_games=1)
    for _ in range(3):
        play = started_game(made, elapsed_s=60)
        for entry in made.uids[:2]:
            made.act(actions.record_out, play=play, entry=entry, elapsed_s=30)
    address = f"organisers/{made.tournament.organiser.uid}"
    assert read(client, f"{address}/season")["results"] == []
    made.act(actions.finish_stage, stage=made.stage.uid)
    found = tour_of(made.tournament.organiser.uid)
    assert found
    tour = read(client, f"{address}/tour")
    year = made.tournament.starts_on.year
    assert (tour["seasons"], tour["version"]) == ([year], found.version)
    season = read(client, f"{address}/season", year=year)["results"]
    assert [(row["player"], row["average"]) for row in season] == [
        (row.player, str(row.value)) for row in found.season(year).standings
    ]
    assert read(client, f"{address}/season", year=year + 1)["results"] == []
    assert ask(client, f"organisers/{uuid4()}/season", year=year).status_code == 404
    ratings = read(client, f"{address}/ratings")["results"]
    assert [row["rating"]["points"] for row in ratings] == [
        row.now.points for row in found.ratings().values()
    ]
    appearances = read(client, f"{address}/appearances", player=ratings[0]["player"])["results"]
    assert [row["played"][0]["kind"] for row in appearances] == ["session"]
    assert ask(client, f"{address}/appearances").status_code == 400
    assert ask(client, f"/api/v1/organisers/{uuid4()}/appearances").status_code == 404
    confined = {"authorization": f"Bearer {token_for(made.user, 'organise', made.tournament.uid)}"}
    assert ask(client, f"{address}/tour", confined).status_code == 404
