"""Calls waiting for a referee: who, where, since when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Call, LedgerRow, Membership, Tournament, User
from tournament.words.faults import table_text
from tournament.words.formats import to_the_minute


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call in the queue. `url`: table or contested play; `time`: in the event's zone."""

    uid: UUID
    title: str
    event: str
    url: str
    what: str
    who: str
    at: datetime
    time: str
    elapsed_s: int

    @property
    def minutes(self) -> int:
        return self.elapsed_s // 60


def headed_by(user: User) -> QuerySet[Tournament]:
    """Unfinished events that the user heads or organises; for staff all but practice."""
    events = Tournament.objects.visible().exclude(state=Tournament.State.FINISHED)
    if user.is_staff or user.is_superuser:
        return events.without_practice()
    headed = Membership.objects.filter(user=user).exclude(role=Membership.Role.TABLE_REFEREE)
    return events.filter(pk__in=headed.values("tournament"))


def queue_of(user: User) -> dict[str, Any]:
    """Calls, scope and version of a head referee's desk, if any. Content may be newer than the version."""
    watched = scope_of(headed_by(user))
    if not watched:
        return {}
    return {
        "calls": call_lines(
            Call.objects.filter(answered_at=None, table__stage__tournament__in=headed_by(user))
        ),
        "calls_back": "desk",
        "several": watched["scope"] == "site",
        **watched,
    }


def scope_of(events: QuerySet[Tournament]) -> dict[str, Any]:
    """Scope (event; "site" for several) and version for live updates."""
    versions = list(events.values_list("uid", "version"))
    if not versions:
        return {}
    everything = Tournament.objects.aggregate(total=Sum("version"))["total"]
    one = versions[0] if len(versions) == 1 else None
    scope, version = (str(one[0]), one[1]) if one else ("site", everything)
    return {"scope": scope, "version": version}


def call_lines(calls: QuerySet[Call]) -> list[CallLine]:
    """Calls, longest wait first; two queries."""
    rows = list(calls.select_related("table__stage__tournament", "play").order_by("at", "pk"))
    callers = _callers(rows)
    now = timezone.now()
    return [
        CallLine(
            uid=row.uid,
            title=table_text(row.table.stage, row.table.number),
            event=row.table.stage.tournament.name,
            url=reverse("play", args=[play.uid]) if play else reverse("table", args=[row.table.uid]),
            what=_("is contesting a result") if play else _("is calling the head referee"),
            who=callers.get(row.uid, ""),
            at=row.at,
            time=to_the_minute(row.at.astimezone(row.table.stage.tournament.zone)),
            elapsed_s=max(0, int((now - row.at).total_seconds())),
        )
        for row in rows
        for play in [row.play if row.kind == Call.Kind.CONTEST else None]
    ]


def _callers(calls: Iterable[Call]) -> dict[UUID, str]:
    """Names by the ledger row of each call."""
    wanted = {str(call.uid): call.uid for call in calls}
    tournaments = {call.table.stage.tournament_id for call in calls}
    rows = LedgerRow.objects.filter(tournament__in=tournaments, at__in={call.at for call in calls})
    return {
        wanted[uid]: _("a player") if row.actor.writes_by_link else row.actor.display_name()
        for row in rows.select_related("actor")
        for uid in row.payload.get("call", {})
        if uid in wanted
    }
