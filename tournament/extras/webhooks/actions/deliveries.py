"""Webhook queue, outside the ledger: short transactions, safe for several servers. Lock order: the webhook before its
messages."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from random import Random

from django.db.models import F, Min, QuerySet

from tournament.actions.kernel import writing
from tournament.extras.webhooks import queries as events
from tournament.extras.webhooks.live import GONE, PATIENCE, Answer, next_try
from tournament.models import Delivery, Webhook
from tournament.server.database import snapshot

MOST_ROWS = 200  # rows
LEASE = timedelta(seconds=60)  # after that a try counts as lost
EACH = 2  # per event, so that dead receivers do not block others
KEPT_DELIVERIES = 500  # messages per webhook
KEPT_FOR = timedelta(days=30)

State = Delivery.State


def write_what_is_due(now: datetime) -> None:
    """Queue messages for new ledger rows, for all active webhooks."""
    for webhook in (
        _awake().filter(cursor__lt=F("tournament__version")).select_related("tournament").order_by("pk")
    ):
        with snapshot():
            last, notices = events.notices_since(webhook, MOST_ROWS)
        with writing():
            # Optimistic lock: the cursor moved
            if not _awake().filter(pk=webhook.pk, cursor=webhook.cursor).update(cursor=last):
                continue
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
    """Claim up to `most` due messages for LEASE: one per webhook not in `busy`, EACH per event including the busy
    ones."""
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
        rows = due.select_related("webhook").order_by("due_at", "pk")
        rows = rows.select_for_update(skip_locked=True, of=("self",))
        claimed = [row for webhook in chosen for row in rows.filter(webhook=webhook)[:1]]
        for row in claimed:
            row.tries += 1
            row.tried_at, row.due_at = now, now + LEASE
            row.save(update_fields=["tries", "tried_at", "due_at"])
        return claimed


def write_answer(taken: Delivery, answer: Answer, now: datetime, chance: Random) -> None:
    """Store the outcome of `taken`; a webhook that is gone or failed for `PATIENCE` is switched off."""
    fine = answer.arrived
    later = None if fine else next_try(taken.tries, now, chance)
    state = State.DELIVERED if fine else State.WAITING if later else State.GIVEN_UP
    with writing():
        webhook = Webhook.objects.select_for_update().filter(pk=taken.webhook_id).first()
        # If claimed or resent meanwhile, that try reports
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
    """Delete finished messages older than KEPT_FOR, and all but the last ones of each webhook."""
    over = Delivery.objects.exclude(state=State.WAITING)
    for webhook in Webhook.objects.all():
        rows = over.filter(webhook=webhook)
        last = list(rows.order_by("-pk").values_list("pk", flat=True)[:KEPT_DELIVERIES])
        old = rows.filter(made_at__lt=now - KEPT_FOR)
        if len(last) == KEPT_DELIVERIES:
            old |= rows.filter(pk__lt=last[-1])
        if old.exists():
            with writing():
                old.delete()


def _awake() -> QuerySet[Webhook]:
    return Webhook.objects.filter(paused=False, off_at=None, tournament__put_away=False)
