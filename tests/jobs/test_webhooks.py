"""What webhooks are told and when: messages from the ledger, tries, ends; by the clock of the test."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any, cast
from uuid import uuid4

import pytest
from django.db.models import F
from pytest_django import Settings

from tests.live.conftest import NoDatabase
from tests.live.driver import PATIENCE
from tests.support.asking_actions import agrees, refusal
from tests.support.factories import recorded_round, running_match
from tests.webhooks.receiver import receiving
from tests.webhooks.telling import NOW, NoLuck, as_documented, hooked, signature, told, tried
from tournament import actions
from tournament.actions.event.webhooks import MOST_WEBHOOKS
from tournament.actions.upkeep import deliveries
from tournament.actions.upkeep.deliveries import (
    KEPT,
    LEASE,
    MOST_ROWS,
    forget_old,
    take_due,
    write_answer,
    write_what_is_due,
)
from tournament.jobs.webhooks import Sender
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.store import Store
from tournament.live.versions import Versions
from tournament.models import Delivery, Tournament, Webhook
from tournament.webhooks import events, posting
from tournament.webhooks.posting import PATIENCE as FAILS, PAUSES, Answer

pytestmark = pytest.mark.both

database = pytest.mark.django_db
State = Delivery.State


@database
def test_a_message_is_tried_again_after_growing_pauses_and_then_given_up() -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    told()
    now, ids = NOW, set()
    for pause in PAUSES:
        ids.add(tried(Answer(503, "busy"), now).uid)
        row = Delivery.objects.get()
        assert (row.state, row.due_at, row.status, row.answer) == (State.WAITING, now + pause, 503, "busy")
        assert take_due(now + pause - timedelta(seconds=1), 9) == []
        now += pause
    ids.add(tried(Answer(fault="timeout"), now).uid)
    row = Delivery.objects.get()
    assert (row.state, row.tries, row.status, row.fault) == (State.GIVEN_UP, 8, None, "timeout")
    assert len(ids) == 1
    assert take_due(now + timedelta(days=9), 9) == []
    assert [pause.total_seconds() for pause in PAUSES] == [5, 30, 120, 600, 3600, 21_600, 86_400]


@database
def test_pauses_are_spread() -> None:
    made = running_match()
    for _ in range(3):
        hooked(made, kinds=["results"])
    recorded_round(made)
    told()
    for number, taken in enumerate(take_due(NOW, 9)):
        write_answer(taken, Answer(500), NOW, Random(number))
    due = set(Delivery.objects.values_list("due_at", flat=True))
    assert len(due) == 3
    assert all(timedelta(seconds=5) <= at - NOW <= timedelta(seconds=6) for at in due)


@database
def test_each_webhook_is_told_for_itself_its_messages_one_at_a_time_the_oldest_first() -> None:
    made = running_match()
    both, results = hooked(made), hooked(made, kinds=["results"])
    made.act(actions.record_ruling, incident=uuid4(), text="May one?", ruling="One may.")
    write_what_is_due(NOW)
    recorded_round(made)
    write_what_is_due(NOW + timedelta(seconds=1))
    row, ledger = Delivery.objects.filter(webhook__uid=both).order_by("pk")[1], made.refresh().tournament
    assert (row.kind, row.sequence, row.subject) == ("results", ledger.version, made.stage.uid)
    assert row.made_at == row.due_at == NOW + timedelta(seconds=1)
    webhooks = [Webhook.objects.get(uid=uid).pk for uid in (both, results)]
    later = NOW + timedelta(seconds=2)
    assert [taken.webhook for taken in take_due(later, 1)] == webhooks[:1]
    assert [taken.webhook for taken in take_due(later, 9, busy=webhooks[:1])] == webhooks[1:]
    Delivery.objects.update(tries=0)
    Delivery.objects.filter(kind="incidents").update(due_at=NOW)
    Delivery.objects.filter(kind="results").update(due_at=later)
    first, other = take_due(later, 9)
    assert [first.webhook, other.webhook] == webhooks
    assert [json.loads(each.body)["type"] for each in (first, other)] == [
        "incident.changed",
        "results.changed",
    ]
    assert Delivery.objects.get(uid=first.uid).due_at == later + LEASE
    assert Delivery.objects.get(uid=first.uid).tried_at == later


@database
def test_what_came_of_a_try_is_kept_once_and_with_its_own_webhook() -> None:
    made = running_match()
    fine, gone = hooked(made), hooked(made)
    recorded_round(made)
    told()
    first, other = take_due(NOW, 9)
    write_answer(other, Answer(410), NOW, NoLuck())
    write_answer(first, Answer(200), NOW, NoLuck())
    write_answer(first, Answer(500), NOW, NoLuck())
    assert [Webhook.objects.get(uid=uid).off_because for uid in (fine, gone)] == ["", "gone"]
    states = Delivery.objects.order_by("webhook").values_list("state", "status")
    assert list(states) == [("delivered", 200), ("waiting", 410)]


@database
def test_where_nothing_happened_one_question_says_so(django_assert_num_queries: Any) -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    write_what_is_due(NOW)
    with django_assert_num_queries(1):
        write_what_is_due(NOW)
    with django_assert_num_queries(1):
        assert take_due(NOW - timedelta(seconds=1), 9) == []


@database
def test_an_event_that_is_put_away_tells_nobody() -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    assert len(told()) == 1
    recorded_round(made)
    Tournament.objects.update(put_away=True)
    assert (len(told()), take_due(NOW, 9)) == (1, [])


@database
@pytest.mark.parametrize(
    ("status", "state"),
    [(200, State.DELIVERED), (204, State.DELIVERED), (301, State.WAITING), (404, State.WAITING)],
    ids=["200", "204", "301", "404"],
)
def test_only_a_success_is_an_arrival(status: int, state: str) -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    told()
    tried(Answer(status), NOW)
    assert (Delivery.objects.get().state, Webhook.objects.get().failing_since) == (
        state,
        None if state == State.DELIVERED else NOW,
    )


@database
def test_a_receiver_that_is_gone_is_told_nothing_more_until_an_organiser_lets_it_go_on() -> None:
    made = running_match()
    webhook = hooked(made, kinds=["results"])
    recorded_round(made)
    told()
    tried(Answer(410), NOW)
    row = Webhook.objects.get()
    assert (row.off_at, row.off_because) == (NOW, "gone")
    recorded_round(made)
    assert len(told()) == 1
    assert take_due(NOW + timedelta(days=1), 9) == []
    assert refusal(made, actions.try_webhook, webhook=webhook) == [("webhook_rests", "/webhook")]
    made.act(actions.set_webhook, webhook=webhook, kinds=["results"], paused=False)
    assert len(told()) == 1  # what happened meanwhile is not told
    recorded_round(made)
    assert len(told()) == 2
    assert len(take_due(NOW + timedelta(days=1), 9)) == 1  # one at a time, the older first
    assert agrees(made)


@database
def test_a_receiver_that_fails_for_three_days_is_switched_off() -> None:
    made = running_match()
    webhook = hooked(made)
    made.act(actions.try_webhook, webhook=webhook)
    Delivery.objects.update(due_at=NOW)
    tried(Answer(500), NOW)
    Delivery.objects.update(due_at=NOW)
    tried(Answer(500), NOW + FAILS - timedelta(seconds=1))
    assert Webhook.objects.get().off_at is None
    Delivery.objects.update(due_at=NOW)
    tried(Answer(fault="unreachable"), NOW + FAILS)
    row = Webhook.objects.get()
    assert (row.off_because, row.failing_since) == ("failing", NOW)


@database
def test_a_success_ends_the_days_of_failing() -> None:
    made = running_match()
    webhook = hooked(made)
    made.act(actions.try_webhook, webhook=webhook)
    for answer in (Answer(500), Answer(200)):
        Delivery.objects.update(due_at=NOW)
        tried(answer, NOW)
    assert Webhook.objects.get().failing_since is None


@database
def test_a_try_whose_server_died_is_tried_by_another() -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    told()
    (lost,) = take_due(NOW, 9)
    assert take_due(NOW + LEASE - timedelta(seconds=1), 9) == []
    (again,) = take_due(NOW + LEASE, 9)
    assert (again.uid, again.tries) == (lost.uid, 2)
    write_answer(lost, Answer(500), NOW + LEASE, NoLuck())  # says too late what came of it
    assert Delivery.objects.get().status is None
    write_answer(again, Answer(200), NOW + LEASE, NoLuck())
    assert Delivery.objects.get().state == State.DELIVERED


@database
def test_a_pause_holds_what_waits_and_forgets_what_happens() -> None:
    made = running_match()
    webhook = hooked(made, kinds=["results"])
    recorded_round(made)
    told()
    made.act(actions.set_webhook, webhook=webhook, kinds=["results"], paused=True)
    recorded_round(made)
    assert (len(told()), take_due(NOW, 9)) == (1, [])
    made.act(actions.set_webhook, webhook=webhook, kinds=["results"], paused=False)
    assert (len(told()), len(take_due(NOW, 9))) == (1, 1)


@database
def test_a_message_is_sent_again_with_its_id_and_all_its_tries() -> None:
    made = running_match()
    webhook = hooked(made)
    made.act(actions.try_webhook, webhook=webhook)
    Delivery.objects.update(due_at=NOW)
    first = tried(Answer(200, "thanks"), NOW)
    made.act(actions.send_again, delivery=first.uid)
    Delivery.objects.update(due_at=NOW)
    (second,) = take_due(NOW, 9)
    assert (second.uid, second.body, second.tries) == (first.uid, first.body, 1)
    made.act(actions.remove_webhook, webhook=webhook)
    write_answer(second, Answer(200), NOW, NoLuck())  # nobody keeps it any more
    assert not Delivery.objects.exists()
    assert agrees(made)


@database
def test_what_is_over_is_forgotten_after_a_month_and_beyond_five_hundred() -> None:
    made = running_match()
    hooked(made)
    webhook = Webhook.objects.get()

    def keep(many: int, at: datetime, state: str) -> None:
        rows = [
            Delivery(webhook=webhook, kind="test", body="{}", made_at=at, due_at=at, state=state)
            for _ in range(many)
        ]
        Delivery.objects.bulk_create(rows)

    month = timedelta(days=31)
    keep(3, NOW - month, State.WAITING)
    keep(3, NOW - month, State.GIVEN_UP)
    keep(2, NOW, State.DELIVERED)
    forget_old(NOW)
    assert Delivery.objects.filter(state=State.GIVEN_UP).count() == 0
    assert Delivery.objects.count() == 5
    keep(KEPT, NOW, State.DELIVERED)
    first = webhook
    hooked(made)
    webhook = Webhook.objects.exclude(pk=first.pk).get()
    keep(4, NOW, State.DELIVERED)
    keep(1, NOW - timedelta(days=30), State.GIVEN_UP)
    forget_old(NOW)
    assert Delivery.objects.filter(state=State.DELIVERED, webhook=first).count() == KEPT
    assert Delivery.objects.filter(state=State.WAITING).count() == 3
    assert Delivery.objects.filter(webhook=webhook).count() == 5


@database
def test_two_servers_that_look_at_the_same_row_tell_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_match()
    hooked(made)
    recorded_round(made)
    looked = deliveries.notices_since

    def and_somebody_else(webhook: Webhook, most: int) -> tuple[int, list[events.Notice]]:
        found = looked(webhook, most)
        monkeypatch.setattr(deliveries, "notices_since", looked)
        write_what_is_due(NOW)
        return found

    monkeypatch.setattr(deliveries, "notices_since", and_somebody_else)
    write_what_is_due(NOW)
    assert Delivery.objects.count() == 1
    assert Webhook.objects.filter(cursor=F("tournament__version")).exists()
    assert MOST_ROWS >= 100


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
    assert refusal(made, actions.add_webhook, **whole) == [fault]


@database
def test_an_event_has_so_many_webhooks_and_none_where_the_operator_wants_none(settings: Settings) -> None:
    made = running_match()
    for _ in range(MOST_WEBHOOKS):
        hooked(made)
    more = {"webhook": uuid4(), "address": "https://a.example/", "kinds": ["results"]}
    assert refusal(made, actions.add_webhook, **more) == [("too_many_webhooks", "/address")]
    settings.WEBHOOKS = False
    assert refusal(made, actions.add_webhook, **more) == [("webhooks_off", "")]


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
    monkeypatch.setattr(posting, "PAUSES", [timedelta(milliseconds=50)] * 7)
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
        beside=[Beside()],
    )
    asked = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, Any]:
        return {"type": next(asked)}

    async def send(message: Any) -> None:
        heard.append(message["type"])

    asyncio.run(cast(Any, front({"type": "lifespan"}, receive, send)))
    assert heard == ["start", "lifespan.startup.complete", "stop", "lifespan.shutdown.complete"]
