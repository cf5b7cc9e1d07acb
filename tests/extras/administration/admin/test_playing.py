"""A stage's page in the admin: standings, the last results, and the way to the desk and back."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.admin_forms import address
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tests.support.tour_evenings import add_game
from tournament.models import Final, Heats, Match, Session, Stage

pytestmark = pytest.mark.django_db

STAGES = {"session": Session, "heats": Heats, "match": Match, "final": Final}


def session_with_a_game() -> Event:
    made = running_session(players=3)
    add_game(made, [600, 900, 0])
    return made


def heats_with_a_result() -> Event:
    made = running_heats(players=4, tables=1)
    recorded_heat(made)
    return made


def match_with_a_round() -> Event:
    made = running_match()
    recorded_round(made)
    return made


def page_of(browser: Client, made: Event) -> str:
    return " ".join(browser.get(address(Stage, "change", made.stage.pk)).content.decode().split())


def test_page_shows_standings_and_the_last_results_with_who_entered_them(
    browser: Client, championship: Event
) -> None:
    play = recorded_round(championship)
    text = page_of(browser, championship)
    winner = championship.table.plays.get(uid=play).results.get(outcome="won").entry.public_name
    assert f'<td>1</td><th scope="row"><bdi>{winner}</bdi></th>' in text
    assert text.index("Table 1, round 2") < text.index("Table 1, round 1")
    assert f"play={play}" in text
    assert championship.user.display_name() in text


MADE = {"session": session_with_a_game, "heats": heats_with_a_result, "match": match_with_a_round}


@pytest.mark.parametrize("kind", ["session", "heats", "match", "final"])
def test_result_of_each_kind_is_corrected_and_voided_from_the_admin_and_back_there(
    browser: Client, championship: Event, kind: str
) -> None:
    made = MADE[kind]() if kind in MADE else championship
    if kind == "final":
        recorded_round(made)
    back = address(type(STAGES[kind].objects.get(pk=made.stage.pk)), "change", made.stage.pk)
    play = made.table.plays.exclude(state="void").latest("version")
    links = re.findall(r'href="([^"]*do=(?:correct|void)[^"]*)"', browser.get(back).content.decode())
    ways = {
        ("correct" if "do=correct" in link else "void"): link.replace("&amp;", "&")
        for link in links
        if str(play.uid) in link
    }
    assert set(ways) == {"correct", "void"}
    form = browser.get(ways["correct"], follow=True)
    assert form.request["PATH_INFO"] == reverse("play-correct", args=[play.uid])
    asked = browser.get(ways["void"], follow=True)
    sent = dict(asked.context["hidden"])
    answer = browser.post(
        asked.request["PATH_INFO"], {**sent, "command": str(uuid4()), "reason": "A card was missing"}
    )
    assert (answer.status_code, answer["Location"]) == (303, back)
    shown = browser.get(back)
    assert [str(message) for message in shown.context["messages"]]
    play.refresh_from_db()
    assert play.state == "void"
