"""Model base: a uid, and where fields are stored besides the row."""

import uuid
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from django.db import models


@dataclass(frozen=True, slots=True)
class Field:
    """Storage of a model field outside its row; default: none.

    `ledger`: version since which ledger rows hold it. 1: always; later (number of the adding migration): only if set
    (with `beside`: if that field is set), so older rows stay unchanged. `called`: its key. `undo`: restored by undo.

    `archive`: version since which archives hold it (docs/archive.md), default value before.

    `wall`: local time that stays when the event's time zone is corrected; other times are fixed moments.

    `personal`: erased with the person; "private": omitted from archives without personal data, "public": from
    anonymous ones too.

    `merge` of duplicates (actions/people/players.py): "fill" if empty; "own": unchanged or by a rule there.

    `copy`: copied with an event (actions/event/planning.py); None: rows never are.
    """

    name: str
    ledger: int = 0
    archive: int = 0
    personal: Literal["", "private", "public"] = ""
    called: str = ""
    beside: str = ""
    undo: bool = True
    wall: bool = False
    merge: Literal["", "fill", "own"] = ""
    copy: bool | None = None


class FieldTable:
    """A model's fields except keys. `of`: lookup of the tournament; `part_of`: ledger kind containing these rows;
    `again`: undo can recreate them; `apart`: why ledger and archive omit them."""

    def __init__(
        self, *fields: Field, of: str = "", part_of: str = "", again: bool = True, apart: str = ""
    ) -> None:
        self.fields, self.of, self.part_of, self.again, self.apart = fields, of, part_of, again, apart
        kept = [field for field in fields if field.ledger]
        self.ledger = tuple(sorted(kept, key=lambda field: field.ledger == 1))  # later ones first
        self.personal = tuple(field.name for field in fields if field.personal)


class PublicModel(models.Model):
    """A row with a public UUID for URLs, ledger and archives; primary keys stay internal."""

    FIELDS: ClassVar[FieldTable]

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True

    def clear_personal(self) -> None:
        """Reset personal fields without saving."""
        for name in self.FIELDS.personal:
            column: Any = self._meta.get_field(name)
            setattr(self, name, column.get_default())
