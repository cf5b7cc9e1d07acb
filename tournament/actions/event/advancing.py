"""Seat qualifiers (queries/advancing.py) and decide exceptions. A corrected result moves no player."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy as _, override

from tournament.actions.event.seats import seat_tables
from tournament.actions.event.stages import plan_stage, set_stage_settings, stage_named
from tournament.actions.kernel import (
    Work,
    action,
    do_within,
    entry_fault,
    keep_draw,
    or_refuse,
    players_to_seat,
    refuse,
    refuse_if,
)
from tournament.models import Apart, Decision, Entry, Play, Seat, Stage, Table, Tournament
from tournament.queries.advancing import Level, assigned, level_of, usual_tables
from tournament.queries.chain import LEFT, Chain, OpenPlace
from tournament.results import FIRST, IN_PLAY, LEVEL, Fault, Part, Refused, given, kind_of, plays_in
from tournament.seating import DrawRecord, Impossible, Person, deal, even_sizes

__all__ = [
    "call_reserve",
    "fill_stage",
    "keep_finalists",
    "name_reserves",
    "plan_tie_break",
    "swap_finalist",
]

Kind = Decision.Kind


def _level(tournament: Tournament, *, stage: UUID, **_given: object) -> Level | None:
    row = Stage.objects.select_related("tournament").filter(tournament=tournament, uid=stage).first()
    return level_of(row) if row else None


@action(
    least="organiser", says=_("seated the players who go through"), undo="ledger", bulk=True, ahead=_level
)
def fill_stage(
    work: Work,
    *,
    stage: UUID,
    tables: int | None = None,
    seed: str = "",
    decided: Sequence[UUID] = (),
    leave_open: bool = False,
    keep_apart: bool = True,
    reason: str = "",
) -> None:
    """Seat the stage from the stages before it in its chain. A final has one table, other stages `tables` or
    `usual_tables`.

    With a `seed` seats are drawn: players of one table meet rarely, separated pairs never (unless `keep_apart` is
    False). Otherwise they are dealt.

    Places left, empty or shared at the cut go to the `decided` (recorded as decisions) or, with `leave_open`, stay
    empty; both need a `reason`.

    Refused `no_heats`, `heats_not_finished`, `stage_not_planned`, `places_open` (for each place), `nobody_through`,
    `already_out`, `duplicate_player`, `cannot_keep_apart`.
    """
    level = _level_named(work, stage)
    refuse_if(not level.heats_over, Fault("heats_not_finished", "/stage"))
    refuse_if(level.stage.state != Stage.State.PLANNED, Fault("stage_not_planned", "/stage"))
    chosen = _chosen(work, given.ids(decided, "/decided"), "/decided")
    left = [replace(place, taken=None) for place in level.open_places if place.gone not in chosen]
    takers = [level.comer(entry) for entry in chosen if entry.pk not in level.recorded]
    undecided = [place for place in assigned(left, takers) if place.taken is None]
    if chosen or (undecided and leave_open):
        work.because(reason)
    if undecided and not leave_open:
        raise Refused(
            *(Fault("places_open", f"/places/{place.key}", {"where": place.where}) for place in undecided)
        )
    work.note = reason
    sent = [comer.entry for comer in level.by_heats if not comer.entry.is_out]
    through = [*sent, *(entry for entry in chosen if entry not in sent)]
    refuse_if(len(through) < 2, Fault("nobody_through", "/stage", {"through": len(through)}))
    _forget(work, level.stage, Kind.ADVANCE)
    _let_in(work, level, *chosen)
    _keep_out(work, level, *(place.gone for place in undecided if place.gone and place.why == LEFT))
    _seat(work, level, through, tables, seed, keep_apart=keep_apart)


@action(least="organiser", says=_("named the reserves"), undo="ledger", ahead=_level)
def name_reserves(work: Work, *, stage: UUID, entries: Sequence[UUID], reason: str) -> None:
    """Name the reserves for absent qualifiers, best first, in place of earlier ones. Refused `no_heats`,
    `illegal_move` (stage over), `already_out`, `duplicate_player`, `comes_already`."""
    work.because(reason)
    level = _open_level(work, stage)
    chosen = _chosen(work, given.ids(entries, "/entries"), "/entries")
    taken = {comer.entry.pk for comer in level.comes} | {seat.entry.pk for seat in level.sits}
    refuse(entry_fault("comes_already", entry.uid) for entry in chosen if entry.pk in taken)
    _forget(work, level.stage, Kind.RESERVE)
    _decide(work, level.stage, Kind.RESERVE, chosen, ranked=True)
    work.readers_of(level.stage)


@action(least="organiser", says=_("kept the players as seated"), undo="ledger")
def keep_finalists(work: Work, *, stage: UUID, reason: str) -> None:
    """Confirm the seats despite corrected heats: seated players advance by decision, their replacements step back.
    Refused `nothing_to_decide` if seats and heats agree."""
    work.because(reason)
    level = _level_named(work, stage)
    refuse_if(not level.leaves and not level.enters, Fault("nothing_to_decide", "/stage"))
    _let_in(work, level, *(seat.entry for seat in level.leaves))
    _keep_out(work, level, *(comer.entry for comer in level.enters))
    work.readers_of(level.stage)


@action(least="organiser", says=_("gave a seat to someone else"), undo="ledger")
def swap_finalist(
    work: Work, *, stage: UUID, out: UUID, enters: UUID | None = None, reason: str, anew: bool = False
) -> None:
    """Give the seat of `out` to `enters`, or remove it. Once play began at the table this needs `anew`: its plays are
    voided.

    Refused `illegal_move` (stage over), `not_seated`, `already_out`, `seated_elsewhere`, `table_has_begun`,
    `too_few_players`.
    """
    work.because(reason)
    level = _open_level(work, stage)
    entering = None
    with work.faults:
        entering = _entering(work, level, enters, "/enters") if enters else None
    seat = or_refuse(
        Seat.objects.filter(table__stage=level.stage, entry__uid=out).select_related("entry").first(),
        Fault("not_seated", f"/out/{out}", {"player": str(out)}),
    )
    _give_seat(work, level, seat, entering, anew=anew)


@action(least="organiser", says=_("called in a reserve"), undo="ledger")
def call_reserve(work: Work, *, stage: UUID, entry: UUID, reason: str) -> None:
    """Give a player a free seat: before the start at the smallest table, later that of a player who is out, where
    nothing was played.

    Refused `illegal_move` (stage over), `no_tables`, `already_out`, `seated_elsewhere`, `no_free_seat`.
    """
    work.because(reason)
    level = _open_level(work, stage)
    entering = _entering(work, level, entry, "/entry")
    free = next((place for place in level.vacant if not isinstance(place, OpenPlace)), None)
    if free:
        seat = Seat.objects.select_related("entry").get(table__stage=level.stage, entry=free.entry)
        _give_seat(work, level, seat, entering, anew=False)
        return
    refuse_if(
        level.stage.state != Stage.State.PLANNED
        or not (level.vacant or any(comer.entry == entering for comer in level.comes)),
        Fault("no_free_seat", "/stage"),
    )
    tables = list(Table.objects.filter(stage=level.stage).order_by("number").prefetch_related("seats"))
    refuse_if(not tables, Fault("no_tables", "/stage"))
    table = min(tables, key=lambda each: len(each.seats.all()))
    position = 1 + max((seat.position for seat in table.seats.all()), default=0)
    work.changed(Seat.objects.create(table=table, entry=entering, position=position))
    _let_in(work, level, entering)
    work.readers_of(level.stage)


@action(least="organiser", says=_("planned a tie-break hand"), undo="ledger")
def plan_tie_break(work: Work, *, stage: UUID, tie_break: UUID) -> None:
    """Let players who share a place at the cut play for the seats left: heats with uid `tie_break`, a table per shared
    place, whose first out go through to `stage`.

    Refused `no_heats`, `heats_not_finished`, `stage_not_planned`, `nothing_shared`, or as `plan_stage`.
    """
    level = _level_named(work, stage)
    refuse_if(not level.heats_over, Fault("heats_not_finished", "/stage"))
    refuse_if(level.stage.state != Stage.State.PLANNED, Fault("stage_not_planned", "/stage"))
    places = [place for place in level.undecided if place.sharing]
    refuse_if(not places, Fault("nothing_shared", "/stage"))
    shared = {place.origin: place for place in places}
    cuts = dict.fromkeys(number for number, _heat in shared)
    with override(work.tournament.language):
        name = gettext("Tie-break")
    do_within(
        work,
        plan_stage,
        stage=tie_break,
        kind=Stage.Kind.HEATS,
        name=name,
        settings={"advance": max(Counter(place.origin for place in places).values())},
        source={"parts": [Part(number, LEVEL).as_json() for number in cuts]},
    )
    row = stage_named(work, tie_break)
    tables = enumerate(shared.values(), 1)
    seat_tables(work, row, {number: [entry.uid for entry in place.sharing] for number, place in tables})
    parts = (*Chain(work.tournament).sources[level.stage.number].parts, Part(row.number, FIRST))
    source = level.stage.source | {"parts": [part.as_json() for part in parts]}
    do_within(work, set_stage_settings, stage=stage, source=source)


def _level_named(work: Work, stage: UUID) -> Level:
    level: Level | None = work.ready or level_of(stage_named(work, stage))
    return or_refuse(level, Fault("no_heats", "/stage"))


def _open_level(work: Work, stage: UUID) -> Level:
    level = _level_named(work, stage)
    refuse_if(
        level.stage.state == Stage.State.FINISHED,
        Fault("illegal_move", "/stage", {"state": str(level.stage.state)}),
    )
    return level


def _chosen(work: Work, uids: Sequence[UUID], path: str) -> list[Entry]:
    present = players_to_seat(work.tournament) if uids else {}
    known = set(Entry.objects.filter(tournament=work.tournament, uid__in=uids).values_list("uid", flat=True))
    refuse(
        Fault("already_out" if uid in known else "unknown_player", f"{path}/{uid}", {"player": str(uid)})
        for uid in uids
        if uid not in present
    )
    refuse(
        Fault("duplicate_player", f"{path}/{uid}", {"player": str(uid)})
        for uid, times in Counter(uids).items()
        if times > 1
    )
    return [present[uid] for uid in uids]


def _entering(work: Work, level: Level, uid: UUID, path: str) -> Entry:
    (entry,) = _chosen(work, [uid], path)
    refuse_if(
        any(seat.entry == entry for seat in level.sits),
        Fault("seated_elsewhere", f"{path}/{uid}", {"player": str(uid)}),
    )
    return entry


def _let_in(work: Work, level: Level, *entries: Entry) -> None:
    for kind in (Kind.STEPS_BACK, Kind.RESERVE):
        _forget(work, level.stage, kind, entries)
    _decide(work, level.stage, Kind.ADVANCE, [entry for entry in entries if entry.pk not in level.recorded])


def _keep_out(work: Work, level: Level, *entries: Entry) -> None:
    _forget(work, level.stage, Kind.ADVANCE, entries)
    _decide(work, level.stage, Kind.STEPS_BACK, [entry for entry in entries if entry.pk in level.recorded])


def _decide(work: Work, stage: Stage, kind: Kind, entries: Sequence[Entry], *, ranked: bool = False) -> None:
    rows = Decision.objects.filter(stage=stage, kind=kind, entry__in=entries)
    there = {row.entry: row for row in rows.select_related("stage", "entry")}
    new = {
        entry: Decision(stage=stage, kind=kind, entry=entry, rank=rank if ranked else None)
        for rank, entry in enumerate(entries, 1)
        if entry not in there
    }
    work.changed(*there.values(), *Decision.objects.bulk_create(new.values()))


def _forget(work: Work, stage: Stage, kind: Kind, entries: Sequence[Entry] | None = None) -> None:
    found = Decision.objects.filter(stage=stage, kind=kind)
    rows = found if entries is None else found.filter(entry__in=entries)
    work.deleted(*rows)
    rows.delete()


def _seat(
    work: Work, level: Level, through: Sequence[Entry], tables: int | None, seed: str, *, keep_apart: bool
) -> None:
    stage = level.stage
    if tables is None or kind_of(stage.kind).all_together:
        tables = usual_tables(stage, len(through))
    count = max(1, min(given.whole(tables, "/tables"), len(through) // 2))
    if not seed:
        seat_tables(work, stage, dict(enumerate(deal([entry.uid for entry in through], count), 1)))
        if stage.draw:
            keep_draw(work, stage, {})
        return
    pairs = Apart.objects.filter(tournament=work.tournament).values_list("first__uid", "second__uid")
    record = DrawRecord.of(
        [
            Person(entry.uid, entry.start_number, f"{number}-{heat}" if heat else "")
            for entry in through
            for number, heat in [level.comer(entry).origin]
        ],
        even_sizes(len(through), count),
        seed,
        apart=list(pairs) if keep_apart and count > 1 else [],  # at one table, all meet
    )
    try:
        drawn = record.seats()
    except Impossible as impossible:
        raise Refused(Fault(impossible.code, "/keep_apart", impossible.parameters)) from None
    seat_tables(work, stage, {number: [UUID(uid) for uid in players] for number, players in drawn.items()})
    keep_draw(work, stage, record.as_json())


def _give_seat(work: Work, level: Level, seat: Seat, entering: Entry | None, *, anew: bool) -> None:
    table = Table.objects.select_related("stage__tournament", *Table.ROLES).get(pk=seat.table_id)
    plays = [play for play in plays_in(Play.objects.filter(table=table)) if play.state != Play.State.VOID]
    refuse_if(plays and not anew, Fault("table_has_begun", "/anew", {"table": table.number}))
    for play in plays:
        Play.objects.filter(uid=play.uid).update(state=Play.State.VOID, version=work.sequence)
        work.wrote(replace(play, state=Play.State.VOID))
    gone = seat.entry
    if entering:
        work.update(seat, entry=entering, **IN_PLAY)
        _let_in(work, level, entering)
    else:
        work.delete(seat)
    refuse_if(
        Seat.objects.filter(table=table, out_as="").count() < 2 and level.stage.state == Stage.State.RUNNING,
        Fault("too_few_players", f"/tables/{table.number}", {"least": 2}),
    )
    if gone.is_out:  # players who left need no decision
        _forget(work, level.stage, Kind.ADVANCE, [gone])
    else:
        _keep_out(work, level, gone)
    for role in Table.ROLES:
        if getattr(table, role) == gone:
            setattr(table, role, None)
    table.stopped = table.stopped and not plays
    work.save(table, *Table.ROLES, "stopped")
    work.readers_of(level.stage)
