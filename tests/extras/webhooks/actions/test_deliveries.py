"""Messages to webhooks: which is tried when, what came of it, what is forgotten."""

import json
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from tests.extras.webhooks.telling import NOW, NoLuck, hooked, told, tried
from tests.support.asking_actions import agrees, refusal
from tests.support.factories import recorded_round, running_match
from tournament import actions
from tournament.extras.webhooks.actions import set_webhook, try_webhook
from tournament.extras.webhooks.actions.deliveries import (
    EACH,
    KEPT_DELIVERIES,
    LEASE,
    forget_old,
    take_due,
    write_answer,
    write_what_is_due,
)
from tournament.extras.webhooks.live import PATIENCE as FAILS, PAUSES, Answer
from tournament.models import Delivery, Tournament, Webhook

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
def test_event_with_many_receivers_leaves_room_for_the_others() -> None:
    many, few = running_match(), running_match()
    for made, webhooks in ((many, 8), (few, 1)):
        for _ in range(webhooks):
            hooked(made, kinds=["results"])
        recorded_round(made)
        told()

    def events(taken: list[Delivery]) -> list[int]:
        return [row.webhook.tournament_id for row in taken]

    first = take_due(NOW, 8)
    assert events(first) == [many.tournament.pk] * EACH + [few.tournament.pk]
    busy = [row.webhook_id for row in first]
    assert take_due(NOW, 5, busy) == []
    assert events(take_due(NOW, 5, busy[1:])) == [many.tournament.pk]


@database
def test_pauses_are_spread() -> None:
    made = running_match()
    for _ in range(EACH):
        hooked(made, kinds=["results"])
    recorded_round(made)
    told()
    for number, taken in enumerate(take_due(NOW, 9)):
        write_answer(taken, Answer(500), NOW, Random(number))
    due = set(Delivery.objects.values_list("due_at", flat=True))
    assert len(due) == EACH
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
    assert [taken.webhook_id for taken in take_due(later, 1)] == webhooks[:1]
    assert [taken.webhook_id for taken in take_due(later, 9, busy=webhooks[:1])] == webhooks[1:]
    Delivery.objects.update(tries=0)
    Delivery.objects.filter(kind="incidents").update(due_at=NOW)
    Delivery.objects.filter(kind="results").update(due_at=later)
    first, other = take_due(later, 9)
    assert [first.webhook_id, other.webhook_id] == webhooks
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
@pytest.mark.beside
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
    assert refusal(made, try_webhook, webhook=webhook) == [("webhook_rests", "/webhook")]
    made.act(set_webhook, webhook=webhook, kinds=["results"], paused=False)
    assert len(told()) == 1  # what happened meanwhile is not told
    recorded_round(made)
    assert len(told()) == 2
    assert len(take_due(NOW + timedelta(days=1), 9)) == 1  # one at a time, the older first
    assert agrees(made)


@database
def test_a_receiver_that_fails_for_three_days_is_switched_off() -> None:
    made = running_match()
    webhook = hooked(made)
    made.act(try_webhook, webhook=webhook)
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
    made.act(try_webhook, webhook=webhook)
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
    keep(KEPT_DELIVERIES, NOW, State.DELIVERED)
    first = webhook
    hooked(made)
    webhook = Webhook.objects.exclude(pk=first.pk).get()
    keep(4, NOW, State.DELIVERED)
    keep(1, NOW - timedelta(days=30), State.GIVEN_UP)
    forget_old(NOW)
    assert Delivery.objects.filter(state=State.DELIVERED, webhook=first).count() == KEPT_DELIVERIES
    assert Delivery.objects.filter(state=State.WAITING).count() == 3
    assert Delivery.objects.filter(webhook=webhook).count() == 5
