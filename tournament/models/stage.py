"""Stages of a tournament, their tables and who sits where.

A contest is what one score sheet covers: the whole stage for a session and for heats, one table for a match
and a final (each table of a match stage plays its own match).
"""

from functools import cache
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy as _, override, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry, Tournament

MOST_CARD_TEXTS = 3  # as many as there are Customizable cards in a deck
LONGEST_CARD_TEXT = 100  # characters
MOST_LEVELS = 20  # heats and the final of an event


def level_names() -> list[str]:
    """List the names that a plan gives to heats one after another, to the semi-finals and to the final, in the language
    that is active."""
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
    """Give the places in `level_names` of such names in every language."""
    return {
        name: place
        for code, _name in settings.LANGUAGES
        for place, name in enumerate(override(code)(level_names)())
    }


def stage_title(name: str, kind: str) -> str:
    """Give the title of a stage: the name that people gave it, or in the reader's language one that a plan gave it, or
    its kind."""
    place = planned_names().get(name)
    return name or str(Stage.Kind(kind).label) if place is None else level_names()[place]


class SeatQuerySet(QuerySet["Seat"]):
    """Seats."""

    def playing_on(self) -> Self:
        """Those whose players play on: see `Seat.plays_on`."""
        return self.filter(out_as="").exclude(entry__state="disqualified")


class Stage(PublicModel):
    """A part of a tournament that is played by one kind of contest.

    `settings` are a score sheet's settings (target, scoring, decks, custom_cards, min_games, advance); they
    lock when the stage starts, and so does `card_texts`, the text of each Customizable card. `plan` is the stage's
    part of the programme (`starts_at`, `minutes`, `players`, `tables`; tournament/queries/programme.py), `first_plan`
    the one that was published first, {} before. With `second_look` each play is provisional until a second person
    accepts it, not the one who entered it. `frozen_after`: while it is set, everybody sees this stage and those after
    it as they were after that ledger row (tournament/queries/visible.py); `revealed` is the number of steps of the
    reveal shown since, None before it began. `version` is the sequence of the last ledger row that changed what
    readers of this stage see.
    """

    class Kind(models.TextChoices):
        SESSION = "session", _("Session")
        HEATS = "heats", _("Heats")
        MATCH = "match", _("Match")
        FINAL = "final", _("Final")

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
    second_look = models.BooleanField(_("a second person confirms results"), default=False)
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
        Field("second_look", ledger=3, archive=1, copy=True),
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
                condition=models.Q(kind__in=["session", "heats", "match", "final"]), name="stage_kind"
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
        """The record of the last draw of this stage's seats (`tournament.seating.DrawRecord`); {} if there is none."""
        last = self.draws.order_by("-number").first()
        return last.record if last else {}


class Draw(PublicModel):
    """A draw of a stage's seats: `record` has everything to repeat it (`tournament.seating.DrawRecord`). Draws are
    kept; the last one counts."""

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
        return f"{self.stage} {self.number}"


class Table(PublicModel):
    """A table in a stage.

    Roles at the table are facts that people stated: `oldest` and `youngest` if birth dates are not known,
    and the `starter` chosen by the card draw. `stopped`: the referees ended its match before the target.
    `link_number` is a part of the table's own link (tournament/links.py): raising it ends the link given out before.
    """

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
        return f"{self.stage} {self.number}"


class Seat(PublicModel):
    """A place at a table; positions count clockwise from 1.

    `out_as` and `out_from` tell whether the player was removed by the referees or left, and from which play of
    the table on. The seat stays, since the earlier plays were played from it. `left_at` and `left_from` are the moment
    of a departure that was noted by itself, not by a play, and the play that came next; a play may say that the player
    was out earlier. Both are None for other departures and in older rows.
    """

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
        """Whether the player still sits here: neither out at this table nor disqualified (an ejection from a game marks
        the entry and not the seat)."""
        return not self.out_as and self.entry.state != Entry.State.DISQUALIFIED
