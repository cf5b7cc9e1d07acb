"""Webhooks of an event: named, paused, tried again, refused."""

from typing import Any
from uuid import uuid4

import pytest
from pytest_django import Settings

from tests.actions.kernel.test_guests import run_by_guest
from tests.extras.webhooks.telling import NOW, NoLuck, hooked, told, tried
from tests.support.asking_actions import agrees, refusal
from tests.support.factories import recorded_round, running_match
from tournament.extras.webhooks.actions import (
    MOST_WEBHOOKS,
    add_webhook,
    remove_webhook,
    send_again,
    set_webhook,
    try_webhook,
)
from tournament.extras.webhooks.actions.deliveries import (
    take_due,
    write_answer,
)
from tournament.extras.webhooks.live import Answer
from tournament.models import Delivery

pytestmark = pytest.mark.both

database = pytest.mark.django_db


@database
def test_a_pause_holds_what_waits_and_forgets_what_happens() -> None:
    made = running_match()
    webhook = hooked(made, kinds=["results"])
    recorded_round(made)
    told()
    made.act(set_webhook, webhook=webhook, kinds=["results"], paused=True)
    recorded_round(made)
    assert (len(told()), take_due(NOW, 9)) == (1, [])
    made.act(set_webhook, webhook=webhook, kinds=["results"], paused=False)
    assert (len(told()), len(take_due(NOW, 9))) == (1, 1)


@database
def test_a_message_is_sent_again_with_its_id_and_all_its_tries() -> None:
    made = running_match()
    webhook = hooked(made)
    made.act(try_webhook, webhook=webhook)
    Delivery.objects.update(due_at=NOW)
    first = tried(Answer(200, "thanks"), NOW)
    made.act(send_again, delivery=first.uid)
    Delivery.objects.update(due_at=NOW)
    (second,) = take_due(NOW, 9)
    assert (second.uid, second.body, second.tries) == (first.uid, first.body, 1)
    made.act(remove_webhook, webhook=webhook)
    write_answer(second, Answer(200), NOW, NoLuck())  # nobody keeps it any more
    assert not Delivery.objects.exists()
    assert agrees(made)


@database
@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        pytest.param({"kinds": []}, ("no_webhook_kind", "/kinds"), id="no kind"),
        pytest.param({"kinds": ["weather"]}, ("unknown_webhook_kind", "/kinds"), id="unknown kind"),
        pytest.param({"kinds": "results"}, ("unknown_webhook_kind", "/kinds"), id="no list"),
        pytest.param({"address": "https://10.0.0.1/"}, ("webhook_private", "/address"), id="private"),
        pytest.param({"address": "http://a.example/"}, ("webhook_https", "/address"), id="http"),
        pytest.param(
            {"address": "https://a.example/" + "x" * 500}, ("field_max_length", "/address"), id="long"
        ),
    ],
)
def test_what_cannot_be_told_is_refused(arguments: dict[str, Any], fault: tuple[str, str]) -> None:
    whole = {"webhook": uuid4(), "address": "https://a.example/", "kinds": ["results"], **arguments}
    made = running_match()
    assert refusal(made, add_webhook, **whole) == [fault]


@database
def test_an_event_has_so_many_webhooks_and_none_where_the_operator_wants_none(settings: Settings) -> None:
    made = running_match()
    for _ in range(MOST_WEBHOOKS):
        hooked(made)
    more = {"webhook": uuid4(), "address": "https://a.example/", "kinds": ["results"]}
    assert refusal(made, add_webhook, **more) == [("too_many_webhooks", "/address")]
    settings.WEBHOOKS = False
    assert refusal(made, add_webhook, **more) == [("webhooks_off", "")]


@database
def test_every_fault_is_named_at_once() -> None:
    asked = {"webhook": uuid4(), "address": "http://example.org", "kinds": []}
    wrong = [("no_webhook_kind", "/kinds"), ("webhook_https", "/address")]
    assert refusal(running_match(), add_webhook, **asked) == wrong


@database
def test_a_guest_adds_none() -> None:
    asked = {"webhook": uuid4(), "address": "https://a.example/", "kinds": ["results"]}
    assert refusal(run_by_guest(), add_webhook, **asked) == [("account_needed", "")]
