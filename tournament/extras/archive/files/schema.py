"""Archive schema, derived from the models' FIELDS tables (tournament/models/); docs/archive.md explains it.

`rows/<kind>.jsonl` holds one object per line; references follow their targets.

| type | in JSON |
| --- | --- |
| `uid`, `ref` | UUID as text; a `ref` is the uid of another row |
| `text` | text without NUL |
| `int`, `bool` | integer; true or false |
| `date`, `time`, `moment` | ISO 8601; time to the second, moment in UTC to the microsecond |
| `bytes` | base64 |
| `object`, `list` | see the models and docs/score-sheet.md |
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.models import ROWS
from tournament.models.base import Field as Line, PublicModel

SHEETS, ANSWERS = "sheets", "answers"
MANIFEST = "manifest.json"


class People(StrEnum):
    """How much personal data an archive holds."""

    EVERYTHING = "everything"
    PUBLIC_NAMES = "public names"  # no real names, birth dates, contacts, notes
    ANONYMOUS = "anonymous"  # nor public names, clubs

    def file_of(self, slug: str) -> str:
        """File name of an archive, stating its personal data."""
        about = "with-personal-data" if self is People.EVERYTHING else self.value.replace(" ", "-")
        return f"{slug}-{about}.zip"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a row. `of`: kind of the referenced row; `since`: version of the schema, with `default` for older
    archives."""

    type: str
    null: bool = False
    of: str = ""
    personal: str = ""
    since: int = 1
    default: Callable[[], Any] = str

    def left_out(self, people: People) -> bool:
        """Whether the value is omitted at this level."""
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


# `own_link`: the shared user of personal links.
USER = {"uid": Field("uid"), "name": Field("text", personal="private"), "own_link": Field("bool")}

MODELS = {
    str(model._meta.model_name): model for model in ROWS if any(line.archive for line in model.FIELDS.fields)
}
KINDS: dict[str, Kind] = {"user": USER} | {
    kind: {"uid": Field("uid")}
    | {line.name: _field(model, line) for line in model.FIELDS.fields if line.archive}
    for kind, model in MODELS.items()
}
# Grows with each new field, which older programs would lose.
RACES_SINCE = 5  # field values: stages of the kinds race and races
VERSION = max(RACES_SINCE, *(field.since for fields in KINDS.values() for field in fields.values()))


def kinds_of(version: int) -> dict[str, Kind]:
    """Kinds and fields of a schema version."""
    held = {
        kind: {name: field for name, field in fields.items() if field.since <= version}
        for kind, fields in KINDS.items()
    }
    return {kind: fields for kind, fields in held.items() if fields.keys() > {"uid"}}


def rows_file(kind: str) -> str:
    """File of a kind's rows."""
    return f"rows/{kind}.jsonl"


def contest_files(stage: int, table: int | None) -> tuple[str, str]:
    """Files of a contest's score sheet and answer."""
    name = f"stage-{stage}.json" if table is None else f"stage-{stage}-table-{table}.json"
    return f"{SHEETS}/{name}", f"{ANSWERS}/{name}"


# ---- Import refusals ----


class NotImported(Exception):
    """`code`: key of REFUSALS; `where`: file and line (`rows/play.jsonl:7`) or ""."""

    def __init__(self, code: str, where: str = "", **parameters: str | int) -> None:
        super().__init__(f"{code} {where}".strip())
        self.code, self.where, self.parameters = code, where, parameters


Text = str | Promise

REFUSALS: dict[str, Text] = {
    # File.
    "no_archive": _("This is not an archive of an event. Choose the .zip from Lastcard."),
    "damaged": _(
        "The archive is damaged or incomplete (%(where)s). Copy it again from where it was created."
    ),
    "locked": _("The archive is protected with a password. Create it without one."),
    "too_large": _("Unpacked, the archive is too large to read."),
    "newer": _(
        "The archive comes from a newer Lastcard (%(program)s). Import it with that version or a later one."
    ),
    "unknown_file": _(
        "This is not a Lastcard archive, because it contains %(where)s. Choose the .zip from Lastcard."
    ),
    "missing_file": _("The archive lacks a file (%(where)s). Use a complete copy."),
    "added_file": _(
        "The archive contains a file that its manifest does not list (%(where)s). Use an unchanged copy."
    ),
    "changed_file": _(
        "A file in the archive has been changed since it was created (%(where)s). Use an unchanged copy."
    ),
    # Content.
    "no_json": _("The archive cannot be read at %(where)s. Use an unchanged copy."),
    "wrong_fields": _("The archive has wrong fields at %(where)s. Use an unchanged copy."),
    "wrong_value": _("The archive contains an impossible value (%(where)s). Use an unchanged copy."),
    "wrong_count": _("The archive must have exactly one row in %(where)s. Use an unchanged copy."),
    "unknown_ref": _("The archive refers to something that is not in it (%(where)s). Use an unchanged copy."),
    "unknown_ruleset": _(
        "This version of Lastcard does not know the event’s rules (%(ruleset)s, revision %(revision)s)."
    ),
    # Import.
    "player_elsewhere": _(
        "Nothing was imported. A player in the archive belongs to another organiser here (%(where)s)."
    ),
    "organiser_elsewhere": _(
        "Nothing was imported. The event belongs to an organiser whose events others run here. Ask one of them, or a "
        "superuser, to import it."
    ),
    "not_verified": _("Nothing was imported. The event does not match its ledger. %(detail)s"),
    "other_standings": _(
        "Nothing was imported. The score sheets do not produce the archive’s standings (%(where)s)."
    ),
    "event_differs": _(
        "“%(event)s” is already here and differs from the archive (%(where)s). Nothing was changed."
    ),
    "refused_by_database": _(
        "Nothing was imported. The archive has rows that already exist here or are not possible. %(detail)s"
    ),
}


def refusal_text(refusal: NotImported) -> str:
    """Text of a refusal in the active language."""
    return str(REFUSALS[refusal.code]) % {"where": refusal.where, **refusal.parameters}
