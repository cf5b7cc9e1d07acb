"""The organiser's pages of the webhooks."""

import json
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from tests.actions.kernel.test_guests import run_by_guest
from tests.support.asking_actions import refusal
from tests.support.factories import Event, event, webhook_of
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_two_browsers import planned_match, saved_by_two  # noqa: F401 - a fixture
from tournament import actions
from tournament.extras.webhooks.actions import add_webhook, send_again, set_webhook, try_webhook
from tournament.extras.webhooks.actions.deliveries import take_due, write_answer
from tournament.extras.webhooks.live import Answer
from tournament.models import Delivery, Membership, Webhook
from tournament.results.faults import Fault, Refused

pytestmark = pytest.mark.django_db

ADDRESS = "https://board.example/hook"


def page_of(made: Event) -> str:
    return reverse("organise-webhooks", args=[made.tournament.slug])


def hooked(made: Event) -> Webhook:
    uid = uuid4()
    made.act(add_webhook, webhook=uid, address=ADDRESS, kinds=["results"])
    return Webhook.objects.get(uid=uid)


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_nothing_is_ticked_before_somebody_ticks_it(browser: Browser, planned: Event) -> None:
    page = text_of(browser, page_of(planned))
    assert 'name="kinds"' in page
    assert "checked" not in page


def test_a_webhook_is_added_and_its_secret_is_shown_once(browser: Browser, planned: Event) -> None:
    assert page_of(planned) in text_of(browser, reverse("organise-board", args=[planned.tournament.slug]))
    answer = browser.send(page_of(planned), "/webhooks/", address=f" {ADDRESS} ", kinds=["stages", "results"])
    row = Webhook.objects.get()
    assert (row.address, row.kinds, row.paused) == (ADDRESS, ["results", "stages"], False)
    assert row.secret in answer.content.decode()
    assert 'data-copy="secret"' in answer.content.decode()
    again = browser.post(page_of(planned), answer.wsgi_request.POST.dict() | {"kinds": ["stages", "results"]})
    assert (again.status_code, Webhook.objects.count()) == (303, 1)
    own = reverse("organise-webhook", args=[row.uid])
    assert not any(
        row.secret in text_of(browser, page) for page in (page_of(planned), own, again["Location"])
    )


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"address": "https://192.168.1.1/", "kinds": ["results"]}, "This address is not public."),
        ({"address": ADDRESS, "kinds": []}, "Choose at least one."),
    ],
    ids=["private", "no kind"],
)
def test_what_does_not_fit_is_said_and_stays_as_it_was_typed(
    browser: Browser, planned: Event, typed: dict[str, Any], words: str
) -> None:
    answer = browser.send(page_of(planned), "/webhooks/", **typed)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert f'value="{typed["address"]}"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_test_is_sent_its_answer_is_shown_and_it_is_sent_again(browser: Browser, planned: Event) -> None:
    row = hooked(planned)
    own = reverse("organise-webhook", args=[row.uid])
    assert browser.send(own, "/try/").status_code == 303
    sent = Delivery.objects.get()
    (taken,) = take_due(sent.due_at, 1)
    write_answer(taken, Answer(500, "<b>out of paper</b>"), sent.due_at, Random(1))
    page = text_of(browser, own)
    assert all(
        words in page
        for words in ("1 attempt", "response 500", "&lt;b&gt;out of paper", "No message has arrived")
    )
    assert browser.send(own, "/again/").status_code == 303
    sent.refresh_from_db()
    assert (sent.tries, sent.state) == (0, "waiting")


def test_a_webhook_is_paused_goes_on_and_is_removed(browser: Browser, planned: Event) -> None:
    row = hooked(planned)
    own = reverse("organise-webhook", args=[row.uid])
    browser.send(own, own, kinds=["results", "incidents"], paused="on")
    row.refresh_from_db()
    assert (row.kinds, row.paused) == (["results", "incidents"], True)
    assert "Send a test message" not in text_of(browser, own)
    assert browser.post(
        reverse("organise-webhook-try", args=[row.uid]), {"command": str(uuid4())}
    ).status_code == (422)
    browser.post(own, {"kinds": ["results"], "command": str(uuid4())})
    assert "Send a test message" in text_of(browser, own)
    assert browser.send(own, "/remove/").status_code == 303
    assert not Webhook.objects.exists()
    assert "No webhooks yet" in text_of(browser, page_of(planned))


def test_too_many_webhooks_are_those_of_one_event(planned: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.extras.webhooks.actions.MOST_WEBHOOKS", 1)
    hooked(event())
    hooked(planned)
    with pytest.raises(Refused) as refused:
        hooked(planned)
    assert refused.value.faults == (Fault("too_many_webhooks", "/address", {"most": 1}),)


@pytest.mark.parametrize(("off", "paused"), [(False, False), (True, True)], ids=["awake", "rests on"])
def test_a_webhook_that_does_not_go_on_now_keeps_its_place(planned: Event, off: bool, paused: bool) -> None:
    row = hooked(planned)
    planned.act(actions.set_decks, decks=3)
    if off:
        Webhook.objects.update(off_at=row.made_at, off_because=Webhook.Off.GONE)
    planned.act(set_webhook, webhook=row.uid, kinds=["stages"], paused=paused)
    after = Webhook.objects.get()
    assert (after.kinds, after.cursor, after.off_at is not None) == (["stages"], row.cursor, off)


def test_a_webhook_that_goes_on_forgets_why_it_was_off(planned: Event) -> None:
    row = hooked(planned)
    Webhook.objects.update(off_at=row.made_at, off_because=Webhook.Off.FAILING, failing_since=row.made_at)
    planned.act(set_webhook, webhook=row.uid, kinds=["results"], paused=False)
    row.refresh_from_db()
    assert (row.off_at, row.off_because, row.failing_since) == (None, "", None)


def test_a_test_says_that_it_is_one(planned: Event) -> None:
    planned.act(try_webhook, webhook=hooked(planned).uid)
    sent = Delivery.objects.get()
    assert (sent.kind, json.loads(sent.body)["type"]) == ("test", "test")


def test_a_message_is_sent_again_at_once_by_its_own_event_unless_its_webhook_rests(planned: Event) -> None:
    row, other = hooked(planned), event()
    planned.act(try_webhook, webhook=row.uid)
    sent = Delivery.objects.get()
    for made, uid in ((other, sent.uid), (planned, uuid4())):
        assert refusal(made, send_again, delivery=uid) == [("unknown_delivery", "/delivery")]
    Delivery.objects.update(due_at=sent.due_at + timedelta(days=1))
    at = planned.act(send_again, delivery=sent.uid).at
    assert Delivery.objects.get().due_at == at
    Webhook.objects.update(paused=True)
    assert refusal(planned, send_again, delivery=sent.uid) == [("webhook_rests", "/webhook")]


def test_webhooks_are_the_organisers(browser: Browser, planned: Event) -> None:
    row = hooked(planned)
    client = Client()
    client.force_login(planned.referee(Membership.Role.HEAD_REFEREE))
    for page in (page_of(planned), reverse("organise-webhook", args=[row.uid])):
        assert client.get(page).status_code == 403
        assert Client().get(page).status_code == 302
    made = {"address": ADDRESS, "kinds": ["results"], "command": str(uuid4())}
    assert client.post(page_of(planned), made).status_code == 403
    assert Webhook.objects.count() == 1


def test_a_page_says_that_the_operator_wants_none(
    browser: Browser, planned: Event, settings: Settings
) -> None:
    settings.WEBHOOKS = False
    page = text_of(browser, page_of(planned))
    assert "has switched them off" in page
    assert 'name="address"' not in page


def test_the_lists_ask_as_often_for_many_as_for_one(browser: Browser, planned: Event) -> None:
    asked = []
    for _ in range(2):
        row = hooked(planned)
        for _message in range(3):
            planned.act(try_webhook, webhook=row.uid)
        with CaptureQueriesContext(connection) as queries:
            text_of(browser, page_of(planned))
            text_of(browser, reverse("organise-webhook", args=[Webhook.objects.order_by("pk")[0].uid]))
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked


def test_two_people_with_the_same_form(planned_match: Event) -> None:  # noqa: F811
    address = reverse("organise-webhook", args=[webhook_of(planned_match).uid])
    saved_by_two(planned_match, lambda _made: address, ("kinds", "stages", "incidents"), ("paused", "on"))


def test_a_guest_is_offered_none() -> None:
    made = run_by_guest()
    client = Client()
    client.force_login(made.user)
    board = reverse("organise-board", args=[made.tournament.slug])
    assert "/webhooks/" not in client.get(board).content.decode()
    content = client.get(reverse("organise-webhooks", args=[made.tournament.slug])).content.decode()
    assert "needs an account" in content
    assert 'name="address"' not in content
