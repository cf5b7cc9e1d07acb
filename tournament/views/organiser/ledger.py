"""Who did what, from the ledger, newest first."""

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models import LedgerNote, LedgerRow, Membership
from tournament.views._access import get_tournament, signed_in
from tournament.views._answer import page
from tournament.words import action_name

ROWS = 100  # a page


@dataclass(frozen=True, slots=True)
class Line:
    """One row as people read it."""

    sequence: int
    at: datetime
    who: str
    did: str
    note: str
    replaces: int | None


@signed_in
@require_safe
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament's ledger in words."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    rows = (
        LedgerRow.objects.filter(tournament=tournament)
        .select_related("actor")
        .defer("payload")
        .order_by("-sequence")
    )
    shown = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    notes = dict(LedgerNote.objects.filter(row__in=[row.pk for row in shown]).values_list("row_id", "text"))
    lines = [
        Line(
            row.sequence,
            row.at,
            row.actor.display_name(),
            action_name(row.action),
            notes.get(row.pk, ""),
            row.replaces,
        )
        for row in shown
    ]
    context = {"section": "events", "lines": lines, "shown": shown}
    return page(request, "organiser/ledger.html", context, tournament)
