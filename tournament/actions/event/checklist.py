"""The checklist before the start: ticks, decks, a phone's connection."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, or_refuse, refuse_if
from tournament.links import holds
from tournament.models import Tick
from tournament.results import Fault, whole

__all__ = ["say_hello", "set_decks", "tick", "untick"]

MOST_DECKS = 999
HELLO_AGAIN = timedelta(minutes=1)


@action(least="head_referee", says=_("ticked off a checklist item"), undo="ledger")
def tick(work: Work, *, item: str) -> None:
    """Tick an item. Refused `unknown_point`, `ticked_already`."""
    refuse_if(item not in Tick.Item.values, Fault("unknown_point", "/item"))
    refuse_if(
        Tick.objects.filter(tournament=work.tournament, item=item).exists(), Fault("ticked_already", "/item")
    )
    _tick(work, item)


@action(least="head_referee", says=_("unticked a checklist item"), undo="ledger")
def untick(work: Work, *, item: str) -> None:
    """Untick an item. Refused `not_ticked`."""
    ticks = Tick.objects.filter(tournament=work.tournament, item=item)
    work.delete(or_refuse(ticks.first(), Fault("not_ticked", "/item")))


@action(least="organiser", says=_("counted the decks"), undo="ledger")
def set_decks(work: Work, *, decks: int | None) -> None:
    """Set the number of decks; None: not counted. Refused `field_max_value`."""
    refuse_if(
        decks is not None and not 0 <= whole(decks, "/decks") <= MOST_DECKS,
        Fault("field_max_value", "/decks", {"limit_value": MOST_DECKS}),
    )
    work.update(work.tournament, decks=decks)


@action(by_link=True, says=_("connected from a phone"), undo="links")
def say_hello(work: Work, *, token: str) -> None:
    """Tick, even again, that a phone reaches the server. Refused `unknown_link`, `ticked_already` (within
    HELLO_AGAIN)."""
    refuse_if(not holds(token, "hello", work.tournament.uid), Fault("unknown_link", "/token"))
    row = Tick.objects.filter(tournament=work.tournament, item=Tick.Item.PHONE).first()
    refuse_if(row and work.at - row.at < HELLO_AGAIN, Fault("ticked_already", "/item"))
    if row:
        work.delete(row)
    _tick(work, Tick.Item.PHONE)


def _tick(work: Work, item: str) -> None:
    work.add(Tick(tournament=work.tournament, item=item, at=work.at, by=work.command.actor))
