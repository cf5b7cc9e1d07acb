"""How an archive is written: JSON with one text for each value, a zip with the same bytes for the same files, and a
manifest that names every file with its digest."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tournament.files.archive.schema import MANIFEST

EPOCH = (1980, 1, 1, 0, 0, 0)  # when every file in a zip was written: the same event gives the same zip
READABLE = 0o644 << 16  # its permissions, where a zip keeps them
LEVEL = 6
CHUNK = 1024 * 1024  # bytes


def bytes_of(value: object, *, indent: int | None = None) -> bytes:
    """The one JSON text of a value, ended by a line break: equal values give equal bytes on every database."""
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=separators, indent=indent, default=_plain
    )
    return text.encode() + b"\n"


def pack(folder: Path, about: Mapping[str, Any], out: IO[bytes]) -> None:
    """Write the files of the folder, in the order of their names behind the manifest, as a zip into `out`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): file_facts(path) for path in files}
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        archive.writestr(entry(MANIFEST), bytes_of({**about, "files": named}, indent=1))
        for path, name in zip(files, named, strict=True):
            with path.open("rb") as source, archive.open(entry(name), "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target, CHUNK)


def file_facts(path: Path) -> dict[str, Any]:
    """What the manifest says of a file."""
    with path.open("rb") as source:
        return {"sha256": hashlib.file_digest(source, "sha256").hexdigest(), "bytes": path.stat().st_size}


def entry(name: str) -> ZipInfo:
    """A file of a zip, of no time and nobody."""
    info = ZipInfo(name, EPOCH)
    info.compress_type, info.external_attr, info.create_system = ZIP_DEFLATED, READABLE, 3
    return info


def _plain(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value))
