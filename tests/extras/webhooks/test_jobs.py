"""Messages to webhooks and their times: made from the ledger, tried, ended; by the clock of the test."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

import pytest
from django.db.models import F
from pytest_django import Settings

from tests.extras.webhooks.telling import NOW, NoLuck, as_documented, hooked, signature
from tests.live.conftest import NoDatabase
from tests.live.driver import PATIENCE
from tests.support.factories import recorded_round, running_match
from tests.support.receiver import receiving
from tournament import actions
from tournament.extras.webhooks import live, queries as events
from tournament.extras.webhooks.actions.deliveries import (
    MOST_ROWS,
    write_what_is_due,
)
from tournament.extras.webhooks.jobs import Sender
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.store import Store, Versions
from tournament.models import Delivery, Webhook

pytestmark = pytest.mark.both

database = pytest.mark.django_db


@database
def test_two_servers_that_look_at_the_same_row_tell_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    looked = events.notices_since

    def and_somebody_else(webhook: Webhook, most: int) -> tuple[int, list[events.Notice]]:
        found = looked(webhook, most)
        monkeypatch.setattr(events, "notices_since", looked)
        write_what_is_due(NOW)
        return found

    monkeypatch.setattr(events, "notices_since", and_somebody_else)
    write_what_is_due(NOW)
    assert Delivery.objects.count() == 1
    assert Webhook.objects.filter(cursor=F("tournament__version")).exists()
    assert MOST_ROWS >= 100


async def _until(done: Callable[[], bool], *senders: Sender) -> None:
    """Let the senders work until it is so."""
    for sender in senders:
        await sender.start()
    try:
        async with asyncio.timeout(PATIENCE):
            while not done():
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # seconds in which nothing more may come
    finally:
        for sender in senders:
            await sender.stop()


@pytest.mark.django_db(transaction=True)
def test_two_senders_deliver_each_message_once_and_try_a_failing_one_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_ALLOW = ["127.0.0.1/32"]
    monkeypatch.setattr(live, "PAUSES", [timedelta(milliseconds=50)] * 7)
    made = running_match()
    with receiving() as fine, receiving() as failing:
        failing.first = [b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno"] * 2
        hooked(made, f"http://127.0.0.1:{fine.port}/a", ["results"])
        hooked(made, f"http://127.0.0.1:{failing.port}/b", ["incidents"])
        plays = {str(recorded_round(made)) for _ in range(3)}
        made.act(actions.record_ruling, incident=uuid4(), text="May one?", ruling="One may.")

        def done() -> bool:
            return len(failing.came) >= 3 and len(fine.came) >= 3

        asyncio.run(_until(done, *(Sender(every=0.02, chance=NoLuck()) for _ in range(2))))
    ids = [headers["webhook-id"] for _path, headers, _body in fine.came]
    assert len(ids) == len(set(ids)) == 3
    assert {each for *_, body in fine.came for each in json.loads(body)["data"]["plays"]} == plays
    assert len(failing.came) == 3
    assert len({headers["webhook-id"] for _path, headers, _body in failing.came}) == 1
    told_apart = as_documented()
    for path, headers, body in (fine.came[-1], failing.came[-1]):
        secret = Webhook.objects.get(address__endswith=path).secret
        assert told_apart(headers, body, secret)
        assert not told_apart(headers, body + b" ", secret)
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}"
        assert headers["webhook-signature"] == f"v1,{signature(secret, signed)}"


def test_a_running_server_has_a_sender_from_its_start_to_its_end() -> None:
    from tournament.asgi import application

    assert Sender in [type(each) for each in application._beside]
    heard: list[str] = []

    class Beside:
        async def start(self) -> None:
            heard.append("start")

        async def stop(self) -> None:
            heard.append("stop")

    poller: Any = NoDatabase()
    versions, django = Versions(), cast(Any, None)
    front = Front(
        django,
        versions=versions,
        store=Store(versions),
        hub=Hub(versions, cap=1),
        poller=poller,
        beside=[cast(Any, Beside())],
    )
    asked = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, Any]:
        return {"type": next(asked)}

    async def send(message: Any) -> None:
        heard.append(message["type"])

    asyncio.run(cast(Any, front({"type": "lifespan"}, receive, send)))
    assert heard == ["start", "lifespan.startup.complete", "stop", "lifespan.shutdown.complete"]
