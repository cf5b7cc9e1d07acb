"""Writes that no ledger records: newcomers' practice (tournament/practice/), expired sessions, ledger checks."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil
from uuid import UUID, uuid4, uuid5

from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from tournament.actions.event.events import put_away
from tournament.actions.kernel import Command, writing
from tournament.actions.people.roles import grant_role, without_account
from tournament.ledger.look import Seen
from tournament.ledger.purge import purge
from tournament.ledger.verify import Finding
from tournament.models import (
    HOST,
    LASTS,
    NEWCOMER,
    PRACTICE_MAX_USERS,
    LedgerCheck,
    LedgerRow,
    Membership,
    Tournament,
    User,
)
from tournament.results import Forbidden

Make = Callable[[UUID, User], Iterable[UUID]]


class PracticeFull(Exception):
    """The limit of newcomers is reached; a place is free in `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds


def begin_practice(visit: UUID, make: Make) -> User:
    """Create a newcomer with uid `visit`, a table referee in the events that `make(visit, host)` makes. Raises
    PracticeFull. Events come first, in short transactions; if interrupted, they expire."""
    now = timezone.now()
    with writing():
        host = _host()
        _refuse_where_full(now)
    made = list(make(visit, host))
    with writing():
        _host()
        _refuse_where_full(now)
        newcomer = User(
            uid=visit, username=f"{NEWCOMER}{visit}", first_name=gettext("Guest"), date_joined=now
        )
        newcomer.set_unusable_password()
        newcomer.save(force_insert=True)
        for event in made:
            grant_role(
                Command(uuid5(event, "role"), host),
                event,
                membership=uuid5(event, "membership"),
                user=visit,
                role=Membership.Role.TABLE_REFEREE,
            )
    return newcomer


def _refuse_where_full(now: datetime) -> None:
    newcomers = User.objects.filter(username__startswith=NEWCOMER, date_joined__gt=now - LASTS)
    began = list(newcomers.order_by("date_joined").values_list("date_joined", flat=True))
    if len(began) >= PRACTICE_MAX_USERS:
        raise PracticeFull(ceil((began[0] + LASTS - now).total_seconds()))


def delete_practice(events: Iterable[Tournament]) -> list[UUID]:
    """Hide these practice events, so that open pages refresh, then delete them with their users; return their uids.
    Idempotent; others are skipped."""
    rows = list(Tournament.objects.practice().filter(uid__in=[event.uid for event in events]).order_by("pk"))
    host = User.objects.filter(uid=HOST).first()
    for row in rows:
        if host and not row.put_away:
            with suppress(Forbidden, Tournament.DoesNotExist):  # another server was quicker
                put_away(Command(uuid4(), host), row.uid)
    with writing():
        return purge(row.uid for row in rows)


def sessions_over() -> None:
    """Delete expired sign-in sessions."""
    with writing():
        SessionStore.clear_expired()


def _host() -> User:
    """Locked, to serve one newcomer at a time."""
    return without_account(
        User.objects.select_for_update(), {"uid": HOST}, username=f"practice-{HOST}", first_name="Lastcard"
    )


# ---- State of the ledger check that runs each minute ----


EACH = timedelta(seconds=55)  # between checks, across servers
AFTER = timedelta(days=1)  # since the last row: for late corrections and tampering
MOST_KEPT = 20  # findings


def to_check(now: datetime) -> list[Tournament]:
    """Events but practice that are running or have a ledger row within AFTER."""
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
    """Store findings and the ledger's end, unless another server took the check meanwhile; with findings, the previous
    end stays. `now` as in `take_check`."""
    found: dict[str, object] = {"at": now}
    if findings:
        found["findings"] = [[finding.code, finding.where] for finding in findings[:MOST_KEPT]]
        found["found_at"] = check.found_at or now
    else:
        found |= {"findings": [], "found_at": None, "rows": end.rows, "head": end.head}
    with writing():
        LedgerCheck.objects.filter(pk=check.pk, taken_at=now).update(**found)
