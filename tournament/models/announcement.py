"""Announcements at an event."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language, gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.ledger import LedgerRow

LONGEST_ANNOUNCEMENT = 200  # characters per language


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def standing(self, at: datetime | None = None) -> "AnnouncementQuerySet":
        """Current announcements, newest first, `at` a moment or, without one, as of the event's last ledger row:
        published pages must follow from facts; browsers hide expired ones."""
        rows = LedgerRow.objects.filter(tournament=models.OuterRef("tournament")).order_by("-sequence")
        end = at or models.Subquery(rows.values("at")[:1])
        return (
            self.filter(Q(until=None) | Q(until__gt=end), down_at=None)
            .select_related("tournament")
            .order_by("-at", "-pk")
        )


class Announcement(PublicModel):
    """A message to all, from `at` to `until` (None: until taken down).

    `words`: texts by language, LONGEST characters each, not in the ledger. Shown in the reader's language, else the
    event's, else any.
    """

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="announcements", verbose_name=_("event")
    )
    words = models.JSONField(_("in words"), default=dict)
    at = models.DateTimeField(_("time"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    down_at = models.DateTimeField(_("taken down"), null=True, blank=True)

    objects = AnnouncementQuerySet.as_manager()

    FIELDS = FieldTable(
        Field("tournament", archive=3),
        Field("words", archive=3, personal="public"),
        Field("at", ledger=15, archive=3),
        Field("until", ledger=15, archive=3),
        Field("down_at", ledger=15, archive=3),
        of="tournament",
        again=False,
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return self.text

    @property
    def language(self) -> str:
        """Language of `text`; "" if erased."""
        wanted = (get_language(), self.tournament.language, *(code for code, _name in settings.LANGUAGES))
        return next((code for code in wanted if code and code in self.words), "")

    @property
    def text(self) -> str:
        """Text in the active language."""
        return str(self.words.get(self.language, ""))
