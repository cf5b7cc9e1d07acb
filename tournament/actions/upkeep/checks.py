"""The writes of the check that runs each minute: which server makes it, what it found. No ledger holds them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from tournament.actions.kernel import writing
from tournament.ledger.look import Seen
from tournament.ledger.verify import Finding
from tournament.models import LedgerCheck, LedgerRow, Tournament

EACH = timedelta(seconds=55)  # after that long one of all servers begins a check
AFTER = timedelta(days=1)  # since the last row: late corrections, and tampering after the event
MOST_KEPT = 20  # findings


def to_check(now: datetime) -> list[Tournament]:
    """List the events that are played, or were until a day ago, without practice."""
    recent = LedgerRow.objects.filter(at__gte=now - AFTER).order_by().values("tournament").distinct()
    played = Tournament.objects.visible().without_practice()
    return list(played.filter(Q(state=Tournament.State.RUNNING) | Q(pk__in=recent)).order_by("pk"))


def take_check(tournament: Tournament, now: datetime) -> LedgerCheck | None:
    """Take the check of this tournament for this server to make now; None if another server just began one."""
    with writing():
        row, new = LedgerCheck.objects.get_or_create(tournament=tournament, defaults={"taken_at": now})
        # A clock that was set back must not stop the checks.
        mine = LedgerCheck.objects.filter(
            Q(taken_at__lte=now - EACH) | Q(taken_at__gt=now + EACH), pk=row.pk
        ).update(taken_at=now)
        return row if new or mine else None


def write_check(check: LedgerCheck, findings: Sequence[Finding], end: Seen, now: datetime) -> None:
    """Store what a check found and where it saw the ledger end. If it found anything, the previous end stays."""
    found: dict[str, object] = {"at": now}
    if findings:
        found["findings"] = [[finding.code, finding.where] for finding in findings[:MOST_KEPT]]
        found["found_at"] = check.found_at or now
    else:
        found |= {"findings": [], "found_at": None, "rows": end.rows, "head": end.head}
    with writing():
        LedgerCheck.objects.filter(pk=check.pk).update(**found)
