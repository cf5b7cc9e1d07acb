"""Stages, tables and seats. A score sheet covers a contest: the stage for sessions, heats and races, else one table."""

from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy as _, override, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry, Tournament

MOST_CARD_TEXTS = 3  # as many as Customizable cards in a deck
LONGEST_CARD_TEXT = 100  # characters
MOST_LEVELS = 20  # including the final


def level_names() -> list[str]:
    """Planned names of successive heats, semi-finals and final."""
    return [
        gettext("Heats"),
        gettext("Second heats"),
        gettext("Third heats"),
        gettext("Fourth heats"),
        *(gettext("Heats, round %d") % number for number in range(5, MOST_LEVELS)),
        gettext("Semi-finals"),
        gettext("Final"),
    ]


@cache
def planned_names() -> dict[str, int]:
    """Index in `level_names` of planned names in all languages."""
    return {
        name: place
        for code, _name in settings.LANGUAGES
        for place, name in enumerate(override(code)(level_names)())
    }


def stage_title(name: str, kind: str) -> str:
    """Given name, translated planned name, or kind."""
    place = planned_names().get(name)
    return name or str(Stage.Kind(kind).label) if place is None else level_names()[place]


class SeatQuerySet(QuerySet["Seat"]):
    """Seats."""

    def playing_on(self) -> Self:
        """Seats whose player plays on (`Seat.plays_on`)."""
        return self.filter(out_as="").exclude(entry__state="disqualified")


class Stage(PublicModel):
    """Part of a tournament with one kind of contest.

    `settings` (those of its score sheet) and `card_texts` (Customizable cards) lock at the start. `plan`: programme
    (queries/programme.py); `first_plan`: first published, else {}. `second_look`: plays need confirmation by another
    person. `players_clock`: the oldest at a session's table without a referee may run its clock by the table's code.
    `source`: where its players come from, {} as usual (results/contests.py). `frozen_after`: the public sees this and
    later stages as of that ledger row (queries/visible.py); `revealed`: reveal steps since, None before. `version`:
    last ledger sequence that changed what readers see.
    """

    class Kind(models.TextChoices):
        SESSION = "session", _("Session")
        HEATS = "heats", _("Heats")
        MATCH = "match", _("Match")
        FINAL = "final", _("Final")
        RACE = "race", _("Race")
        RACES = "races", _("Race at each table")

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        FINISHED = "finished", pgettext_lazy("state", "finished")

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="stages", verbose_name=_("event"))
    number = models.PositiveSmallIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=60, blank=True)
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    card_texts = models.JSONField(_("what the Customizable cards say"), default=list, blank=True)
    plan = models.JSONField(_("programme"), default=dict, blank=True, editable=False)
    first_plan = models.JSONField(_("programme as first published"), default=dict, blank=True, editable=False)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.PLANNED)
    source = models.JSONField(_("where the players come from"), default=dict, blank=True, editable=False)
    second_look = models.BooleanField(_("a second person confirms results"), default=False)
    players_clock = models.BooleanField(_("players run the clock"), default=False)
    frozen_after = models.PositiveBigIntegerField(_("frozen after"), null=True, blank=True, editable=False)
    revealed = models.PositiveSmallIntegerField(_("revealed"), null=True, blank=True, editable=False)
    version = models.PositiveBigIntegerField(default=0, editable=False)

    FIELDS = FieldTable(
        Field("tournament", archive=1, copy=False),
        Field("number", ledger=1, archive=1, copy=False),
        Field("kind", ledger=1, archive=1, copy=True),
        Field("name", archive=1, copy=True),
        Field("settings", ledger=1, archive=1, copy=True),
        Field("card_texts", archive=1, copy=True),
        Field("plan", ledger=2, archive=1, wall=True, copy=True),
        Field("first_plan", ledger=2, archive=1, wall=True, copy=False),
        Field("state", ledger=1, archive=1, copy=False),
        Field("source", ledger=24, archive=5, copy=True),
        Field("second_look", ledger=3, archive=1, copy=True),
        Field("players_clock", ledger=23, archive=5, copy=True),
        Field("frozen_after", ledger=4, archive=1, undo=False, copy=False),
        Field("revealed", ledger=4, archive=1, beside="frozen_after", undo=False, copy=False),
        Field("version", archive=1, copy=False),
        of="tournament",
    )

    class Meta:
        ordering = ["tournament_id", "number"]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["session", "heats", "match", "final", "race", "races"]),
                name="stage_kind",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["planned", "running", "finished"]), name="stage_state"
            ),
            models.CheckConstraint(
                condition=models.Q(revealed__isnull=True) | models.Q(frozen_after__isnull=False),
                name="stage_revealed_frozen",
            ),
        ]

    def __str__(self) -> str:
        return stage_title(self.name, self.kind)

    @property
    def draw(self) -> dict[str, Any]:
        """Record of the last draw (`DrawRecord`) or {}."""
        last = self.draws.order_by("-number").first()
        return last.record if last else {}


class Draw(PublicModel):
    """A repeatable draw (`record`: `DrawRecord`); the last counts."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="draws", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("number"))
    record = models.JSONField(_("record"))

    FIELDS = FieldTable(
        Field("stage", ledger=1, archive=1),
        Field("number", ledger=1, archive=1),
        Field("record", ledger=1, archive=1),
        of="stage__tournament",
    )

    class Meta:
        ordering = ["stage_id", "number"]
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="draw_number")]

    def __str__(self) -> str:
        return f"{self.stage.tournament}: {self.stage} {self.number}"


class Table(PublicModel):
    """A table in a stage. As stated there: `oldest`, `youngest` (birth dates unknown), `starter` (card draw).
    `stopped`: match ended by referees before the target. `link_number`: raise to invalidate the table's link."""

    ROLES = ("oldest", "youngest", "starter")

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="tables", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("number"))
    stopped = models.BooleanField(_("stopped by the referees"), default=False)
    oldest = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("oldest")
    )
    youngest = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("youngest")
    )
    starter = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("starter")
    )
    link_number = models.PositiveSmallIntegerField(default=0, editable=False)

    FIELDS = FieldTable(
        Field("stage", ledger=1, archive=1),
        Field("number", ledger=1, archive=1),
        Field("stopped", ledger=1, archive=1),
        Field("oldest", ledger=1, archive=1),
        Field("youngest", ledger=1, archive=1),
        Field("starter", ledger=1, archive=1),
        Field("link_number", ledger=3, archive=1),
        of="stage__tournament",
    )

    class Meta:
        ordering = ["stage_id", "number"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="table_number")]

    def __str__(self) -> str:
        return f"{self.stage.tournament}: {self.stage} {self.number}"


class Seat(PublicModel):
    """A seat; positions are clockwise from 1. `out_as`, `out_from`: removed or left, from which play; the seat stays
    for earlier plays. `left_at`, `left_from`: time and next play of a departure recorded separately, else None (also
    in older rows); a play may set `out_from` earlier."""

    class OutAs(models.TextChoices):
        REMOVED = "removed", _("removed")
        WITHDRAWN = "withdrawn", _("left")

    table = models.ForeignKey(Table, models.PROTECT, related_name="seats", verbose_name=_("table"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats", verbose_name=_("participant"))
    position = models.PositiveSmallIntegerField(_("position"))
    out_as = models.CharField(_("how they left the match"), max_length=9, choices=OutAs.choices, blank=True)
    out_from = models.PositiveSmallIntegerField(_("out from round"), null=True, blank=True)
    left_from = models.PositiveSmallIntegerField(_("left before round"), null=True, blank=True)
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("entry", ledger=1, archive=1),
        Field("position", ledger=1, archive=1),
        Field("out_as", ledger=1, archive=1),
        Field("out_from", ledger=1, archive=1),
        Field("left_from", ledger=18, archive=4),
        Field("left_at", ledger=18, archive=4),
        of="table__stage__tournament",
    )

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["table_id", "position"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["table", "entry"], name="seat_one_a_player"),
            models.UniqueConstraint(fields=["table", "position"], name="seat_position"),
            models.CheckConstraint(
                condition=models.Q(out_as="", out_from__isnull=True)
                | models.Q(out_as__in=["removed", "withdrawn"], out_from__isnull=False),
                name="seat_out",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.position}: {self.entry}"

    @property
    def plays_on(self) -> bool:
        """Whether the player is neither out here nor disqualified (ejection marks the entry, not the seat)."""
        return not self.out_as and self.entry.state != Entry.State.DISQUALIFIED


# ---- Proxy models of `Stage` for the admin ----


Kind = TypeVar("Kind", bound=Stage)


class _OfKind(models.Manager[Kind]):
    def __init__(self, kind: Stage.Kind) -> None:
        super().__init__()
        self._kind = kind

    def get_queryset(self) -> models.QuerySet[Kind]:
        return super().get_queryset().filter(kind=self._kind)


class Session(Stage):
    """Games with averaged points; seats change between games."""

    objects: ClassVar[_OfKind["Session"]] = _OfKind(Stage.Kind.SESSION)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("session")
        verbose_name_plural = _("sessions")


class Heats(Stage):
    """One play per table decides who goes through."""

    objects: ClassVar[_OfKind["Heats"]] = _OfKind(Stage.Kind.HEATS)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("heats")
        verbose_name_plural = _("heats")


class Match(Stage):
    """Rounds to a target, a match per table."""

    objects: ClassVar[_OfKind["Match"]] = _OfKind(Stage.Kind.MATCH)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("match")
        verbose_name_plural = _("matches")


class Final(Stage):
    """Rounds to a target at one table."""

    objects: ClassVar[_OfKind["Final"]] = _OfKind(Stage.Kind.FINAL)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("final")
        verbose_name_plural = _("finals")


class Race(Stage):
    """Hands at changing tables, one race over all of them."""

    objects: ClassVar[_OfKind["Race"]] = _OfKind(Stage.Kind.RACE)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("race")
        verbose_name_plural = _("races")


class Races(Stage):
    """Hands at tables, a race per table."""

    objects: ClassVar[_OfKind["Races"]] = _OfKind(Stage.Kind.RACES)  # type: ignore[assignment]  # of the proxy

    class Meta:
        proxy = True
        verbose_name = _("race at each table")
        verbose_name_plural = _("races at each table")
