"""Plays, results, decisions."""

from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry
from tournament.models.stage import Stage, Table


class Play(PublicModel):
    """A game, round or heat at a table.

    `uid` comes from the entering device. `number` per table is never reused, even after voiding; sheets renumber.
    `version`: sequence of the ledger row that last wrote it. Game: `started_at`, `entered_at` (first), `ended`,
    `duration_s` (seconds); round: `last_cards`, `drew`; heat: `advance`. Disputed start: `other_start` is the
    alternative, `entered_at` the arrival. `second_look`: confirmation by a second person; contested ones wait for a
    referee.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        ENTERED = "entered", _("entered")
        OFFICIAL = "official", _("official")
        VOID = "void", _("void")
        SET_ASIDE = "set_aside", _("on hold")

    class SecondLook(models.TextChoices):
        WANTED = "wanted", _("provisional")
        ACCEPTED = "accepted", _("confirmed")
        CONTESTED = "contested", _("contested")

    class Ended(models.TextChoices):
        LAST = "last", _("one player was left")
        TIME = "time", _("the hour was up")
        EARLY = "early", _("stopped early")

    table = models.ForeignKey(Table, models.PROTECT, related_name="plays", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=9, choices=State.choices)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    other_start = models.DateTimeField(_("or started"), null=True, blank=True)
    entered_at = models.DateTimeField(_("first entered"), null=True, blank=True)
    ended = models.CharField(_("ended"), max_length=5, choices=Ended.choices, blank=True)
    duration_s = models.PositiveIntegerField(_("duration in seconds"), null=True, blank=True)
    decks = models.PositiveSmallIntegerField(_("decks"), null=True, blank=True)
    last_cards = models.JSONField(_("last cards"), default=dict, blank=True)
    drew = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("player who drew")
    )
    advance = models.PositiveSmallIntegerField(_("number of players through"), null=True, blank=True)
    second_look = models.CharField(
        _("confirmation"), max_length=9, choices=SecondLook.choices, blank=True, default=""
    )
    version = models.PositiveBigIntegerField(default=0, editable=False)

    FIELDS = FieldTable(
        Field("table", ledger=1, archive=1),
        Field("number", ledger=1, archive=1),
        Field("state", ledger=1, archive=1),
        Field("started_at", ledger=1, archive=1),
        Field("other_start", ledger=19, archive=4),
        Field("entered_at", ledger=11, archive=2),
        Field("ended", ledger=1, archive=1),
        Field("duration_s", ledger=1, archive=1),
        Field("decks", ledger=1, archive=1),
        Field("last_cards", ledger=1, archive=1),
        Field("drew", ledger=1, archive=1),
        Field("advance", ledger=1, archive=1),
        Field("second_look", ledger=3, archive=1),
        Field("version", archive=1),
        of="table__stage__tournament",
        again=False,
    )

    class Meta:
        ordering = ["table_id", "number"]
        verbose_name = _("game, round or heat")
        verbose_name_plural = _("games, rounds and heats")
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="play_number"),
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(state="running"), name="play_one_running_a_table"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["running", "entered", "official", "void", "set_aside"]),
                name="play_state",
            ),
            models.CheckConstraint(
                condition=models.Q(ended__in=["", "last", "time", "early"]), name="play_ended"
            ),
            models.CheckConstraint(
                condition=models.Q(second_look__in=["", "wanted", "accepted", "contested"]),
                name="play_second_look",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} / {self.number}"


class Result(PublicModel):
    """A player's result in a play. Game: `outcome` playing, out, last, remaining (with `hand`), gave_up or ejected;
    `elapsed_s` seconds since start. Round: won, holds (with `hand`), emptied. Heat: finished (`finish` from 1) or
    playing. A hand maps card ids to counts."""

    class Outcome(models.TextChoices):
        PLAYING = "playing", _("playing")
        OUT = "out", _("out")
        LAST = "last", _("last")
        REMAINING = "remaining", _("remaining")
        GAVE_UP = "gave_up", _("gave up")
        EJECTED = "ejected", _("ejected")
        WON = "won", _("won")
        HOLDS = "holds", _("holds cards")
        EMPTIED = "emptied", _("hand emptied")
        FINISHED = "finished", pgettext_lazy("outcome", "out of cards")

    play = models.ForeignKey(
        Play, models.CASCADE, related_name="results", verbose_name=_("game, round or heat")
    )
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="results", verbose_name=_("participant"))
    outcome = models.CharField(_("outcome"), max_length=9, choices=Outcome.choices, default=Outcome.PLAYING)
    elapsed_s = models.PositiveIntegerField(_("seconds since the start"), null=True, blank=True)
    hand = models.JSONField(_("hand"), default=dict, blank=True)
    finish = models.PositiveSmallIntegerField(_("finishing order"), null=True, blank=True)

    FIELDS = FieldTable(
        Field("play", archive=1),
        Field("entry", ledger=1, archive=1),
        Field("outcome", ledger=1, archive=1),
        Field("elapsed_s", ledger=1, archive=1),
        Field("hand", ledger=1, archive=1),
        Field("finish", ledger=1, archive=1),
        of="play__table__stage__tournament",
        part_of="play",
    )

    class Meta:
        ordering = ["play_id", "id"]
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [
            models.UniqueConstraint(fields=["play", "entry"], name="result_one_a_player"),
            models.UniqueConstraint(
                fields=["play"], condition=models.Q(outcome="won"), name="result_one_winner"
            ),
            models.UniqueConstraint(
                fields=["play"], condition=models.Q(outcome="last"), name="result_one_last"
            ),
            models.UniqueConstraint(
                fields=["play", "finish"], condition=models.Q(finish__isnull=False), name="result_finish"
            ),
            models.CheckConstraint(
                condition=models.Q(elapsed_s__isnull=True) | models.Q(elapsed_s__lte=3600),
                name="result_within_hour",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="finished", finish__isnull=False)
                | models.Q(~models.Q(outcome="finished"), finish__isnull=True),
                name="result_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play}: {self.entry} {self.outcome}"


class Decision(PublicModel):
    """A named person's decision; its reason is the ledger row's note. `advance`: qualifies despite the heats (no
    finisher, a reserve). `steps_back`: does not, though qualified (final begun when a heat was corrected). `reserve`:
    replaces a missing qualifier, `rank` 1 first."""

    class Kind(models.TextChoices):
        ADVANCE = "advance", _("through by decision")
        STEPS_BACK = "steps_back", _("not through by decision")
        RESERVE = "reserve", _("reserve")

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="decisions", verbose_name=_("stage"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="decisions", verbose_name=_("participant"))
    rank = models.PositiveSmallIntegerField(_("rank"), null=True, blank=True)

    FIELDS = FieldTable(
        Field("stage", ledger=1, archive=1),
        Field("kind", ledger=1, archive=1),
        Field("entry", ledger=1, archive=1),
        Field("rank", ledger=2, archive=1),
        of="stage__tournament",
    )

    class Meta:
        ordering = ["stage_id", "id"]
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        constraints = [models.UniqueConstraint(fields=["stage", "kind", "entry"], name="decision_once")]

    def __str__(self) -> str:
        return f"{self.stage}: {self.entry} {self.get_kind_display()}"
