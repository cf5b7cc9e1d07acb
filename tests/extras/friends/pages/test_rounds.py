"""Rounds as friends enter them."""

from django.test import Client

from scoring import score
from tests.extras.friends.browser import start


def test_match_adds_rounds_and_shows_totals(client: Client) -> None:
    page = start(client, "mattel-108.match", target="100")
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 1, "hand-p3-7": 2})
    assert page.status == 200
    assert "Leads" in page.text
    assert "64" in page.text
    again = page.send("save", row=1, winner="p2", **{"hand-p1-wild": 2, "hand-p3-7": 1})
    assert "Winner" in again.text
    assert ">Add<" in page.text
    assert ">Add<" not in again.text  # the match is over
    assert score(again.sheet).as_json()["winners"] == ["p2"]


def test_tite_round_may_end_on_two_draw_twos(client: Client) -> None:
    page = start(client, "tite-2022.match", target="250")
    assert 'value="wild4"' not in page.text.split('id="last"')[1].split("</fieldset>")[0]
    fields = {"hand-p2-7": 5, "hand-p3-7": 1, "last": "draw2", "last_count": 2, "drew": "p2"}
    page = page.send("save", row=0, winner="p1", **fields)
    assert page.sheet["rounds"][0]["last_cards"] == {"draw2": 2}


def test_emptied_hands_and_leaving_are_part_of_a_round(client: Client) -> None:
    page = start(client, "mattel-112.match", "A\nB\nC\nD")
    page = page.send("save", row=0, winner="p1", **{"emptied-p2": "1", "hand-p3-7": 1, "out-p4": "withdrawn"})
    assert page.status == 200
    assert page.sheet["rounds"][0]["emptied"] == ["p2"]
    assert "Left" in page.text
    assert 'name="hand-p4-7"' not in page.text


def test_match_ends_when_everybody_else_left(client: Client) -> None:
    page = start(client, "mattel-108.match", "A\nB")
    page = page.send("save", row=0, **{"out-p2": "removed"})
    assert page.status == 200
    assert "Winner" in page.text
