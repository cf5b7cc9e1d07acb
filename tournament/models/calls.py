"""Table requests: help, result proposals, joining phones."""

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.people import User
from tournament.models.play import Play
from tournament.models.stage import Table


class Proposal(PublicModel):
    """A result proposed with the table's code, for a referee to accept or decline.

    `play`: future play uid; `number` at the table; `fields`: form values (ids, numbers), read like a referee's.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("proposed result", "withdrawn")

    table = models.ForeignKey(Table, models.PROTECT, related_name="proposals", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("number"))
    play = models.UUIDField(_("game, round or heat"), editable=False)
    fields = models.JSONField(_("what was entered"), default=dict, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.WAITING)
    at = models.DateTimeField(_("time"))

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("number", ledger=1, archive=1),
        Field("play", ledger=1, archive=1, called="of_play"),
        Field("fields", ledger=1, archive=1),
        Field("state", ledger=1, archive=1),
        Field("at", ledger=1, archive=1),
        of="table__stage__tournament",
        again=False,
    )

    class Meta:
        ordering = ["table_id", "id"]
        verbose_name = _("proposed result")
        verbose_name_plural = _("proposed results")
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(state="waiting"), name="proposal_one_waiting"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "accepted", "declined", "withdrawn"]),
                name="proposal_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} / {self.number}"


class Call(PublicModel):
    """A call for the head referee: `help`, or `contest` of a `play`. Open until answered."""

    class Kind(models.TextChoices):
        HELP = "help", _("is calling the head referee")
        CONTEST = "contest", _("is contesting a result")

    table = models.ForeignKey(Table, models.PROTECT, related_name="calls", verbose_name=_("table"))
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices, default=Kind.HELP)
    play = models.ForeignKey(
        Play,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="calls",
        verbose_name=_("game, round or heat"),
    )
    at = models.DateTimeField(_("time"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("answered by")
    )

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("kind", ledger=1, archive=1),
        Field("play", ledger=1, archive=1, called="of_play"),
        Field("at", ledger=1, archive=1),
        Field("answered_at", ledger=1, archive=1),
        Field("answered_by", ledger=1, archive=1),
        of="table__stage__tournament",
        again=False,
    )

    class Meta:
        ordering = ["table_id", "id"]
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind"], condition=models.Q(answered_at=None), name="call_one_open"
            ),
            models.CheckConstraint(condition=models.Q(kind__in=["help", "contest"]), name="call_kind"),
            models.CheckConstraint(
                condition=models.Q(answered_at=None, answered_by=None)
                | models.Q(answered_at__isnull=False, answered_by__isnull=False),
                name="call_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"


class AskQuerySet(models.QuerySet["Ask"]):
    def waiting(self) -> "AskQuerySet":
        """Pending: at most five minutes old, table code unchanged."""
        return self.filter(
            answer=None, at__gt=timezone.now() - Ask.WAITS, table__link_number=models.F("number")
        )


class Ask(PublicModel):
    """A phone with a table's short code, asking the table for full access.

    `number`: the table's `link_number` then; a new code voids request and answer.
    """

    WAITS = timedelta(minutes=5)

    table = models.ForeignKey(Table, models.CASCADE, related_name="asks", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    answer = models.BooleanField(null=True)

    objects = AskQuerySet.as_manager()

    FIELDS = FieldTable(of="table__stage__tournament", apart="no fact: which phone asks to join a table")

    def __str__(self) -> str:
        return f"{self.table}: {self.at}"


class Typing(PublicModel):
    """A device entering something at a table, to warn others; transient."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="typing", verbose_name=_("table"))
    device = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("user"))
    at = models.DateTimeField()
    game = models.TextField(blank=True)  # of the players' clock, as their phone has it

    FIELDS = FieldTable(of="table__stage__tournament", apart="no fact: who types at this moment")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "device"], name="typing_once")]

    def __str__(self) -> str:
        return f"{self.table}: {self.user}"
