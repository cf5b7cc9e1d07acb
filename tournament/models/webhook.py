"""Webhooks: addresses that are told what happened in an event, and the messages to them with their outcomes."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import FieldTable, PublicModel
from tournament.models.event import Tournament


class Webhook(PublicModel):
    """An address to which messages of these `kinds` go (tournament/webhooks/), each signed with the `secret`.

    No fact of a tournament: its ledger tells who made and changed it, and holds nothing of the row. `cursor` is the
    last ledger row read for it. It rests while it is `paused` by an organiser, or since `off_at`, when the sender
    switched it off; `failing_since` is the time of the first failure since the last success.
    """

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
    """One message to a webhook. Its uid is the message's id, the same at every try.

    It is about the `subject` (a stage, an entry, …) as the ledger row `sequence` changed it; a test message has none.
    `due_at` is the time of the next try or, during a try, when that counts as lost. `status` and `answer` are the
    receiver's last response, `fault` the reason if there was none.
    """

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
