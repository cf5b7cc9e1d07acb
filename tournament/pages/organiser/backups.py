"""What the event board and the checklist say of backups: how old the newest is, where they are, and what is wrong."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.backup import Shelf
from tournament.models import Tournament


@dataclass(frozen=True, slots=True)
class Backups:
    """`line` says when the newest was made, `where` in which folder they are (for staff), `failed` why there is none
    newer, `late` that what was entered more than twice BACKUP_EVERY ago is in none; else each is ""."""

    line: str
    where: str
    failed: str
    late: str


def backups_of(tournament: Tournament, *, staff: bool) -> Backups:
    """How it stands with backups, for the board of this event."""
    shelf = Shelf.now()
    return Backups(
        line=_("Newest backup: %(time)s.") % {"time": moment(shelf.newest, tournament)}
        if shelf.newest
        else _("No backup yet."),
        where=str(shelf.folder) if staff else "",
        failed=shelf.failed,
        late=_late(tournament, shelf.newest),
    )


def moment(at: datetime, tournament: Tournament) -> str:
    """A time in the event's zone."""
    return date_format(timezone.localtime(at, tournament.zone), "SHORT_DATETIME_FORMAT")


def _late(tournament: Tournament, newest: datetime | None) -> str:
    if not settings.BACKUP_EVERY or tournament.state != Tournament.State.RUNNING:
        return ""
    rows = tournament.ledger.filter(at__gt=newest) if newest else tournament.ledger.all()
    first = rows.order_by("sequence").values_list("at", flat=True).first()
    if first is None or timezone.now() - first <= 2 * timedelta(minutes=settings.BACKUP_EVERY):
        return ""
    return _("What was entered since %(time)s is in no backup.") % {"time": moment(first, tournament)}
