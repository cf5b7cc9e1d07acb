"""What the hall sees: big screens, the hall clock, announcements."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Tournament
from tournament.models.ledger import LedgerRow
from tournament.models.people import User
from tournament.models.play import Play
from tournament.models.stage import Stage, Table

SHORTEST_PAGE_S, LONGEST_PAGE_S = 5, 120
MOST_EXTRA = 120  # minutes, for a table or all
LONGEST_ANNOUNCEMENT = 200  # characters per language


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


class HallClock(PublicModel):
    """The event's single clock. Play: `stage`, `ends_at`, last hand called `last_hand` minutes before; paused while
    `held_at`. A break has no stage and is held. `goes_on_at`: planned resumption. `extra`: minutes by table number as
    text."""

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="hall_clocks", verbose_name=_("event")
    )
    stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("stage")
    )
    started_at = models.DateTimeField(_("started"))
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    held_at = models.DateTimeField(_("paused"), null=True, blank=True)
    goes_on_at = models.DateTimeField(_("resumes"), null=True, blank=True)
    last_hand = models.PositiveSmallIntegerField(_("last hand, minutes before the end"), default=0)
    extra = models.JSONField(_("extra minutes for tables"), default=dict, blank=True)

    FIELDS = FieldTable(
        Field("tournament", archive=3),
        Field("stage", ledger=1, archive=3),
        Field("started_at", ledger=1, archive=3),
        Field("ends_at", ledger=1, archive=3),
        Field("held_at", ledger=1, archive=3),
        Field("goes_on_at", ledger=1, archive=3),
        Field("last_hand", ledger=1, archive=3),
        Field("extra", ledger=1, archive=3),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "id"]
        verbose_name = _("hall clock")
        verbose_name_plural = _("hall clocks")
        constraints = [
            models.UniqueConstraint(fields=["tournament"], name="hall_clock_one"),
            models.CheckConstraint(
                condition=models.Q(stage__isnull=True, ends_at__isnull=True, held_at__isnull=False)
                | models.Q(stage__isnull=False, ends_at__isnull=False),
                name="hall_clock_play_or_break",
            ),
        ]

    def __str__(self) -> str:
        return str(self.stage) if self.stage else str(_("Break"))

    def over(self, at: datetime) -> bool:
        """Whether time is up at that moment; never while paused."""
        return self.held_at is None and self.ends_at is not None and self.ends_at <= at

    def extra_of(self, table: int) -> int:
        return int(self.extra.get(str(table), 0))

    def ends_for(self, table: int) -> datetime | None:
        """End for the table; None in a break."""
        return self.ends_at and self.ends_at + timedelta(minutes=self.extra_of(table))


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    """Announcements."""

    def standing(self, at: datetime | None = None) -> "AnnouncementQuerySet":
        """Current announcements, newest first, `at` a moment or as of the event's last ledger row: published pages
        must follow from facts; browsers hide expired ones."""
        rows = LedgerRow.objects.filter(tournament=models.OuterRef("tournament")).order_by("-sequence")
        end = at or models.Subquery(rows.values("at")[:1])
        return (
            self.filter(Q(until=None) | Q(until__gt=end), down_at=None)
            .select_related("tournament")
            .order_by("-at", "-pk")
        )


class Announcement(PublicModel):
    """A message to all, from `at` to `until` (None: until taken down). `words`: texts by language, shown in the
    reader's, else the event's, else any."""

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
        return str(self.words.get(self.language, ""))


# ---- Table requests ----


class Proposal(PublicModel):
    """A result proposed with the table's code, for a referee to accept or decline. `play`: future play uid; `number`
    at the table; `fields`: form values (ids, numbers), read like a referee's."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("proposed result", "withdrawn")

    table = models.ForeignKey(Table, models.PROTECT, related_name="proposals", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("number"))
    play = models.UUIDField(_("game, round or heat"), editable=False)
    fields = models.JSONField(_("what was entered"), default=dict, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.WAITING)
    at = models.DateTimeField(_("time"))

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("number", ledger=1, archive=1),
        Field("play", ledger=1, archive=1, called="of_play"),
        Field("fields", ledger=1, archive=1),
        Field("state", ledger=1, archive=1),
        Field("at", ledger=1, archive=1),
        of="table__stage__tournament",
        again=False,
    )

    class Meta:
        ordering = ["table_id", "id"]
        verbose_name = _("proposed result")
        verbose_name_plural = _("proposed results")
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(state="waiting"), name="proposal_one_waiting"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "accepted", "declined", "withdrawn"]),
                name="proposal_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} / {self.number}"


class Call(PublicModel):
    """A call for the head referee: `help`, or `contest` of a `play`."""

    class Kind(models.TextChoices):
        HELP = "help", _("is calling the head referee")
        CONTEST = "contest", _("is contesting a result")

    table = models.ForeignKey(Table, models.PROTECT, related_name="calls", verbose_name=_("table"))
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices, default=Kind.HELP)
    play = models.ForeignKey(
        Play,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="calls",
        verbose_name=_("game, round or heat"),
    )
    at = models.DateTimeField(_("time"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("answered by")
    )

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("kind", ledger=1, archive=1),
        Field("play", ledger=1, archive=1, called="of_play"),
        Field("at", ledger=1, archive=1),
        Field("answered_at", ledger=1, archive=1),
        Field("answered_by", ledger=1, archive=1),
        of="table__stage__tournament",
        again=False,
    )

    class Meta:
        ordering = ["table_id", "id"]
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "kind"], condition=models.Q(answered_at=None), name="call_one_open"
            ),
            models.CheckConstraint(condition=models.Q(kind__in=["help", "contest"]), name="call_kind"),
            models.CheckConstraint(
                condition=models.Q(answered_at=None, answered_by=None)
                | models.Q(answered_at__isnull=False, answered_by__isnull=False),
                name="call_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"


class AskQuerySet(models.QuerySet["Ask"]):
    """Requests to join a table."""

    def waiting(self) -> "AskQuerySet":
        """Pending: at most Ask.WAITS old, table code unchanged."""
        return self.filter(
            answer=None, at__gt=timezone.now() - Ask.WAITS, table__link_number=models.F("number")
        )


class Ask(PublicModel):
    """A phone with a table's short code, asking the table for full access. `number`: the table's `link_number` then; a
    new code voids request and answer."""

    WAITS = timedelta(minutes=5)

    table = models.ForeignKey(Table, models.CASCADE, related_name="asks", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    answer = models.BooleanField(null=True)

    objects = AskQuerySet.as_manager()

    FIELDS = FieldTable(of="table__stage__tournament", apart="no fact: which phone asks to join a table")

    def __str__(self) -> str:
        return f"{self.table}: {self.at}"


class Typing(PublicModel):
    """A device entering something at a table, to warn others."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="typing", verbose_name=_("table"))
    device = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("user"))
    at = models.DateTimeField()
    game = models.TextField(blank=True)  # of the players' clock, as on their phone

    FIELDS = FieldTable(of="table__stage__tournament", apart="no fact: who types at this moment")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "device"], name="typing_once")]

    def __str__(self) -> str:
        return f"{self.table}: {self.user}"
