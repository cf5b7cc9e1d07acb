"""Incidents of ejections, stored by the ledger row that ejects. In a session they belong to the game; a removal by
referees belongs to no play."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from rulesets import penalties_of
from tournament.actions.kernel.refusing import fit
from tournament.actions.kernel.work import Work
from tournament.models import Entry, Incident, Play, Table
from tournament.results import Fault, Refused

LONGEST = 500  # characters


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
    if code and all(row.code != code for row in penalties_of(work.tournament.ruleset)):
        raise Refused(Fault("unknown_penalty", "/code"))
    for row in _standing().filter(entry__uid=entry):
        if (row.play and row.play.uid) == play:
            work.update(row, code=code, text=fit(text, "/reason", LONGEST))


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
