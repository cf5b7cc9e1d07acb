"""Ledger: one immutable row per command (triggers), chained by digests."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.people import User


class LedgerRow(PublicModel):
    """An accepted command. `payload`: resulting facts, ids and numbers only: `{kind: {uid: facts or null}}`.
    `content`: keyed digest of the request, binding the command id. `replaces`: sequence that wrote the changed play.
    `digest` includes `previous`."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="ledger", verbose_name=_("event"))
    sequence = models.PositiveBigIntegerField(_("sequence"))
    at = models.DateTimeField(_("time"))
    actor = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("by"))
    device = models.CharField(_("device"), max_length=64, blank=True)
    command = models.UUIDField(_("command"))
    action = models.CharField(_("action"), max_length=40)
    replaces = models.PositiveBigIntegerField(_("replaces"), null=True)
    payload = models.JSONField(_("facts"))
    content = models.CharField(_("digest of the content"), max_length=64)
    previous = models.CharField(_("digest of the row before"), max_length=64, blank=True)
    digest = models.CharField(_("digest"), max_length=64)

    FIELDS = FieldTable(
        Field("tournament", archive=1),
        Field("sequence", archive=1),
        Field("at", archive=1),
        Field("actor", archive=1),
        Field("device", archive=1),
        Field("command", archive=1),
        Field("action", archive=1),
        Field("replaces", archive=1),
        Field("payload", archive=1),
        Field("content", archive=1),
        Field("previous", archive=1),
        Field("digest", archive=1),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "sequence"]
        verbose_name = _("ledger row")
        verbose_name_plural = _("ledger")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "sequence"], name="ledger_sequence"),
            models.UniqueConstraint(fields=["tournament", "command"], name="ledger_command"),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.action}"

    @property
    def tables(self) -> set[str]:
        """Uids of affected tables, also by seat, play, call or incident."""
        touched = set(self.payload.get("table", ()))
        for kind in ("seat", "play", "call", "incident"):
            rows = self.payload.get(kind, {}).values()
            touched |= {facts["table"] for facts in rows if facts and facts["table"]}
        return touched


class LedgerNote(PublicModel):
    """A ledger row's free text, outside the chain so it can be erased."""

    row = models.OneToOneField(LedgerRow, models.PROTECT, related_name="note", verbose_name=_("ledger row"))
    text = models.CharField(_("note"), max_length=500, blank=True)

    FIELDS = FieldTable(
        Field("row", archive=1),
        Field("text", archive=1, personal="private"),
        of="row__tournament",
    )

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")

    def __str__(self) -> str:
        return self.text


class LedgerCheck(PublicModel):
    """Last check for changes outside actions (ledger/look.py). `taken_at`: start of the newest check; `at`: end of the
    last, which saw row `rows` with digest `head` as the end; `findings`: the first, as `[code, where]`, since
    `found_at`."""

    tournament = models.OneToOneField(
        Tournament, models.CASCADE, related_name="ledger_check", verbose_name=_("event")
    )
    taken_at = models.DateTimeField(_("begun"))
    at = models.DateTimeField(_("checked"), null=True, blank=True)
    rows = models.PositiveBigIntegerField(_("rows"), default=0)
    head = models.CharField(_("digest of the last row"), max_length=64, blank=True)
    findings = models.JSONField(_("found"), default=list)
    found_at = models.DateTimeField(_("found at"), null=True, blank=True)

    FIELDS = FieldTable(of="tournament", apart="what the server that has the event saw of its ledger")

    class Meta:
        ordering = ["tournament_id"]
        verbose_name = _("ledger check")
        verbose_name_plural = _("ledger checks")

    def __str__(self) -> str:
        return f"{self.tournament} {self.rows}"
