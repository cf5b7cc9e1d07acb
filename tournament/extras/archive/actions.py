"""Import of an archive: all or nothing.

The ledger stays identical. People are matched by uid; unknown ones cannot sign in, existing accounts stay unchanged.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import DatabaseError, OperationalError

from tournament import backup
from tournament.actions.event.events import free_slug
from tournament.actions.kernel import writing
from tournament.extras.archive.files.reading import Archive, Prepared, line, prepared
from tournament.extras.archive.files.schema import NotImported, People, rows_file
from tournament.extras.archive.files.stored import file_facts, read_files
from tournament.models import Organiser, Player, Tournament, User
from tournament.permissions import organisers_of
from tournament.results import Forbidden
from tournament.words.text import name_suffixes

ROWS_PER_STATEMENT = 500  # rows
# Kinds whose existing rows stay.
SHARED_MODELS: dict[str, type[Any]] = {"organiser": Organiser, "user": User, "player": Player}


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported event. `moved`: its address is not the archive's; `already`: it existed; `less`: personal data is
    lacking."""

    tournament: UUID
    slug: str
    moved: bool = False
    already: bool = False
    less: bool = False


def import_event(archive: Archive, *, by: User | None) -> Imported:
    """Store an archive's event. `by` is the importing user (staff only), None for the server's operator.

    Raises Forbidden, and NotImported if the archive is invalid, differs from the existing event, or its organiser is
    run by others.
    """
    if by is not None and not (by.is_active and by.is_staff):
        raise Forbidden("import_event")
    if there := Tournament.objects.filter(uid=archive.manifest.event).first():
        about = archive.manifest
        with read_files(there, about.people, about.slug, about.version) as (folder, _about):
            for name, digest in about.files.items():
                file = folder / name
                if not file.is_file() or file_facts(file)["sha256"] != digest:
                    raise NotImported("event_differs", name, event=there.name)
        return Imported(there.uid, there.slug, already=True, less=about.people != People.EVERYTHING)
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
        raise  # database unavailable, not the archive's fault
    except DatabaseError as error:
        # An unacceptable value, or a uid used twice
        raise NotImported("refused_by_database", detail=line(error)) from error
    row = event.tournament
    return Imported(row.uid, row.slug, moved=row.slug != archive.manifest.slug)


def _store(event: Prepared) -> None:
    row = event.tournament
    if Tournament.objects.filter(slug=row.slug).exists():
        row.slug = free_slug(row.name, row.starts_on, rehearsal=row.rehearsal)
    entries = event.rows["entry"]
    for uid, suffix in name_suffixes(
        (uid, each.public_name, each.club, each.state) for uid, each in entries.items()
    ).items():
        entries[uid].name_suffix = suffix
    for kind, rows in event.rows.items():
        uids = list(rows) if kind in SHARED_MODELS else []
        for first in range(0, len(uids), ROWS_PER_STATEMENT):
            stored = SHARED_MODELS[kind]._default_manager
            for there in stored.filter(uid__in=uids[first : first + ROWS_PER_STATEMENT]):
                if kind == "player" and there.organiser_id != rows[there.uid].organiser.pk:
                    raise NotImported("player_elsewhere", rows_file(kind))
                rows[there.uid].pk = there.pk
        if new := [each for each in rows.values() if each.pk is None]:
            type(new[0])._default_manager.bulk_create(new, batch_size=ROWS_PER_STATEMENT)
