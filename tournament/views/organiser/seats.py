"""Seats of a stage: preview a draw, edit, store."""

import secrets
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from tournament import actions
from tournament.forms.seats import DrawForm, typed_seats
from tournament.models import Draw
from tournament.pages.organiser.draws import (
    Situation,
    drawn,
    levelled,
    signed,
    situation_of,
    unsigned,
    usual_bounds,
    usual_draw,
)
from tournament.queries.seats_seen import meanwhile, places_seen, seats_text
from tournament.results import Typed
from tournament.seating import MOST_TABLES, Impossible
from tournament.views import UNPROCESSABLE, attempt_action, get_stage, saved, signed_in_form
from tournament.views.organiser._seats_page import Ask, Shown, seats_page
from tournament.words.seating import way_text
from tournament.words.text import clean

BY_NUMBERS = "numbers"  # dealt by start numbers: voids earlier draws


@signed_in_form
def seats(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Stored, drawn or levelled seats (GET); POST stores."""
    situation = situation_of(get_stage(request, stage))
    if request.method == "POST":
        return _store(request, situation)
    form = _draw_form(situation, request.GET)
    if "level" in request.GET:
        return _level(request, situation, form)
    if not request.GET.keys() & {"draw", *form.fields}:
        return seats_page(request, situation, form, Shown(typed_seats(situation.tables)))
    return _draw(request, situation, form)


def _draw_form(situation: Situation, query: QueryDict) -> DrawForm:
    present = situation.present
    return DrawForm(query, usual_draw(situation), present, len(situation.to_draw) - present)


def _draw(request: HttpRequest, situation: Situation, form: DrawForm) -> HttpResponse:
    """Without a seed, redirect to one, so that a reload shows the same draw."""
    now = Shown(typed_seats(situation.tables))
    if not form.is_valid():
        return seats_page(request, situation, form, now)
    wanted = form.cleaned_data
    seed = clean(wanted["seed"])
    if wanted["order"] == "drawn" and not seed:
        query = request.GET.copy()
        query["seed"] = str(10_000 + secrets.randbelow(90_000))
        return HttpResponseRedirect(f"{request.path}?{query.urlencode()}")
    try:
        proposal = drawn(situation, wanted, seed)
    except Impossible as impossible:
        return seats_page(
            request, situation, form, now, impossible=impossible, ways=_ways(request, impossible)
        )
    origin = signed(situation, proposal.record) if proposal.record else BY_NUMBERS
    return seats_page(request, situation, form, Shown(typed_seats(proposal.tables), proposal, origin))


def _level(request: HttpRequest, situation: Situation, form: DrawForm) -> HttpResponse:
    least, most = usual_bounds(situation, sum(map(len, situation.free.values())))
    try:
        proposal = levelled(situation, least=least, most=most)
    except Impossible as impossible:
        return seats_page(
            request, situation, form, Shown(typed_seats(situation.tables)), impossible=impossible
        )
    return seats_page(request, situation, form, Shown(typed_seats(proposal.tables), proposal))


def _ways(request: HttpRequest, impossible: Impossible) -> list[dict[str, str]]:
    asked = impossible.parameters
    ways: list[dict[str, str]] = []
    for name in ("fewer", "more"):
        if name not in asked:
            continue
        query = request.GET.copy()
        query["tables"] = str(int(asked[name]) + int(asked.get("begun", 0)))
        query["least"] = str(min(int(asked["least"]), int(asked[f"{name}_smallest"])))
        query["most"] = str(max(int(asked["most"]), int(asked[f"{name}_largest"])))
        ways.append({"text": way_text(asked, name), "url": f"?{query.urlencode()}"})
    return ways


def _store(request: HttpRequest, situation: Situation) -> HttpResponse:
    row = situation.stage
    typed = Typed(request.POST)
    seen = request.POST.get("over") or request.POST.get("seen", "")
    tables = read_seats(typed, situation, seen)
    origin = request.POST.get("draw", "")
    record = unsigned(row, origin)
    data = {name: typed.text(name) for name in request.POST}
    shown = Shown(data, origin=origin if record or origin == BY_NUMBERS else "", dirty=True, seen=seen)
    form = _draw_form(situation, request.GET)
    seated = {number: [str(uid) for uid in players] for number, players in tables.items()}
    meeting = situation.together(seated) - situation.together(situation.tables)
    if meeting and not typed.faults and not typed.text("together"):
        return seats_page(request, situation, form, shown, ask=Ask(meeting), status=UNPROCESSABLE)
    attempt = attempt_action(
        request,
        actions.seat_stage,
        row.tournament.uid,
        typed=typed,
        stage=row.uid,
        tables=[{"number": number, "entries": players} for number, players in tables.items()],
        seed=record.seed if record else "",
        draw=_draw_to_keep(situation, origin),
        seen=seen,
    )
    if attempt.receipt:
        return saved(reverse("organise-stage", args=[row.uid]), attempt.receipt)
    ask = Ask(meeting, agreed=True) if meeting else None
    changed = None
    if any(fault.code == "seats_changed" for fault in attempt.faults):
        situation = situation_of(row)  # as the action saw it
        changed = meanwhile(row, seats_text(situation.tables))
    return seats_page(
        request,
        situation,
        form,
        shown,
        ask=ask,
        changed=changed,
        faults=() if changed else attempt.faults,
        status=attempt.status,
    )


def _draw_to_keep(situation: Situation, origin: str) -> dict[str, Any] | None:
    """The form's draw; {} voids an earlier one."""
    record = unsigned(situation.stage, origin)
    if record:
        return record.as_json()
    if origin == BY_NUMBERS and Draw.objects.filter(stage=situation.stage).exists():
        return {}
    return None


def read_seats(typed: Typed, situation: Situation, seen: str) -> dict[int, list[UUID]]:
    """Players per table, by seat. A player moved to a taken number precedes its holder in `seen`. Played tables stay,
    even empty."""
    before = places_seen(seen or seats_text(situation.tables), situation.entries.keys())
    rows: list[tuple[int, int, bool, int, UUID]] = []
    for index, (key, entry) in enumerate(situation.entries.items()):
        table = typed.whole(f"table-{key}", f"/entries/{key}", least=1, most=MOST_TABLES)
        seat = typed.whole(f"seat-{key}", f"/entries/{key}", least=1, most=999)
        if table is None:
            continue
        rows.append((table, seat or 999, before.get(key) == (table, seat), index, entry.uid))
    tables: dict[int, list[UUID]] = {number: [] for number in sorted(situation.played)}
    for table, _seat, _unmoved, _index, uid in sorted(rows):
        tables.setdefault(table, []).append(uid)
    for number in situation.begun:
        there = situation.tables[number]
        if [str(uid) for uid in tables.get(number, ())] == [key for key in there if key in situation.entries]:
            # with players who left, not in the form
            tables[number] = [UUID(key) for key in there]
    return tables
