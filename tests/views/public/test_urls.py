"""Addresses that everybody may open, each by its name."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import recorded_round, running_match
from tests.support.pictures import in_base64, picture
from tournament import actions
from tournament.views.public.urls import urlpatterns

pytestmark = pytest.mark.django_db

NOT_OFFERED = {"practice", "practice-end"}  # without TRY
NONE_HERE = {
    "bracket", "clubs", "stage-page", "stage-draw", "stage-podium", "tour-ratings-page", "tour-season",
    "tour-season-page",
}  # fmt: skip


def test_every_address_is_answered_and_a_link_that_does_not_hold_is_not_found(client: Client) -> None:
    made = running_match(players=3)
    recorded_round(made)
    screen = uuid4()
    made.act(actions.add_screen, screen=screen, name="Hall")
    event = made.tournament
    face = {"colour": "#8a1c4a", "logo": in_base64(picture())}
    made.act(actions.edit_tournament, name=event.name, starts_on=event.starts_on, **face)
    tournament = made.refresh().tournament
    found = {
        "slug": tournament.slug,
        "stage": made.stage.uid,
        "entry": made.uids[0],
        "screen": screen,
        "digest": tournament.logo[:12],
        "colour": tournament.colour[1:],
        "organiser": tournament.organiser.uid,
        "player": made.entries[0].player.uid,
        "ruleset": "kpgut-2016",
        "sheet": "fi",
        "topic": "players",
        "page": 2,
        "year": tournament.starts_on.year,
        "token": "x",
        "what": "call",
        "code": "t2345678",
    }
    for pattern in urlpatterns:
        wanted = {name: found[name] for name in pattern.pattern.converters}
        answer = client.get(reverse(pattern.name, kwargs=wanted), follow=True)
        missing = {"token", "code"} & set(wanted) or pattern.name in NOT_OFFERED | NONE_HERE
        assert answer.status_code == (404 if missing else 200), pattern.name
