"""Hall clock for play and breaks."""

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.stage import Stage

MOST_EXTRA = 120  # minutes, for a table or all


class HallClock(PublicModel):
    """The event's single clock; no row: none.

    Play: `stage`, `ends_at`, last hand called `last_hand` minutes before; paused while `held_at`. A break has no
    stage and is held. `goes_on_at`: planned resumption or None. `extra`: minutes by table number as text.
    """

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="hall_clocks", verbose_name=_("event")
    )
    stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("stage")
    )
    started_at = models.DateTimeField(_("started"))
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    held_at = models.DateTimeField(_("paused"), null=True, blank=True)
    goes_on_at = models.DateTimeField(_("resumes"), null=True, blank=True)
    last_hand = models.PositiveSmallIntegerField(_("last hand, minutes before the end"), default=0)
    extra = models.JSONField(_("extra minutes for tables"), default=dict, blank=True)

    FIELDS = FieldTable(
        Field("tournament", archive=3),
        Field("stage", ledger=1, archive=3),
        Field("started_at", ledger=1, archive=3),
        Field("ends_at", ledger=1, archive=3),
        Field("held_at", ledger=1, archive=3),
        Field("goes_on_at", ledger=1, archive=3),
        Field("last_hand", ledger=1, archive=3),
        Field("extra", ledger=1, archive=3),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("hall clock")
        verbose_name_plural = _("hall clocks")
        constraints = [
            models.UniqueConstraint(fields=["tournament"], name="hall_clock_one"),
            models.CheckConstraint(
                condition=models.Q(stage__isnull=True, ends_at__isnull=True, held_at__isnull=False)
                | models.Q(stage__isnull=False, ends_at__isnull=False),
                name="hall_clock_play_or_break",
            ),
        ]

    def __str__(self) -> str:
        return str(self.stage) if self.stage else str(_("Break"))

    def over(self, at: datetime) -> bool:
        """Whether time is up at that moment; never while paused."""
        return self.held_at is None and self.ends_at is not None and self.ends_at <= at

    def extra_of(self, table: int) -> int:
        """Extra minutes of the table."""
        return int(self.extra.get(str(table), 0))

    def ends_for(self, table: int) -> datetime | None:
        """End for the table; None in a break."""
        return self.ends_at and self.ends_at + timedelta(minutes=self.extra_of(table))
