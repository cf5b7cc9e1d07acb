"""Player registration, referee invites, checklist before the start."""

from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Membership, Tournament
from tournament.models.people import User


class Registration(PublicModel):
    """Registration settings and terms. `most` players, then a waiting list; `approval` by an organiser; self check-in
    from `check_in_from` to `check_in_until`; `questions`: queries/registration.py."""

    tournament = models.OneToOneField(
        Tournament, models.PROTECT, related_name="registration", verbose_name=_("event")
    )
    opened = models.BooleanField(_("open"), default=False)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    approval = models.BooleanField(_("an organiser accepts each player"), default=False)
    most = models.PositiveSmallIntegerField(_("maximum players"), null=True, blank=True)
    check_in_from = models.DateTimeField(_("check-in starts"), null=True, blank=True)
    check_in_until = models.DateTimeField(_("check-in ends"), null=True, blank=True)
    terms = models.TextField(_("terms of the event"), max_length=5000, blank=True)
    safer_space = models.TextField(_("safer space principles"), max_length=5000, blank=True)
    contact_person = models.CharField(_("contact person"), max_length=200, blank=True)
    questions = models.JSONField(_("own questions"), default=list, blank=True, editable=False)

    FIELDS = FieldTable(
        Field("tournament", archive=1, copy=False),
        Field("opened", ledger=1, archive=1, copy=False),
        Field("closes_at", ledger=1, archive=1, wall=True, copy=False),
        Field("approval", ledger=1, archive=1, copy=True),
        Field("most", ledger=1, archive=1, copy=True),
        Field("check_in_from", ledger=1, archive=1, wall=True, copy=False),
        Field("check_in_until", ledger=1, archive=1, wall=True, copy=False),
        Field("terms", archive=1, copy=True),
        Field("safer_space", archive=1, copy=True),
        Field("contact_person", archive=1, personal="private", copy=True),
        Field("questions", archive=3, copy=True),
        of="tournament",
        again=False,
    )

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")

    def __str__(self) -> str:
        return str(self.tournament)


class Invite(PublicModel):
    """A role offered by link until expired or revoked. `tables`: uids for a table referee (empty: all); `label`: for
    whom; `most`: maximum uses."""

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="invites", verbose_name=_("event")
    )
    role = models.CharField(_("role"), max_length=14, choices=Membership.Role.choices)
    tables = models.JSONField(_("tables"), default=list, blank=True)
    label = models.CharField(_("for whom"), max_length=100, blank=True)
    most = models.PositiveSmallIntegerField(_("maximum uses"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    FIELDS = FieldTable(
        Field("tournament", archive=1),
        Field("role", ledger=1, archive=1),
        Field("tables", ledger=1, archive=1),
        Field("label", archive=1, personal="private"),
        Field("most", ledger=1, archive=1),
        Field("expires_at", ledger=1, archive=1),
        Field("revoked_at", ledger=1, archive=1),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("invite")
        verbose_name_plural = _("invites")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=["organiser", "head_referee", "table_referee"]),
                name="invite_role",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.get_role_display()


class Tick(PublicModel):
    """A ticked checklist item."""

    class Item(models.TextChoices):
        REFEREES = "referees", _("a referee at each table")
        DECKS = "decks", _("enough decks")
        PLAYERS = "players", _("players checked in")
        BACKUP = "backup", _("a backup created")
        PHONE = "phone", _("a phone has opened this page over the venue’s wifi")
        AWAKE = "awake", _("this computer will not sleep")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="ticks", verbose_name=_("event"))
    item = models.CharField(pgettext_lazy("of a checklist", "item"), max_length=10, choices=Item.choices)
    at = models.DateTimeField(_("time"))
    by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("by"))

    FIELDS = FieldTable(
        Field("tournament", archive=1),
        Field("item", ledger=1, archive=1),
        Field("at", ledger=1, archive=1),
        Field("by", ledger=1, archive=1),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "item"]
        verbose_name = _("tick")
        verbose_name_plural = _("ticks")
        constraints = [models.UniqueConstraint(fields=["tournament", "item"], name="tick_once")]

    def __str__(self) -> str:
        return self.get_item_display()
