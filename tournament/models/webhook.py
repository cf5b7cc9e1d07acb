"""Webhooks and their deliveries."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import FieldTable, PublicModel
from tournament.models.event import Tournament


class Webhook(PublicModel):
    """An address for messages of `kinds` (extras/webhooks), signed with `secret`. The ledger has only who made and
    changed it. `cursor`: last ledger row processed. Inactive while `paused` (organiser) or since `off_at` (sender);
    `failing_since`: first failure after the last success."""

    class Kind(models.TextChoices):
        RESULTS = "results", _("results")
        STAGES = "stages", _("stages")
        INCIDENTS = "incidents", _("penalties and notes")
        PLAYERS = "players", _("players")
        CALLS = "calls", _("calls")
        EVENT = "event", _("event")

    class Off(models.TextChoices):
        GONE = "gone", _("the receiver answered that it no longer exists")
        FAILING = "failing", _("nothing has arrived there for three days")

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="webhooks", verbose_name=_("event")
    )
    address = models.CharField(_("address"), max_length=500)
    kinds = models.JSONField(_("kinds"), default=list)
    secret = models.CharField(max_length=100, editable=False)
    paused = models.BooleanField(_("paused"), default=False)
    cursor = models.PositiveBigIntegerField(_("processed up to"))
    made_at = models.DateTimeField(_("created"))
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    off_at = models.DateTimeField(_("switched off"), null=True, blank=True)
    off_because = models.CharField(
        _("why it was switched off"), max_length=10, choices=Off.choices, blank=True
    )

    FIELDS = FieldTable(
        of="tournament",
        apart="holds a secret, and another server that told the same address would tell it twice",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.address


class Delivery(PublicModel):
    """A message; its uid is the message id for all attempts. About `subject` (stage, entry, …) as changed by ledger
    row `sequence`; None for tests. `due_at`: next attempt or, during one, its timeout. `status`, `answer`: last
    response; `fault`: why none."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")

    class Fault(models.TextChoices):
        UNREACHABLE = "unreachable", _("the server could not be reached")
        PRIVATE = "private", _("not a public address")
        CERTIFICATE = "certificate", _("no valid certificate")
        TIMEOUT = "timeout", _("no answer in time")
        NOT_HTTP = "not_http", _("the response was not HTTP")

    TEST = "test"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    kind = models.CharField(_("kind"), max_length=10, choices=[*Webhook.Kind.choices, (TEST, _("test"))])
    sequence = models.PositiveBigIntegerField(_("ledger row"), null=True, blank=True)
    subject = models.UUIDField(_("about"), null=True, blank=True)
    body = models.TextField(_("message"))
    made_at = models.DateTimeField(_("created"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(_("due"))
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    tried_at = models.DateTimeField(_("last tried"), null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("response status"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=200, blank=True)
    fault = models.CharField(_("why there was no answer"), max_length=12, choices=Fault.choices, blank=True)

    FIELDS = FieldTable(
        of="webhook__tournament",
        apart="what became of a message to a webhook, which belongs to the server that sent it",
    )

    class Meta:
        ordering = ["webhook_id", "-id"]
        verbose_name = _("webhook message")
        verbose_name_plural = _("webhook messages")
        constraints = [
            models.UniqueConstraint(fields=["webhook", "sequence", "kind", "subject"], name="delivery_once"),
        ]
        indexes = [models.Index(fields=["state", "due_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.sequence or ''}".strip()
