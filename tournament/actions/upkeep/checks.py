"""State of the ledger check that runs each minute; no ledger holds it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from tournament.actions.kernel import writing
from tournament.ledger.look import Seen
from tournament.ledger.verify import Finding
from tournament.models import LedgerCheck, LedgerRow, Tournament

EACH = timedelta(seconds=55)  # between checks, across servers
AFTER = timedelta(days=1)  # since the last row: for late corrections and tampering
MOST_KEPT = 20  # findings


def to_check(now: datetime) -> list[Tournament]:
    """Events that run or were written within AFTER, without practice."""
    recent = LedgerRow.objects.filter(at__gte=now - AFTER).order_by().values("tournament").distinct()
    played = Tournament.objects.visible().without_practice()
    return list(played.filter(Q(state=Tournament.State.RUNNING) | Q(pk__in=recent)).order_by("pk"))


def take_check(tournament: Tournament, now: datetime) -> LedgerCheck | None:
    """Claim the check for this server; None if another has it."""
    with writing():
        row, new = LedgerCheck.objects.get_or_create(tournament=tournament, defaults={"taken_at": now})
        # A clock set back must not stop checks
        mine = LedgerCheck.objects.filter(
            Q(taken_at__lte=now - EACH) | Q(taken_at__gt=now + EACH), pk=row.pk
        ).update(taken_at=now)
        return row if new or mine else None


def write_check(check: LedgerCheck, findings: Sequence[Finding], end: Seen, now: datetime) -> None:
    """Store findings and the ledger's end; with findings, the previous end stays."""
    found: dict[str, object] = {"at": now}
    if findings:
        found["findings"] = [[finding.code, finding.where] for finding in findings[:MOST_KEPT]]
        found["found_at"] = check.found_at or now
    else:
        found |= {"findings": [], "found_at": None, "rows": end.rows, "head": end.head}
    with writing():
        LedgerCheck.objects.filter(pk=check.pk).update(**found)
