"""Import refusals: code, location, text."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class NotImported(Exception):
    """Refused; nothing was stored. `code`: key of REFUSALS; `where`: file and line (`rows/play.jsonl:7`) or ""."""

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
