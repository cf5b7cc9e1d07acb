"""Seats of a stage: a draw to look at first, and a form in which everybody has a table and a seat."""

import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.faults import Fault
from tournament.forms.players import SeatRow, seated_now, typed_seats
from tournament.forms.reading import Typed
from tournament.models import Entry, Seat, Stage
from tournament.seating import MOST_TABLES, deal, tables_for
from tournament.views._access import get_stage, signed_in
from tournament.views._answer import OK, UNPROCESSABLE, attempt_action, page, receipt_of, saved
from tournament.views.organiser._problems import problems
from tournament.words import fault_text

ORDERS: dict[str, str | Promise] = {"numbers": _("in start order"), "drawn": _("drawn by lot")}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def seats(request: HttpRequest, stage: UUID) -> HttpResponse:
    """GET shows the seats as they are or, with `tables`, as they would be dealt; POST stores those in the form."""
    row = get_stage(request, stage)
    entries = _present(row)
    stored = seated_now(list(Seat.objects.filter(table__stage=row).select_related("entry", "table")))
    if request.method == "POST":
        return _store(request, row, entries, stored)
    typed = Typed(request.GET)
    tables = typed.whole("tables", "/tables", least=1, most=MOST_TABLES)
    if tables is None and (stored or typed.faults or row.state != Stage.State.PLANNED):
        return _page(request, row, entries, stored, faults=typed.faults)
    tables = tables or tables_for(len(entries), row.kind)
    seed = typed.text("seed")[:20]
    if typed.text("order") == "drawn" and not seed:
        seed = f"{secrets.randbelow(1_000_000):06d}"
    seed = seed if typed.text("order") == "drawn" else ""
    dealt = typed_seats(deal([entry.uid for entry in entries], tables, seed))
    return _page(request, row, entries, dealt, seed=seed, tables=tables, proposed=True)


def _store(request: HttpRequest, row: Stage, entries: list[Entry], stored: Mapping[str, str]) -> HttpResponse:
    typed = Typed(request.POST)
    tables = read_seats(typed, entries, stored)
    seed = typed.text("seed")[:20]
    sizes = len(tables)
    drawn = bool(seed) and [table["entries"] for table in tables] == deal(
        [entry.uid for entry in entries], sizes, seed
    )
    attempt = attempt_action(
        request,
        actions.seat_stage,
        row.tournament.uid,
        typed=typed,
        stage=row.uid,
        tables=tables,
        seed=seed if drawn else "",
    )
    if attempt.receipt:
        return saved(reverse("organise-stage", args=[row.uid]), attempt.receipt)
    data = {name: typed.text(name) for name in request.POST}
    return _page(
        request,
        row,
        entries,
        data,
        seed=seed if drawn else "",
        wrong=_wrong(attempt.faults),
        faults=list(attempt.faults),
        status=UNPROCESSABLE,
    )


def read_seats(typed: Typed, entries: list[Entry], stored: Mapping[str, str]) -> list[dict[str, Any]]:
    """The argument of `seat_stage`. At each table players sit by their seat's number; who was moved to a number goes
    before who had it."""
    rows: list[tuple[int, int, bool, int, UUID]] = []
    for index, entry in enumerate(entries):
        uid = entry.uid
        table = typed.whole(f"table-{uid}", f"/entries/{uid}", least=1, most=MOST_TABLES)
        seat = typed.whole(f"seat-{uid}", f"/entries/{uid}", least=1, most=999)
        if table is None:
            continue
        unmoved = stored.get(f"table-{uid}") == str(table) and stored.get(f"seat-{uid}") == str(seat)
        rows.append((table, seat or 999, unmoved, index, uid))
    tables: dict[int, list[UUID]] = {}
    for table, _seat, _unmoved, _index, uid in sorted(rows):
        tables.setdefault(table, []).append(uid)
    return [{"number": number, "entries": players} for number, players in tables.items()]


def _present(row: Stage) -> list[Entry]:
    """Those who can be seated: everybody who is not out; in a stage after heats only those who are seated there."""
    entries = Entry.objects.filter(tournament=row.tournament).to_seat()
    after_heats = Stage.objects.filter(
        tournament=row.tournament, number=row.number - 1, kind=Stage.Kind.HEATS
    ).exists()
    if after_heats:
        entries = entries.filter(seats__table__stage=row).distinct()
    return list(entries.order_by("start_number"))


def _wrong(faults: list[Fault] | tuple[Fault, ...]) -> dict[str, str]:
    """The words at each player, by the entry's uid."""
    words: dict[str, str] = {}
    for fault in faults:
        steps = fault.path.split("/")
        if len(steps) > 2 and steps[1] == "entries":
            words[steps[2]] = fault_text(fault, {steps[2]: ""})
    return words


def _page(
    request: HttpRequest,
    row: Stage,
    entries: list[Entry],
    data: Mapping[str, str],
    *,
    seed: str = "",
    tables: int | None = None,
    proposed: bool = False,
    wrong: Mapping[str, str] | None = None,
    faults: list[Fault] | None = None,
    status: int = OK,
) -> HttpResponse:
    rows = [
        SeatRow(
            entry=entry,
            table=data.get(f"table-{entry.uid}", ""),
            seat=data.get(f"seat-{entry.uid}", ""),
            wrong=(wrong or {}).get(str(entry.uid), ""),
        )
        for entry in entries
    ]
    rows.sort(key=lambda one: (_number(one.table), _number(one.seat), one.entry.start_number))
    names = {str(entry.uid): entry.public_name for entry in entries}
    context = {
        "section": "events",
        "stage": row,
        "rows": rows,
        "seed": seed,
        "orders": ORDERS.items(),
        "order": request.GET.get("order", "numbers"),
        "tables": tables or _tables_now(rows) or tables_for(len(entries), row.kind),
        "proposed": proposed,
        "may_deal": row.state == Stage.State.PLANNED,
        "errors": problems(faults or [], names),
        "command": uuid4(),
        "at": receipt_of(request, row.tournament),
    }
    return page(request, "organiser/seats.html", context, row.tournament, status=status)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 10**9


def _tables_now(rows: list[SeatRow]) -> int:
    return len({one.table for one in rows if one.table})
