"""The way back to each earlier version of a play says what it means."""

import pytest
from django.urls import reverse

from tests.support.desk import (
    as_referee,
    ended,
    hands,
    hidden,
    open_page,
    put_back_words,
    save_correction,
    text,
)
from tests.support.factories import (
    recorded_heat,
    running_heats,
)
from tournament import actions
from tournament.models import Play

pytestmark = pytest.mark.django_db


def test_each_earlier_version_says_what_going_back_means() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    first = Play.objects.get(uid=plays[0]).version
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    page = open_page(client, "play", plays[0])
    ways = {event.sequence: event.back for event in page.context["events"]}
    assert [sequence for sequence, back in ways.items() if back] == [first]
    assert ways[first].follows[:2] == [
        "The match is open again. Nobody has reached the target, so more rounds can be entered.",
        "Round 2 counts again.",
    ]
    assert text(page).count(f"{ways[first].words}</button>") == 1


def test_a_void_is_undone_with_one_tap() -> None:
    heats = running_heats(players=4, tables=1)
    play = recorded_heat(heats)
    client = as_referee(heats)
    void = client.post(
        reverse("play-void", args=[play]), {**hidden(open_page(client, "play-void", play)), "reason": "x"}
    )
    page = client.get(void["Location"])
    back = page.context["put_back"]
    assert put_back_words(page) == "Heat 1: Make it count again"
    done = client.post(back.url, {"command": str(back.command), **back.fields})
    assert Play.objects.get(uid=play).state == "entered"
    assert put_back_words(client.get(done["Location"])) == "Heat 1: Void it again"
    assert "Back to an earlier version" in text(open_page(client, "play", play))


def test_nothing_goes_back_while_nothing_may_be_entered() -> None:
    match, plays = ended(1)
    client = as_referee(match)
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    match.act(actions.finish_stage, stage=match.stage.uid)
    assert reverse("play-revert", args=[plays[0]]) not in text(open_page(client, "play", plays[0]))
