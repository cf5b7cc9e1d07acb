"""The events that a newcomer practises in, as a referee and as a player, without an account.

Each newcomer has events of their own, one for each way to play, played by actions up to the point where the newcomer
takes over. They are rehearsals: marked on every page, never listed. After `models.people.LASTS` they are deleted with
the newcomer and everything that was typed (jobs/upkeep.py); whoever comes again gets new ones. What an event is, and
since when, the database says: its ledger's first row is the host's. `views/public/practice.py` is the page that offers
it, where the operator says TRY=1.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy as _

from tournament import actions
from tournament.actions import Command
from tournament.models import User
from tournament.practice.demo.event import Event, do
from tournament.words.zones import HOME, home_today

# Each file in fixtures/practice, and what the newcomer reads as the event's name; the first is the player's.
NAMES: Mapping[str, str | Promise] = {
    "match": _("Mattel match"),
    "session": _("KPGUT session"),
    "championship": _("TiTe championship"),
}
PLAYER = 1  # the start number of the player who the newcomer is in the first of them


def make(visit: UUID, host: User) -> Iterator[UUID]:
    """Make the events of this visit, one whenever the next is asked for; gives their uids."""
    return (_make(name, visit, host) for name in NAMES)


def player_in(visit: UUID) -> UUID:
    """The uid of the entry that the newcomer of this visit is as a player."""
    return _event(next(iter(NAMES)), visit).entry(PLAYER)


def _event(name: str, visit: UUID) -> Event:
    path = settings.BASE_DIR / "fixtures" / "practice" / f"{name}.json"
    return Event(json.loads(path.read_text(encoding="utf-8")), uuid5(visit, name))


def _make(name: str, visit: UUID, host: User) -> UUID:
    event = _event(name, visit)
    data: Mapping[str, Any] = event.data
    actions.create_tournament(
        Command(event.id("create"), host),
        event.uid,
        name=str(NAMES[name]),
        starts_on=home_today(),
        time_zone=HOME.key,
        ruleset=data["ruleset"],
        organiser_name=host.display_name(),
        slug=f"practice-{event.uid.hex[:12]}",  # nobody is led to somebody else's later
        language=get_language() or "en",
        rehearsal=True,
    )
    players = [{"entry": event.entry(number), "name": each} for number, each in enumerate(data["players"], 1)]
    actions.enter_players(Command(event.id("enter"), host), event.uid, players=players)
    do(event, data["steps"], host)
    return event.uid
