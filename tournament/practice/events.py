"""The events that a newcomer practises in, as a referee and as a player, without an account.

Each newcomer has events of their own, one for each way to play, played by actions up to the point where the newcomer
takes over. They are rehearsals: marked on every page, never listed. After `models.people.LASTS` they are deleted with
the newcomer and everything that was typed (jobs/upkeep.py); whoever comes again gets new ones. The database tells which
events are practice, and since when: the first row of such an event's ledger is the host's. `views/public/practice.py`
is the page that offers it, where the operator says TRY=1.
"""

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy as _

from tournament import actions
from tournament.actions import Command
from tournament.models import User
from tournament.practice.demo.event import do, read
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
    return read(next(iter(NAMES)), "practice", visit).entry(PLAYER)


def _make(name: str, visit: UUID, host: User) -> UUID:
    event = read(name, "practice", visit)
    actions.create_tournament(
        Command(event.id("create"), host),
        event.uid,
        name=str(NAMES[name]),
        starts_on=home_today(),
        time_zone=HOME.key,
        ruleset=event.data["ruleset"],
        organiser_name=host.display_name(),
        slug=f"practice-{event.uid.hex[:12]}",  # nobody is led to somebody else's later
        language=get_language() or "en",
        rehearsal=True,
    )
    players = [
        {"entry": event.entry(number), "name": each} for number, each in enumerate(event.data["players"], 1)
    ]
    actions.enter_players(Command(event.id("enter"), host), event.uid, players=players)
    do(event, event.data["steps"], host)
    return event.uid
