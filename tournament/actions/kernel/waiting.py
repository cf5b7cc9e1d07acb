"""The waiting list inside an action: who gets a place that became free."""

from tournament.actions.kernel.work import Work
from tournament.models import Entry, Tournament
from tournament.queries.registration import is_open, places_left, registration_of

State = Entry.State


def move_up(work: Work) -> None:
    """Give free places to the first on the waiting list, never beyond the limit; with approval they ask for theirs."""
    waiting = Entry.objects.filter(tournament=work.tournament, state=State.WAITING).order_by("start_number")
    registration = registration_of(work.tournament)
    for entry in list(waiting[: places_left(registration)]):
        work.update(entry, state=State.APPLIED if registration.approval else State.REGISTERED)


def move_up_before_play(work: Work) -> None:
    """The same, until play begins: who comes in after that is a referee's decision."""
    if work.tournament.state == Tournament.State.PLANNED:
        move_up(work)


def state_at_first(work: Work, *, known: bool = False) -> Entry.State:
    """The state of somebody who asks for a place now: waiting where there is none, or where others wait for one that
    became free during play; asking where an organiser approves or registration is closed; else registered. Who is
    `known` took part before and needs no approval."""
    registration = registration_of(work.tournament)
    waiting = Entry.objects.filter(tournament=work.tournament, state=State.WAITING)
    if places_left(registration) == 0 or waiting.exists():
        return State.WAITING
    asks = registration.approval or not is_open(registration, work.at)
    return State.APPLIED if asks and not known else State.REGISTERED
