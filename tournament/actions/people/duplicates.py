"""Duplicates: two entries that are one person, and an entry that is a player of earlier events. People decide;
nothing is merged automatically (tournament/queries/duplicates.py only suggests)."""

from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.kernel import Work, action, entry_fault, entry_named, or_refuse, refuse_if
from tournament.actions.people.players import DETAILS, tell_apart
from tournament.models import Apart, Entry, Player
from tournament.queries.duplicates import told_apart
from tournament.results import Fault, Refused

__all__ = ["different_people", "merge_entries", "same_person"]

State = Entry.State

# From the state that tells least about whether somebody is here to the one that tells most.
NEARER = (State.CANCELLED, State.WAITING, State.APPLIED, State.REGISTERED, State.LATE, State.CHECKED_IN)


@action(least="organiser", says=_("merged two players"), undo="ledger")
def merge_entries(work: Work, *, keep: UUID, other: UUID) -> None:
    """Merge two entries of one person: `keep` takes over what only `other` knows (club, birth date, contact, real name,
    consent, fee, answers, check-in), and `other` no longer takes part.

    Raises Refused `unknown_player`, `same_two`, `other_in_use` if the other has a seat, has played or was let through,
    `already_out` if it left or was removed.
    """
    kept, gone = entry_named(work, keep), entry_named(work, other)
    refuse_if(kept.pk == gone.pk, Fault("same_two", "/other"))
    if any(rows.exists() for rows in (gone.seats, gone.results, gone.decisions, gone.incidents)):
        raise Refused(entry_fault("other_in_use", other))
    refuse_if(gone.state in (State.LEFT, State.DISQUALIFIED), entry_fault("already_out", other))
    before = {kept.player.uid, gone.player.uid}
    _exchange_players(kept, gone)
    _fill_in(kept.player, gone.player)
    if kept.player.name == kept.public_name and gone.player.name != gone.public_name:
        kept.player.name = gone.player.name
    kept.player.save()
    kept.club = kept.club or gone.club
    kept.guardian, kept.paid = kept.guardian or gone.guardian, kept.paid or gone.paid
    kept.answers = gone.answers | kept.answers
    kept.accepted_at = kept.accepted_at or gone.accepted_at
    if {kept.state, gone.state} <= set(NEARER):
        kept.state = max(State(kept.state), State(gone.state), key=NEARER.index)
    gone.state = State.CANCELLED
    kept.save()
    gone.save()
    work.changed(kept, gone)
    _keep_apart_too(work, kept, gone)
    _tell_apart_too(work, kept.player, before)
    all_readers(work)


@action(least="organiser", says=_("recognised a player from earlier events"), undo="again")
def same_person(work: Work, *, entry: UUID, player: UUID) -> None:
    """Match an entry with this player of the organiser's earlier events; the player's empty details are filled in.

    Raises Refused `unknown_player`, `entered_twice` if that player is already in this event.
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
    """Record that an entry is neither the `other` entry's player nor this `player` of the organiser's earlier events,
    although the names look the same. They are not suggested as one person again in any of the organiser's events.

    Raises Refused `unknown_player`, and `same_two` for one person twice.
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
    """Tell the player apart from everybody from whom those were told apart whom the player stands for now."""
    gone = {str(uid) for uid in before}
    others = [
        other
        for pair in sorted(told_apart(work.tournament))
        if gone & set(pair)
        for other in pair
        if other not in gone | {str(player.uid)}
    ]
    tell_apart(work, [(player.uid, UUID(other)) for other in others])


def _fill_in(player: Player, other: Player) -> None:
    """Fill in a player's details that only the other has."""
    for name in DETAILS:
        setattr(player, name, getattr(player, name) or getattr(other, name))


def _exchange_players(kept: Entry, gone: Entry) -> None:
    """Give the entry that stays the player with earlier events, if only the other entry's player has any."""
    known, fresh = gone.player, kept.player
    if fresh.entries.count() > 1 or known.entries.count() == 1:
        return
    # A player may have only one entry in a tournament at any moment.
    between = Player.objects.create(organiser=fresh.organiser, name=fresh.name)
    for entry, player in ((gone, between), (kept, known), (gone, fresh)):
        entry.player = player
        entry.save(update_fields=["player"])
    between.delete()


def _keep_apart_too(work: Work, kept: Entry, gone: Entry) -> None:
    """Keep apart from the entry that stays everybody who was kept apart from the one that is gone."""
    pairs = list(Apart.objects.filter(Q(first=gone) | Q(second=gone)).select_related("first", "second"))
    there = {
        frozenset(pair)
        for pair in Apart.objects.filter(Q(first=kept) | Q(second=kept)).values_list("first_id", "second_id")
    }
    for pair in pairs:
        with_whom = pair.second if pair.first_id == gone.pk else pair.first
        if with_whom.pk == kept.pk or frozenset((kept.pk, with_whom.pk)) in there:
            work.delete(pair)
            continue
        setattr(pair, "first" if pair.first_id == gone.pk else "second", kept)
        work.save(pair)
