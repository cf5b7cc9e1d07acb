"""Load, check and store plays; referee calls."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.db.models.deletion import Collector

from tournament.actions.kernel.entries import follow_game, follow_removal
from tournament.actions.kernel.moments import live_moments
from tournament.actions.kernel.refusing import or_refuse, refuse_if, refuse_other_kind
from tournament.actions.kernel.work import Work
from tournament.ledger.authors import entry_of
from tournament.ledger.undoing.history import Change, Facts, Key, differing, texts_in
from tournament.models import (
    LEDGER_KINDS,
    Announcement,
    Call,
    Entry,
    Incident,
    PastResult,
    Play,
    Player,
    PublicModel,
    Result,
    Screen,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.results import (
    COUNTS,
    IN_PLAY,
    OUT_AS,
    Conflict,
    Contest,
    Fault,
    HeatEntry,
    PlayFacts,
    Refused,
    RoundEntry,
    Settled,
    Version,
    by_moments,
    contest_now,
    following_number,
    given,
    grouped,
    kind_of,
    refs_of,
    settle,
    uuid_or_none,
    values_in,
    with_departures,
    with_leaving,
)
from tournament.server.django_private import delete_rows

STANDS = COUNTS | {Play.State.VOID}  # their ejections stand
ANY_VERSION = -1  # for programs: skip the version check


def table_named(work: Work, uid: UUID) -> Table:
    """This tournament's table of that uid; Refused `unknown_table`."""
    tables = Table.objects.select_related("stage__tournament").filter(stage__tournament=work.tournament)
    return or_refuse(tables.filter(uid=uid).first(), Fault("unknown_table", "/table"))


def played_table(work: Work, uid: UUID) -> Table:
    """A table whose stage has begun; Refused `stage_not_running`."""
    table = table_named(work, uid)
    refuse_if(
        table.stage.state == Stage.State.PLANNED,
        Fault("stage_not_running", "/table", {"state": str(table.stage.state)}),
    )
    return table


def open_table(work: Work, uid: UUID, *kinds: Stage.Kind) -> Table:
    """A table where these kinds are played now; Refused `wrong_kind_of_stage`, `stage_not_running`."""
    table = table_named(work, uid)
    refuse_other_kind(table.stage.kind, "/table", kinds)
    refuse_if(
        table.stage.state != Stage.State.RUNNING,
        Fault("stage_not_running", "/table", {"state": str(table.stage.state)}),
    )
    return table


def play_named(work: Work, uid: UUID, *kinds: Stage.Kind) -> tuple[Table, Contest, PlayFacts]:
    """The play's table, contest and facts; Refused `unknown_play`."""
    tables = Play.objects.filter(uid=uid, table__stage__tournament=work.tournament).values_list("table__uid")
    (table_uid,) = or_refuse(tables.first(), Fault("unknown_play", "/play"))
    table = open_table(work, table_uid, *(kinds or tuple(Stage.Kind)))
    contest = contest_now(table)
    play = contest.play(uid)
    assert play is not None
    return table, contest, play


def plays_seen(
    table: Table, plays: Sequence[Mapping[str, Any]], waits: Callable[[PlayFacts], bool]
) -> list[PlayFacts]:
    """Plays of a table, given as (`play`, `version`), in playing order.

    Refused `malformed` (none), `unknown_play`, `changed_meanwhile` (for each stale or decided one).
    """
    contest = contest_now(table)
    here = {play.uid: play for play in contest.plays if play.table == table.uid}
    seen = {each["play"]: each["version"] for each in plays}
    refuse_if(not seen, Fault("malformed", "/plays"))
    refuse_if(not seen.keys() <= here.keys(), Fault("unknown_play", "/plays"))
    found = sorted((here[uid] for uid in seen), key=lambda play: play.number)
    changed = [play for play in found if play.version != seen[play.uid] or not waits(play)]
    if changed:
        at: dict[str, str | int] = {"table": table.number, "contest": contest.kind}
        faults = (
            Fault("changed_meanwhile", f"/plays/{play.uid}", at | {"number": play.number}) for play in changed
        )
        raise Refused(*faults)
    return found


def record(
    work: Work,
    entry: RoundEntry[UUID] | HeatEntry[UUID],
    *kinds: Stage.Kind,
    table: UUID,
    play: UUID,
    number: int,
    late_s: int = 0,
) -> None:
    """Enter a play, made `late_s` seconds ago (offline phone), and who is out from it on: players who left since took
    part.

    Refused with scoring's faults, `heat_recorded`; Conflict if the number is taken.
    """
    row = open_table(work, table, *kinds)
    contest = contest_now(row)
    offered = entry.facts(contest, PlayFacts(play, row.uid, number, Play.State.ENTERED))
    at, _other = live_moments(work, row, contest, late_s, None)
    if kind_of(contest.kind).seats_change:  # a race orders its games by entry, over all tables
        former = [each.entered_at for each in contest.plays if each.table == row.uid and each.entered_at]
        offered = replace(offered, entered_at=max([at, *former]))
    refuse_taken(work, row, contest, offered)
    refuse_second(contest, offered, "/number")
    after = with_departures(contest, row, number, entry.departures(contest, offered), editing=False, at=at)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


def correct(
    work: Work,
    entry: RoundEntry[UUID] | HeatEntry[UUID],
    *kinds: Stage.Kind,
    play: UUID,
    version: int,
    reason: str,
) -> None:
    """Replace a play's stored version. A void play counts again; later plays that become impossible are set aside.
    Raises as `record`, and Refused `missing_reason`."""
    row, contest, current = play_named(work, play, *kinds)
    offered = entry.facts(contest, replace(current, state=Play.State.ENTERED))
    refuse_stale(work, current, offered, version)
    refuse_second(contest, current, "/play")
    work.because(reason)
    after = with_departures(contest, row, current.number, entry.departures(contest, current), editing=True)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


def refuse_second(contest: Contest, play: PlayFacts, path: str) -> None:
    """Refused `heat_recorded` if another play counts at a table that plays once."""
    refuse_if(
        kind_of(contest.kind).one_play
        and any(
            other.state in COUNTS and other.table == play.table and other.uid != play.uid
            for other in contest.plays
        ),
        Fault("heat_recorded", path),
    )


def refuse_taken(work: Work, table: Table, contest: Contest, offered: PlayFacts) -> None:
    """Requires the table's next number.

    Conflict if the number is taken (the offered play takes over a stored start), Refused `play_exists`,
    `wait_for_predecessor` (earlier plays missing).
    """
    given.whole(offered.number, "/number")
    at_table = [play for play in contest.plays if play.table == table.uid]
    taken = next(
        (play for play in at_table if play.number == offered.number or play.uid == offered.uid), None
    )
    if taken:
        raise conflict(work, taken, replace(offered, started_at=offered.started_at or taken.started_at))
    refuse_if(Play.objects.filter(uid=offered.uid).exists(), Fault("play_exists", "/play"))
    following = following_number(at_table)
    refuse_if(offered.number != following, Fault("wait_for_predecessor", "/number", {"next": following}))


def refuse_stale(work: Work, current: PlayFacts, offered: PlayFacts, version: int) -> None:
    """Raise Conflict unless `version` is the current one or ANY_VERSION."""
    work.replaces = current.version
    if version not in {ANY_VERSION, current.version}:
        raise conflict(work, current, offered)


def conflict(work: Work, current: PlayFacts, offered: PlayFacts) -> Conflict:
    """Conflict of stored and offered play, with authors and times."""
    row = entry_of(work.tournament.pk, current)
    return Conflict(
        current=Version(current, row.actor.display_name(), row.at, row.sequence)
        if row
        else Version(current, "", None),
        offered=Version(offered, work.command.actor.display_name(), None),
    )


def settle_and_store(work: Work, table: Table, contest: Contest, play: PlayFacts) -> None:
    """Score and store the play, and others that it sets aside or takes back; its contest ends. Refused with
    scoring's faults."""
    contested = play.second_look == Play.SecondLook.CONTESTED
    looked_at = table.stage.second_look or play.second_look  # ask again even if looked at before
    play = replace(play, second_look=Play.SecondLook.WANTED if looked_at else "")
    settled = settle(contest.with_play(play), changed=play.uid)
    store(work, table, next(each for each in settled.contest.plays if each.uid == play.uid))
    store_moved(work, settled)
    if contested:
        answer_contest(work, table, play.uid)  # last, so that no call continues about plays set aside
    follow_ejections(work, contest, settled)
    if kind_of(contest.kind).timed:
        store_departures(work, table, contest, by_moments(settled.contest))


def store(work: Work, table: Table, play: PlayFacts) -> None:
    """Write a play with its results."""
    entries = Entry.objects.in_bulk(
        {row.entry for row in play.results} | ({play.drew} if play.drew else set()), field_name="uid"
    )
    values = {
        "table": table,
        "number": play.number,
        "state": play.state,
        "started_at": play.started_at,
        "other_start": play.other_start,
        "entered_at": play.entered_at,
        "ended": play.ended,
        "duration_s": play.duration_s,
        "decks": play.decks,
        "last_cards": dict(play.last_cards),
        "drew": entries[play.drew] if play.drew else None,
        "advance": play.advance,
        "second_look": play.second_look,
        "version": work.sequence,
    }
    row = Play.objects.filter(uid=play.uid).first()
    if row is None:
        row = Play.objects.create(uid=play.uid, **values)
    else:
        Play.objects.filter(pk=row.pk).update(**values)
        row.results.all().delete()
    Result.objects.bulk_create(
        Result(
            uid=result.uid,
            play=row,
            entry=entries[result.entry],
            outcome=result.outcome,
            elapsed_s=result.elapsed_s,
            hand=dict(result.hand),
            finish=result.finish,
        )
        for result in play.results
    )
    if kind_of(table.stage.kind).timed:
        follow_game(work, table, row, [entries[entry] for entry in play.ejected])
    work.wrote(play)
    work.readers_of(table.stage)


def store_moved(work: Work, settled: Settled) -> None:
    """Store the states of other plays that settling changed."""
    for play in settled.moved:
        Play.objects.filter(uid=play.uid).update(state=play.state, version=work.sequence)
        work.wrote(play)


def follow_ejections(work: Work, before: Contest, settled: Settled) -> None:
    """Disqualify a session's ejected players, check others in again."""
    if not kind_of(before.kind).timed:
        return
    was = {entry for play in before.plays if play.state in STANDS for entry in play.ejected}
    now = {entry for play in settled.sheet.plays if play for entry in play.ejected}
    back = was - now - {seat.entry for seat in before.seats if seat.out_as == Seat.OutAs.REMOVED}
    for entry in Entry.objects.filter(uid__in=now | back):
        if (entry.state == Entry.State.DISQUALIFIED) != (entry.uid in now):
            work.update(entry, state=Entry.State.DISQUALIFIED if entry.uid in now else Entry.State.CHECKED_IN)


def store_departures(work: Work, table: Table, before: Contest, contest: Contest) -> None:
    """Store who is out at this table, with their entries' states."""
    if contest.seats == before.seats:
        return
    wanted = {seat.entry: seat for seat in contest.seats if seat.table == table.number}
    states = {Seat.OutAs.REMOVED: Entry.State.DISQUALIFIED, Seat.OutAs.WITHDRAWN: Entry.State.LEFT}
    for seat in Seat.objects.filter(table=table).select_related("entry__player", "table"):
        facts = wanted[seat.entry.uid]
        if all(getattr(seat, name) == getattr(facts, name) for name in IN_PLAY):
            continue
        before_as = seat.out_as
        for name in IN_PLAY:
            setattr(seat, name, getattr(facts, name))
        removed = seat.out_as == Seat.OutAs.REMOVED
        if removed != (before_as == Seat.OutAs.REMOVED):
            follow_removal(work, table, seat.entry, removed=removed)
        seat.save(update_fields=[*IN_PLAY])
        work.changed(seat, seat.entry)
        if seat.out_as in {before_as, OUT_AS.get(Entry.State(seat.entry.state))}:
            continue  # more exact already: a no-show has not left
        seat.entry.state = states[Seat.OutAs(seat.out_as)] if seat.out_as else Entry.State.CHECKED_IN
        seat.entry.save(update_fields=["state"])


def note_who_left(work: Work, table: Table) -> None:
    """Players out of the event are out of this match from its end on, since it may resume."""
    contest = contest_now(table)
    still = [seat.entry for seat in contest.seats if not seat.out_as]
    gone = Entry.objects.filter(uid__in=still, state__in=OUT_AS).values_list("uid", "state")
    departures = {uid: OUT_AS[Entry.State(state)] for uid, state in gone}
    store_departures(work, table, contest, with_leaving(contest, table, departures, work.at))


def open_call(work: Work, table: Table, kind: Call.Kind, play: Play | None = None) -> None:
    """Call a referee, unless a call of this kind is open."""
    if not Call.objects.filter(table=table, kind=kind, answered_at=None).exists():
        work.changed(Call.objects.create(table=table, kind=kind, play=play, at=work.at))


def call_for_help(work: Work, table: Table) -> None:
    """Call a referee. Refused `called_already`: repeated taps must not fill the ledger."""
    refuse_if(
        Call.objects.filter(table=table, kind=Call.Kind.HELP, answered_at=None).exists(),
        Fault("called_already", "/table"),
    )
    open_call(work, table, Call.Kind.HELP)


def answer(work: Work, call: Call) -> None:
    """Mark the call as answered by the actor."""
    work.update(call, answered_at=work.at, answered_by=work.command.actor)


def answer_contest(work: Work, table: Table, play: UUID) -> None:
    """End a play's contest: answer the call, or pass it to another contested play."""
    call = Call.objects.filter(table=table, kind=Call.Kind.CONTEST, answered_at=None).first()
    if call is None:
        return
    other = (
        Play.objects.filter(table=table, state=Play.State.ENTERED, second_look=Play.SecondLook.CONTESTED)
        .order_by("number")
        .first()
    )
    if other is None:
        answer(work, call)
    elif call.play is None or call.play.uid == play:
        work.update(call, play=other)


# ---- Restore rows from ledger facts ----

# Models that foreign keys refer to
NAMED = {target for model in LEDGER_KINDS.values() for target in refs_of(model).values()}
AGAIN = [model for model in LEDGER_KINDS.values() if model.FIELDS.again]
LIGHT = [model for model in AGAIN if model not in NAMED]  # leaves: no foreign key points at them
HEAVY = [model for model in AGAIN if model in NAMED]  # in dependency order
GO: list[type[PublicModel]] = [*HEAVY[::-1], PastResult, Entry]  # deletion order, most referenced last
STAY: list[type[PublicModel]] = [Tournament, Entry, *HEAVY]  # updated in place
ASIDE: dict[type[PublicModel], int] = {
    Stage: 20_000,
    Table: 20_000,
    Entry: 2_000_000_000,
}


class Find:
    """Rows by model and uid; those named in `changes` take one query per model."""

    def __init__(self, changes: Iterable[Change]) -> None:
        texts = {text for change in changes for text in texts_in(change.then)}
        self._named = {uid for text in texts if (uid := uuid_or_none(text))}
        self._found: dict[type[Any], dict[UUID, Any]] = {}

    def __call__(self, model: type[Any], uid: UUID | None) -> Any:
        if uid is None:
            return None
        if model not in self._found:
            self._found[model] = {row.uid: row for row in model.objects.filter(uid__in=self._named)}
        found = self._found[model]
        if uid not in found:
            found[uid] = model.objects.get(uid=uid)
        return found[uid]


def put_back(work: Work, changes: Mapping[Key, Change]) -> None:
    """Apply changes. Recreated rows have no names.

    Raises IntegrityError and ObjectDoesNotExist if the database refuses what tournament/ledger/undoing allowed.
    """
    find = Find(changes.values())
    by_model: dict[type[PublicModel], dict[str, Change]] = {}
    for (kind, uid), change in changes.items():
        by_model.setdefault(LEDGER_KINDS[kind], {})[uid] = change
    for model in LIGHT:
        _take_away(work, model, by_model.get(model, {}))
    for model, offset in ASIDE.items():
        name = "start_number" if model is Entry else "number"
        moved = by_model.get(model, {}).items()
        away = [uid for uid, change in moved if not change.then or change.moves(name)]
        _rows(model).filter(uid__in=away).update(**{name: F(name) + offset})
    between = []  # temporary players, since (tournament, player) is unique
    exchanged = [uid for uid, change in by_model.get(Entry, {}).items() if change.moves("player")]
    for row in Entry.objects.filter(uid__in=exchanged):
        player = Player.objects.create(organiser=work.tournament.organiser)
        Entry.objects.filter(pk=row.pk).update(player=player)
        between.append(player.pk)
    _set_back(work, by_model, find, STAY)
    Player.objects.filter(pk__in=between).delete()
    for model in GO:
        _take_away(
            work, model, {uid: change for uid, change in by_model.get(model, {}).items() if not change.then}
        )
    for model in (*HEAVY, *LIGHT):
        _make_again(work, model, by_model.get(model, {}), find)
    if Announcement in by_model:
        work.readers_of(*work.tournament.stages.all())
    # These may refer to recreated rows; plays come last, since a game follows its ejections' incidents.
    _set_back(work, by_model, find, (Announcement, Screen, Incident, PastResult))
    _set_plays_back(work, by_model.get(Play, {}))


def _take_away(work: Work, model: type[PublicModel], changes: Mapping[str, Change]) -> None:
    rows = list(_rows(model).filter(uid__in=[uid for uid, change in changes.items() if change.now]))
    work.deleted(*rows)
    collector = Collector(using=connection.alias)
    collector.collect(rows)  # as read, unlike a queryset's `delete`
    collector.delete()
    if model is Entry:
        left = [row.player_id for row in rows if isinstance(row, Entry)]
        delete_rows(Player.objects.filter(pk__in=left, entries__isnull=True))


def _set_back(
    work: Work,
    by_model: Mapping[type[PublicModel], Mapping[str, Change]],
    find: Find,
    models: Iterable[type[PublicModel]],
) -> None:
    """Sets back entries before the tables that refer to them."""
    for model in models:
        changes = {
            uid: change for uid, change in by_model.get(model, {}).items() if change.now and change.then
        }
        found = (
            [work.tournament]
            if model is Tournament and changes
            else _rows(model).filter(uid__in=changes).select_related(*refs_of(model))
        )
        work.update_all((row, _values(model, changes[str(row.uid)].then or {}, find)) for row in found)


def _make_again(work: Work, model: type[PublicModel], changes: Mapping[str, Change], find: Find) -> None:
    wanted = {
        uid: change.then
        for uid, change in changes.items()
        if change.then and (model in LIGHT or not change.now)
    }
    if not wanted:
        return
    own = (
        {"tournament": work.tournament}
        if "tournament" in {each.name for each in model._meta.get_fields()}
        else {}
    )
    rows = [model(uid=uid, **own, **_values(model, facts, find)) for uid, facts in wanted.items()]
    _rows(model).bulk_create(rows)
    work.changed(*rows)


def _set_plays_back(work: Work, changes: Mapping[str, Change]) -> None:
    for uid, change in changes.items():
        play = PlayFacts.from_json(uid, change.then or {})
        if differing(change.now, change.then) <= {"state"}:
            work.wrote(play)
        else:
            store(work, Table.objects.select_related("stage").get(uid=play.table), play)
    states = grouped(((change.then or {})["state"], uid) for uid, change in changes.items())
    for state, uids in states.items():
        Play.objects.filter(uid__in=uids).update(state=state, version=work.sequence)


def _rows(model: type[PublicModel]) -> Any:
    return model._default_manager


def _values(model: type[PublicModel], facts: Facts, find: Find) -> dict[str, Any]:
    """Freezes are never restored; only a finished stage stays revealed."""
    values = values_in(model, facts)
    values |= {name: find(target, values[name]) for name, target in refs_of(model).items()}
    for line in model.FIELDS.ledger:
        if not line.undo:
            del values[line.name]
    if model is Stage and facts["state"] != Stage.State.FINISHED:
        values["revealed"] = None
    return values
