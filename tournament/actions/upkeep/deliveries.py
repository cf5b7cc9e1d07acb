"""The writes of the webhook sender: messages that are due, which server tries one, and the outcome.

No person makes them, and no fact of a tournament follows from them, so no ledger holds them. Several servers may run:
each of these functions is one short transaction, in which exactly one server gets what it asks for. A webhook is
locked before its messages, here as in actions/event/webhooks.py.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from random import Random

from django.db.models import F, Min, QuerySet

from tournament.actions.kernel import writing
from tournament.models import Delivery, Webhook
from tournament.server.database import snapshot
from tournament.server.first_use import on_first_use
from tournament.webhooks.posting import GONE, PATIENCE, Answer, next_try

with on_first_use():  # where there is a webhook
    from tournament.webhooks import events

MOST_ROWS = 200  # of the ledger, read in one turn
LEASE = timedelta(seconds=60)  # a try without a reported end counts as lost after that long
EACH = 2  # messages of one event on their way: eight receivers that never answer hold up no other event
KEPT = 500  # messages of a webhook
KEPT_FOR = timedelta(days=30)

State = Delivery.State


def write_what_is_due(now: datetime) -> None:
    """Make messages from the ledger rows that are new, for every webhook that is not paused."""
    waiting = _awake().filter(cursor__lt=F("tournament__version")).select_related("tournament")
    for webhook in waiting.order_by("pk"):
        with snapshot():
            last, notices = events.notices_since(webhook, MOST_ROWS)
        _write(webhook, last, notices, now)


def _write(webhook: Webhook, last: int, notices: Sequence[events.Notice], now: datetime) -> None:
    with writing():
        # If another server or an organiser has moved the cursor in the meantime, this turn was theirs.
        if not _awake().filter(pk=webhook.pk, cursor=webhook.cursor).update(cursor=last):
            return
        Delivery.objects.bulk_create(
            Delivery(
                webhook=webhook,
                kind=notice.kind,
                sequence=notice.sequence,
                subject=notice.subject,
                body=notice.body,
                made_at=now,
                due_at=now,
            )
            for notice in notices
        )


def take_due(now: datetime, most: int, busy: Collection[int] = ()) -> list[Delivery]:
    """Take the messages to try now, at most so many, one for each webhook, except `busy` webhooks, and `EACH` for each
    event with those. They are this server's until `LEASE` is over; their `tries` include this one."""
    waiting = Delivery.objects.filter(state=State.WAITING, webhook__in=_awake())
    due = waiting.filter(due_at__lte=now).exclude(webhook__in=busy)
    if not due.exists():
        return []
    with writing():
        first = due.order_by().values_list("webhook", "webhook__tournament").annotate(first=Min("due_at"))
        taken = Counter(Webhook.objects.filter(pk__in=busy).values_list("tournament", flat=True))
        chosen: list[int] = []
        for webhook, tournament, _ in first.order_by("first", "webhook"):
            if len(chosen) < most and taken[tournament] < EACH:
                taken[tournament] += 1
                chosen.append(webhook)
        return [_take(row, now) for webhook in chosen for row in _longest_due(due, webhook)]


def _longest_due(due: QuerySet[Delivery], webhook: int) -> QuerySet[Delivery]:
    """Find the webhook's message that has been due the longest; None if another server takes it."""
    rows = due.filter(webhook=webhook).select_related("webhook").order_by("due_at", "pk")
    return rows.select_for_update(skip_locked=True, of=("self",))[:1]


def _take(row: Delivery, now: datetime) -> Delivery:
    row.tries += 1
    row.tried_at, row.due_at = now, now + LEASE
    row.save(update_fields=["tries", "tried_at", "due_at"])
    return row


def write_answer(taken: Delivery, answer: Answer, now: datetime, chance: Random) -> None:
    """Store the outcome of a try of the `taken` message: it arrived, will be retried later, or is given up. A webhook
    whose address is gone, or where nothing has arrived for `PATIENCE`, is switched off."""
    fine = answer.arrived
    later = None if fine else next_try(taken.tries, now, chance)
    state = State.DELIVERED if fine else State.WAITING if later else State.GIVEN_UP
    with writing():
        webhook = Webhook.objects.select_for_update().filter(pk=taken.webhook_id).first()
        # If another server has taken it since, or an organiser sent it again, that try reports its end.
        mine = Delivery.objects.filter(pk=taken.pk, state=State.WAITING, tries=taken.tries)
        if webhook is None or not mine.update(
            state=state,
            due_at=later or now,
            status=answer.status,
            answer=answer.text,
            fault=answer.fault,
        ):
            return
        _write_how_it_is(webhook, answer, now, fine=fine)


def _write_how_it_is(webhook: Webhook, answer: Answer, now: datetime, *, fine: bool) -> None:
    """Note since when a webhook has been failing, and switch it off."""
    since = None if fine else webhook.failing_since or now
    off = ""
    if answer.status == GONE:
        off = Webhook.Off.GONE
    elif since and now - since >= PATIENCE:
        off = Webhook.Off.FAILING
    if off and webhook.off_at is None:
        webhook.off_at, webhook.off_because = now, off
    elif since == webhook.failing_since:
        return
    webhook.failing_since = since
    webhook.save(update_fields=["failing_since", "off_at", "off_because"])


def forget_old(now: datetime) -> None:
    """Delete messages that are over: those older than `KEPT_FOR`, and of each webhook all but the last `KEPT`."""
    over = Delivery.objects.exclude(state=State.WAITING)
    for webhook in Webhook.objects.all():
        rows = over.filter(webhook=webhook)
        last = list(rows.order_by("-pk").values_list("pk", flat=True)[:KEPT])
        old = rows.filter(made_at__lt=now - KEPT_FOR)
        if len(last) == KEPT:
            old |= rows.filter(pk__lt=last[-1])
        if old.exists():
            with writing():
                old.delete()


def _awake() -> QuerySet[Webhook]:
    return Webhook.objects.filter(paused=False, off_at=None, tournament__put_away=False)
