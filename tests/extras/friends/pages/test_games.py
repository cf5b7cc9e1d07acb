"""Games as friends enter them."""

from django.test import Client

from scoring import score
from tests.extras.friends.browser import start


def test_session_takes_times_in_minutes_and_seconds(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {
        "outcome-p1": "out",
        "time-p1": "12:30",
        "outcome-p2": "out",
        "time-p2": "20.05",
        "outcome-p3": "last",
    }
    page = page.send("save", row=0, ended="last", **fields)
    assert page.status == 200
    assert page.sheet["games"][0]["results"][1]["elapsed_s"] == 1205
    assert "12.00" in page.text
    assert "Last place so far" in page.text
    assert 'value="12:30"' in page.send("edit:0").text


def test_session_asks_for_the_hands_of_those_remaining(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {"outcome-p1": "out", "time-p1": "5:00", "outcome-p2": "remaining", "outcome-p3": "remaining"}
    asked = page.send("save", row=0, ended="time", **fields)
    assert asked.status == 200
    assert "Count the cards left" in asked.text
    assert asked.sheet["games"] == []
    assert 'value="5:00"' in asked.text
    empty = asked.send("save", row=0, ended="time", **fields, **{"hand-p2-7": "", "hand-p3-7": 1})
    assert (empty.status, "Count the cards Börje has left." in empty.text) == (422, True)
    done = asked.send("save", row=0, ended="time", **fields, **{"hand-p2-7": 2, "hand-p3-7": 1})
    assert [row.points for row in score(done.sheet).rounds[0].results] == [5, 70, 65]


def test_ejected_player_is_not_asked_for_again(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {"outcome-p1": "out", "time-p1": "5:00", "outcome-p2": "ejected", "outcome-p3": "last"}
    page = page.send("save", row=0, ended="last", duration="6:00", **fields)
    assert "Disqualified" in page.text
    assert 'name="outcome-p2"' not in page.text
