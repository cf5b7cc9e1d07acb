"""Pairs of players: seated apart, or not duplicates."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry, Tournament


class Apart(PublicModel):
    """Two players never seated together; visible to organisers only."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="aparts", verbose_name=_("event"))
    first = models.ForeignKey(Entry, models.PROTECT, related_name="+", verbose_name=_("player"))
    second = models.ForeignKey(Entry, models.PROTECT, related_name="+", verbose_name=_("other player"))

    FIELDS = FieldTable(
        Field("tournament", archive=1, copy=False),
        Field("first", ledger=1, archive=1, copy=True),
        Field("second", ledger=1, archive=1, copy=True),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("pairs kept apart")
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="apart_once"),
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="apart_two_people"),
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"


class Different(PublicModel):
    """Two similar-named players confirmed as different, by sorted uids, for all the organiser's events; `tournament`:
    where stated."""

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="differents", verbose_name=_("event")
    )
    players = models.JSONField(_("players"), default=list)

    FIELDS = FieldTable(
        Field("tournament", archive=3, copy=False),
        Field("players", ledger=1, archive=3, copy=True),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("two different people")
        verbose_name_plural = _("pairs of different people")

    def __str__(self) -> str:
        return " / ".join(self.players)
