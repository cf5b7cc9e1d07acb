"""Entry lookup and the waiting list."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Max, QuerySet

from rulesets import penalties_of
from tournament.actions.kernel.refusing import fit, or_refuse, refuse, refuse_if
from tournament.actions.kernel.work import Work
from tournament.models import Entry, Incident, Play, Table, Tournament
from tournament.queries.registration import is_open, places_left, registration_of
from tournament.results import Fault

State = Entry.State


def entry_named(work: Work, uid: UUID) -> Entry:
    """This tournament's entry of that uid; Refused `unknown_player`."""
    return or_refuse(
        Entry.objects.select_related("player").filter(tournament=work.tournament, uid=uid).first(),
        entry_fault("unknown_player", uid),
    )


def entries_named(work: Work, uids: Sequence[UUID]) -> list[Entry]:
    """These entries, each once; Refused `unknown_player` for each unknown uid."""
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
    """`move_up`, until play begins; after that a referee decides."""
    if work.tournament.state == Tournament.State.PLANNED:
        move_up(work)


def state_at_first(work: Work, *, known: bool = False) -> Entry.State:
    """A new entry's state: waiting if full or others wait; applied if approval is needed (not by `known` people) or
    registration is closed; else registered."""
    registration = registration_of(work.tournament)
    waiting = Entry.objects.filter(tournament=work.tournament, state=State.WAITING)
    if places_left(registration) == 0 or waiting.exists():
        return State.WAITING
    asks = registration.approval or not is_open(registration, work.at)
    return State.APPLIED if asks and not known else State.REGISTERED


# ---- Incidents of ejections, stored by the ledger row that ejects ----

LONGEST_REASON = 500  # characters


def follow_game(work: Work, table: Table, play: Play, ejected: Collection[Entry]) -> None:
    """Sync a game's incidents with its ejections."""
    stored = {row.entry: row for row in _standing().filter(play=play)}
    for entry, row in stored.items():
        if entry not in ejected:
            work.update(row, withdrawn=True)
    for entry in ejected:
        if entry not in stored:
            _make(work, table, entry, play)


def follow_removal(work: Work, table: Table | None, entry: Entry, *, removed: bool) -> None:
    """Add or withdraw the incident of a removal."""
    stored = list(_standing().filter(play=None, entry=entry))
    if removed and not stored:
        _make(work, table, entry, None)
    for row in () if removed else stored:
        work.update(row, withdrawn=True)


def say_why(work: Work, entry: UUID, play: UUID | None, *, code: str, text: str) -> None:
    """Record the reason by sheet row (`code`) and text. Refused `unknown_penalty`."""
    refuse_if(
        code and all(row.code != code for row in penalties_of(work.tournament.ruleset)),
        Fault("unknown_penalty", "/code"),
    )
    for row in _standing().filter(entry__uid=entry):
        if (row.play and row.play.uid) == play:
            work.update(row, code=code, text=fit(text, "/reason", LONGEST_REASON))


def _standing() -> QuerySet[Incident]:
    return Incident.objects.filter(kind=Incident.Kind.EJECTION, withdrawn=False).select_related(
        "table", "play", "entry", "by"
    )


def _make(work: Work, table: Table | None, entry: Entry, play: Play | None) -> None:
    work.add(
        Incident(
            tournament=work.tournament,
            kind=Incident.Kind.EJECTION,
            at=work.at,
            by=work.command.actor,
            table=table,
            play=play,
            entry=entry,
        )
    )
