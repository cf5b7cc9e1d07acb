"""An organiser's people over all its events: join, part, rename, leave out."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from uuid import UUID, uuid5

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.kernel import (
    Work,
    action,
    check,
    check_public,
    do_everywhere,
    entry_named,
    or_refuse,
    refuse,
    refuse_if,
)
from tournament.actions.people.players import join_player, tell_apart
from tournament.ledger.undoing import History
from tournament.models import Entry, LedgerRow, Player, Tournament
from tournament.permissions import organisers_of
from tournament.queries.people import joined_players
from tournament.queries.registration import hide_minor, numbered_name
from tournament.results import Fault, Forbidden, Refused
from tournament.words.text import clean, public_text

__all__ = ["join_people", "leave_out_person", "part_people", "part_person", "rename_person"]


@action(least="organiser", says=_("joined people of several events"), undo="again")
def join_people(work: Work, *, groups: Sequence[Sequence[UUID]]) -> None:
    """Make one person of each group of players: the first gets all entries. The others stay, for `part_people`;
    erasing one erases all. Refused `nobody_chosen`, `same_two`, `both_entered` (two entries in one event)."""
    chosen = [uid for group in groups for uid in group]
    refuse_if(not chosen, Fault("nobody_chosen", "/groups"))
    refuse_if(
        len({*chosen}) < len(chosen) or any(len(group) < 2 for group in groups), Fault("same_two", "/groups")
    )
    people = _people_named(work, chosen, "/groups")
    keeps = {people[uid].pk: people[group[0]] for group in groups for uid in group}
    moved = _movable(
        list(Entry.objects.filter(player__in=keeps).select_related("tournament", "player")), keeps
    )
    do_everywhere(work, moved, partial(_set_players, {entry.pk: keeps[entry.player_id] for entry in moved}))
    for group in groups:
        keep, *others = (people[uid] for uid in group)
        for other in others:
            Player.objects.filter(joined_to=other.uid).update(joined_to=keep.uid)
            join_player(keep, other)


@action(least="organiser", says=_("parted people who had been joined"), undo="again")
def part_people(work: Work, *, row: int) -> None:
    """Undo `join_people` of this ledger row: in all events the entries go back, unless they have moved on, and the
    details that each brought."""
    joined = or_refuse(
        work.tournament.ledger.filter(sequence=row, action="join_people").first(),
        Fault("unknown_row", "/row"),
    )
    events = Tournament.objects.filter(organiser=work.tournament.organiser_id)
    commands = [
        joined.command,
        *(uuid5(joined.command, str(uid)) for uid in events.values_list("uid", flat=True)),
    ]
    rows = LedgerRow.objects.filter(tournament__in=events, action="join_people", command__in=commands)
    before = {key: was for each in rows.select_related("tournament") for key, was in _before(each).items()}
    players = _people_named(work, {UUID(was) for was in before.values()}, "/row")
    entries = Entry.objects.filter(uid__in=[uid for uid, _player in before]).select_related(
        "tournament", "player"
    )
    moved = {
        entry: players[UUID(was)]
        for entry in entries
        if (was := before.get((str(entry.uid), str(entry.player.uid))))
    }
    do_everywhere(work, moved, partial(_set_players, {entry.pk: player for entry, player in moved.items()}))
    for uid in players:
        _take_back(Player.objects.get(uid=uid))


@action(least="organiser", says=_("told a player apart from earlier events"), undo="again")
def part_person(work: Work, *, entry: UUID) -> None:
    """Make this entry another person than in other events: the one before a join, else a new one of its public name.
    Refused `no_other_event`."""
    row = entry_named(work, entry)
    before = row.player
    refuse_if(before.entries.count() < 2, Fault("no_other_event", "/entry"))
    rows = work.tournament.ledger.filter(payload__entry__has_key=str(entry)).values_list("payload", flat=True)
    uids = {payload["entry"][str(entry)].get("player") for payload in rows} - {None}
    other = Player.objects.filter(uid__in=uids, joined_to=before.uid, entries=None).first()
    if other is None:
        name = before.name if row.public_name == numbered_name(row) else row.public_name
        other = Player.objects.create(organiser=before.organiser, name=name)
    _take_back(other)
    work.update(row, player=other)
    tell_apart(work, [(before.uid, other.uid)])
    all_readers(work)


@action(least="organiser", says=_("renamed a person"), undo="again")
def rename_person(work: Work, *, player: UUID, name: str, public_name_is_right: bool = False) -> None:
    """Set a person's real name. Entries shown under the old one follow in all events."""
    row = _people_named(work, [player])[player]
    was, row.name = row.name, clean(name)
    check(row)
    row.save()
    entries = list(row.entries.filter(public_name=was).select_related("tournament", "player"))
    for entry in entries:
        entry.public_name = public_text(name)
        check_public(entry, work.faults, right=public_name_is_right)
        hide_minor(entry, row.name)
    do_everywhere(work, entries, _save_all)


@action(least="organiser", says=_("changed who is offered as a known person"), undo="again")
def leave_out_person(work: Work, *, player: UUID, left_out: bool) -> None:
    """Stop offering a person among the known ones, or offer them again."""
    row = _people_named(work, [player])[player]
    row.left_out = left_out
    row.save(update_fields=["left_out"])


def _people_named(work: Work, uids: Iterable[UUID], path: str = "/player") -> dict[UUID, Player]:
    """The organiser's players of these uids. Forbidden for organisers of this event alone."""
    actor, organiser = work.command.actor, work.tournament.organiser_id
    if not actor.is_superuser and not organisers_of(actor).filter(pk=organiser).exists():
        raise Forbidden(work.action)
    wanted = list(uids)
    found = {player.uid: player for player in Player.objects.filter(organiser=organiser, uid__in=wanted)}
    refuse(Fault("unknown_player", path, {"player": str(uid)}) for uid in wanted if uid not in found)
    return found


def _movable(entries: Sequence[Entry], keeps: Mapping[int, Player]) -> list[Entry]:
    """Entries that change player; a cancelled one stays where that player is entered. Refused `both_entered`."""
    there: set[tuple[int, int]] = set()
    moved = []
    for entry in sorted(entries, key=lambda entry: entry.state == Entry.State.CANCELLED):
        keep = keeps[entry.player_id]
        place = (keep.pk, entry.tournament_id)
        if place not in there:
            there.add(place)
            moved += [entry] if entry.player_id != keep.pk else []
        elif entry.state != Entry.State.CANCELLED:
            raise Refused(
                Fault("both_entered", "/groups", {"player": entry.shown_name, "event": entry.tournament.name})
            )
    return moved


def _take_back(player: Player) -> None:
    """End a join: details that the other has from this player alone, unchanged, go."""
    for other in Player.objects.filter(uid__in=[player.joined_to]):
        for name in player.lent:
            if getattr(other, name) == getattr(player, name):
                setattr(other, name, getattr(Player(), name))
        other.save()
        Player.objects.filter(pk=player.pk).update(joined_to=None, lent=[])
        for one in joined_players(other):
            join_player(other, one)


def _before(row: LedgerRow) -> dict[tuple[str, str], str]:
    """Former players of a `join_people` row, by uids of entry and new player."""
    history = History(row.tournament)
    return {
        (uid, after["player"]): before["player"]
        for uid, after in row.payload.get("entry", {}).items()
        if (before := history.before(("entry", uid), row.sequence))
    }


def _set_players(players: Mapping[int, Player], work: Work, entries: Iterable[Entry]) -> None:
    work.update_all((entry, {"player": players[entry.pk]}) for entry in entries)
    all_readers(work)


def _save_all(work: Work, entries: Iterable[Entry]) -> None:
    for entry in entries:
        work.save(entry)
    all_readers(work)
