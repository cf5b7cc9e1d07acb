"""Penalties, warnings, ejections, disputes, rulings."""

from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry, Tournament
from tournament.models.people import User
from tournament.models.play import Play
from tournament.models.stage import Table


class Incident(PublicModel):
    """An incident at a table or event. `code`: preset of rulesets/penalties.py or ""; `cards` to draw. Dispute:
    question in `text`, answer in `ruling`, by vote (`votes_yes`, `votes_no`; the oldest player breaks ties) or
    referee. `withdrawn`: readable, not counted."""

    class Kind(models.TextChoices):
        PENALTY = "penalty", _("penalty")
        WARNING = "warning", _("warning")
        EJECTION = "ejection", _("ejection")
        DISPUTE = "dispute", _("dispute")
        RULING = "ruling", _("ruling")

    class Decided(models.TextChoices):
        VOTES = "votes", _("by the players’ votes")
        OLDEST = "oldest", _("by the oldest player")
        REFEREE = "referee", _("by the referee")

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="incidents", verbose_name=_("event")
    )
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="incidents", verbose_name=_("table")
    )
    play = models.ForeignKey(
        Play,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="incidents",
        verbose_name=_("game, round or heat"),
    )
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="incidents", verbose_name=_("participant")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    code = models.CharField(_("what happened"), max_length=40, blank=True)
    cards = models.PositiveSmallIntegerField(_("cards to draw"), null=True, blank=True)
    at = models.DateTimeField(_("time"))
    by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("by"))
    text = models.CharField(_("in words"), max_length=500, blank=True)
    ruling = models.CharField(_("ruling"), max_length=500, blank=True)
    decided = models.CharField(_("how it was decided"), max_length=7, choices=Decided.choices, blank=True)
    yes = models.BooleanField(_("answer"), null=True, blank=True)
    votes_yes = models.PositiveSmallIntegerField(_("votes for yes"), null=True, blank=True)
    votes_no = models.PositiveSmallIntegerField(_("votes for no"), null=True, blank=True)
    withdrawn = models.BooleanField(pgettext_lazy("call", "withdrawn"), default=False)

    FIELDS = FieldTable(
        Field("tournament", archive=1),
        Field("table", ledger=1, archive=1),
        Field("play", ledger=1, archive=1, called="of_play"),
        Field("entry", ledger=1, archive=1),
        Field("kind", ledger=1, archive=1),
        Field("code", ledger=1, archive=1),
        Field("cards", ledger=1, archive=1),
        Field("at", ledger=1, archive=1),
        Field("by", ledger=1, archive=1),
        Field("text", archive=1, personal="private"),
        Field("ruling", archive=1, personal="private"),
        Field("decided", ledger=1, archive=1),
        Field("yes", ledger=1, archive=1),
        Field("votes_yes", ledger=1, archive=1),
        Field("votes_no", ledger=1, archive=1),
        Field("withdrawn", ledger=1, archive=1),
        of="tournament",
        again=False,
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("penalty or note")
        verbose_name_plural = _("penalties and notes")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["penalty", "warning", "ejection", "dispute", "ruling"]),
                name="incident_kind",
            ),
            models.CheckConstraint(
                condition=models.Q(decided__in=["", "votes", "oldest", "referee"]), name="incident_decided"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.code or self.text}".strip()
