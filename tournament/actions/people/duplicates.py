"""Duplicate entries within an event or with earlier events: suggested by tournament/queries/duplicates.py, merged by
people only."""

from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.kernel import (
    Work,
    action,
    entry_fault,
    entry_named,
    or_refuse,
    refuse,
    refuse_if,
    store_moved,
)
from tournament.actions.people.players import tell_apart
from tournament.models import LEDGER_KINDS, Apart, Entry, Play, Player, PublicModel, Result, Stage, Table
from tournament.queries.duplicates import in_the_way, told_apart
from tournament.results import Fault, Refused, contests_now, kind_of, plays_in, refs_of, settle

__all__ = ["different_people", "merge_entries", "same_person"]

State = Entry.State

# States by evidence of presence, ascending
NEARER = (*Entry.ASKING[::-1], *Entry.OUT, *Entry.EXPECTED, State.CHECKED_IN)


@action(least="organiser", says=_("merged two players"), undo="ledger")
def merge_entries(work: Work, *, keep: UUID, other: UUID) -> None:
    """Merge two entries of one person: `keep` gets the data it lacks (`merge` in the field tables) and everything that
    refers to `other`, whose entry is cancelled. Of two seats in one stage the played one stays, else that of
    `keep`.

    Refused `unknown_player`, `same_two`, `both_played` (results in one contest), `game_running`, `keep_removed`
    (only `other` was removed), `other_plays_on` (only `keep` is out).
    """
    kept, gone = entry_named(work, keep), entry_named(work, other)
    refuse_if(kept.pk == gone.pk, Fault("same_two", "/other"))
    refuse(filter(None, [in_the_way(kept, gone)]))
    refuse_if(gone.state == State.DISQUALIFIED != kept.state, entry_fault("keep_removed", gone.uid))
    if kept.is_out and gone.seats.playing_on().filter(table__stage__state=Stage.State.RUNNING).exists():
        raise Refused(entry_fault("other_plays_on", kept.uid))
    before = {kept.player.uid, gone.player.uid}
    _exchange_players(kept, gone)
    _fill_in(kept.player, gone.player)
    if kept.player.name == kept.public_name and gone.player.name != gone.public_name:
        kept.player.name = gone.player.name
    kept.player.save()
    _fill_in(kept, gone)
    if not kept.is_out:
        kept.state = max(State(kept.state), State(gone.state), key=NEARER.index)
    gone.state = State.CANCELLED
    work.save(kept)
    work.save(gone)
    _tell_apart_too(work, kept.player, before)
    _leave_one_seat(work, kept, gone)
    _hand_over(work, kept, gone)
    _settle_again(work, kept)
    all_readers(work)


@action(least="organiser", says=_("recognised a player from earlier events"), undo="again")
def same_person(work: Work, *, entry: UUID, player: UUID) -> None:
    """Match an entry to a player of earlier events, whose empty details are filled.

    Refused `unknown_player`, `entered_twice`.
    """
    row = entry_named(work, entry)
    known = or_refuse(
        Player.objects.filter(organiser=work.tournament.organiser, uid=player).first(),
        Fault("unknown_player", "/player", {"player": str(player)}),
    )
    refuse_if(known.entries.filter(tournament=work.tournament).exists(), entry_fault("entered_twice", entry))
    before = row.player
    _fill_in(known, before)
    known.save()
    work.update(row, player=known)
    _tell_apart_too(work, known, {before.uid})
    if not before.entries.exists():
        before.delete()


@action(least="organiser", says=_("marked two people as different"), undo="ledger")
def different_people(
    work: Work, *, entry: UUID, other: UUID | None = None, player: UUID | None = None
) -> None:
    """Record that an entry is another person than `other` (an entry) or `player` (of earlier events); no event of the
    organiser suggests them again.

    Refused `unknown_player`, `same_two`.
    """
    row = entry_named(work, entry)
    known = Player.objects.filter(organiser=work.tournament.organiser)
    found = (
        entry_named(work, other).player
        if other
        else or_refuse(
            known.filter(uid=player).first() if player else None,
            Fault("unknown_player", "/player", {"player": str(player)}),
        )
    )
    refuse_if(found.pk == row.player.pk, Fault("same_two", "/other"))
    tell_apart(work, [(row.player.uid, found.uid)])


def _tell_apart_too(work: Work, player: Player, before: set[UUID]) -> None:
    gone = {str(uid) for uid in before}
    others = [
        other
        for pair in sorted(told_apart(work.tournament))
        if gone & set(pair)
        for other in pair
        if other not in gone | {str(player.uid)}
    ]
    tell_apart(work, [(player.uid, UUID(other)) for other in others])


def _leave_one_seat(work: Work, kept: Entry, gone: Entry) -> None:
    """Delete the unplayed of two seats in a stage, else that of `gone`; after matches at two tables both stay."""
    results = Result.objects.filter(entry__in=[kept, gone]).exclude(play__state=Play.State.VOID)
    for seat in gone.seats.select_related("table__stage"):
        stage = seat.table.stage
        own = list(kept.seats.filter(table__stage=stage))
        played = {*results.filter(play__table__stage=stage).values_list("entry", flat=True)}
        if own and (len(played) < 2 or kind_of(stage.kind).seats_change):
            for each in own if played == {gone.pk} else [seat]:
                work.delete(each)


def _hand_over(work: Work, kept: Entry, gone: Entry) -> None:
    """Redirect references, dropping duplicates: results of a void play, decisions on a stage, separated pairs."""
    aparts = Apart.objects.filter(Q(first=kept) | Q(second=kept)).values_list("first", "second")
    near = {kept.pk, *(key for pair in aparts for key in pair)}
    for row in (
        *gone.decisions.filter(stage__in=kept.decisions.values("stage")),
        *Apart.objects.filter(Q(first=gone, second__in=near) | Q(second=gone, first__in=near)),
    ):
        work.delete(row)
    plays = list(Play.objects.filter(Q(results__entry=gone) | Q(drew=gone)).values_list("pk", flat=True))
    Result.objects.filter(entry=gone, play__in=kept.results.values("play")).delete()
    Result.objects.filter(entry=gone).update(entry=kept)
    work.update_all(
        (row, {name: kept})
        for model in LEDGER_KINDS.values()
        for name, target in refs_of(model).items()
        if target is Entry
        for row in model._default_manager.filter(**{name: gone})
    )
    work.update_all(  # a role needs a seat
        (table, {role: None})
        for role in Table.ROLES
        for table in Table.objects.filter(**{role: kept}).exclude(seats__entry=kept)
    )
    Play.objects.filter(pk__in=plays).update(version=work.sequence)
    for play in plays_in(Play.objects.filter(pk__in=plays)):
        work.wrote(play)


def _settle_again(work: Work, kept: Entry) -> None:
    begun = work.tournament.stages.exclude(state=Stage.State.PLANNED)
    for contest in (contest for stage in begun for contest in contests_now(stage)):
        if str(kept.uid) in contest.names:
            store_moved(work, settle(contest))


def _fill_in(row: PublicModel, other: PublicModel) -> None:
    for line in row.FIELDS.fields:
        if line.merge == "fill":
            own, theirs = getattr(row, line.name), getattr(other, line.name)
            setattr(row, line.name, theirs | own if isinstance(own, dict) else own or theirs)


def _exchange_players(kept: Entry, gone: Entry) -> None:
    known, fresh = gone.player, kept.player
    if fresh.entries.count() > 1 or known.entries.count() == 1:
        return
    # (tournament, player) is unique at all times.
    between = Player.objects.create(organiser=fresh.organiser, name=fresh.name)
    for entry, player in ((gone, between), (kept, known), (gone, fresh)):
        entry.player = player
        entry.save(update_fields=["player"])
    between.delete()
