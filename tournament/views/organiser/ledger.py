"""The ledger, newest first, with undo."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext

from tournament.ledger.undoing import UNDO, WITHIN, History, can_be_undone, rank_to_undo, undoing_of
from tournament.models import Announcement, LedgerNote, LedgerRow, Membership, Stage, Table, Tournament, User
from tournament.permissions import rank
from tournament.results import uuid_or_none
from tournament.views import get_tournament, page, receipt_of, signed_in_page, undo_address, user_of
from tournament.words.faults import action_name, drawn_text, table_text
from tournament.words.text import in_alphabet

ROWS = 50  # per page


@signed_in_page
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Rows in words, filtered by person, action or table."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    rows = LedgerRow.objects.filter(tournament=tournament)
    tables = list(Table.objects.filter(stage__tournament=tournament).select_related("stage"))
    who, table = (uuid_or_none(request.GET.get(name, "")) for name in ("who", "table"))
    did = request.GET.get("did", "")
    did = did if did.isidentifier() else ""
    chosen = {name: value for name, value in {"who": who, "did": did, "table": table}.items() if value}
    people = User.objects.filter(pk__in=rows.order_by().values("actor").distinct())
    kinds = rows.order_by().values_list("action", flat=True).distinct()
    shown = Paginator(_filtered(rows, who, did, table), ROWS).get_page(request.GET.get("page"))
    on_page = list(shown)
    return page(
        request,
        "organiser/ledger.html",
        tournament,
        section="events",
        lines=list(_lines(tournament, on_page, tables, _undos(request, tournament, on_page))),
        shown=shown,
        people=sorted(
            ((str(one.uid), one.display_name(), one.uid == who) for one in people),
            key=lambda one: in_alphabet(one[1], tournament.language),
        ),
        kinds=sorted(
            ((kind, action_name(kind), kind == did) for kind in kinds),
            key=lambda one: in_alphabet(one[1], get_language()),
        ),
        tables=[(str(one.uid), _table_name(one, tables), one.uid == table) for one in tables],
        filtered=bool(chosen),
        query="".join(f"&{name}={value}" for name, value in chosen.items()),
        at=receipt_of(request, tournament),
    )


def _filtered(
    rows: QuerySet[LedgerRow], who: UUID | None, did: str, table: UUID | None
) -> QuerySet[LedgerRow]:
    rows = rows.select_related("actor").order_by("-sequence")
    rows = rows.filter(actor__uid=who) if who else rows
    rows = rows.filter(action=did) if did else rows
    if table:  # table uid anywhere in the payload
        rows = rows.annotate(facts=Cast("payload", TextField())).filter(facts__contains=str(table))
    return rows


def _lines(
    tournament: Tournament,
    shown: Sequence[LedgerRow],
    tables: Sequence[Table],
    undos: Mapping[int, tuple[str, int | None]],
) -> Iterator[dict[str, Any]]:
    notes = dict(LedgerNote.objects.filter(row__in=[row.pk for row in shown]).values_list("row_id", "text"))
    named = {uid for row in shown for uid in row.payload.get("announcement", ())}
    said = Announcement.objects.filter(tournament=tournament, uid__in=named).select_related("tournament")
    words = {str(row.uid): row.text for row in (said if named else ())}
    names = {str(table.uid): _table_name(table, tables) for table in tables}
    stages = {str(stage.uid): str(stage) for stage in Stage.objects.filter(tournament=tournament)}
    for row in shown:
        undo, undone = undos.get(row.sequence, ("", None))
        note = notes.get(row.pk, "") or words.get(next(iter(row.payload.get("announcement", ())), ""), "")
        drawn = drawn_text(row.action, note)
        yield {
            "row": row,
            "who": row.actor.display_name(),
            "did": action_name(row.action),
            "drawn": drawn,
            "where": _where(row, names, stages),
            "note": "" if drawn else note,
            "undone": undone,
            "undo": undo,
        }


def _undos(
    request: HttpRequest, tournament: Tournament, shown: Sequence[LedgerRow]
) -> dict[int, tuple[str, int | None]]:
    """Per row young enough for an undo: (page or "", undoing row)."""
    now = timezone.now()
    young = [row for row in shown if now - row.at <= WITHIN]
    if not any(can_be_undone(row.action) for row in young):
        return {}
    history = History(tournament)
    own = rank(user_of(request), tournament)
    back = reverse("organise-ledger", args=[tournament.slug])
    undos = {}
    for row in young:
        undoing = undoing_of(history, row.sequence, now)
        free = undoing is not None and not undoing.fault and own >= rank_to_undo(undoing.action)
        address = undo_address(tournament, row.sequence, back) if free else ""
        undos[row.sequence] = (address, history.undone.get(row.sequence))
    return undos


def _table_name(table: Table, tables: Sequence[Table]) -> str:
    if all(other.stage_id == table.stage_id for other in tables):
        return gettext("Table %(number)d") % {"number": table.number}
    return table_text(table.stage, table.number)


def _where(row: LedgerRow, names: Mapping[str, str], stages: Mapping[str, str]) -> str:
    touched = row.tables
    if len(touched) == 1:
        return names.get(touched.pop(), "")
    if touched:
        return ngettext("%(n)d table", "%(n)d tables", len(touched)) % {"n": len(touched)}
    named = [stages[uid] for uid in row.payload.get("stage", ()) if uid in stages]
    return ", ".join(named) if row.action != UNDO else ""
