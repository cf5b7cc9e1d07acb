"""People: who signs in (User), who runs events (Organiser) and who plays (Player).

People are never matched across organisers: a Player belongs to one Organiser, and the same human being may be
a Player of several.
"""

import uuid
from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext, gettext_lazy as _

from tournament.models.base import Field, FieldTable, PublicModel

# Practice (tournament/practice/). HOST is the uid of the user who makes and organises its events; nobody can sign in as
# that user.
HOST = uuid5(NAMESPACE_URL, "lastcard:practice")
GUEST = "guest-"  # prefix of the names of users without an account
NEWCOMER = (
    f"{GUEST}newcomer-"  # prefix of the names of newcomers' users: like all guests they have no account
)
LASTS = timedelta(hours=1)
MOST = 50  # newcomers at a time

# The author of rows that players write with their own links; nobody can sign in as that user. Those of other
# installations come with their archives, as `own-link:` and their uid.
OWN_LINK = "own-link"


class User(AbstractUser):
    """Somebody who signs in: a referee or an organiser. `is_staff` may referee any event."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    FIELDS = FieldTable(apart="an account; an archive names who acted (tournament/files/archive/schema.py)")

    def display_name(self) -> str:
        """Give the name shown on what this user enters."""
        return gettext("the player") if self.writes_by_link else self.get_full_name() or self.username

    @property
    def writes_by_link(self) -> bool:
        """Whether this user is the author of what players write with their own links."""
        return self.username.partition(":")[0] == OWN_LINK

    @property
    def is_guest(self) -> bool:
        """Whether this is somebody without an account, who gave at most a name; with a password they have one."""
        return self.username.startswith(GUEST) and not self.has_usable_password()

    @property
    def is_newcomer(self) -> bool:
        """Whether this is somebody who tries Lastcard: a referee in practice events of their own, and nothing else."""
        return self.username.startswith(NEWCOMER)


class Organiser(PublicModel):
    """A club or a group of friends that runs tournaments; it owns its players and tournaments. `list_columns`: what the
    columns of lists with other headings are, as somebody chose (tournament/files/lists/choosing.py)."""

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
    """Somebody who plays at an organiser's events."""

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

    FIELDS = FieldTable(
        Field("organiser", archive=1, merge="own", copy=True),
        Field("name", archive=1, personal="private", merge="own", copy=True),
        Field("birth_date", archive=1, personal="private", merge="fill", copy=True),
        Field("contact", archive=1, personal="private", merge="fill", copy=True),
        of="entries__tournament",
    )

    class Meta:
        ordering = ["name", "id"]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.name
