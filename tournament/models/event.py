"""Tournaments, entries and roles."""

from datetime import datetime
from fractions import Fraction
from typing import Self
from zoneinfo import ZoneInfo

from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import models
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.people import HOST, Organiser, Player, User

LONGEST_DIVISION = 40  # characters
AMOUNT = r"\A-?[0-9]{1,9}(\.[0-9]{1,4})?\Z"  # points or their average


class TournamentQuerySet(QuerySet["Tournament"]):
    """Tournaments."""

    def listed(self) -> Self:
        """Public list: from opening of registration or start of play."""
        entries = Entry.objects.filter(tournament=OuterRef("pk"), accepted_at__isnull=False)
        begun = ~Q(state="planned") | Q(registration__opened=True) | Exists(entries)
        return self.visible().filter(begun, listed=True, rehearsal=False)

    def visible(self) -> Self:
        return self.filter(put_away=False)

    def practice(self, *, made_by: datetime | None = None) -> Self:
        """Practice events (tournament/practice/), made by a time if given."""
        made = {"ledger__sequence": 1, "ledger__actor__uid": HOST}
        when = {"ledger__at__lte": made_by} if made_by else {}
        return self.filter(rehearsal=True, **made, **when)

    def without_practice(self) -> Self:
        return self.exclude(pk__in=self.model.objects.practice().values("pk"))

    def version(self) -> int:
        """Sum of versions, which each write raises."""
        return self.aggregate(total=Sum("version"))["total"] or 0

    def running_first(self) -> Self:
        """Running, planned (next date first), finished (newest first)."""
        order = Case(
            When(state="running", then=Value(0)),
            When(state="planned", then=Value(1)),
            default=Value(2),
            output_field=IntegerField(),
        )
        coming = Case(When(state="planned", then=F("starts_on")))
        return self.order_by(order, coming, "-starts_on", "name", "id")

    def with_sizes(self) -> Self:
        """Annotate `players`: number taking part."""
        asking = ("applied", "waiting", "cancelled")
        return self.annotate(players=Count("entries", filter=~Q(entries__state__in=asking)))

    def with_asking(self) -> Self:
        """Annotate `asking`: number of pending applications."""
        asking = Entry.objects.filter(tournament=OuterRef("pk"), state="applied").order_by()
        count = asking.values("tournament").annotate(n=Count("pk")).values("n")
        return self.annotate(asking=Coalesce(Subquery(count), 0))


class EntryQuerySet(QuerySet["Entry"]):
    """Entries."""

    def taking_part(self) -> Self:
        """In the event, even if out by now."""
        return self.exclude(state__in=self.model.ASKING)

    def to_seat(self) -> Self:
        """In the event and not out."""
        return self.taking_part().exclude(state__in=self.model.OUT)

    def who_played(self, tournament: "Tournament") -> Self:
        """Those that played and are not out; all seatable if nothing was played."""
        there = self.filter(tournament=tournament).to_seat()
        return there.filter(results__isnull=False).distinct() if tournament.was_played() else there

    def names(self) -> dict[str, str]:
        """Shown names by uid as text."""
        rows = self.values_list("uid", "public_name", "name_suffix", "club", "start_number")
        return {str(uid): shown_name(name, suffix, club, number) for uid, name, suffix, club, number in rows}


class Tournament(PublicModel):
    """An event with a pinned ruleset revision.

    `version` and `ledger_head`: sequence and digest of the last ledger row, for caching and to detect truncation.
    `rehearsal`: from the start. `put_away`: hidden. `decks`: available. Presentation: `description` to `bring` as
    text, `colour` `#rrggbb` ("": default), `logo`: SHA-256 of its Logo ("": none).
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        FINISHED = "finished", pgettext_lazy("state", "finished")

    class Language(models.TextChoices):
        FINNISH = "fi", _("Finnish")
        SWEDISH = "sv", _("Swedish")
        ENGLISH = "en", _("English")

    organiser = models.ForeignKey(
        Organiser, models.PROTECT, related_name="tournaments", verbose_name=_("organiser")
    )
    slug = models.SlugField(_("public address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    starts_on = models.DateField(_("date"))
    place = models.CharField(pgettext_lazy("of an event", "venue"), max_length=100, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=50, default="Europe/Helsinki")
    language = models.CharField(
        _("language"), max_length=5, choices=Language.choices, default=Language.ENGLISH
    )
    ruleset = models.CharField(_("ruleset"), max_length=30)
    ruleset_revision = models.CharField(_("revision of the ruleset"), max_length=30)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.PLANNED)
    listed = models.BooleanField(_("listed"), default=True, help_text=_("Shown in the list of tournaments."))
    rehearsal = models.BooleanField(_("rehearsal"), default=False, editable=False)
    put_away = models.BooleanField(_("hidden"), default=False, editable=False)
    decks = models.PositiveSmallIntegerField(_("decks available"), null=True, blank=True)
    description = models.TextField(_("description"), blank=True, validators=[MaxLengthValidator(5000)])
    doors_at = models.TimeField(_("doors open"), null=True, blank=True)
    starts_at = models.TimeField(_("start"), null=True, blank=True)
    fee = models.CharField(_("fee"), max_length=100, blank=True)
    bring = models.CharField(_("what to bring"), max_length=300, blank=True)
    colour = models.CharField(
        _("colour"), max_length=7, blank=True, validators=[RegexValidator(r"\A#[0-9a-f]{6}\Z")]
    )
    logo = models.CharField(
        max_length=64, blank=True, editable=False, validators=[RegexValidator(r"\A[0-9a-f]{64}\Z")]
    )
    version = models.PositiveBigIntegerField(default=0, editable=False)
    ledger_head = models.CharField(max_length=64, blank=True, editable=False)

    FIELDS = FieldTable(
        Field("organiser", ledger=1, archive=1, undo=False, copy=True),
        Field("slug", archive=1, copy=False),
        Field("name", archive=1, copy=False),
        Field("starts_on", ledger=1, archive=1, copy=False),
        Field("place", archive=1, copy=True),
        Field("time_zone", ledger=1, archive=1, copy=True),
        Field("language", ledger=1, archive=1, copy=True),
        Field("ruleset", ledger=1, archive=1, undo=False, copy=True),
        Field("ruleset_revision", ledger=1, archive=1, called="revision", undo=False, copy=False),
        Field("state", ledger=1, archive=1, copy=False),
        Field("listed", ledger=1, archive=1, copy=True),
        Field("rehearsal", ledger=2, archive=1, copy=False),
        Field("put_away", ledger=2, archive=1, copy=False),
        Field("decks", ledger=2, archive=1, copy=True),
        Field("description", archive=3, copy=True),
        Field("doors_at", ledger=12, archive=3, copy=True),
        Field("starts_at", ledger=12, archive=3, copy=True),
        Field("fee", archive=3, copy=True),
        Field("bring", archive=3, copy=True),
        Field("colour", archive=3, copy=True),
        Field("logo", ledger=12, archive=3, copy=True),
        Field("version", archive=1, copy=False),
        Field("ledger_head", archive=1, copy=False),
        of="pk",
        again=False,
    )

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_on", "name", "id"]
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["planned", "running", "finished"]), name="tournament_state"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def was_played(self) -> bool:
        """Whether anything was played, even if void now."""
        return self.ledger.filter(payload__has_key="play").exists()


class Logo(PublicModel):
    """Tournament logo, stored by server/pictures.py."""

    tournament = models.OneToOneField(
        Tournament, models.PROTECT, related_name="picture", verbose_name=_("event")
    )
    content = models.BinaryField(max_length=150_000)

    FIELDS = FieldTable(
        Field("tournament", archive=3, copy=False),
        Field("content", archive=3, copy=True),
        of="tournament",
        again=False,
    )

    def __str__(self) -> str:
        return str(self.tournament)


class Entry(PublicModel):
    """A player in a tournament, under a public name. `guardian`: consent for a minor. `accepted_at`: terms accepted.
    `link_number`: raise to invalidate own links. `answers`: by question id. `name_suffix`: distinguishes equal public
    names, recomputed on every entry write (words/text.py). `division`: age class or another part of the event with
    stages of its own."""

    class State(models.TextChoices):
        APPLIED = "applied", _("wants to take part")
        WAITING = "waiting", _("on the waiting list")
        CANCELLED = "cancelled", _("not taking part")
        REGISTERED = "registered", _("registered")
        LATE = "late", _("late")
        CHECKED_IN = "checked_in", _("here")
        NO_SHOW = "no_show", _("no-show")
        LEFT = "left", _("left")
        DISQUALIFIED = "disqualified", _("disqualified")

    class NameSuffix(models.TextChoices):
        CLUB = "club", _("club or group")
        NUMBER = "number", _("start number")

    ASKING = (State.APPLIED, State.WAITING, State.CANCELLED)  # not in the event (yet)
    EXPECTED = (State.REGISTERED, State.LATE)  # not seen yet
    OUT = (State.NO_SHOW, State.LEFT, State.DISQUALIFIED)  # no longer playing

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="entries", verbose_name=_("event")
    )
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    public_name = models.CharField(_("public name"), max_length=100)
    club = models.CharField(_("club or group"), max_length=100, blank=True)
    division = models.CharField(_("division"), max_length=LONGEST_DIVISION, blank=True)
    start_number = models.PositiveIntegerField(_("start number"))
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.REGISTERED)
    guardian = models.BooleanField(_("guardian’s consent"), default=False)
    accepted_at = models.DateTimeField(_("terms accepted"), null=True, blank=True, editable=False)
    link_number = models.PositiveSmallIntegerField(default=0, editable=False)
    paid = models.BooleanField(_("fee paid"), default=False, editable=False)
    answers = models.JSONField(_("answers"), default=dict, blank=True, editable=False)
    name_suffix = models.CharField(max_length=6, choices=NameSuffix.choices, blank=True, editable=False)

    FIELDS = FieldTable(
        Field("tournament", archive=1, merge="own", copy=False),
        Field("player", ledger=1, archive=1, merge="own", copy=True),
        Field("public_name", archive=1, personal="public", merge="own", copy=True),
        Field("club", archive=1, personal="public", merge="fill", copy=True),
        Field("division", ledger=24, archive=5, merge="fill", copy=True),
        Field("start_number", ledger=1, archive=1, merge="own", copy=True),
        Field("state", ledger=1, archive=1, merge="own", copy=False),
        Field("guardian", ledger=2, archive=1, merge="fill", copy=False),
        Field("accepted_at", ledger=2, archive=1, merge="fill", copy=False),
        Field("link_number", ledger=2, archive=1, merge="own", copy=False),
        Field("paid", ledger=14, archive=3, merge="fill", copy=False),
        Field("answers", archive=3, personal="private", merge="fill", copy=False),
        Field("name_suffix", merge="own", copy=False),
        of="tournament",
        again=False,
    )

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["start_number"]
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_one_a_player"),
            models.UniqueConstraint(fields=["tournament", "start_number"], name="entry_start_number"),
            models.CheckConstraint(
                condition=models.Q(
                    state__in=[
                        "applied",
                        "waiting",
                        "cancelled",
                        "registered",
                        "late",
                        "checked_in",
                        "no_show",
                        "left",
                        "disqualified",
                    ]
                ),
                name="entry_state",
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        return shown_name(self.public_name, self.name_suffix, self.club, self.start_number)

    @property
    def is_out(self) -> bool:
        return self.state in self.OUT

    @property
    def is_in(self) -> bool:
        """Whether the player takes part, even if out by now."""
        return self.state not in self.ASKING


def shown_name(name: str, name_suffix: str, club: str, number: int) -> str:
    """Public name, with club or start number if ambiguous: "Anna (Card club)", "Anna #12"."""
    if name_suffix == Entry.NameSuffix.CLUB:
        return f"{name} ({club})"
    return f"{name} #{number}" if name_suffix else name


class PastResult(PublicModel):
    """An imported result without plays; empty fields were not in the file. `points`, `average`: decimals; `note`: such
    as a tie, disqualification or heat."""

    entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="past_results", verbose_name=_("participant")
    )
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.CharField(_("points"), max_length=15, blank=True, validators=[RegexValidator(AMOUNT)])
    average = models.CharField(_("average"), max_length=15, blank=True, validators=[RegexValidator(AMOUNT)])
    games = models.PositiveSmallIntegerField(_("games"), null=True, blank=True)
    wins = models.PositiveSmallIntegerField(_("wins"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=1000, blank=True)

    FIELDS = FieldTable(
        Field("entry", ledger=1, archive=4),
        Field("place", ledger=1, archive=4),
        Field("points", ledger=1, archive=4),
        Field("average", ledger=1, archive=4),
        Field("games", ledger=1, archive=4),
        Field("wins", ledger=1, archive=4),
        Field("note", archive=4, personal="public"),
        of="entry__tournament",
        again=False,
    )

    class Meta:
        ordering = [F("place").asc(nulls_last=True), "pk"]
        verbose_name = _("result from a file")
        verbose_name_plural = _("results from a file")
        constraints = [models.UniqueConstraint(fields=["entry"], name="past_result_once")]

    def __str__(self) -> str:
        return str(self.entry)

    @property
    def per_game(self) -> Fraction | None:
        """Points per game, from points and games, else the average; None if unknown."""
        if self.points and self.games:
            return Fraction(self.points) / self.games
        return Fraction(self.average) if self.average else None


class Membership(PublicModel):
    """A user's role in a tournament, or at one table; `invite`: its source."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        HEAD_REFEREE = "head_referee", _("head referee")
        TABLE_REFEREE = "table_referee", _("table referee")

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="memberships", verbose_name=_("event")
    )
    user = models.ForeignKey(User, models.PROTECT, related_name="memberships", verbose_name=_("user"))
    role = models.CharField(_("role"), max_length=14, choices=Role.choices)
    table = models.ForeignKey(
        "Table", models.CASCADE, null=True, blank=True, related_name="memberships", verbose_name=_("table")
    )
    invite = models.ForeignKey(
        "Invite",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="memberships",
        editable=False,
        verbose_name=_("invite"),
    )

    FIELDS = FieldTable(
        Field("tournament", archive=1, copy=False),
        Field("user", ledger=1, archive=1, copy=True),
        Field("role", ledger=1, archive=1, copy=True),
        Field("table", ledger=1, archive=1, copy=False),
        Field("invite", ledger=2, archive=1, copy=False),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "role", "id"]
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user", "role", "table"], name="membership_once"),
            models.UniqueConstraint(
                fields=["tournament", "user", "role"],
                condition=models.Q(table__isnull=True),
                name="membership_once_without_table",
            ),
            models.CheckConstraint(
                condition=models.Q(role="table_referee") | models.Q(table__isnull=True),
                name="membership_table_referee",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"


# ---- Pairs of players ----


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
    """Two similar-named players confirmed as different, by sorted uids, for all the organiser's events."""

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
