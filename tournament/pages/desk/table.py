"""A referee's table: players, plays, next step."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any
from uuid import UUID
from zlib import crc32

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets import RULESETS, Ruleset
from scoring import GameResult, Points
from tournament.ledger.past import entry_of, entry_rows
from tournament.models import Call, Entry, LedgerRow, Play, Proposal, Result, Stage, Table, Tournament, User
from tournament.pages.desk.play import Line, ending_text, held_starts, lines_of, notes_of
from tournament.pages.public.scenes import clock_at
from tournament.pages.public.stage import columns_of, people_in, person, play_label, plays_label
from tournament.pages.public.standings import Board, board_of, isolated
from tournament.queries.chain import lives_of
from tournament.queries.incidents import ACCEPT_WITHIN, look_of, seen_text, waits
from tournament.queries.stage_rules import by_age, start_text
from tournament.results import (
    COUNTS,
    Contest,
    ContestResults,
    Fault,
    PlayFacts,
    Settled,
    contest_now,
    kind_of,
    places_between,
    scored,
    stage_contests,
    starts_of,
)
from tournament.words.faults import fault_text
from tournament.words.text import amount_text, elapsed_text

TOLD_WITHIN = timedelta(minutes=10)  # while an answered call shows


@dataclass(frozen=True)
class Scene:
    """Table, contest, and its answer once the stage has started."""

    table: Table
    contest: Contest
    results: ContestResults | None

    @property
    def stage(self) -> Stage:
        return self.table.stage

    @property
    def tournament(self) -> Tournament:
        return self.table.stage.tournament

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.contest.ruleset]

    @property
    def names(self) -> dict[str, str]:
        """Public names by entry uid."""
        return self.contest.names

    @property
    def url(self) -> str:
        return reverse("table", args=[self.table.uid])

    @cached_property
    def plays(self) -> list[PlayFacts]:
        """Plays, newest first."""
        return [play for play in reversed(self.contest.in_order) if play.table == self.table.uid]

    def play(self, uid: UUID) -> PlayFacts:
        """The table's play. Raises Play.DoesNotExist if removed."""
        found = next((play for play in self.plays if play.uid == uid), None)
        if found is None:
            raise Play.DoesNotExist
        return found

    @property
    def next_number(self) -> int:
        return max((play.number for play in self.plays), default=0) + 1

    @property
    def running(self) -> PlayFacts | None:
        """The running KPGUT game."""
        return next((play for play in self.plays if play.state == Play.State.RUNNING), None)

    @property
    def counting(self) -> list[PlayFacts]:
        return [play for play in self.plays if play.state in COUNTS]

    @property
    def undecided(self) -> list[tuple[PlayFacts, str, list[tuple[str, str]]]]:
        """Plays set aside, in playing order, as (play, label, `held_starts`)."""
        aside = [play for play in reversed(self.plays) if play.state == Play.State.SET_ASIDE]
        return [(play, self.label(play), self.starts(play)) for play in aside] if self.open else []

    @property
    def undecided_label(self) -> str:
        """Their label: "Rounds 4 to 8"."""
        return self.labels([play for play, *_more in self.undecided])

    @property
    def seated(self) -> list[UUID]:
        """Players seated and not out, clockwise."""
        seats = [seat for seat in self.contest.seats if seat.table == self.table.number]
        return [seat.entry for seat in seats if seat not in self.contest.out]

    @property
    def ejected(self) -> set[UUID]:
        """Players ejected, so from the session."""
        standings = self.results.answer.standings if self.results else ()
        now = self.running.ejected if self.running else ()
        return {UUID(row.player) for row in standings if row.status == "disqualified"}.union(now)

    @property
    def ready(self) -> list[UUID]:
        """Seated players who may play the next game."""
        ejected = self.ejected
        return [entry for entry in self.seated if entry not in ejected]

    @property
    def open(self) -> bool:
        """Whether entries are allowed."""
        return self.stage.state == Stage.State.RUNNING

    @property
    def complete(self) -> bool:
        """Whether the match is over."""
        return self.results is not None and self.results.complete

    def named(self, entries: list[UUID]) -> list[tuple[str, str]]:
        """Players as (uid, public name)."""
        return [(str(entry), self.names.get(str(entry), "")) for entry in entries]

    def label(self, play: PlayFacts) -> str:
        return play_label(self.contest, play)

    def starts(self, play: PlayFacts) -> list[tuple[str, str]]:
        return held_starts(self.contest, play, self.tournament.zone)

    def labels(self, plays: Sequence[PlayFacts]) -> str:
        return plays_label(self.contest, plays)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The contest's entries by uid."""
        return {
            str(entry.uid): entry
            for entry in Entry.objects.filter(uid__in=[player.entry for player in self.contest.players])
        }

    def board(self, settled: Settled | None = None) -> Board | None:
        """Leader and standings, now or as `settled`; None for heats and before the start."""
        results = ContestResults(settled.contest, settled.sheet, settled.answer) if settled else self.results
        if self.results is None or results is None or kind_of(self.contest.kind).one_play:
            return None
        lives = lives_of(self.tournament, self.tournament.stages.all())
        return board_of(
            results.answer,
            results.sheet.data,
            people_in(
                results.contest,
                {uid: person(self.tournament, entry, lives.get(uid)) for uid, entry in self.entries.items()},
            ),
            columns_of(results),
            finished=self.stage.state == Stage.State.FINISHED,
            gained=places_between(self.results.answer, settled.answer) if settled else results.places_gained,
        )

    def points(self, play: UUID, settled: Settled | None = None) -> dict[str, Points | None]:
        """Points per player; {} if the play does not count."""
        return {player: result.points for player, result in self._rows(play, settled).items()}

    def scored(self, play: UUID, settled: Settled | None = None) -> dict[str, GameResult]:
        """Place and tie-break per player of a KPGUT game."""
        return {
            player: result
            for player, result in self._rows(play, settled).items()
            if isinstance(result, GameResult)
        }

    def lines(self, play: PlayFacts, settled: Settled | None = None) -> list[Line]:
        """A line per player of the play."""
        places = self.scored(play.uid, settled)
        return lines_of(play, self.names, self.ruleset, self.points(play.uid, settled), scored=places)

    def _rows(self, play: UUID, settled: Settled | None) -> dict[str, Any]:
        results = settled or self.results
        if results is None:
            return {}
        rows: Any = results.answer.rounds
        for counted, row in zip(results.sheet.plays, rows, strict=True):
            if counted and counted.uid == play:
                return {result.player: result for result in row.results}
        return {}

    @cached_property
    def call(self) -> Call | None:
        return last_call(self.table)

    def context(self) -> dict[str, Any]:
        """Context of all pages about this table."""
        here = {"scene": self, "table": self.table, "stage": self.stage, "section": "desk"}
        if not self.open:
            return here
        return here | {"hall_clock": clock_at(self.table), "mark": table_mark(self.contest, self.table)}


def scene_of(table: Table) -> Scene:
    """A table's scene. Refused `unknown_table`."""
    contest = contest_now(table)
    results = None if table.stage.state == Stage.State.PLANNED else scored(contest)
    return Scene(table, results.contest if results else contest, results)


def last_call(table: Table) -> Call | None:
    """The last help call: open, or answered within TOLD_WITHIN."""
    last = (
        Call.objects.filter(table=table, kind=Call.Kind.HELP)
        .select_related("answered_by")
        .order_by("-pk")
        .first()
    )
    return None if last and last.answered_at and timezone.now() - last.answered_at > TOLD_WITHIN else last


def table_mark(contest: Contest, table: Table) -> str:
    """ "number:checksum", changed by each entry, seat or role."""
    seats = [seat for seat in contest.seats if seat.table == table.number]
    plays = sorted((play.version, str(play.uid)) for play in contest.plays if play.table == table.uid)
    facts = (table.stopped, table.oldest_id, table.youngest_id, table.starter_id, seats, plays)
    return f"{table.number}:{crc32(repr(facts).encode()):x}"


def table_marks(stage: Stage) -> list[str]:
    """`table_mark` of each table."""
    contests = {table: contest for contest in stage_contests(stage) for table in contest.table_numbers}
    return [table_mark(contests[table.uid], table) for table in stage.tables.all() if table.uid in contests]


def asked_starts(plays: Iterable[tuple[PlayFacts | Play, str]]) -> list[dict[str, Any]]:
    """Questions when games began. `moments`: (form value in milliseconds, time), the last of each minute."""
    return [
        {
            "play": play.uid,
            "label": label,
            "running": play.state == Play.State.RUNNING,
            "moments": [
                (int(at.timestamp() * 1000), at)
                for at in {at.replace(second=0, microsecond=0): at for at in sorted(starts_of(play))}.values()
            ],
        }
        for play, label in plays
        if play.other_start and play.state != Play.State.VOID
    ]


# ---- Plays of a table as its page lists them ----


@dataclass(frozen=True, slots=True)
class PlayLine:
    """Listed play: label, state, winner with points."""

    uid: UUID
    label: str
    state: str
    text: str


def entered(scene: Scene, play: PlayFacts) -> dict[str, Any] | None:
    """Context of desk/_entered_by.html: `by` entered, corrected or (`proposed`) accepted."""
    row = entry_of(scene.stage.tournament_id, play)
    if row is None:
        return None
    return {"by": row.actor.display_name(), "at": row.at, "proposed": row.action == "accept_proposal"}


def play_lines(scene: Scene) -> list[PlayLine]:
    """Plays not running, newest first."""
    return [
        PlayLine(uid=play.uid, label=scene.label(play), state=look_of(play), text=summary(scene, play))
        for play in scene.plays
        if play.state != Play.State.RUNNING
    ]


def finished_lists(scene: Scene) -> dict[str, Any]:
    """Context: the table's `plays` and `board`."""
    return {"plays": play_lines(scene), "board": scene.board()}


def summary(scene: Scene, play: PlayFacts, settled: Settled | None = None) -> str:
    """The play in a few words."""
    names, points = scene.names, scene.points(play.uid, settled)
    for row in play.results:
        name = isolated([names.get(str(row.entry), "")])
        if row.outcome == Result.Outcome.WON:
            won = points.get(str(row.entry))
            return f"{name} +{amount_text(won)}" if won else name
    if finished := sorted(play.with_outcome(Result.Outcome.FINISHED), key=lambda row: row.finish or 0):
        return isolated([names.get(str(row.entry), "") for row in finished])
    if out := sorted(play.with_outcome(Result.Outcome.OUT), key=lambda row: row.elapsed_s or 0):
        return _("%(name)s first, after %(time)s") % {
            "name": isolated([names.get(str(out[0].entry), "")]),
            "time": elapsed_text(out[0].elapsed_s or 0),
        }
    return ending_text(play)


# ---- Results awaiting acceptance: proposals, second looks ----


@dataclass(frozen=True, slots=True)
class Looked:
    """Play awaiting a second look. `until`: players' deadline; `own`: the reader's; `proposed`: by players."""

    scene: Scene
    play: PlayFacts
    label: str
    lines: Sequence[Line]
    notes: Sequence[tuple[str, str]]
    by: str
    at: datetime | None
    until: datetime | None
    own: bool
    proposed: bool

    @property
    def contested(self) -> bool:
        return self.play.second_look == Play.SecondLook.CONTESTED


@dataclass(frozen=True, slots=True)
class Stack:
    """Plays waiting at a table; `acceptable`: by the reader at once (`seen_text`)."""

    scene: Scene
    looked: Sequence[Looked]

    @property
    def acceptable(self) -> list[str]:
        found = [seen_text(each.play) for each in self.looked if not each.contested and not each.own]
        return found if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class Proposed:
    """A result proposed by players, or its `faults`; `taken`: a referee entered that number."""

    scene: Scene
    row: Proposal
    label: str
    lines: Sequence[Line] = ()
    notes: Sequence[tuple[str, str]] = ()
    faults: Sequence[str] = ()
    taken: bool = False


def proposed_at(
    scene: Scene, proposal: Proposal, settled: Settled | None, faults: Sequence[Fault] = ()
) -> Proposed:
    """The proposal read back; `settled`: the contest with it, if possible."""
    taken = is_taken(scene, proposal)
    play = settled.contest.play(proposal.play) if settled and not taken else None
    label = scene.label(PlayFacts(proposal.play, scene.table.uid, proposal.number, "entered"))
    if play is None:
        texts = () if taken else [fault_text(fault, scene.names) for fault in faults]
        return Proposed(scene, proposal, label, faults=texts, taken=taken)
    return Proposed(scene, proposal, label, scene.lines(play, settled), notes_of(play, scene))


def is_taken(scene: Scene, proposal: Proposal) -> bool:
    """Whether the proposed number is taken."""
    return any(play.number == proposal.number for play in scene.plays)


def looked_at(scenes: Sequence[Scene], user: User | None = None) -> list[Looked]:
    """Plays awaiting a second look, by table: contested first, then newest."""
    plays = [(scene, play) for scene in scenes for play in scene.plays if waits(play)]
    rows = entry_rows((scene.stage.tournament_id, play.uid, play.version) for scene, play in plays)
    found = [
        Looked(
            scene=scene,
            play=play,
            label=scene.label(play),
            lines=scene.lines(play),
            notes=notes_of(play, scene),
            by=row.actor.display_name() if row else "",
            at=row.at if row else None,
            until=row.at + ACCEPT_WITHIN if row else None,
            own=bool(row and user and row.actor_id == user.pk),
            proposed=bool(row and row.action == "accept_proposal"),
        )
        for scene, play in plays
        for row in [rows.get(play.uid)]
    ]
    order = {scene.table.pk: number for number, scene in enumerate(scenes)}
    return sorted(found, key=lambda each: (order[each.scene.table.pk], not each.contested, -each.play.number))


def stacks_of(looked: Sequence[Looked]) -> list[Stack]:
    """Group by table."""
    tables = groupby(looked, key=lambda each: each.scene.table.pk)
    return [Stack(found[0].scene, found) for _table, group in tables if (found := list(group))]


def waiting_tables(tables: Sequence[Table]) -> dict[int, int]:
    """Number of waiting results by table key; two queries."""
    running = [table.pk for table in tables if table.stage.state == Stage.State.RUNNING]
    plays = Play.objects.filter(
        table__in=running,
        state=Play.State.ENTERED,
        second_look__in=[Play.SecondLook.WANTED, Play.SecondLook.CONTESTED],
    )
    proposed = Proposal.objects.filter(table__in=running, state=Proposal.State.WAITING)
    return Counter(
        key for rows in (plays, proposed) for key in rows.order_by().values_list("table_id", flat=True)
    )


# ---- Oldest and youngest (kpgut-2016, Roles) ----

GONE = {Result.Outcome.GAVE_UP, Result.Outcome.EJECTED}


@dataclass(frozen=True, slots=True)
class Roles:
    """Names of the oldest and youngest; `ask`: the table must say who."""

    oldest: str
    youngest: str
    ask: bool


def roles_at(scene: Scene) -> Roles:
    """Roles in the running game, else in the next."""
    bearers = scene.ready
    if game := scene.running:
        start = LedgerRow.objects.filter(
            tournament=scene.tournament, action="start_game", payload__play__has_key=str(game.uid)
        ).first()
        began = {row.entry for row in game.results}
        if start:
            began = {UUID(row["entry"]) for row in start.payload["play"][str(game.uid)]["results"]}
        bearers = [row.entry for row in game.results if row.entry in began and row.outcome not in GONE]
    known = by_age(list(Entry.objects.filter(uid__in=bearers).select_related("player")))
    if known and len(known) == len(bearers):
        return Roles(
            oldest=scene.names[str(known[0].uid)], youngest=scene.names[str(known[-1].uid)], ask=False
        )
    oldest, youngest = (
        entry.uid if entry and entry.uid in bearers else None
        for entry in (scene.table.oldest, scene.table.youngest)
    )
    return Roles(
        oldest=scene.names.get(str(oldest), ""),
        youngest=scene.names.get(str(youngest), ""),
        ask=oldest is None or youngest is None,
    )


# ---- Duties ----


@dataclass(frozen=True, slots=True)
class Duty:
    """A duty, and whose it is (name or words). Without `what`, a rule."""

    what: str
    who: str


def duties_at(scene: Scene) -> list[Duty]:
    """The duties now; none once play there is over."""
    if not scene.open or scene.complete:
        return []
    if scene.ruleset.wording == "kpgut":
        return _by_age(scene, roles_at(scene))
    return [] if kind_of(scene.stage.kind).one_play and scene.counting else _by_turn(scene)


def _by_age(scene: Scene, roles: Roles) -> list[Duty]:
    oldest, youngest = roles.oldest or _("the oldest player"), roles.youngest or _("the youngest player")
    names = {"oldest": oldest, "youngest": youngest}
    finnish = scene.tournament.language == "fi" and "fi" in scene.ruleset.sheets
    if scene.running is None:
        return [Duty(_("Deals and keeps the time"), oldest), Duty(_("Opens the discard pile"), youngest)]
    return [
        Duty(_("Keeps the time"), oldest),
        Duty(_("Shuffles if the draw pile is empty or a player gives up"), _shuffler(scene, oldest, finnish)),
        Duty(_("Decides a tied vote"), oldest),
        Duty(_("Gives warnings"), _("%(oldest)s, or %(youngest)s if %(oldest)s is at fault") % names),
        Duty(
            _("Is shown the hand if a draw seems needless (§14)"),
            _("%(oldest)s, or %(youngest)s if %(oldest)s is suspected") % names
            if finnish
            else _("the player who suspects it"),
        ),
    ]


def _shuffler(scene: Scene, oldest: str, finnish: bool) -> str:
    """The oldest player who is out (§4)."""
    game = scene.running
    out = {row.entry for row in game.results if row.outcome == Result.Outcome.OUT} if game else set()
    if not out:
        words = (
            _("any spectator, or %(oldest)s if there is none")
            if finnish
            else _("the oldest spectator, or %(oldest)s if there is none")
        )
        return words % {"oldest": oldest}
    by_name = [uid for uid in out if scene.names[str(uid)] == oldest]
    known = by_name or [*out]
    if not by_name and len(out) > 1:
        players = list(Entry.objects.filter(uid__in=out).select_related("player"))
        known = [entry.uid for entry in by_age(players)]
    return scene.names[str(known[0])] if known else _("the oldest player who is out")


def _by_turn(scene: Scene) -> list[Duty]:
    tite = scene.ruleset.wording == "tite"
    starts = starter_at(scene)
    if starts is None:
        if not scene.counting or kind_of(scene.stage.kind).seats_change:
            return [Duty("", text)] if (text := start_text(scene.ruleset.id)) else []
        left = _("the player to the left of the last starter")
        dealer = _("the player to the left of the last dealer")
        return [Duty(_("Starts"), left)] if tite else [Duty(_("Deals"), dealer)]
    name = scene.names[str(starts)]
    if tite:
        return [Duty(_("Deals"), _("%(name)s or a referee") % {"name": name}), Duty(_("Starts"), name)]
    dealer = scene.names[str(scene.seated[scene.seated.index(starts) - 1])]
    return [Duty(_("Deals"), dealer), Duty(_("Starts"), name)]


def starter_at(scene: Scene) -> UUID | None:
    """The next round's starter: the named one, then, where seats stay, each time the next clockwise who plays."""
    ring = [seat.entry for seat in scene.contest.seats if seat.table == scene.table.number]
    starter = scene.table.starter
    if starter is None or starter.uid not in ring:
        return None
    played = [] if kind_of(scene.stage.kind).seats_change else scene.counting
    rounds = [{row.entry for row in play.results} for play in reversed(played)]
    at = starter.uid
    for players in [*rounds[1:], set(scene.seated)] if rounds else []:
        turn = ring.index(at)
        at = next((uid for uid in [*ring[turn + 1 :], *ring[:turn]] if uid in players), at)
    return at if at in scene.seated else None
