"""The hall's clock: how long the room plays, or until when it rests."""

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.stage import Stage

MOST_EXTRA = 120  # minutes, for a table or for all


class HallClock(PublicModel):
    """The one clock of an event's room; no row: there is none now.

    Of play, `stage` is what it runs for and `ends_at` its end; `last_hand` minutes before it the last hand is called.
    While it is `held_at`, it stands still. A break has no stage and is held from its start. `goes_on_at`: when play is
    to go on, None where nobody said. `extra` gives the minutes that single tables play longer, by the number of the
    table as text.
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
        """Tell whether its time is up for the room at that moment; a clock that stands still is never over."""
        return self.held_at is None and self.ends_at is not None and self.ends_at <= at

    def extra_of(self, table: int) -> int:
        """The minutes that the table of this number plays longer."""
        return int(self.extra.get(str(table), 0))

    def ends_for(self, table: int) -> datetime | None:
        """When the time of the table of this number is up; None in a break."""
        return self.ends_at and self.ends_at + timedelta(minutes=self.extra_of(table))
