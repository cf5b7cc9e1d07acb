"""Change what is played, from Details."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, event, running_session, started_game
from tournament import actions
from tournament.models import Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    """An evening of KPGUT that was meant to be something else."""
    made = event("kpgut-2016", players=4, place="Tampere")
    made.act(actions.plan_stage, stage=uuid4(), kind="session")
    return made


@pytest.fixture
def browser(client: Client, made: Event) -> Client:
    client.force_login(made.user)
    return client


def page_of(made: Event) -> str:
    return reverse("organise-replan", args=[made.tournament.slug])


def test_page_says_what_goes_and_what_stays(browser: Client, made: Event) -> None:
    details = browser.get(reverse("organise-edit", args=[made.tournament.slug])).content.decode()
    assert page_of(made) in details
    text = browser.get(page_of(made)).content.decode()
    goes, stays = text[text.index("Will be removed") :].split("Will be kept")
    assert "Session" in goes
    assert "4 players" in stays
    assert re.search(r'value="session"\s+checked', text)


def test_other_template_shows_its_rules_and_changes_nothing(browser: Client, made: Event) -> None:
    sent = {"template": "championship", "shown": "session", "look": "1", "expected": "12"}
    text = browser.post(page_of(made), sent).content.decode()
    assert 'name="most_at_table"' in text
    assert "The stages" in text
    assert page_of(made) in text.split('id="levels"')[1][:300], "the levels follow on this page"
    assert Stage.objects.get().kind == "session"


def test_event_is_played_otherwise_and_keeps_its_details(browser: Client, made: Event) -> None:
    sent = {
        "template": "match",
        "shown": "match",
        "ruleset": "mattel-108",
        "target": "200",
        "command": str(uuid4()),
    }
    sent["scoring"] = "winner_takes"
    answer = browser.post(page_of(made), sent)
    assert answer.status_code == 303
    made.tournament.refresh_from_db()
    stage = Stage.objects.get()
    assert (made.tournament.ruleset, made.tournament.place) == ("mattel-108", "Tampere")
    assert (stage.kind, stage.settings["target"]) == ("match", 200)
    assert browser.post(page_of(made), sent).status_code == 303, "the button was pressed twice"
    assert Stage.objects.get() == stage


def test_wrong_number_is_told_at_its_field(browser: Client, made: Event) -> None:
    sent = {"template": "championship", "expected": "12", "most_at_table": "6", "advance": "1", "target": "9"}
    answer = browser.post(page_of(made), sent | {"command": str(uuid4())})
    assert answer.status_code == 422
    assert 'id="id_target_error"' in answer.content.decode()
    assert 'value="9"' in answer.content.decode()
    assert Stage.objects.get().kind == "session"


def test_nothing_is_offered_once_something_was_played(client: Client) -> None:
    made = running_session()
    client.force_login(made.user)
    sent = {"template": "match", "shown": "match", "ruleset": "mattel-112", "scoring": "winner_takes"}
    started_game(made)
    assert (
        page_of(made)
        not in client.get(reverse("organise-edit", args=[made.tournament.slug])).content.decode()
    )
    for answer in (client.get(page_of(made)), client.post(page_of(made), sent | {"command": str(uuid4())})):
        text = answer.content.decode()
        assert "This is fixed once something has been played" in text
        assert reverse("organise-copy", args=[made.tournament.slug]) in text
    assert Stage.objects.get().kind == "session"
