"""Each action of webhooks with its arguments: for the API, and from rows of one event."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import Event, event, webhook_of
from tournament.models import Delivery, Webhook

Case = tuple[Event, str, dict[str, Any]]  # the event, the action, its arguments


def add_webhook() -> Case:
    return event(), "add_webhook", {"webhook": uuid4(), "address": "https://a.example/", "kinds": ["results"]}


def webhook() -> tuple[Event, UUID]:
    made = event()
    return made, webhook_of(made).uid


def set_webhook() -> Case:
    made, uid = webhook()
    return made, "set_webhook", {"webhook": uid, "kinds": ["stages"], "paused": False}


def remove_webhook() -> Case:
    made, uid = webhook()
    return made, "remove_webhook", {"webhook": uid}


def try_webhook() -> Case:
    made, uid = webhook()
    return made, "try_webhook", {"webhook": uid}


def send_again() -> Case:
    made, _uid = webhook()
    return made, "send_again", {"delivery": Delivery.objects.get().uid}


CASES: dict[str, Callable[[], Case]] = {
    make.__name__: make for make in (add_webhook, set_webhook, remove_webhook, try_webhook, send_again)
}


def _webhook(made: Event) -> UUID:
    return Webhook.objects.get(tournament=made.tournament).uid


CALLS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "add_webhook": lambda it: {
        "webhook": _webhook(it.made),
        "address": "https://b.example/",
        "kinds": ["stages"],
    },
    "set_webhook": lambda it: {"webhook": _webhook(it.made), "kinds": ["stages"], "paused": True},
    "remove_webhook": lambda it: {"webhook": _webhook(it.made)},
    "try_webhook": lambda it: {"webhook": _webhook(it.made)},
    "send_again": lambda it: {"delivery": Delivery.objects.get(webhook__tournament=it.made.tournament).uid},
}
