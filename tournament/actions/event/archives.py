"""Import of an archive: its event is stored as it was, or nothing is.

No row is added to the event's ledger, since it would be another ledger then. People are matched by uid and never by
name: those who are not here become users who cannot sign in, and nobody's account, name or contact is changed.
Everything is read and checked before the one transaction that writes it, so that entries at other events hardly wait.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import DatabaseError, OperationalError

from tournament import backup
from tournament.actions.event.events import free_slug
from tournament.actions.kernel import writing
from tournament.files.archive.prepared import Prepared, line, prepared
from tournament.files.archive.reading import Archive
from tournament.files.archive.schema import People, rows_file
from tournament.files.archive.stored import file_facts, read_files
from tournament.files.archive.words import NotImported
from tournament.models import Organiser, Player, Tournament, User
from tournament.permissions import organisers_of
from tournament.results import Forbidden
from tournament.words.namesakes import name_suffixes

__all__ = ["Imported", "import_event"]

AT_ONCE = 500  # rows in one statement
# Rows of these kinds that are here already stay as they are.
KEPT: dict[str, type[Any]] = {"organiser": Organiser, "user": User, "player": Player}


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported archive: the event's uid and public address here, `moved` if the archive's own address was taken.
    `already`: this event was here before, and nothing was stored; `less`: the archive has less about people."""

    tournament: UUID
    slug: str
    moved: bool = False
    already: bool = False
    less: bool = False


def import_event(archive: Archive, *, by: User | None) -> Imported:
    """Store the event of an archive. `by` is the user who imports it, staff only; None for the operator of this server.

    Raises Forbidden, and NotImported if the archive is not sound, its ledger does not verify, its sheets do not give
    its standings, the event is here already and has changed, or its organiser is here and run by others; nothing is
    stored then.
    """
    if by is not None and not (by.is_active and by.is_staff):
        raise Forbidden("import_event")
    if there := Tournament.objects.filter(uid=archive.manifest.event).first():
        return _already(archive, there)
    event = prepared(archive)
    if by is not None and not by.is_superuser:
        known = Organiser.objects.filter(uid__in=event.rows["organiser"], tournaments__isnull=False)
        if known.exclude(pk__in=organisers_of(by)).exists():
            raise NotImported("organiser_elsewhere", rows_file("organiser"))
    backup.before("import_event")
    try:
        with writing():
            _store(event)
    except OperationalError:
        raise  # the database is away, which is not the archive's fault
    except DatabaseError as error:
        # A value that no table accepts, or a uid used twice: within the archive, or by another event.
        raise NotImported("refused_by_database", detail=line(error)) from error
    row = event.tournament
    return Imported(row.uid, row.slug, moved=row.slug != archive.manifest.slug)


def _already(archive: Archive, there: Tournament) -> Imported:
    """Give the event that is already here; refuse if it differs from the archive's."""
    about = archive.manifest
    with read_files(there, about.people, about.slug, about.version) as (folder, _about):
        for name, digest in about.files.items():
            file = folder / name
            if not file.is_file() or file_facts(file)["sha256"] != digest:
                raise NotImported("event_differs", name, event=there.name)
    return Imported(there.uid, there.slug, already=True, less=about.people != People.EVERYTHING)


def _store(event: Prepared) -> None:
    """Write every row, the event itself at a free address."""
    row = event.tournament
    if Tournament.objects.filter(slug=row.slug).exists():
        row.slug = free_slug(row.name, row.starts_on, rehearsal=row.rehearsal)
    entries = event.rows["entry"]
    for uid, suffix in name_suffixes(
        (uid, each.public_name, each.club, each.state) for uid, each in entries.items()
    ).items():
        entries[uid].name_suffix = suffix
    for kind, rows in event.rows.items():
        if kind in KEPT:
            _find(kind, rows)
        if new := [each for each in rows.values() if each.pk is None]:
            type(new[0])._default_manager.bulk_create(new, batch_size=AT_ONCE)


def _find(kind: str, rows: dict[UUID, Any]) -> None:
    """Take the keys of those who are here already."""
    uids = list(rows)
    for first in range(0, len(uids), AT_ONCE):
        for here in KEPT[kind]._default_manager.filter(uid__in=uids[first : first + AT_ONCE]):
            row = rows[here.uid]
            if kind == "player" and here.organiser_id != row.organiser.pk:
                raise NotImported("player_elsewhere", rows_file(kind))
            row.pk = here.pk
