"""Webhooks of an event."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from tournament.extras.webhooks import actions
from tournament.extras.webhooks.actions import MOST_WEBHOOKS
from tournament.extras.webhooks.live import LONGEST_ADDRESS
from tournament.forms.fields import merged
from tournament.models import Delivery, Tournament, Webhook
from tournament.results import Typed
from tournament.views import (
    Attempt,
    attempt_action,
    get_row,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    saved,
    signed_in_form,
    unchanged,
)

SHOWN = 50  # messages
WEBHOOKS = Webhook.objects.select_related("tournament__organiser")

Choice = tuple[str, str, bool]  # kind, label, chosen


@signed_in_form
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """List the webhooks; POST adds one and shows its secret once."""
    tournament = get_tournament(request, slug)
    uid = new_uid(request, "webhook")
    attempt = attempt_action(
        request,
        actions.add_webhook,
        tournament.uid,
        webhook=uid,
        address=request.POST.get("address", ""),
        kinds=request.POST.getlist("kinds"),
    )
    if attempt.receipt is None:
        return _list(request, tournament, attempt)
    if attempt.receipt.replayed:
        return saved(reverse("organise-webhooks", args=[slug]), attempt.receipt)
    return _list(request, tournament, Attempt(), Webhook.objects.filter(uid=uid).first())


@signed_in_form
def webhook(request: HttpRequest, webhook: UUID) -> HttpResponse:
    """A webhook and its last messages; POST sets kinds and pause."""
    row = get_row(request, WEBHOOKS, uid=webhook)
    stored = _texts(row)
    typed = {**request.POST.dict(), "kinds": ",".join(sorted(request.POST.getlist("kinds")))}
    changed, faults = merged({"paused": "", **typed}, stored)
    if request.method == "POST" and not changed:
        return unchanged(request).answer(_address(row), HttpResponse)
    now = stored | changed
    attempt = attempt_action(
        request,
        actions.set_webhook,
        row.tournament.uid,
        typed=Typed(now, faults),
        webhook=row.uid,
        kinds=[kind for kind in now["kinds"].split(",") if kind],
        paused=now["paused"] == "on",
    )
    return attempt.answer(_address(row), lambda: _one(request, row, attempt))


@signed_in_form
def try_out(request: HttpRequest, webhook: UUID) -> HttpResponse:
    """Send a test message."""
    row = get_row(request, WEBHOOKS, uid=webhook)
    attempt = attempt_action(request, actions.try_webhook, row.tournament.uid, webhook=row.uid)
    return attempt.answer_button(request, _address(row), lambda: _one(request, row, attempt))


@signed_in_form
def remove(request: HttpRequest, webhook: UUID) -> HttpResponse:
    row = get_row(request, WEBHOOKS, uid=webhook)
    attempt = attempt_action(request, actions.remove_webhook, row.tournament.uid, webhook=row.uid)
    if attempt.receipt:
        return saved(reverse("organise-webhooks", args=[row.tournament.slug]), attempt.receipt)
    return attempt.answer_button(request, _address(row), lambda: _one(request, row, attempt))


@signed_in_form
def again(request: HttpRequest, delivery: UUID) -> HttpResponse:
    row = get_row(request, WEBHOOKS, deliveries__uid=delivery)
    attempt = attempt_action(request, actions.send_again, row.tournament.uid, delivery=delivery)
    return attempt.answer_button(request, _address(row), lambda: _one(request, row, attempt))


def _texts(row: Webhook) -> dict[str, str]:
    rests = row.paused or row.off_at is not None
    return {"kinds": ",".join(sorted(row.kinds)), "paused": "on" if rests else ""}


def _address(row: Webhook) -> str:
    return reverse("organise-webhook", args=[row.uid])


@sensitive_variables("made")
def _list(
    request: HttpRequest,
    tournament: Tournament,
    attempt: Attempt,
    made: Webhook | None = None,
) -> HttpResponse:
    rows = list(Webhook.objects.filter(tournament=tournament))
    return page(
        request,
        "webhooks/webhooks.html",
        tournament,
        status=attempt.status,
        section="events",
        rows=[(row, [word for _kind, word, told in _choices(row.kinds) if told]) for row in rows],
        made=made,
        kinds=_choices(request.POST.getlist("kinds") if attempt.faults else ()),
        address=request.POST.get("address", "") if attempt.faults else "",
        longest=LONGEST_ADDRESS,
        off=not settings.WEBHOOKS,
        full=len(rows) >= MOST_WEBHOOKS,
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )


def _one(request: HttpRequest, row: Webhook, attempt: Attempt) -> HttpResponse:
    return page(
        request,
        "webhooks/webhook.html",
        row.tournament,
        status=attempt.status,
        section="events",
        row=row,
        rests=row.paused or row.off_at is not None,
        stored=_texts(row),
        kinds=_choices(request.POST.getlist("kinds") if attempt.faults else row.kinds),
        deliveries=list(Delivery.objects.filter(webhook=row).order_by("-pk")[:SHOWN]),
        shown=SHOWN,
        off=not settings.WEBHOOKS,
        at=receipt_of(request, row.tournament),
        **attempt.context(),
    )


def _choices(chosen: Sequence[str]) -> list[Choice]:
    return [(kind.value, str(kind.label), kind.value in chosen) for kind in Webhook.Kind]
