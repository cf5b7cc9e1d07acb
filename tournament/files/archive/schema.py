"""The content of an archive: the fields that the models' tables mark (tournament/models/), each of the type of its
column.

A row of a kind is an object on one line of `rows/<kind>.jsonl`; the order of the lines is that in which they were
written. Kinds stand here in the order in which they can be stored. Rows name each other by uid (`of` says which kind).

| type | in JSON |
| --- | --- |
| `uid`, `ref` | a UUID as text; a `ref` is the uid of another row |
| `text` | a text without the character 0 |
| `int`, `bool` | a number without a fraction; true or false |
| `date`, `time`, `moment` | ISO 8601; a time of day to the second, a moment in UTC to the microsecond |
| `bytes` | base64 |
| `object`, `list` | JSON of its own, see the models and docs/score-sheet.md |

| question | where |
| --- | --- |
| what does an archive hold? | here: every kind of row and its fields' types (docs/archive.md says it in words) |
| how is it read and packed? | `stored.export_event`: as of one moment, without what it is not to tell |
| what may a file hold that somebody brings? | `reading.Archive`: names, sizes, digests and types, before all else |
| how does it come back? | `prepared.prepared`, then `tournament.actions.import_event`, the only writer |
| how do its pages open without a server? | `static.copied_pages`, with links that a disk can follow (`links`) |
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models

from tournament.models import ROWS
from tournament.models.base import Field as Line, PublicModel

SHEETS, ANSWERS = "sheets", "answers"
MANIFEST = "manifest.json"


class People(StrEnum):
    """How much an archive tells about people."""

    EVERYTHING = "everything"
    PUBLIC_NAMES = "public names"  # no real names, birth dates, contacts, free texts about them
    ANONYMOUS = "anonymous"  # nor public names and clubs

    def file_of(self, slug: str) -> str:
        """The name of an archive's file, which says what it tells about people."""
        about = "with-personal-data" if self is People.EVERYTHING else self.value.replace(" ", "-")
        return f"{slug}-{about}.zip"


@dataclass(frozen=True, slots=True)
class Field:
    """A field's `type`; `of` is the kind of row that a ref names; `null` where there may be none. Archives hold it
    `since` a version; read from an earlier one it has its `default`."""

    type: str
    null: bool = False
    of: str = ""
    personal: str = ""
    since: int = 1
    default: Callable[[], Any] = str

    def left_out(self, people: People) -> bool:
        """Tell whether an archive that tells so much about people leaves this field's value out."""
        if self.personal == "private":
            return people is not People.EVERYTHING
        return self.personal == "public" and people is People.ANONYMOUS


Kind = dict[str, Field]

TYPES: dict[type[Any], str] = {
    models.ForeignKey: "ref",
    models.UUIDField: "uid",
    models.BooleanField: "bool",
    models.DateTimeField: "moment",
    models.DateField: "date",
    models.TimeField: "time",
    models.BinaryField: "bytes",
    models.IntegerField: "int",
    models.JSONField: "object",
    models.CharField: "text",
    models.TextField: "text",
}


def _field(model: type[PublicModel], line: Line) -> Field:
    column: Any = model._meta.get_field(line.name)
    return Field(
        "list"
        if column.default is list
        else next(text for kind, text in TYPES.items() if isinstance(column, kind)),
        column.null,
        column.related_model._meta.model_name if column.is_relation else "",
        line.personal,
        line.archive,
        column.get_default,
    )


# Everybody who acted or has a role: no account, only the name under which the event knows them. `own_link` marks the
# user in whose name players write by their links.
USER = {"uid": Field("uid"), "name": Field("text", personal="private"), "own_link": Field("bool")}

MODELS = {
    str(model._meta.model_name): model for model in ROWS if any(line.archive for line in model.FIELDS.fields)
}
KINDS: dict[str, Kind] = {"user": USER} | {
    kind: {"uid": Field("uid")}
    | {line.name: _field(model, line) for line in model.FIELDS.fields if line.archive}
    for kind, model in MODELS.items()
}
# Increases with each field that is added to archives: an older program would lose that field.
VERSION = max(field.since for fields in KINDS.values() for field in fields.values())


def kinds_of(version: int) -> dict[str, Kind]:
    """The kinds and fields that archives of this version hold."""
    held = {
        kind: {name: field for name, field in fields.items() if field.since <= version}
        for kind, fields in KINDS.items()
    }
    return {kind: fields for kind, fields in held.items() if fields.keys() > {"uid"}}


def rows_file(kind: str) -> str:
    """Give the file of the rows of this kind."""
    return f"rows/{kind}.jsonl"


def contest_files(stage: int, table: int | None) -> tuple[str, str]:
    """Give the files of a contest's score sheet and the answer to it; `table` where each table is a contest."""
    name = f"stage-{stage}.json" if table is None else f"stage-{stage}-table-{table}.json"
    return f"{SHEETS}/{name}", f"{ANSWERS}/{name}"
