"""Reasons why an archive cannot be imported: a code, a place, and the words for it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class NotImported(Exception):
    """The file was refused and nothing was stored. `code` is a key of `REFUSALS`, `where` a file in the archive
    and a line of it (`rows/play.jsonl:7`) or "", `parameters` what the words need."""

    def __init__(self, code: str, where: str = "", **parameters: str | int) -> None:
        super().__init__(f"{code} {where}".strip())
        self.code, self.where, self.parameters = code, where, parameters


Text = str | Promise

REFUSALS: dict[str, Text] = {
    # The file.
    "no_archive": _("This is no archive of an event. Choose the .zip that Lastcard made."),
    "damaged": _(
        "The archive is damaged or only half there: %(where)s. Copy it again from where it was made."
    ),
    "locked": _("The archive is locked with a password. Pack it without one."),
    "too_large": _("The archive unpacks to more than is read."),
    "newer": _(
        "The archive was made by a newer Lastcard (%(program)s). Import it with that version or a later one."
    ),
    "unknown_file": _("This is not a Lastcard archive: it holds %(where)s."),
    "missing_file": _("A file is missing in the archive: %(where)s."),
    "added_file": _("The archive holds a file that its manifest does not name: %(where)s."),
    "changed_file": _("A file in the archive was changed since it was made: %(where)s."),
    # Its content.
    "no_json": _("The archive cannot be read at %(where)s."),
    "wrong_fields": _("The archive has other fields than it should at %(where)s."),
    "wrong_value": _("The archive holds what cannot be there: %(where)s."),
    "wrong_count": _("The archive should have just one row in %(where)s."),
    "unknown_ref": _("The archive names something that is not in it: %(where)s."),
    "unknown_ruleset": _(
        "This Lastcard does not know the rules of the event: %(ruleset)s, revision %(revision)s."
    ),
    # The event, as it would be.
    "player_elsewhere": _("A player of the archive belongs to another organiser here: %(where)s."),
    "not_verified": _("The event does not agree with its ledger, so nothing was imported: %(detail)s"),
    "other_standings": _(
        "The score sheets do not give the archive’s standings, so nothing was imported: %(where)s."
    ),
    "event_differs": _(
        "“%(event)s” is here already, and is not as in the archive (%(where)s). Nothing was changed."
    ),
    "refused_by_database": _(
        "The archive has rows that are here already or cannot be, so nothing was imported: %(detail)s"
    ),
}


def refusal_text(refusal: NotImported) -> str:
    """Say why the archive was not imported, in the reader's language."""
    return str(REFUSALS[refusal.code]) % {"where": refusal.where, **refusal.parameters}
