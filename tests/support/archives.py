"""Archives for tests: made of events, taken apart and packed again, and a database emptied for their return."""

import hashlib
import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import connection

from tournament.extras.archive.actions import Imported, import_event
from tournament.extras.archive.files.reading import Archive
from tournament.extras.archive.files.schema import MANIFEST, VERSION, People
from tournament.extras.archive.files.stored import pack, read_files
from tournament.ledger import triggers
from tournament.ledger.verify import verify
from tournament.models import ROWS, Organiser, Player, Season, Stage, Tournament, User
from tournament.results.answer import stage_results

Files = dict[str, bytes]


def archived(tournament: Tournament, people: People = People.EVERYTHING, *, version: int = VERSION) -> bytes:
    """The archive of an event."""
    out = BytesIO()
    with read_files(tournament, people, version=version) as (folder, about):
        pack(folder, about, out)
    return out.getvalue()


def brought(archive: bytes, by: User | None = None) -> Imported:
    """Import an archive."""
    return import_event(Archive(BytesIO(archive)), by=by)


def taken_apart(archive: bytes) -> Files:
    with ZipFile(BytesIO(archive)) as read:
        return {name: read.read(name) for name in read.namelist()}


def packed(files: Files) -> bytes:
    """A zip of these files as they are."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def sealed(files: Files) -> bytes:
    """A zip of these files, whose manifest names them as they are, as a deceiver would make it."""
    named = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
        if name != MANIFEST
    }
    about = json.loads(files[MANIFEST]) | {"files": named}
    return packed({**files, MANIFEST: json.dumps(about).encode()})


def rows_in(files: Files, kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[f"rows/{kind}.jsonl"].splitlines()]


def with_rows(files: Files, kind: str, rows: Iterable[object]) -> Files:
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    return {**files, f"rows/{kind}.jsonl": lines}


def contents(archive: bytes) -> Files:
    """Everything in an archive except the time and the program that it was made by."""
    files = taken_apart(archive)
    about = json.loads(files.pop(MANIFEST))
    del about["made_at"], about["program"]
    return {**files, MANIFEST: json.dumps(about, sort_keys=True).encode()}


def forget(*events: Tournament) -> None:
    """Take these events out of the database; people stay."""
    triggers.drop(connection)
    for model in reversed(ROWS):
        if model not in (Organiser, Player, Season):
            model._default_manager.filter(
                **{f"{model.FIELDS.of}__in": [event.pk for event in events]}
            ).delete()
    connection.check_constraints()
    triggers.create(connection)


def forget_everything() -> None:
    """Empty the database of events and of everybody."""
    forget(*Tournament.objects.all())
    for model in (Player, Organiser, User):
        model.objects.all().delete()
    connection.check_constraints()


def standings(tournament: Tournament) -> list[str]:
    """Every answer of the event as text: byte-equal standings are equal texts."""
    return [
        json.dumps(results.answer.as_json())
        for stage in Stage.objects.filter(tournament=tournament)
        .select_related("tournament")
        .order_by("number")
        for results in stage_results(stage)
    ]


def comes_back(tournament: Tournament) -> Tournament:
    """Export the event, empty the database, import it, and see that it is the same in every byte."""
    archive, before = archived(tournament), standings(tournament)
    forget_everything()
    brought(archive)
    back = Tournament.objects.get(uid=tournament.uid)
    assert verify(back) == []
    assert standings(back) == before
    assert contents(archived(back)) == contents(archive)
    return back
