"""Webhooks. The ledger and archives omit their addresses, which may be secrets."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, check, or_refuse, refuse, refuse_if
from tournament.extras.webhooks.live import new_secret, target_of
from tournament.extras.webhooks.queries import test_notice
from tournament.models import Delivery, Webhook
from tournament.results import Fault
from tournament.words.text import clean

__all__ = ["add_webhook", "remove_webhook", "send_again", "set_webhook", "try_webhook"]

MOST_WEBHOOKS = 10


@action(least="organiser", says=_("added a webhook"), undo="again", account=True)
def add_webhook(work: Work, *, webhook: UUID, address: str, kinds: Sequence[str]) -> None:
    """Add an address for future events of these kinds (Webhook.Kind).

    Refused `webhooks_off` (by the operator), `too_many_webhooks`, `no_webhook_kind`, `unknown_webhook_kind`,
    `webhook_address`, `webhook_https`, `webhook_private`, field faults.
    """
    refuse_if(not settings.WEBHOOKS, Fault("webhooks_off"))
    refuse_if(
        Webhook.objects.filter(tournament=work.tournament).count() >= MOST_WEBHOOKS,
        Fault("too_many_webhooks", "/address", {"most": MOST_WEBHOOKS}),
    )
    row = Webhook(
        uid=webhook,
        tournament=work.tournament,
        address=clean(address),
        secret=new_secret(),
        cursor=work.sequence,
        made_at=work.at,
    )
    with work.faults:
        row.kinds = _kinds(kinds)
    with work.faults:
        check(row)
    target_of(row.address)
    refuse(work.faults)
    row.save(force_insert=True)


@action(least="organiser", says=_("changed a webhook"), undo="again")
def set_webhook(work: Work, *, webhook: UUID, kinds: Sequence[str], paused: bool) -> None:
    """Set kinds and pause: its events are dropped, queued messages stay. Unpausing re-enables a webhook that was
    switched off.

    Refused `unknown_webhook`, `no_webhook_kind`, `unknown_webhook_kind`.
    """
    row = _webhook(work, webhook)
    rested = row.paused or row.off_at is not None
    row.kinds, row.paused = _kinds(kinds), paused
    if rested and not paused:
        row.off_at, row.off_because, row.failing_since = None, "", None
        row.cursor = work.sequence
    row.save()


@action(least="organiser", says=_("removed a webhook"), undo="again")
def remove_webhook(work: Work, *, webhook: UUID) -> None:
    """Remove a webhook and its messages. Refused `unknown_webhook`."""
    _webhook(work, webhook).delete()


@action(least="organiser", says=_("tested a webhook"), undo="again")
def try_webhook(work: Work, *, webhook: UUID) -> None:
    """Send a test message. Refused `unknown_webhook`, `webhook_rests`."""
    row = _awake(work, webhook)
    notice = test_notice(work.tournament, work.at)
    Delivery.objects.create(webhook=row, kind=notice.kind, body=notice.body, made_at=work.at, due_at=work.at)


@action(least="organiser", says=_("resent a webhook message"), undo="again")
def send_again(work: Work, *, delivery: UUID) -> None:
    """Resend a message under the same id. Refused `unknown_delivery`, `webhook_rests`."""
    found = Delivery.objects.filter(webhook__tournament=work.tournament, uid=delivery)
    webhooks = found.values_list("webhook__uid", flat=True)
    _awake(work, or_refuse(webhooks.first(), Fault("unknown_delivery", "/delivery")))
    found.update(state=Delivery.State.WAITING, tries=0, due_at=work.at)


def _webhook(work: Work, uid: UUID) -> Webhook:
    """Lock it against the sender."""
    return or_refuse(
        Webhook.objects.select_for_update().filter(tournament=work.tournament, uid=uid).first(),
        Fault("unknown_webhook", "/webhook"),
    )


def _awake(work: Work, uid: UUID) -> Webhook:
    row = _webhook(work, uid)
    refuse_if(row.paused or row.off_at is not None, Fault("webhook_rests", "/webhook"))
    return row


def _kinds(kinds: Sequence[str]) -> list[str]:
    refuse_if(
        not isinstance(kinds, list | tuple) or any(kind not in Webhook.Kind.values for kind in kinds),
        Fault("unknown_webhook_kind", "/kinds"),
    )
    refuse_if(not kinds, Fault("no_webhook_kind", "/kinds"))
    return [kind for kind in Webhook.Kind.values if kind in kinds]
