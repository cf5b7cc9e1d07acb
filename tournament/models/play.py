"""Play at the tables: plays, their results, and people's decisions."""

from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.models.base import Field, FieldTable, PublicModel
from tournament.models.event import Entry
from tournament.models.stage import Stage, Table


class Play(PublicModel):
    """One game, round or heat at a table.

    `uid` is made by the device that enters the play. `number` counts the plays of the table and is never used
    again, also not after a void; the score sheet renumbers those that count. `version` is the sequence of the
    ledger row that last wrote this play, so the row tells who and when. `started_at`, `entered_at` (when it was first
    entered), `ended` and `duration_s` (seconds) belong to a session's game, `last_cards` and `drew` to a match's round,
    `advance` to a heat. While a game's start is in question, `other_start` is the other moment in which it may have
    been, and `entered_at` when the game arrived. `second_look` tells whether a second person has to accept it, and did;
    a contested one waits for a referee.
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
        Field("other_start", ledger=18, archive=4),
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
    """One player's result in one play.

    A session's game: `outcome` playing, out, last, remaining, gave_up or ejected, with `elapsed_s` seconds
    since the game began and for `remaining` the `hand`. A match's round: won, holds (with the `hand`) or
    emptied. A heat: finished (with `finish`, 1 for the first out) or playing. A hand maps card ids to how
    many cards.
    """

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
    """A decision by named people where the rules leave it to them; the reason is kept beside its ledger row.

    `advance`: the entry goes through to the stage although it did not qualify in the heats (nobody finished, a
    reserve). `steps_back`: it does not, although it qualified (the final had begun when a heat was corrected).
    `reserve`: it comes in when somebody who goes through does not play; `rank` 1 first.
    """

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
