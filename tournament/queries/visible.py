"""Public view of a stage, for pages, exports, streams and screens.

While an organiser freezes the standings, the public sees this and later stages (whose seats reveal qualifiers) as of
the freezing ledger row. The reveal shows true places from the last; its final step lifts the freeze.

| step | session or match | heats |
| --- | --- | --- |
| begin | players without a place | nothing |
| each | last hidden place, shared ones too, per table | next heat |
| final | everything | everything |

Only results are hidden; names, programme, stage states and a frozen session's seats (drawn regardless of standings)
stay current. Referees use results/answer.py.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from threading import Lock
from uuid import UUID

from cachetools import LRUCache, cached
from django.db.models import QuerySet

from scoring import Answer, PlayAnswer, StandingAnswer
from tournament.ledger.past import Facts, Past, contests_in, past_of
from tournament.models import Decision, Entry, LedgerRow, Season, SeasonEvening, Seat, Stage, Tournament
from tournament.results import (
    Contest,
    ContestResults,
    PlayerFacts,
    SeatFacts,
    fed_by,
    in_start_order,
    kind_of,
    players_in,
    scored,
    sources_in,
    stage_contests,
    stage_results,
)

CACHED_STAGES = 20


@dataclass(frozen=True, slots=True)
class Unveiled:
    """The revealed part of a contest. `standings`: shown; `hidden`: 1, 2, 3 ... for the other places (ties ignored).
    Heats: `heats` and `hidden` by table number."""

    kind: str
    decided_by: str
    table_number: int | None
    hidden: tuple[int, ...]
    standings: tuple[StandingAnswer, ...] = ()
    heats: tuple[tuple[int, PlayAnswer], ...] = ()


@dataclass(frozen=True, slots=True)
class Frozen:
    """A freeze as of ledger row `after`, written `at`; `by_earlier`: an earlier stage was frozen. `unveiled`: revealed
    part per contest, None before the reveal; `left`: remaining steps with the final one."""

    after: int
    at: datetime
    by_earlier: bool
    unveiled: tuple[Unveiled, ...] | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """A `Decision` in the public view."""

    kind: str
    entry: UUID
    rank: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """The public view of a stage; while planned, `contests` hold the seats."""

    stage: Stage
    state: str
    contests: tuple[Contest, ...]
    results: tuple[ContestResults, ...]
    decisions: tuple[DecisionShown, ...]
    frozen: Frozen | None = None


People = Mapping[UUID, PlayerFacts]


def shown(stage: Stage, stages: Iterable[Stage] | None = None) -> Shown:
    """The public view; `stages`: its tournament's. Read the stage and call this in one `snapshot()`."""
    frozen_by = freezing(stage, stages)
    return truth(stage) if frozen_by is None else _as_of(stage, frozen_by)


def truth(stage: Stage) -> Shown:
    """The true view, for organisers and referees; in one `snapshot()` as `shown`."""
    results = stage_results(stage)
    contests = tuple(each.contest for each in results) or tuple(stage_contests(stage))
    decided = tuple(
        DecisionShown(str(row.kind), row.entry.uid, row.rank)
        for row in Decision.objects.filter(stage=stage).select_related("entry").order_by("rank", "id")
    )
    return Shown(stage, str(stage.state), contests, results, decided)


def announced(seen: Shown) -> tuple[ContestResults, ...]:
    """Contests whose true results are public: not frozen, or fully revealed. Call in the snapshot of `shown`."""
    if seen.frozen is None:
        return seen.results
    return stage_results(seen.stage) if seen.frozen.unveiled is not None and seen.frozen.left == 1 else ()


def taking_part(
    tournament: Tournament, stages: Iterable[Stage] | None = None, only: Collection[UUID] | None = None
) -> dict[str, Entry]:
    """Entries (or `only` these) by uid as text, by start number, with public state: while a stage is frozen, later
    departures are hidden, later arrivals shown. Do not save them."""
    entries = Entry.objects.filter(tournament=tournament).order_by("start_number")
    if only is not None:
        entries = entries.filter(uid__in=only)
    frozen_by = _frozen_first(_frozen_among(tournament.pk) if stages is None else stages)
    if frozen_by is None:
        return {str(entry.uid): entry for entry in entries.taking_part()}
    then = _past(tournament, frozen_by).facts.get("entry", {})
    for entry in entries:
        state = then.get(str(entry.uid), {}).get("state", Entry.State.APPLIED)
        if state not in Entry.ASKING:
            entry.state = state
        elif entry.is_out:
            entry.state = Entry.State.REGISTERED
    return {str(entry.uid): entry for entry in entries if entry.is_in}


def freezing(stage: Stage, stages: Iterable[Stage] | None = None) -> Stage | None:
    """First frozen stage among this and earlier ones, or None."""
    among = _frozen_among(stage.tournament_id) if stages is None else stages
    return _frozen_first(each for each in among if each.number <= stage.number)


def _frozen_among(tournament: int) -> Iterable[Stage]:
    return Stage.objects.filter(tournament=tournament, frozen_after__isnull=False)


def _frozen_first(stages: Iterable[Stage]) -> Stage | None:
    frozen = [each for each in stages if each.frozen_after is not None]
    return min(frozen, key=lambda each: each.frozen_after or 0, default=None)


def still_sitting(seen: Shown, entries: Mapping[str, Entry]) -> list[SeatFacts]:
    """Seats publicly in play: neither out at the table nor disqualified (`entries` from `taking_part`). Truth:
    `Seat.plays_on`."""
    out = {uid for uid, entry in entries.items() if entry.state == Entry.State.DISQUALIFIED} | {
        row.player
        for results in seen.results
        for row in results.answer.standings
        if row.status == "disqualified"
    }
    return [
        seat
        for contest in seen.contests
        for seat in contest.seats
        if not seat.out_as and str(seat.entry) not in out
    ]


def steps_of(answers: Sequence[Answer]) -> int:
    """Number of steps to reveal a stage's contests, including the final one."""
    return max((len(_places(answer)) for answer in answers), default=0) + 1


def left_of(stage: Stage, results: Sequence[ContestResults]) -> int:
    """Remaining reveal steps, including the final one; `results`: the true ones."""
    return max(steps_of([each.answer for each in results]) - (stage.revealed or 0), 1)


def unveiled(results: ContestResults, left: int) -> Unveiled:
    """The part of a contest shown with `left` steps remaining; the final step adds no place."""
    answer = results.answer
    places = _places(answer)
    if kind_of(answer.kind).one_play:
        numbers = results.contest.table_numbers
        heats = [(numbers[play.table], heat) for play, heat in results.counted]
        open_ = max(len(heats) - left + 1, 0)
        return Unveiled(
            answer.kind, "", None, tuple(table for table, _heat in heats[open_:]), heats=tuple(heats[:open_])
        )
    best = set(places[: max(left - 1, 0)])
    standings = tuple(row for row in answer.standings if row.place not in best)
    hidden = range(1, len(answer.standings) - len(standings) + 1)
    return Unveiled(answer.kind, answer.decided_by, results.table_number, tuple(hidden), standings)


def _as_of(stage: Stage, frozen_by: Stage) -> Shown:
    past = _past(stage.tournament, frozen_by)
    facts = past.facts
    then = facts["stage"].get(str(stage.uid))
    frozen = Frozen(past.sequence, past.at, by_earlier=frozen_by.pk != stage.pk)
    if then is None:
        return Shown(stage, Stage.State.PLANNED, (), (), (), frozen)
    people = players_in(Entry.objects.filter(tournament=stage.tournament_id))
    results: tuple[ContestResults, ...] = ()
    if then["state"] == Stage.State.PLANNED:
        contests = tuple(_named(contest, people) for contest in _contests(stage, past))
    else:
        results = tuple(_with_names(each, people) for each in _scored(stage, past))
        contests = tuple(each.contest for each in results)
        if kind_of(stage.kind).seats_change and not frozen.by_earlier:
            contests = tuple(_as_they_sit(contest, stage, people) for contest in contests)
    if stage.revealed is not None and not frozen.by_earlier:
        true = stage_results(stage)
        left = left_of(stage, true)
        frozen = replace(frozen, unveiled=tuple(unveiled(each, left) for each in true), left=left)
    return Shown(stage, then["state"], contests, results, _decisions(facts, stage), frozen)


def _past(tournament: Tournament, frozen_by: Stage) -> Past:
    assert frozen_by.frozen_after is not None
    return past_of(tournament, frozen_by.frozen_after)


def _contests(stage: Stage, past: Past) -> list[Contest]:
    return [
        contest for contest in contests_in(past.facts, str(stage.uid), past.written) if contest.table_numbers
    ]


@cached(LRUCache(CACHED_STAGES), key=lambda stage, past: (stage.uid, past.sequence, past.digest), lock=Lock())
def _scored(stage: Stage, past: Past) -> tuple[ContestResults, ...]:
    return tuple(scored(contest) for contest in _contests(stage, past))


def _named(contest: Contest, people: People) -> Contest:
    players, others = (
        tuple(
            replace(
                people.get(player.entry, PlayerFacts(player.entry, "–", 0)), start_number=player.start_number
            )
            for player in group
        )
        for group in (contest.players, contest.others)
    )
    return replace(contest, players=players, others=others)


def _with_names(results: ContestResults, people: People) -> ContestResults:
    contest = _named(results.contest, people)
    players = [{"id": str(player.entry), "name": player.name} for player in contest.players]
    return replace(
        results, contest=contest, sheet=replace(results.sheet, data=results.sheet.data | {"players": players})
    )


def _as_they_sit(contest: Contest, stage: Stage, people: People) -> Contest:
    """Use the present seats; later departures stay hidden."""
    out = {seat.entry: (seat.out_as, seat.out_from) for seat in contest.seats if seat.out_as}
    rows = Seat.objects.filter(table__stage=stage).order_by("table__number", "position")
    values = list(rows.values_list("entry__uid", "table__uid", "table__number", "position"))
    players = {player.entry: player for player in contest.players}
    players |= {entry: people[entry] for entry, *_seat in values}
    return replace(
        contest,
        players=in_start_order(players.values()),
        seats=tuple(
            SeatFacts(entry, number, position, *out.get(entry, ("", None)))
            for entry, _table, number, position in values
        ),
        table_numbers={
            **contest.table_numbers,
            **{table: number for _entry, table, number, _position in values},
        },
    )


def _decisions(facts: Facts, stage: Stage) -> tuple[DecisionShown, ...]:
    rows = sorted(
        (row for row in facts.get("decision", {}).values() if row["stage"] == str(stage.uid)),
        key=lambda row: (row.get("rank") is None, row.get("rank") or 0),
    )
    return tuple(DecisionShown(row["kind"], UUID(row["entry"]), row.get("rank")) for row in rows)


def _places(answer: Answer) -> list[int]:
    if kind_of(answer.kind).one_play:
        return [heat.number for heat in answer.rounds]
    return sorted({row.place for row in answer.standings if row.place is not None})


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Outcome of heats, in entry uids as text. `through`: play on in `stage`; `gone`: qualified but absent; `instead`:
    by decision."""

    stage: Stage
    through: Sequence[str]
    gone: Sequence[str]
    instead: Sequence[str]


def leads_to(stage: Stage, stages: Iterable[Stage]) -> Stage | None:
    """The first stage to which players go on from this one."""
    there = {each.number: each for each in stages}
    return next((there[number] for number in fed_by(sources_in(there.values()), stage.number)), None)


def going_on_to(heats: Shown, following: Shown) -> GoingOn | None:
    """Who goes on to the following stage (`leads_to`); None unless from heats."""
    if not (heats.results and kind_of(heats.stage.kind).one_play):
        return None
    finalists = heats.results[0].answer.finalists
    sits = {str(seat.entry) for contest in following.contests for seat in contest.seats}
    advance, back = (
        [str(each.entry) for each in following.decisions if each.kind == kind]
        for kind in (Decision.Kind.ADVANCE, Decision.Kind.STEPS_BACK)
    )
    gone = [player for player in finalists if player in back or (sits and player not in sits)]
    instead = [each for each in advance if each not in finalists and (not sits or each in sits)]
    through = [player for player in (*finalists, *instead) if player not in gone]
    return GoingOn(following.stage, through, gone, instead)


# ---- Staleness of what a command's sender saw ----


OF_STAGE = {"stage": "uid", "table": "tables__uid"}  # kinds that their stage's version covers


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sender saw: object `uid` of ledger `kind` ("": the whole event), at this ledger version."""

    version: int
    kind: str = ""
    uid: UUID | None = None

    def is_stale(self, tournament: Tournament) -> bool:
        """Whether it changed since, or the version is unknown. Locks a season."""
        if self.kind == "season":
            return (
                season_version(Season.objects.select_for_update().filter(uid=str(self.uid))) != self.version
            )
        if not self.kind or self.version > tournament.version:
            return self.version != tournament.version
        if lookup := OF_STAGE.get(self.kind):
            stages = Stage.objects.filter(tournament=tournament, version__gt=self.version)
            return stages.filter(**{lookup: self.uid}).exists()
        rows = LedgerRow.objects.filter(tournament=tournament, sequence__gt=self.version)
        if self.kind == "registration":  # unique, keyed by event
            return rows.filter(payload__has_key=self.kind).exists()
        return rows.filter(**{f"payload__{self.kind}__has_key": str(self.uid)}).exists()


def season_version(season: QuerySet[Season]) -> int:
    """Digest of a season's row and evenings, as a number: no ledger counts its changes."""
    rows = list(season.values())
    evenings = SeasonEvening.objects.filter(season__in=[row["id"] for row in rows]).order_by("pk")
    content = repr((rows, list(evenings.values_list("tournament", flat=True))))
    return int(sha256(content.encode()).hexdigest()[:14], 16)
