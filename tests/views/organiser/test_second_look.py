"""Second looks as an organiser sees them: what waits on the board and before a finish; the codes of the tables."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.arriving import by_link
from tests.support.factories import Event, recorded_heat, recorded_round, running_heats, running_match
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.links import token_for
from tournament.models import Proposal, User
from tournament.pages.organiser.tiles import stage_view

pytestmark = pytest.mark.django_db


def looked_twice(made: Event) -> Event:
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made.refresh()


def tile(made: Event) -> Any:
    return stage_view(made.refresh().stage).tiles[0]


def contested(made: Event) -> Event:
    play = made.play(recorded_round(made))
    made.act(actions.contest_play, play=play.uid, version=play.version)
    return made


def proposed(made: Event) -> Proposal:
    token, uid = token_for("table", made.table.uid), uuid4()
    by_link(made, actions.propose_result, token=token, proposal=uid, play=uuid4(), number=1, fields={})
    return Proposal.objects.get(uid=uid)


def test_a_tile_says_what_is_provisional_and_is_red_when_something_is_contested() -> None:
    made = looked_twice(running_match(players=3))
    recorded_round(made)
    assert (tile(made).act, tile(made).waits) == ("", ["To be confirmed: 1"])
    contested(made)
    assert tile(made).act == "Contested: 2"


def test_a_tile_is_red_when_nobody_looked_at_a_proposal_for_two_minutes() -> None:
    made = running_match(players=3)
    row = proposed(made)
    assert (tile(made).act, tile(made).waits) == ("", ["Result proposed"])
    Proposal.objects.filter(pk=row.pk).update(at=row.at - timedelta(minutes=3))
    assert tile(made).act == "Result proposed 3 min ago"


def test_everybody_sees_what_is_provisional_and_contested() -> None:
    made = looked_twice(running_match(players=3))
    recorded_round(made)
    contested(made)
    page = Client().get(reverse("stage", args=[made.tournament.slug, made.stage.uid])).content.decode()
    assert page.index("Contested") < page.index("Round 2") < page.index("Provisional") < page.index("Round 1")
    entry = Client().get(reverse("entry", args=[made.tournament.slug, made.uids[0]])).content.decode()
    assert 'data-status="wanted"' in entry
    heats = looked_twice(running_heats(players=6))
    recorded_heat(heats)
    page = Client().get(reverse("stage", args=[heats.tournament.slug, heats.stage.uid])).content.decode()
    assert 'data-status="wanted"' in page


def test_everything_that_waits_before_a_finish_is_accepted_by_one_tap(
    browser: Browser, organiser: User
) -> None:
    """Findings, D5."""
    made = looked_twice(running_match(players=3))
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    for _ in range(3):
        recorded_round(made)
    page = reverse("organise-stage", args=[made.stage.uid])
    shown = browser.get(page)
    assert "Confirm all (3)" in shown.content.decode()
    answer = browser.send(page, "/accept/", play=shown.context["view"].tiles[0].acceptable)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, page)
    assert "Confirm all (" not in browser.get(page).content.decode()
    assert browser.get(page).context["unaccepted"] == []
