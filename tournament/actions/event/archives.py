"""Import of an archive: all or nothing.

No ledger row is added, so the ledger stays identical. People are matched by uid, never by name; unknown ones cannot
sign in, existing accounts stay unchanged. Checks precede the writing transaction, which stays short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DatabaseError, OperationalError
from django.utils.translation import gettext_lazy as _

from tournament import backup
from tournament.actions.event.events import free_slug
from tournament.actions.event.planning import replan_event
from tournament.actions.kernel import Work, action, do_within, faults_of, refuse, refuse_if, writing
from tournament.actions.people.players import enter_players
from tournament.files.archive.reading import Archive, Prepared, line, prepared
from tournament.files.archive.schema import NotImported, People, rows_file
from tournament.files.archive.stored import file_facts, read_files
from tournament.models import Entry, Organiser, PastResult, Player, Tournament, User
from tournament.permissions import organisers_of
from tournament.results import Fault, Forbidden
from tournament.words.text import name_suffixes

__all__ = ["Imported", "bring_in_results", "import_event"]


ROWS_PER_STATEMENT = 500  # rows per statement
# Existing rows of these kinds are not overwritten.
SHARED_MODELS: dict[str, type[Any]] = {"organiser": Organiser, "user": User, "player": Player}


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported event: uid and public address here, `moved` if that is not the archive's, `already` if it existed
    (nothing stored), `less` if the archive lacks personal data."""

    tournament: UUID
    slug: str
    moved: bool = False
    already: bool = False
    less: bool = False


def import_event(archive: Archive, *, by: User | None) -> Imported:
    """Store an archive's event. `by` is the importing user (staff only), None for the server's operator.

    Raises Forbidden, and NotImported if the archive is invalid, its ledger fails verification, its sheets
    contradict its standings, the event exists and differs, or its organiser is run by others.
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
        raise  # database unavailable, not the archive's fault
    except DatabaseError as error:
        # An unacceptable value, or a uid used twice
        raise NotImported("refused_by_database", detail=line(error)) from error
    row = event.tournament
    return Imported(row.uid, row.slug, moved=row.slug != archive.manifest.slug)


def _already(archive: Archive, there: Tournament) -> Imported:
    about = archive.manifest
    with read_files(there, about.people, about.slug, about.version) as (folder, _about):
        for name, digest in about.files.items():
            file = folder / name
            if not file.is_file() or file_facts(file)["sha256"] != digest:
                raise NotImported("event_differs", name, event=there.name)
    return Imported(there.uid, there.slug, already=True, less=about.people != People.EVERYTHING)


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
        if kind in SHARED_MODELS:
            _find(kind, rows)
        if new := [each for each in rows.values() if each.pk is None]:
            type(new[0])._default_manager.bulk_create(new, batch_size=ROWS_PER_STATEMENT)


def _find(kind: str, rows: dict[UUID, Any]) -> None:
    uids = list(rows)
    for first in range(0, len(uids), ROWS_PER_STATEMENT):
        for here in SHARED_MODELS[kind]._default_manager.filter(
            uid__in=uids[first : first + ROWS_PER_STATEMENT]
        ):
            row = rows[here.uid]
            if kind == "player" and here.organiser_id != row.organiser.pk:
                raise NotImported("player_elsewhere", rows_file(kind))
            row.pk = here.pk


# ---- Imported results of an event played elsewhere ----

AS_READ = ("place", "points", "average", "games", "wins", "note")


@action(least="organiser", says=_("brought in results from a file"), undo="ledger", bulk=True, account=True)
def bring_in_results(work: Work, *, players: Sequence[Mapping[str, Any]]) -> None:
    """Store a file's results in an unplayed event and finish it; planned stages are deleted.

    `players`: as in `enter_players`, plus `PastResult` fields; `entry`: existing or new uid. Refused at
    `/players/<index>/...`, e.g. `brought_in_twice`; `played_already`.
    """
    event = work.tournament
    refuse_if(event.state == Tournament.State.RUNNING, Fault("played_already"))
    do_within(work, replan_event, ruleset=event.ruleset, stages=[])
    here = {*Entry.objects.filter(tournament=event).values_list("uid", flat=True)}
    if new := [given for given in players if given["entry"] not in here]:
        do_within(work, enter_players, players=new)
    entries = {entry.uid: entry for entry in Entry.objects.filter(tournament=event)}
    work.update_all((entries[uid], {"state": Entry.State.CHECKED_IN}) for uid in entries.keys() - here)
    brought_in = PastResult.objects.filter(entry__tournament=event).values_list("entry__uid", flat=True)
    taken = [*brought_in, *(given["entry"] for given in players)]
    rows, faults = [], list[Fault]()
    for index, given in enumerate(players):
        row = PastResult(
            entry=entries[given["entry"]], **{name: given[name] for name in AS_READ if name in given}
        )
        try:
            row.clean_fields(exclude=["entry"])
        except ValidationError as error:
            faults += faults_of(error, f"/players/{index}")
        if taken.count(row.entry.uid) > 1:
            faults.append(Fault("brought_in_twice", f"/players/{index}/entry"))
        rows.append(row)
    refuse(faults)
    PastResult.objects.bulk_create(rows)
    work.changed(*rows)
    work.update(event, state=Tournament.State.FINISHED)
