"""Requests to take part: the board's next step, and a figure in My events and beside Registration."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.arriving import opened, registered
from tests.support.factories import event
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import User

pytestmark = pytest.mark.django_db


def test_people_who_ask_are_the_next_step_until_somebody_answers(browser: Browser, organiser: User) -> None:
    made = opened(event("tite-2022", players=3, user=organiser), approval=True)
    people = [registered(made, name) for name in ("Ilona", "Jari")]
    board = reverse("organise-board", args=[made.tournament.slug])
    page = browser.get(board)
    assert page.context["next"].text == "2 people are asking to take part."
    assert page.context["next"].url == reverse("organise-registration", args=[made.tournament.slug])
    more = page.content.decode().partition('id="board-more"')[2]
    assert re.search(r"<summary[^>]*>More <span class=\"num\">\(2\)</span>", more)
    assert re.search(r"Registration\s*<span class=\"num\">2</span>", more)
    assert "2 people are asking to take part" in browser.get(reverse("organise")).content.decode()
    made.act(actions.approve_entries, entries=people)
    assert "asking to take part" not in browser.get(board).content.decode()
    assert "asking to take part" not in browser.get(reverse("organise")).content.decode()


@pytest.mark.parametrize(("days", "said"), [(0, True), (7, False)])
def test_nobody_is_missing_before_the_day(browser: Browser, organiser: User, days: int, said: bool) -> None:
    day = timezone.localdate() + timedelta(days=days)
    made = event("tite-2022", players=3, user=organiser, starts_on=day)
    made.act(actions.plan_stage, stage=made.tournament.uid, kind="heats")
    html = browser.get(reverse("organise-board", args=[made.tournament.slug])).content.decode()
    assert ("3 players are not checked in." in html) is said
