"""Webhooks: the addresses that an event tells what happens, a new one with its secret shown once, and what became of
the messages to each."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.actions import Receipt
from tournament.actions.event.webhooks import MOST_WEBHOOKS
from tournament.models import Delivery, Membership, Tournament, Webhook
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_tournament, refuse_below, signed_in, user_of
from tournament.views._answer import OK, Attempt, attempt_action, page, receipt_of, saved
from tournament.webhooks.addresses import LONGEST

SHOWN = 50  # messages

Choice = tuple[str, str, bool]  # a kind, its word, whether it is chosen


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """Every webhook of the event; POST adds one and shows its secret, which nothing does again."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _list(request, tournament)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    uid = uuid5(command, "webhook")
    attempt = attempt_action(
        request,
        actions.add_webhook,
        tournament.uid,
        webhook=uid,
        address=request.POST.get("address", ""),
        kinds=request.POST.getlist("kinds"),
    )
    if attempt.receipt is None:
        return _list(request, tournament, attempt=attempt)
    if attempt.receipt.replayed:
        return saved(reverse("organise-webhooks", args=[slug]), attempt.receipt)
    return _list(request, tournament, made=Webhook.objects.filter(uid=uid).first())


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, webhook: UUID) -> HttpResponse:
    """One of them with its last messages; POST says what it is told, and whether it rests."""
    row = _row(request, Webhook.objects.filter(uid=webhook))
    if request.method != "POST":
        return _one(request, row)
    return _done(
        request,
        row,
        actions.set_webhook,
        webhook=row.uid,
        kinds=request.POST.getlist("kinds"),
        paused=request.POST.get("paused") == "on",
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def try_out(request: HttpRequest, webhook: UUID) -> HttpResponse:
    """Send it a test."""
    row = _row(request, Webhook.objects.filter(uid=webhook))
    if request.method != "POST":
        return redirect("organise-webhook", webhook=row.uid)
    return _done(request, row, actions.try_webhook, webhook=row.uid)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, webhook: UUID) -> HttpResponse:
    """Tell it nothing more."""
    row = _row(request, Webhook.objects.filter(uid=webhook))
    if request.method != "POST":
        return redirect("organise-webhook", webhook=row.uid)
    attempt = attempt_action(request, actions.remove_webhook, row.tournament.uid, webhook=row.uid)
    if attempt.receipt is None:
        return _one(request, row, attempt)
    return saved(reverse("organise-webhooks", args=[row.tournament.slug]), attempt.receipt)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HttpRequest, delivery: UUID) -> HttpResponse:
    """Send a message once more."""
    row = _row(request, Webhook.objects.filter(deliveries__uid=delivery))
    if request.method != "POST":
        return redirect("organise-webhook", webhook=row.uid)
    return _done(request, row, actions.send_again, delivery=delivery)


def _row(request: HttpRequest, rows: Any) -> Webhook:
    row: Webhook | None = rows.select_related("tournament__organiser").first()
    if row is None:
        raise Http404
    refuse_below(user_of(request), row.tournament, Membership.Role.ORGANISER)
    return row


def _done(
    request: HttpRequest, row: Webhook, action: Callable[..., Receipt], **arguments: Any
) -> HttpResponse:
    attempt = attempt_action(request, action, row.tournament.uid, **arguments)
    if attempt.receipt is None:
        return _one(request, row, attempt)
    return saved(reverse("organise-webhook", args=[row.uid]), attempt.receipt)


@sensitive_variables("made")
def _list(
    request: HttpRequest,
    tournament: Tournament,
    *,
    attempt: Attempt | None = None,
    made: Webhook | None = None,
) -> HttpResponse:
    """`attempt` is what came of the form, `made` the one just added."""
    rows = list(Webhook.objects.filter(tournament=tournament))
    chosen = request.POST.getlist("kinds") if attempt else Webhook.Kind.values
    context = {
        "section": "events",
        "rows": [(row, _words(row.kinds)) for row in rows],
        "made": made,
        "kinds": _choices(chosen),
        "address": request.POST.get("address", "") if attempt else "",
        "longest": LONGEST,
        "off": not settings.WEBHOOKS,
        "full": len(rows) >= MOST_WEBHOOKS,
        "command": uuid4(),
        "at": receipt_of(request, tournament),
        **(attempt.context() if attempt else {}),
    }
    status = attempt.status if attempt else OK
    return page(request, "organiser/webhooks.html", context, tournament, status=status)


def _one(request: HttpRequest, row: Webhook, attempt: Attempt | None = None) -> HttpResponse:
    context = {
        "section": "events",
        "row": row,
        "rests": row.paused or row.off_at is not None,
        "kinds": _choices(row.kinds),
        "deliveries": list(Delivery.objects.filter(webhook=row).order_by("-pk")[:SHOWN]),
        "shown": SHOWN,
        "off": not settings.WEBHOOKS,
        "at": receipt_of(request, row.tournament),
        **(attempt.context() if attempt else {}),
    }
    status = attempt.status if attempt else OK
    return page(request, "organiser/webhook.html", context, row.tournament, status=status)


def _choices(chosen: Sequence[str]) -> list[Choice]:
    return [(kind.value, str(kind.label), kind.value in chosen) for kind in Webhook.Kind]


def _words(kinds: Sequence[str]) -> list[str]:
    return [label for kind, label, chosen in _choices(kinds) if chosen]
