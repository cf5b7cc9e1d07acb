"""The base of every model: a uid, and a table that states where each field goes outside its row."""

import uuid
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from django.db import models


@dataclass(frozen=True, slots=True)
class Field:
    """A line of a model's field table; without a mark the field `name` is in no ledger and in no archive.

    `ledger`: the version since which ledger rows hold it. 1: each row of the kind does. A later version (the number of
    the migration that added it): only where the field is set (with `beside`, where that field is set), so that older
    rows stay as they were. `called`: its name there. `undo`: whether undoing a ledger row puts it back.

    `archive`: the version since which archives hold it (docs/archive.md); read from an earlier one it has its default.

    `wall`: a moment (or a plan with one) that people read on the clock and that keeps its reading if the event's time
    zone is corrected; other moments happened, or were counted from one that did, and stay.

    `personal`: erased with the person. Archives without personal data leave `private` fields out, anonymous ones the
    `public` ones too.

    `merge`: what it is of two entries of one person, or of their players (tournament/actions/people/duplicates.py):
    "fill" takes the other row's value where the one that stays has none, "own" stays as it is or follows a rule there.

    `copy`: whether a copy of the event has it (tournament/actions/event/planning.py); None where no row is copied.
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
    """The fields of a model, except its keys. `of` is the lookup that leads from a row to its tournament.

    `part_of`: the ledger holds these rows in the facts of that kind. `again`: undo can make a deleted row again, since
    the ledger holds all that it needs. `apart`: the reason why neither ledger nor archive holds such rows; their fields
    need no lines.
    """

    def __init__(
        self, *fields: Field, of: str = "", part_of: str = "", again: bool = True, apart: str = ""
    ) -> None:
        self.fields, self.of, self.part_of, self.again, self.apart = fields, of, part_of, again, apart
        kept = [field for field in fields if field.ledger]
        self.ledger = tuple(sorted(kept, key=lambda field: field.ledger == 1))  # later ones first
        self.personal = tuple(field.name for field in fields if field.personal)


class PublicModel(models.Model):
    """A row known outside by its UUID: in addresses, in the ledger and in archives. Database keys stay inside."""

    FIELDS: ClassVar[FieldTable]

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True

    def clear_personal(self) -> None:
        """Empty the fields with personal data, without saving."""
        for name in self.FIELDS.personal:
            column: Any = self._meta.get_field(name)
            setattr(self, name, column.get_default())
