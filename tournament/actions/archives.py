"""An archive comes back: its event is stored as it was, or nothing is.

No row is added to the event's ledger, since it would be another ledger then. People are matched by uid and never by
name: who is not here becomes a user who cannot sign in, and nobody's account, name or contact is changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DatabaseError

from scoring import SheetInvalid
from tournament.actions._imported import check_imported
from tournament.actions._work import writing
from tournament.actions.setup import free_slug
from tournament.archive.problems import NotImported
from tournament.archive.reading import Archive, Row
from tournament.archive.schema import ANSWERS, KINDS, rows_file
from tournament.archive.stored import MODELS, contest_values, read_files
from tournament.archive.writing import file_facts
from tournament.faults import Forbidden, Refused
from tournament.ledger.purge import GUEST
from tournament.ledger.verify import BROKEN, verify
from tournament.models import Tournament, User
from tournament.models.base import PublicModel
from tournament.models.people import OWN_LINK

AT_ONCE = 500  # rows in one statement
SINGLE = frozenset({"organiser", "tournament"})  # of these kinds an archive has one row
KEPT = frozenset({"organiser", "player"})  # rows of these kinds that are here already stay as they are
Keys = dict[UUID, int]  # the database's keys of rows, by uid


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of an archive: the event's uid and public address here, `moved` where the archive's own was taken.
    `already`: it was here before, just so, and nothing was stored."""

    tournament: UUID
    slug: str
    moved: bool = False
    already: bool = False


def import_event(archive: Archive, *, by: User | None) -> Imported:
    """Store the event of an archive. `by` is who brings it, staff only; None for who runs this computer.

    Raises Forbidden, and NotImported where the archive is not sound, its ledger does not verify, its sheets do not give
    its standings, or the event is here already and is another by now; nothing is stored then.
    """
    if by is not None and not (by.is_active and by.is_staff):
        raise Forbidden("import_event")
    try:
        with writing():
            there = Tournament.objects.filter(uid=archive.manifest.event).first()
            return _already(archive, there) if there else _Import(archive).store()
    except DatabaseError as error:
        # What no table takes, or two rows of one uid: the archive's own, or one that another event has.
        raise NotImported("refused_by_database", detail=_line(error)) from error


def _already(archive: Archive, there: Tournament) -> Imported:
    """The event that is here; refused where it is not what the archive holds."""
    about = archive.manifest
    with read_files(there, about.people, slug=about.slug) as (folder, _about):
        for name, digest in about.files.items():
            file = folder / name
            if not file.is_file() or file_facts(file)["sha256"] != digest:
                raise NotImported("event_differs", name, event=there.name)
    return Imported(there.uid, there.slug, already=True)


class _Import:
    """The work of one import: the keys that the database gave to the rows stored so far."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.keys: dict[str, Keys] = {}
        self.tournament: Tournament | None = None

    def store(self) -> Imported:
        """Store every row and see that it is the event that the archive tells of."""
        for kind in KINDS:
            self.keys[kind] = {}
            rows = self._users() if kind == "user" else self._rows(kind)
            while batch := list(islice(rows, AT_ONCE)):
                self._insert(kind, batch)
            if kind in SINGLE and len(self.keys[kind]) != 1:
                raise NotImported("wrong_count", rows_file(kind))
        row = Tournament.objects.get(uid=self.archive.manifest.event)
        self._verify(row)
        return Imported(row.uid, row.slug, moved=row.slug != self.archive.manifest.slug)

    def _insert(self, kind: str, batch: list[Any]) -> None:
        model = type(batch[0])
        known = set[UUID]()
        if kind in KEPT or kind == "user":
            here = model._default_manager.filter(uid__in=[row.uid for row in batch])
            for row in here:
                self._same_organiser(kind, row)
                self.keys[kind][row.uid] = row.pk
                known.add(row.uid)
        for row in model._default_manager.bulk_create([row for row in batch if row.uid not in known]):
            self.keys[kind][row.uid] = row.pk

    def _same_organiser(self, kind: str, row: Any) -> None:
        if kind == "player" and row.organiser_id not in self.keys["organiser"].values():
            raise NotImported("player_elsewhere", rows_file(kind))

    def _rows(self, kind: str) -> Iterator[PublicModel]:
        """The rows of a kind, each checked, with the keys of those that it names."""
        model, fields = MODELS[kind][0], KINDS[kind]
        for where, values in self.archive.rows(kind):
            for name, field in fields.items():
                if field.type == "ref":
                    values[f"{name}_id"] = self._key(field.of, values.pop(name), f"{where} {name}")
            row = model(**values)
            if isinstance(row, Tournament):
                self._take(row, where)
            check_imported(row, where, self.tournament)
            yield row

    def _take(self, row: Tournament, where: str) -> None:
        """The event itself, at an address that is free."""
        if row.uid != self.archive.manifest.event:
            raise NotImported("wrong_value", f"{where} uid")
        if Tournament.objects.filter(slug=row.slug).exists():
            row.slug = free_slug(row.name, row.starts_on, rehearsal=row.rehearsal)
        self.tournament = row

    def _key(self, kind: str, uid: UUID | None, where: str) -> int | None:
        if uid is None:
            return None
        if uid not in self.keys[kind]:
            raise NotImported("unknown_ref", where)
        return self.keys[kind][uid]

    def _users(self) -> Iterator[User]:
        """Users who cannot sign in: known by their uid and by the name that the event knows."""
        for _where, row in self.archive.rows("user"):
            user = User(
                uid=row["uid"], username=_username(row), first_name=row["name"][:150], is_active=False
            )
            user.set_unusable_password()
            yield user

    def _verify(self, row: Tournament) -> None:
        """The event as it is stored now, against its ledger and against the archive's sheets and answers."""
        try:
            findings = verify(row)
        except (Refused, SheetInvalid, *BROKEN) as error:
            raise NotImported("not_verified", detail=_line(error)) from error
        if findings:
            raise NotImported("not_verified", detail=_line(findings[0]))
        left = set(self.archive.contests())
        for name, value in contest_values(row, self.archive.manifest.people):
            if name not in left or not _says(value, self.archive.json(name), more=name.startswith(ANSWERS)):
                raise NotImported("other_standings", name)
            left.discard(name)
        if left:
            raise NotImported("other_standings", min(left))


def _username(row: Row) -> str:
    """A name that nobody can choose, and that tells a guest, who has no account, from somebody who has one."""
    return f"{OWN_LINK}:{row['uid']}" if row["own_link"] else f"{GUEST}{row['uid'].hex}"


def _says(now: Any, then: Any, *, more: bool) -> bool:
    """Whether this is what the archive says; with `more`, what a later program adds to an answer is no difference."""
    if isinstance(now, dict) and isinstance(then, dict):
        same = now.keys() >= then.keys() if more else now.keys() == then.keys()
        return same and all(_says(now[key], then[key], more=more) for key in then)
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(_says(*pair, more=more) for pair in zip(now, then, strict=True))
    return type(now) is type(then) and bool(now == then)


def _line(said: object) -> str:
    """The first line of what somebody may need who looks for the cause."""
    return (str(said).splitlines() or [""])[0][:200]
