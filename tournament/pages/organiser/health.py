"""Server health on the event board."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from tournament.backup import Shelf, hook
from tournament.live.store import versions
from tournament.models import LedgerCheck, Tournament
from tournament.server.machine import LEAST_FREE_MB

SHOWN = 5  # findings
LATE = timedelta(minutes=5)  # without a ledger check

Words = str | Promise

# Texts by finding code; for facts by row kind.
FOUND: dict[str, Words] = {
    "triggers_missing": gettext_lazy("The database no longer protects the ledger’s rows from changes."),
    "ledger_cut": gettext_lazy("The end of the ledger has changed since the last check. Rows are missing."),
    "sequence_broken": gettext_lazy("A row of the ledger is missing."),
    "chain_broken": gettext_lazy("A row of the ledger was changed."),
    "payload_broken": gettext_lazy("A row of the ledger was changed."),
    "version_altered": gettext_lazy("A result was changed."),
}
FACTS: dict[str, Words] = {
    "play": gettext_lazy("A result was changed, added or deleted."),
    "seat": gettext_lazy("Seats were changed."),
    "entry": gettext_lazy("Players or their details were changed."),
    "membership": gettext_lazy("Roles were changed."),
    "decision": gettext_lazy("The players going through were changed."),
}
ELSE = gettext_lazy("The event or its stages were changed.")


@dataclass(frozen=True, slots=True)
class Trouble:
    """`text`: meaning and remedy; `id`: in the page."""

    id: str
    title: str
    text: str


def troubles() -> list[Trouble]:
    """Current troubles, most serious first."""
    found = []
    free = shutil.disk_usage(settings.DATA_DIR).free // 1024**2
    if free < LEAST_FREE_MB:
        text = _(
            "%(free)d MB left. When the disk is full, no entry is saved. Phones keep theirs and send "
            "them later. Delete something on the server."
        )
        found.append(Trouble("disk", _("The server’s disk is almost full"), text % {"free": free}))
    if versions.doubtful:
        text = _(
            "For %(seconds)d s the server has not been able to read what others saved. Pages are "
            "built on request, so they are right but slower. Restart Lastcard if this continues."
        )
        found.append(
            Trouble("publisher", _("Live updates have stopped"), text % {"seconds": versions.silent_s})
        )
    return found


@dataclass(frozen=True, slots=True)
class Backups:
    """Sentences, else "". `line`: time of the newest; `failed`: why none is newer; `late`: entries not backed up for
    twice BACKUP_EVERY; `stays`: only on this computer."""

    line: str
    failed: str
    late: str
    stays: str

    @property
    def wrong(self) -> list[str]:
        """What is wrong, most serious first."""
        return [each for each in (self.failed, self.late, self.stays) if each]


def backups_of(tournament: Tournament) -> Backups:
    """State of the backups for this event's board."""
    shelf = Shelf.now()
    return Backups(
        line=_("Newest backup: %(time)s.") % {"time": moment(shelf.newest, tournament)}
        if shelf.newest
        else _("No backup yet."),
        failed=_("Backup failed: %(why)s") % {"why": shelf.failed} if shelf.failed else "",
        late=_late(tournament, shelf.newest),
        stays=_("The newest backup is only on this computer. The command that copies it elsewhere failed.")
        if hook.stays()
        else "",
    )


def moment(at: datetime, tournament: Tournament) -> str:
    """Time in the event's zone."""
    return date_format(timezone.localtime(at, tournament.zone), "SHORT_DATETIME_FORMAT")


def _late(tournament: Tournament, newest: datetime | None) -> str:
    if not settings.BACKUP_EVERY or tournament.state != Tournament.State.RUNNING:
        return ""
    rows = tournament.ledger.filter(at__gt=newest) if newest else tournament.ledger.all()
    first = rows.order_by("sequence").values_list("at", flat=True).first()
    if first is None or timezone.now() - first <= 2 * timedelta(minutes=settings.BACKUP_EVERY):
        return ""
    return _("Entries since %(time)s are not in any backup.") % {"time": moment(first, tournament)}


@dataclass(frozen=True, slots=True)
class LedgerSeen:
    """Sentences, else "". `line`: last clean check; `since`, `found`; `late`: no recent check."""

    line: str
    late: str = ""
    since: str = ""
    found: Sequence[Words] = ()


def ledger_seen(tournament: Tournament) -> LedgerSeen | None:
    """State of the ledger check."""
    check = LedgerCheck.objects.filter(tournament=tournament).first()
    if check is None or check.at is None:
        return None
    at = moment(check.at, tournament)
    if check.found_at is not None:
        words = dict.fromkeys(
            (FOUND.get(code) or FACTS.get(where.partition(" ")[0], ELSE)) for code, where in check.findings
        )
        return LedgerSeen("", since=moment(check.found_at, tournament), found=list(words)[:SHOWN])
    if tournament.state == Tournament.State.RUNNING and timezone.now() - check.at > LATE:
        return LedgerSeen("", late=_("Last check for changes outside Lastcard: %s.") % at)
    return LedgerSeen(_("Checked %s. Nothing was changed outside Lastcard.") % at)
