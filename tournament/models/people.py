"""Users, organisers and players. A Player belongs to one Organiser; people are never matched across organisers."""

import uuid
from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext, gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel

# The practice organiser; cannot sign in
HOST = uuid5(NAMESPACE_URL, "lastcard:practice")
GUEST = "guest-"  # username prefix, no account
NEWCOMER = f"{GUEST}newcomer-"  # username prefix of practising guests
LASTS = timedelta(hours=1)
PRACTICE_MAX_USERS = 50  # newcomers at a time

# Author of rows by players' own links; cannot sign in. Imported: `own-link:` and uid.
OWN_LINK = "own-link"


class User(AbstractUser):
    """A referee or organiser; `is_staff` may referee any event."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    FIELDS = FieldTable(
        apart="an account; an archive names who acted (tournament/extras/archive/files/schema.py)"
    )

    def display_name(self) -> str:
        return gettext("the player") if self.writes_by_link else self.get_full_name() or self.username

    @property
    def writes_by_link(self) -> bool:
        """Whether this is the author for own links."""
        return self.username.partition(":")[0] == OWN_LINK

    @property
    def is_guest(self) -> bool:
        """Whether the user has no account; a usable password makes one."""
        return self.username.startswith(GUEST) and not self.has_usable_password()

    @property
    def is_newcomer(self) -> bool:
        """Whether the user only practises, as referee of own practice events."""
        return self.username.startswith(NEWCOMER)


class Organiser(PublicModel):
    """A club or group that owns players and tournaments. `list_columns`: chosen meanings of list headings
    (extras/imports/files/choosing.py)."""

    name = models.CharField(_("name"), max_length=100)
    list_columns = models.JSONField(default=dict, blank=True, editable=False)

    FIELDS = FieldTable(
        Field("name", archive=1, personal="public"),
        Field("list_columns"),
        of="tournaments",
    )

    class Meta:
        ordering = ["name", "id"]
        verbose_name = _("organiser")
        verbose_name_plural = _("organisers")

    def __str__(self) -> str:
        return self.name


class Player(PublicModel):
    """A person playing at an organiser's events. `left_out`: no longer offered among the people; `joined_to`: uid of
    the player to whom all entries went, `lent`: details that it got then (actions/people/people.py)."""

    organiser = models.ForeignKey(
        Organiser, models.PROTECT, related_name="players", verbose_name=_("organiser")
    )
    name = models.CharField(_("name"), max_length=100)
    birth_date = models.DateField(
        _("birth date"),
        null=True,
        blank=True,
        help_text=_("Never shown. Used to find the oldest and youngest at a table."),
    )
    contact = models.CharField(_("contact"), max_length=200, blank=True, help_text=_("Never shown."))
    left_out = models.BooleanField(default=False, editable=False)
    joined_to = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    lent = models.JSONField(default=list, blank=True, editable=False)

    FIELDS = FieldTable(
        Field("organiser", archive=1, merge="own", copy=True),
        Field("name", archive=1, personal="private", merge="own", copy=True),
        Field("birth_date", archive=1, personal="private", merge="fill", copy=True),
        Field("contact", archive=1, personal="private", merge="fill", copy=True),
        Field("left_out", merge="own", copy=True),
        Field("joined_to", merge="own", copy=True),
        Field("lent", merge="own", copy=True),
        of="entries__tournament",
    )

    class Meta:
        ordering = ["name", "id"]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.name
