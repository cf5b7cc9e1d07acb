"""API tokens and failed logins."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.people import User


class ApiToken(PublicModel):
    """A program's access (extras/programs) as its user, limited to `scopes` and `tournament` (None: all), until
    expired or revoked. Only the `digest` of the secret is stored. Entries are recorded under the user's name."""

    class Scope(models.TextChoices):
        READ = "read", _("read")
        ENTER = "enter", _("enter results")
        ORGANISE = "organise", _("organise")

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens", verbose_name=_("user"))
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    tournament = models.ForeignKey(
        Tournament,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="api_tokens",
        verbose_name=_("event"),
    )
    made_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    FIELDS = FieldTable(of="tournament", apart="a program's way in belongs to a person, not to an event")

    class Meta:
        ordering = ["user_id", "-made_at", "id"]
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")

    def __str__(self) -> str:
        return self.name


class WrongTries(models.Model):
    """Consecutive failed logins per account and place (actions/people/sign_in.py). Keyed `digest`: no names or
    addresses stored; deleted an hour after the last attempt."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    tries = models.PositiveIntegerField()
    at = models.DateTimeField(db_index=True)
    until = models.DateTimeField()  # no attempt before

    FIELDS = FieldTable(apart="who tried a wrong password from where, which is no event's")

    def __str__(self) -> str:
        return f"{self.tries} until {self.until}"
