"""Big screens of the hall."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.stage import Stage

SHORTEST, LONGEST = 5, 120  # seconds per page


class Screen(PublicModel):
    """A big screen. Shows `scenes` in turn, `seconds` per page, about `stage` (None: the current one)."""

    class Scene(models.TextChoices):
        WELCOME = "welcome", _("welcome")
        SEATS = "seats", _("seats")
        CLOCK = "clock", _("clock")
        STANDINGS = "standings", _("standings")
        BRACKET = "bracket", _("bracket")
        FINAL = "final", _("final")
        CALLS = "calls", _("calls")
        RESULTS = "results", _("latest results")
        PROGRAMME = "programme", _("programme")
        SEASON = "season", _("season")

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="screens", verbose_name=_("event")
    )
    name = models.CharField(_("name"), max_length=60)
    scenes = models.JSONField(_("views"), default=list)
    stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("stage")
    )
    seconds = models.PositiveSmallIntegerField(_("seconds per page"), default=12)

    FIELDS = FieldTable(
        Field("tournament", archive=1, copy=False),
        Field("name", archive=1, copy=True),
        Field("scenes", ledger=1, archive=1, copy=True),
        Field("stage", ledger=1, archive=1, copy=True),
        Field("seconds", ledger=1, archive=1, copy=True),
        of="tournament",
        again=False,
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("big screen")
        verbose_name_plural = _("big screens")

    def __str__(self) -> str:
        return self.name
