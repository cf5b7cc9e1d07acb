"""Access: who gets in, and the guards' words about a link and a device."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.support.desk import as_referee
from tests.support.factories import UserFactory, running_match, running_session, started_game
from tournament.links import token_for
from tournament.models import Membership
from tournament.models.people import NEWCOMER
from tournament.pages.desk.table import scene_of
from tournament.server.rate_limits import LinkThrottle, WrongTokenThrottle
from tournament.views import _answer

pytestmark = pytest.mark.django_db


def test_a_strange_device_name_is_replaced() -> None:
    event = running_match()
    client = as_referee(event)
    client.cookies["device"] = "x" * 900
    page = client.get(reverse("desk"))
    assert len(page.cookies["device"].value) == 32


@pytest.mark.parametrize("name", ["play-elsewhere", "play-end", "play-void", "play-correct", "play-give-up"])
def test_a_play_that_goes_while_its_page_is_made_is_not_found(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An undo takes its start back between the two looks at the database."""
    session = running_session(players=3)
    before = scene_of(session.table)
    play = started_game(session)
    monkeypatch.setattr(_answer, "get_scene", lambda _table: before)
    page = as_referee(session).get(reverse(name, args=[play]))
    assert page.status_code == 404


@pytest.mark.parametrize(("role", "status"), [(None, 404), ("table_referee", 403), ("organiser", 200)])
def test_a_page_of_the_organisers_is_hidden_from_strangers_and_refused_to_referees(
    role: str | None, status: int
) -> None:
    event = running_match()
    user = event.referee(role) if role else UserFactory()
    client = Client()
    client.force_login(user)
    addresses = [
        reverse("organise-roles", args=[event.tournament.slug]),
        reverse("organise-stage", args=[event.stage.uid]),
        reverse("organise-player-erase", args=[event.uids[0]]),
    ]
    assert [client.get(address).status_code for address in addresses] == [status] * 3


def test_nobody_gets_into_an_event_that_is_put_away() -> None:
    event = running_match()
    client = as_referee(event)
    event.tournament.put_away = True
    event.tournament.save()
    assert client.get(reverse("table", args=[event.table.uid])).status_code == 404
    assert client.get(reverse("rulings", args=[event.tournament.slug])).status_code == 404


def test_the_rulings_are_for_whoever_has_a_role_in_the_event() -> None:
    event = running_match()
    address = reverse("rulings", args=[event.tournament.slug])
    stranger = Client()
    stranger.force_login(UserFactory())
    assert stranger.get(address).status_code == 404
    assert as_referee(event, role=Membership.Role.TABLE_REFEREE).get(address).status_code == 200


def test_a_form_of_the_desk_takes_no_head_and_a_page_no_post() -> None:
    event = running_match()
    client = as_referee(event)
    assert client.head(reverse("table-record", args=[event.table.uid])).status_code == 405
    assert client.post(reverse("table", args=[event.table.uid])).status_code == 405


def test_newcomers_have_no_account_for_tokens() -> None:
    client = Client()
    client.force_login(UserFactory(username=f"{NEWCOMER}x"))
    assert client.get(reverse("organise-tokens")).status_code == 403


def test_after_their_practice_visitors_are_led_to_another(settings: Settings) -> None:
    settings.TRY = True
    client = Client()
    client.cookies[_answer.PRACTISED_COOKIE] = "1"
    assert client.get(reverse("desk"))["Location"] == reverse("practice")


def test_a_link_takes_so_many_posts_and_an_address_so_many_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    event = running_match()
    address = reverse("at-table-move", args=[token_for("table", event.table.uid), "call"])
    monkeypatch.setattr(LinkThrottle, "rate", "1/min")
    monkeypatch.setattr(WrongTokenThrottle, "rate", "1/min")
    client = Client()
    answers = [client.post(address, {"command": str(uuid4())}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [303, 429]
    assert int(answers[1]["Retry-After"]) > 0
    guesses = [client.get(reverse("at-table", args=[f"{number:043}"])) for number in range(2)]
    assert [guess.status_code for guess in guesses] == [404, 429]
    assert {guess["X-Robots-Tag"] for guess in guesses} == {"noindex, nofollow"}
