"""Webhooks: add one, test it, pause it, remove it.

The ledger records who did it and when, and holds no facts: an address may be as secret as a password, and no archive
contains it.
"""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, check, or_refuse, refuse_if
from tournament.models import Delivery, Webhook
from tournament.results import Fault, Refused
from tournament.webhooks.addresses import target_of
from tournament.webhooks.events import test_notice
from tournament.webhooks.posting import new_secret
from tournament.words.text import clean

__all__ = ["add_webhook", "remove_webhook", "send_again", "set_webhook", "try_webhook"]

MOST_WEBHOOKS = 10


@action(least="organiser", says=_("added a webhook"), undo="again", account=True)
def add_webhook(work: Work, *, webhook: UUID, address: str, kinds: Sequence[str]) -> None:
    """Add an address that is told about events of these kinds (Webhook.Kind) from now on.

    Raises Refused `webhooks_off` if the operator has disabled them, `too_many_webhooks`, `no_webhook_kind`,
    `unknown_webhook_kind`, `webhook_address`, `webhook_https`, `webhook_private`, and faults of the fields.
    """
    refuse_if(not settings.WEBHOOKS, Fault("webhooks_off"))
    if Webhook.objects.filter(tournament=work.tournament).count() >= MOST_WEBHOOKS:
        raise Refused(Fault("too_many_webhooks", "/address", {"most": MOST_WEBHOOKS}))
    row = Webhook(
        uid=webhook,
        tournament=work.tournament,
        address=clean(address),
        kinds=_kinds(kinds),
        secret=new_secret(),
        cursor=work.sequence,
        made_at=work.at,
    )
    check(row)
    target_of(row.address)
    row.save(force_insert=True)


@action(least="organiser", says=_("changed a webhook"), undo="again")
def set_webhook(work: Work, *, webhook: UUID, kinds: Sequence[str], paused: bool) -> None:
    """Choose what a webhook is told, and whether it is paused. Events during a pause are not sent later; messages
    already queued stay queued. `paused` False also resumes a webhook that the sender switched off.

    Raises Refused `unknown_webhook`, `no_webhook_kind` and `unknown_webhook_kind`.
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
    """Remove a webhook with its messages. Raises Refused `unknown_webhook`."""
    _webhook(work, webhook).delete()


@action(least="organiser", says=_("tested a webhook"), undo="again")
def try_webhook(work: Work, *, webhook: UUID) -> None:
    """Send a test message, to see whether it arrives. Raises Refused `unknown_webhook` and `webhook_rests`."""
    row = _awake(work, webhook)
    notice = test_notice(work.tournament, work.at)
    Delivery.objects.create(webhook=row, kind=notice.kind, body=notice.body, made_at=work.at, due_at=work.at)


@action(least="organiser", says=_("resent a webhook message"), undo="again")
def send_again(work: Work, *, delivery: UUID) -> None:
    """Send a message again, now and with all its retries; its id stays, so that the receiver can recognise it.

    Raises Refused `unknown_delivery` and `webhook_rests`.
    """
    found = Delivery.objects.filter(webhook__tournament=work.tournament, uid=delivery)
    webhooks = found.values_list("webhook__uid", flat=True)
    _awake(work, or_refuse(webhooks.first(), Fault("unknown_delivery", "/delivery")))
    found.update(state=Delivery.State.WAITING, tries=0, due_at=work.at)


def _webhook(work: Work, uid: UUID) -> Webhook:
    """Find the event's webhook of this uid, locked against the sender."""
    return or_refuse(
        Webhook.objects.select_for_update().filter(tournament=work.tournament, uid=uid).first(),
        Fault("unknown_webhook", "/webhook"),
    )


def _awake(work: Work, uid: UUID) -> Webhook:
    row = _webhook(work, uid)
    refuse_if(row.paused or row.off_at is not None, Fault("webhook_rests", "/webhook"))
    return row


def _kinds(kinds: Sequence[str]) -> list[str]:
    """List the kinds, each once, in the order of Webhook.Kind."""
    if not isinstance(kinds, list | tuple) or any(kind not in Webhook.Kind.values for kind in kinds):
        raise Refused(Fault("unknown_webhook_kind", "/kinds"))
    refuse_if(not kinds, Fault("no_webhook_kind", "/kinds"))
    return [kind for kind in Webhook.Kind.values if kind in kinds]
