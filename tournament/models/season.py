"""Seasons: rankings over several evenings of an organiser."""

from datetime import date

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.people import Organiser

APART = "an organiser's, of many events: each event's ledger says who changed it, and backups hold it"


class SeasonQuerySet(models.QuerySet["Season"]):
    """Seasons."""

    def lasting(self, day: date) -> "SeasonQuerySet":
        """Seasons not over that include this day."""
        begun = models.Q(starts_on=None) | models.Q(starts_on__lte=day)
        return self.filter(begun, models.Q(ends_on=None) | models.Q(ends_on__gte=day), over=False)


class Season(PublicModel):
    """How an organiser ranks the players of several evenings; nothing of the ranking is stored.

    `counts`: what an evening is worth; `lowest`: fewer points are better; `best`: so many evenings count, None: all;
    `place_points`: first place first. `rulesets`: of evenings that count, empty: all. Evenings before `starts_on` or
    after `ends_on` do not count. `club`: only its members are ranked, "": all. `ties`: keys of SEASON_TIES. `over`:
    the winners are its champions. Not `public`: only organisers see it, and evenings that are not listed count.
    """

    class Counts(models.TextChoices):
        AVERAGE = "average", _("average over all games")
        PLACES = "places", _("points for places")
        SUM = "sum", _("sum of points")

    class Tie(models.TextChoices):
        WINS = "wins", _("more evenings won")
        BEST_EVENINGS = "best_evenings", _("the better best evening, then the second best and so on")
        MOST_EVENINGS = "most_evenings", _("more evenings played")
        LAST_EVENING = "last_evening", _("the better last evening")

    class Status(models.TextChoices):
        RANKED = "ranked", _("ranked")
        NOT_ELIGIBLE = "not_eligible", _("Plays outside the ranking")
        TOO_FEW_EVENINGS = "too_few_evenings", _("Too few evenings")
        TOO_FEW_GAMES = "too_few_games", _("Too few games")

    organiser = models.ForeignKey(
        Organiser, models.CASCADE, related_name="seasons", verbose_name=_("organiser")
    )
    name = models.CharField(_("name"), max_length=100)
    public = models.BooleanField(pgettext_lazy("a season", "public"), default=True)
    over = models.BooleanField(_("the season is over"), default=False)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    rulesets = models.JSONField(_("rulesets"), default=list, blank=True)
    counts = models.CharField(_("what counts"), max_length=10, choices=Counts.choices, default=Counts.AVERAGE)
    lowest = models.BooleanField(_("fewer points are better"), default=True)
    best = models.PositiveSmallIntegerField(
        _("best evenings"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(999)]
    )
    place_points = models.JSONField(_("points for places"), default=list, blank=True)
    least_evenings = models.PositiveSmallIntegerField(
        _("fewest evenings"), default=1, validators=[MaxValueValidator(999)]
    )
    least_games = models.PositiveSmallIntegerField(
        _("fewest games"), default=0, validators=[MaxValueValidator(9999)]
    )
    club = models.CharField(_("club or group"), max_length=100, blank=True)
    ties = models.JSONField(_("tie-breaks"), default=list, blank=True)
    evenings: "models.ManyToManyField[Tournament, SeasonEvening]" = models.ManyToManyField(
        Tournament, through="SeasonEvening", related_name="seasons"
    )

    FIELDS = FieldTable(apart=APART)
    objects = SeasonQuerySet.as_manager()

    class Meta:
        ordering = [models.F("starts_on").desc(nulls_last=True), "name", "id"]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")

    def __str__(self) -> str:
        return self.name


class SeasonEvening(PublicModel):
    """An event that belongs to a season."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="+", verbose_name=_("season"))
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+", verbose_name=_("event"))

    FIELDS = FieldTable(of="tournament", apart=APART)

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("evening of a season")
        verbose_name_plural = _("evenings of a season")
        constraints = [
            models.UniqueConstraint(fields=["season", "tournament"], name="season_evening_once"),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.tournament}"
