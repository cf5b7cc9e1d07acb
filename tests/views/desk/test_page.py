"""Notices about the latest entry, on every page of a table."""

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, ended, hands, open_page, put_back_words, save_correction, text
from tests.support.factories import (
    recorded_round,
    running_match,
)
from tests.views.desk.test_second_look import looked_twice, tap
from tournament import actions
from tournament.models import Play

pytestmark = pytest.mark.django_db


def test_a_correction_is_taken_back_beside_its_receipt() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    page = save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    back = page.context["put_back"]
    assert (put_back_words(page), "Round 1: Back to" in text(page)) == ("Back to Aino +7", True)
    assert "Set aside: decide" in text(page)
    sent = {"command": str(back.back.command), "version": back.play.version, "to": back.back.to}
    done = client.post(reverse("play-revert", args=[plays[0]]), sent)
    assert done.status_code == 303
    assert Play.objects.get(uid=plays[0]).results.get(outcome="holds").hand == {"7": 1}
    assert "Set aside: decide" not in text(client.get(done.url))
    assert put_back_words(client.get(done.url)) == "Back to Aino +50"  # the way back from there


def test_same_round_again_names_who_entered_it_not_who_accepted_it() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    client = as_referee(made)
    tap(client, f"play/{play.uid}/accept/", version=play.version)
    page = client.get(f"/en/desk/table/{made.table.uid}/", {"same": str(play.uid)})
    assert f"{made.user.display_name()} entered the same before you" in text(page)


def test_a_contested_round_is_called_so_at_its_table() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.contest_play, play=play.uid, version=play.version)
    page = text(open_page(as_referee(made), "table", made.table.uid))
    assert "1 contested: a referee is called" in page
    assert "provisional" not in page
    ways = text(open_page(as_referee(made), "play", play.uid))
    assert all(words in ways for words in ("accepts it anew", "switches second looks off"))
