"""Entry lookup and the waiting list."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Max

from tournament.actions.kernel.work import Work
from tournament.models import Entry, Tournament
from tournament.queries.registration import is_open, places_left, registration_of
from tournament.results import Fault, or_refuse, refuse

State = Entry.State


def entry_named(work: Work, uid: UUID) -> Entry:
    """This tournament's entry of that uid."""
    return or_refuse(
        Entry.objects.select_related("player").filter(tournament=work.tournament, uid=uid).first(),
        entry_fault("unknown_player", uid),
    )


def entries_named(work: Work, uids: Sequence[UUID]) -> list[Entry]:
    """These entries, each once."""
    rows = Entry.objects.filter(tournament=work.tournament, uid__in=uids).select_related("player")
    found = {row.uid: row for row in rows}
    refuse(entry_fault("unknown_player", uid) for uid in uids if uid not in found)
    return [found[uid] for uid in dict.fromkeys(uids)]


def entry_fault(code: str, uid: UUID) -> Fault:
    """A fault located at this entry."""
    return Fault(code, f"/entries/{uid}", {"player": str(uid)})


def last_start_number(tournament: Tournament) -> int:
    """Highest start number; 0 for none."""
    return Entry.objects.filter(tournament=tournament).aggregate(last=Max("start_number"))["last"] or 0


def move_up(work: Work) -> None:
    """Fill free places from the waiting list; where approval is needed, entries become applications."""
    waiting = Entry.objects.filter(tournament=work.tournament, state=State.WAITING).order_by("start_number")
    waiting = waiting.select_related("player")
    registration = registration_of(work.tournament)
    state = State.APPLIED if registration.approval else State.REGISTERED
    work.update_all((entry, {"state": state}) for entry in list(waiting[: places_left(registration)]))


def move_up_before_play(work: Work) -> None:
    """`move_up`, until play begins; then a referee decides."""
    if work.tournament.state == Tournament.State.PLANNED:
        move_up(work)


def state_at_first(work: Work, *, known: bool = False) -> Entry.State:
    """A new entry's state: waiting if full or others wait; applied if approval is needed (not for `known` people) or
    registration is closed; else registered."""
    registration = registration_of(work.tournament)
    waiting = Entry.objects.filter(tournament=work.tournament, state=State.WAITING)
    if places_left(registration) == 0 or waiting.exists():
        return State.WAITING
    asks = registration.approval or not is_open(registration, work.at)
    return State.APPLIED if asks and not known else State.REGISTERED
