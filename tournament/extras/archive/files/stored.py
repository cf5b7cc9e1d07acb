"""Export of an event: a reproducible zip of canonical JSON with a manifest of digests."""

import hashlib
import json
import shutil
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import reduce
from operator import or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament import __version__
from tournament.extras.archive.files.schema import (
    ANSWERS,
    MANIFEST,
    MODELS,
    SHEETS,
    VERSION,
    Kind,
    People,
    contest_files,
    kinds_of,
    rows_file,
)
from tournament.models import NAMING_USERS, Entry, Stage, Tournament, User
from tournament.results import Contest, scored, stage_contests
from tournament.server.database import snapshot

EPOCH = (1980, 1, 1, 0, 0, 0)  # fixed file time, for reproducible zips
READABLE = 0o644 << 16  # Unix permissions
LEVEL = 6
CHUNK = 1024 * 1024  # bytes
ROWS_PER_FETCH = 2000  # rows
NOBODY = "Organiser"  # placeholder for the organiser's name

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A played contest and its stage number."""

    stage: int
    contest: Contest


def export_event(tournament: Tournament, out: IO[bytes], people: People = People.EVERYTHING) -> None:
    """Write the archive to `out`; `people` selects the personal data."""
    with read_files(tournament, people) as (folder, about):
        pack(folder, about, out)


@contextmanager
def read_files(
    tournament: Tournament, people: People, slug: str = "", version: int = VERSION
) -> Iterator[tuple[Path, Row]]:
    """Yield (folder of files, removed on exit; manifest data without files). `slug` overrides the event's; `version` is
    the schema. Scoring and packing follow outside the snapshot."""
    with TemporaryDirectory(prefix="lastcard-archive-") as made:
        folder = Path(made)
        for part in ("rows", SHEETS, ANSWERS):
            (folder / part).mkdir()
        with snapshot():
            row = Tournament.objects.select_related("organiser").get(pk=tournament.pk)
            row.slug = slug or row.slug
            known = Entry.objects.filter(tournament=row)
            names = {  # by entry and player uid
                uid: anonymous(number) if people is People.ANONYMOUS else name
                for *uids, name, number in known.values_list(
                    "uid", "player__uid", "public_name", "start_number"
                )
                for uid in uids
            }
            for kind, fields in kinds_of(version).items():
                with (folder / rows_file(kind)).open("wb") as out:
                    out.writelines(map(bytes_of, _rows(kind, fields, row, people, names)))
            stages = row.stages.exclude(state=Stage.State.PLANNED).order_by("number")
            played = [Played(stage.number, contest) for stage in stages for contest in stage_contests(stage)]
        for each in played:
            for name, value in _files_of(each, names).items():
                (folder / name).write_bytes(bytes_of(value, indent=1))
        yield (
            folder,
            {
                "archive": version,
                "program": __version__,
                "made_at": timezone.now(),
                "people": str(people),
                "event": {
                    "uid": row.uid,
                    "slug": row.slug,
                    "name": row.name,
                    "organiser": NOBODY if people is People.ANONYMOUS else row.organiser.name,
                    "starts_on": row.starts_on,
                },
                "ruleset": {"id": row.ruleset, "revision": row.ruleset_revision},
                "ledger": {"rows": row.version, "head": row.ledger_head},
            },
        )


def contest_values(contests: Iterable[Played], names: Mapping[UUID, str]) -> Iterator[tuple[str, Any]]:
    """Yield (file name, JSON value) of each score sheet and answer. `names` by entry uid."""
    for played in contests:
        for name, value in _files_of(played, names).items():
            yield name, json.loads(bytes_of(value))


def users_of(tournament: Tournament) -> QuerySet[User]:
    """Users with an action or role in the tournament."""
    named = (
        Q(pk__in=model._default_manager.filter(**{model.FIELDS.of: tournament.pk}).values(name))
        for model, name in NAMING_USERS
    )
    return User.objects.filter(reduce(or_, named))


def _rows(
    kind: str, fields: Kind, tournament: Tournament, people: People, names: Mapping[UUID, str]
) -> Iterator[Row]:
    """Rows in insertion order, without fields omitted for `people`."""
    rows = _users(tournament) if kind == "user" else _stored(kind, fields, tournament)
    left_out = [name for name, field in fields.items() if field.left_out(people)]
    for number, row in enumerate(rows, 1):
        row |= {name: None if fields[name].null else fields[name].default() for name in left_out}
        match kind:
            case "organiser" if "name" in left_out:
                row["name"] = NOBODY
            case "user" if "name" in left_out:
                row["name"] = "" if row["own_link"] else f"Referee {number}"
            case "player" if "name" in left_out:
                row["name"] = names[row["uid"]]
            case "entry" if "public_name" in left_out:
                row["public_name"] = anonymous(row["start_number"])
        yield row


def _stored(kind: str, fields: Kind, tournament: Tournament) -> Iterator[Row]:
    if kind == "tournament":
        yield {
            name: tournament.organiser.uid if name == "organiser" else getattr(tournament, name)
            for name in fields
        }
        return
    model = MODELS[kind]
    columns = [f"{name}__uid" if field.type == "ref" else name for name, field in fields.items()]
    found = model._default_manager.filter(**{model.FIELDS.of: tournament.pk}).order_by("pk")
    for values in found.values_list(*columns).iterator(chunk_size=ROWS_PER_FETCH):
        yield dict(zip(fields, values, strict=True))


def _users(tournament: Tournament) -> Iterator[Row]:
    for user in users_of(tournament).order_by("pk"):
        by_link = user.writes_by_link
        yield {"uid": user.uid, "name": "" if by_link else user.display_name()[:150], "own_link": by_link}


def anonymous(number: int) -> str:
    """Substitute name by start number."""
    return f"Player {number}"


def _files_of(played: Played, names: Mapping[UUID, str]) -> dict[str, Any]:
    results = scored(played.contest)
    players = [
        {"id": player["id"], "name": names[UUID(player["id"])]} for player in results.sheet.data["players"]
    ]
    contest = played.contest
    table = contest.table_numbers[contest.table] if contest.table else None  # None for the whole stage
    sheet, answer = contest_files(played.stage, table)
    return {sheet: {**results.sheet.data, "players": players}, answer: results.answer.as_json()}


def bytes_of(value: object, *, indent: int | None = None) -> bytes:
    """Canonical JSON line: equal values give equal bytes."""
    separators = (",", ":") if indent is None else (",", ": ")
    return (
        b"%b\n"
        % json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=separators, indent=indent, default=_plain
        ).encode()
    )


def pack(folder: Path, about: Mapping[str, Any], out: IO[bytes]) -> None:
    """Zip the folder's sorted files behind the manifest."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): file_facts(path) for path in files}
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        archive.writestr(entry(MANIFEST), bytes_of({**about, "files": named}, indent=1))
        for path, name in zip(files, named, strict=True):
            with path.open("rb") as source, archive.open(entry(name), "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target, CHUNK)


def file_facts(path: Path) -> dict[str, Any]:
    """Manifest entry of a file."""
    with path.open("rb") as source:
        return {"sha256": hashlib.file_digest(source, "sha256").hexdigest(), "bytes": path.stat().st_size}


def entry(name: str) -> ZipInfo:
    """Zip entry with fixed time and permissions."""
    info = ZipInfo(name, EPOCH)
    info.compress_type, info.external_attr, info.create_system = ZIP_DEFLATED, READABLE, 3
    return info


def _plain(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(type(value))
