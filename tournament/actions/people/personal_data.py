"""Erasure of personal data (docs/privacy.md). Results stay; names are not in digests, so chains stay valid."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.events import all_readers
from tournament.actions.kernel import (
    LONGEST_NOTE,
    Work,
    action,
    do_everywhere,
    entry_named,
    move_up_before_play,
    writing,
)
from tournament.actions.people.attendance import take_out
from tournament.actions.people.own_entry import own_entry
from tournament.models import ENTRY, Entry, Incident, LedgerNote, Player, Tournament, can, leads_to
from tournament.queries.people import entries_of, joined_players
from tournament.queries.registration import numbered_name

__all__ = ["erase_person", "erase_self"]

KEPT_FOR = timedelta(days=90)  # for contacts, after a player's last event
SHORTEST = 3  # letters; shorter names are not replaced in texts


@action(least="organiser", says=_("erased a player’s personal data"), undo="names_gone")
def erase_person(work: Work, *, entry: UUID) -> None:
    """Replace a player's personal data by a number in all the organiser's events; links end."""
    _erase(work, entry_named(work, entry).player)


@action(by_link=True, says=_("erased their own personal data"), undo="names_gone")
def erase_self(work: Work, *, token: str) -> None:
    """Erase the player's own data, as `erase_person`."""
    _erase(work, own_entry(work, token).player)


def _erase(work: Work, player: Player) -> None:
    entries = entries_of(player)
    names = {name for entry in entries for name in (entry.public_name, entry.player.name)}
    joined = list(joined_players(player))
    names |= {one.name for one in joined}
    do_everywhere(work, entries, partial(_erase_in, names=names))
    for one, name in (
        *((entry.player, entry.public_name) for entry in reversed(entries)),
        *((one, entries[0].public_name) for one in joined),
    ):
        one.clear_personal()
        one.name = name
        one.save()


def _erase_in(work: Work, entries: Iterable[Entry], names: Iterable[str]) -> None:
    """Anonymise entries and texts about them; before play also cancel them."""
    all_readers(work)
    for entry in entries:
        entry.clear_personal()
        entry.public_name = numbered_name(entry)
        entry.link_number += 1
        entry.past_results.update(note="")
        work.save(entry)
        if work.tournament.state == Tournament.State.PLANNED:
            _cancel(work, entry)
        uid, without = str(entry.uid), _replacing(names, entry.public_name)
        for note in LedgerNote.objects.filter(row__tournament=work.tournament).select_related("row"):
            text = "" if uid in note.row.payload.get("entry", {}) else without(note.text)
            if text != note.text:
                LedgerNote.objects.filter(pk=note.pk).update(text=text)
        for row in Incident.objects.filter(tournament=work.tournament):
            texts = ("", "") if row.entry_id == entry.pk else (without(row.text), without(row.ruling))
            if texts != (row.text, row.ruling):
                Incident.objects.filter(pk=row.pk).update(text=texts[0], ruling=texts[1])


def _cancel(work: Work, entry: Entry) -> None:
    if can(ENTRY, entry.state, "withdraw"):
        work.update(entry, state=leads_to(ENTRY, entry.state, "withdraw"))
        move_up_before_play(work)
        return
    if entry.state == Entry.State.CHECKED_IN:
        entry.state = leads_to(ENTRY, entry.state, "take_back_check_in")
    if can(ENTRY, entry.state, "cancel"):
        take_out(work, [entry], "cancel")


def _replacing(names: Iterable[str], other: str) -> Callable[[str], str]:
    long = sorted((name for name in names if len(name) >= SHORTEST), key=len, reverse=True)
    if not long:
        return lambda text: text
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, long))})\b", re.IGNORECASE)
    return lambda text: words.sub(lambda _found: other, text)[:LONGEST_NOTE]


def old_contacts(now: datetime) -> list[int]:
    """Keys of players whose events all ended, by date or last ledger row, over 90 days ago."""
    limit = now - KEPT_FOR
    coming = Tournament.objects.filter(starts_on__gte=limit.date())
    going_on = Tournament.objects.exclude(state=Tournament.State.FINISHED).filter(ledger__at__gte=limit)
    answers = Entry.objects.filter(player=OuterRef("pk")).exclude(answers={})
    players = Player.objects.filter(~Q(contact="") | Exists(answers)).exclude(entries__tournament__in=coming)
    return list(players.exclude(entries__tournament__in=going_on).order_by("pk").values_list("pk", flat=True))


def erase_old_contacts(now: datetime) -> int:
    """Erase contacts and answers of `old_contacts`; return the number of players."""
    if not old_contacts(now):
        return 0
    with writing():
        players = old_contacts(now)
        Entry.objects.filter(player__in=players).update(answers={})
        return Player.objects.filter(pk__in=players).update(contact="")
