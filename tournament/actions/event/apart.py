"""Keep two players at different tables in draws. The reasons are not stored."""

from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, or_refuse, refuse, refuse_if
from tournament.models import Apart, Entry
from tournament.results import Fault, Refused

__all__ = ["keep_apart", "no_longer_apart"]


@action(least="organiser", says=_("separated two players"), undo="ledger")
def keep_apart(work: Work, *, first: UUID, second: UUID) -> None:
    """Seat two players apart from the next draw on. Refused `unknown_player`, `same_two`, `apart_already`."""
    here = Entry.objects.taking_part().filter(tournament=work.tournament)
    entries = here.in_bulk([first, second], field_name="uid")
    refuse(
        Fault("unknown_player", f"/{place}", {"player": str(uid)})
        for place, uid in (("first", first), ("second", second))
        if uid not in entries
    )
    refuse_if(first == second, Fault("same_two", "/second"))
    one, other = entries[first], entries[second]
    if Apart.objects.filter(Q(first=one, second=other) | Q(first=other, second=one)).exists():
        raise Refused(Fault("apart_already", "/second"))
    work.add(Apart(tournament=work.tournament, first=one, second=other))


@action(least="organiser", says=_("let two players share a table again"), undo="ledger")
def no_longer_apart(work: Work, *, pair: UUID) -> None:
    """End a separation. Refused `unknown_pair`."""
    pairs = Apart.objects.filter(tournament=work.tournament, uid=pair)
    work.delete(or_refuse(pairs.first(), Fault("unknown_pair", "/pair")))
