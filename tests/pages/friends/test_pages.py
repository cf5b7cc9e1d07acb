"""The page of a table of friends: what there is to play, and what must be mended before the standings go on."""

from django.test import Client

from tests.support.friends import ADDRESS, start


def test_page_offers_every_way_to_play(client: Client) -> None:
    text = client.get(ADDRESS).content.decode()
    for play in (
        "kpgut-2016.session",
        "mattel-108.match",
        "mattel-112.match",
        "tite-2022.match",
        "tite-2022.heats",
    ):
        assert f"play={play}" in text
        assert "Who plays?" in client.get(ADDRESS, {"play": play}).content.decode()
    assert "What do you play?" in client.get(ADDRESS, {"play": "poker.match"}).content.decode()


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
