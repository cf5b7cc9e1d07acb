"""The page of a table of friends: what there is to play, and what must be mended before the standings go on."""

import re

from django.test import Client

from tests.extras.friends.browser import ADDRESS, start
from tests.support.contests_shown import plain


def test_page_offers_every_way_to_play(client: Client) -> None:
    text = client.get(ADDRESS).content.decode()
    offered = ["mattel-108.match", "mattel-112.match", "tite-2022.match", "kpgut-2016.session"]
    assert re.findall(r"play=([^\"]+)\"", text) == offered, (
        "the rules in the box first, no heats at one table"
    )
    for play in [*offered, "tite-2022.heats"]:
        assert "Who is playing?" in client.get(ADDRESS, {"play": play}).content.decode()
    assert "What are you playing?" in client.get(ADDRESS, {"play": "poker.match"}).content.decode()


def test_change_that_ends_the_match_earlier_shows_what_must_go(client: Client) -> None:
    page = start(client, "mattel-108.match", target="100")
    for row in (0, 1):
        page = page.send("save", row=row, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1})
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 3, "hand-p3-7": 1})
    assert page.status == 200
    assert "The match was over before this round" in page.text
    assert len(page.sheet["rounds"]) == 2
    page = page.send("remove:1")
    assert "Winner" in page.text


def test_match_can_be_stopped_and_gone_on_with(client: Client) -> None:
    page = start(client, "mattel-108.match").send(
        "save", row=0, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1}
    )
    page = page.send("stop")
    assert "Stopped early" in page.text or "Winner" in page.text
    assert ">Add<" not in page.text
    assert ">Add<" in page.send("go-on").text


def test_match_that_is_over_is_played_again_by_the_same_people(client: Client) -> None:
    page = start(client, "mattel-108.match", target="50").send(
        "save", row=0, winner="p1", **{"hand-p2-wild": 1, "hand-p3-7": 1}
    )
    assert "Play again with Aino, " in plain(page.text)
    again = page.send("again")
    assert again.sheet == page.sheet | {"rounds": []}
    assert "Play again" not in again.text
    assert ">Add<" in again.text


def test_clock_is_offered_for_a_new_game_alone(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    assert "<own-game" in page.text
    fields = {"outcome-p1": "out", "time-p1": "12:30", "outcome-p2": "out", "outcome-p3": "last"}
    refused = page.send("save", row=0, ended="last", **fields)
    assert (refused.status, "<own-game" in refused.text) == (422, False)
    played = page.send("save", row=0, ended="last", **fields, **{"time-p2": "20:05"})
    assert 'data-number="2"' in played.text
    assert "<own-game" not in played.send("edit:0").text
