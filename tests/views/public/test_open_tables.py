"""The pages of open tables: the organiser's switch and poster, and the page that players scan to sit down."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import Event, event, recorded_round, running_match, running_race
from tests.support.undoing import undo
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.links import token_for
from tournament.models import Proposal, Seat, Table

pytestmark = pytest.mark.django_db


def opened(players: int = 4, **more: Any) -> Event:
    made = running_race(players, **more)
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True})
    return made.refresh()


def address(made: Event) -> str:
    return f"/en/sit/{token_for('stage', made.stage.uid)}/"


def signed_in(made: Event) -> Browser:
    browser = Browser()
    browser.force_login(made.user)
    return browser


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_players_choose_their_names_and_get_a_table() -> None:
    made, player = opened(), Client()
    page = player.get(address(made)).content.decode()
    assert all(entry.shown_name in page for entry in made.entries)
    data = {"command": uuid4(), "entry": [str(uid) for uid in made.uids[2:]]}
    for _twice in range(2):  # a double tap seats them once
        answer = player.post(address(made), data, follow=True)
        assert b"Race, table 2" in answer.content
        assert address(made).encode() + b"?entry=" in answer.content
    assert Table.objects.filter(stage=made.stage).count() == 2


def test_a_form_that_comes_again_after_its_undo_seats_no_player() -> None:
    made, player = event("mattel-108", 3), Client()
    made.act(
        actions.plan_stage, stage=uuid4(), kind="race", settings={"scoring": "placing"}, source={"open": True}
    )
    made.stage = made.tournament.stages.get()
    made.act(actions.start_stage, stage=made.stage.uid)
    data = {"command": uuid4(), "entry": [str(uid) for uid in made.uids]}
    assert player.post(address(made), data).status_code == 303
    undo(made)
    answer = player.post(address(made), data, follow=True)
    assert b"Sit down and play" in answer.content
    assert not Seat.objects.exists()


def test_a_fault_names_the_player_and_keeps_what_was_chosen() -> None:
    made = opened()
    made.act(actions.no_show, entries=[made.uids[0]])
    chosen = [str(uid) for uid in made.uids[:2]]
    answer = Client().post(address(made), {"command": uuid4(), "entry": chosen})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'value="{chosen[1]}" checked' in page
    assert f'value="{chosen[0]}"' not in page  # does not take part
    assert f"{made.entries[0].shown_name} is not one of the players here" in page
    answer = Client().post(address(made), {"command": uuid4(), "entry": ["x"]})
    assert (answer.status_code, b"At least 2 players" in answer.content) == (422, True)


def test_who_has_played_all_games_is_not_offered() -> None:
    made = opened(max_games=1)
    winner, *others = made.uids
    hands = {str(uid): {"7": 1} for uid in others[:1]}
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=winner,
        hands=hands,
        entries=[winner, others[0]],
    )
    page = Client().get(address(made)).content.decode()
    assert [str(uid) in page for uid in made.uids] == [False, False, True, True]


def test_the_code_says_when_it_holds() -> None:
    made = opened()
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert b"This stage is finished" in Client().get(address(made)).content
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={})
    assert Client().get(address(made)).status_code == 404
    assert Client().get(f"/en/sit/{token_for('table', made.table.uid)}/").status_code == 404


def test_the_organiser_opens_prints_and_closes() -> None:
    made = running_race(4, tables=2)
    browser = signed_in(made)
    url = f"/en/organise/stage/{made.stage.uid}/"
    browser.send(url, "/open-tables/")
    assert made.refresh().stage.source == {"open": True}
    page = text(browser.get(url))
    assert address(made) in page
    assert "Draw next game’s seats" not in page
    assert "Sit down with others, scan" in text(browser.get(f"{url}codes/"))
    browser.send(url, "/open-tables/")
    assert made.refresh().stage.source == {}
    assert "Table 2" in text(browser.get(f"{url}codes/"))


def test_what_was_typed_before_the_bell_arrives_after_it() -> None:
    made = running_match(players=2, target=500)
    recorded_round(made)
    winner, loser = (str(uid) for uid in made.uids)
    made.act(actions.stop_match, table=made.table.uid)
    at = f"/en/at/{token_for('table', made.table.uid)}/"
    ids = {"command": uuid4(), "proposal": uuid4(), "play": uuid4(), "number": 2}
    typed = {"winner": winner, f"hand-{loser}-7": "1"} | ids
    assert "Your proposal: Round 2" in text(Client().post(f"{at}propose/", typed, follow=True))


def test_a_table_whose_players_left_keeps_what_they_proposed() -> None:
    made = opened()
    uids = [str(uid) for uid in made.uids]
    Client().post(address(made), {"command": uuid4(), "entry": uids[:2]})
    there = Table.objects.get(stage=made.stage, number=2)
    at = f"/en/at/{token_for('table', there.uid)}/"
    fields = {f"plays-{uid}": "1" for uid in uids[:2]} | {"winner": uids[0], f"hand-{uids[1]}-7": "1"}
    ids = {"command": uuid4(), "proposal": uuid4(), "play": uuid4(), "number": 1}
    said = "Your proposal: Table 2, game 1"
    assert said in text(Client().post(f"{at}propose/", fields | ids, follow=True))
    Client().post(address(made), {"command": uuid4(), "entry": uids[:3]})
    assert said in text(Client().get(at))
    accepting = f"/en/desk/proposal/{Proposal.objects.get().uid}/accept/"
    signed_in(made).post(accepting, {"command": uuid4()})
    assert there.plays.get().results.count() == 2
