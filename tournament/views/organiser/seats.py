"""Seats of a stage: preview a draw, edit, store."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _, ngettext

from tournament import actions
from tournament.forms.seats import DrawForm, SeatRow, typed_seats
from tournament.models import Draw, Entry, Stage, Table
from tournament.pages.components import Problem, problems
from tournament.pages.organiser.draws import (
    Proposal,
    Situation,
    drawn,
    group_of,
    levelled,
    referees_of,
    signed,
    situation_of,
    sizes_of,
    uneven,
    unsigned,
    usual_bounds,
    usual_draw,
)
from tournament.queries.chain import lives_of
from tournament.queries.draws import Meanwhile, last_draw, meanwhile, places_seen, seats_text
from tournament.queries.programme import Plan
from tournament.queries.stage_rules import (
    known_by_age,
    line_text,
    moved_texts,
    needs_of,
    oldest_and_youngest,
    start_text,
    taken_out_text,
)
from tournament.results import Fault, Typed, grouped, kind_of, number_or_none
from tournament.seating import COMFORTABLE, MOST_TABLES, DrawRecord, Impossible, Sizes, even_sizes
from tournament.views import (
    OK,
    UNPROCESSABLE,
    attempt_action,
    get_stage,
    page,
    receipt_of,
    saved,
    signed_in_form,
)
from tournament.words.faults import fault_text
from tournament.words.seating import impossible_text, tables_text, way_text
from tournament.words.sources import lives_text
from tournament.words.text import clean, listed

# ---- The organiser's seats page ----

BEHIND_ALL = 10**9  # sorts last
ROOM = 6  # lines prepared above the largest table


@dataclass(frozen=True, slots=True)
class Shown:
    """Seats as form `data`. `origin`: the draw's field; `dirty`: not stored; `seen`: token of the seats at first ("":
    now)."""

    data: Mapping[str, str]
    proposal: Proposal | None = None
    origin: str = ""
    dirty: bool = False
    seen: str = ""

    def context(self, names: Mapping[str, str]) -> dict[str, object]:
        """What the page says of a proposal."""
        return {
            "proposal": self.proposal,
            "origin": self.origin,
            "seed": self.proposal.record.seed if self.proposal and self.proposal.record else "",
            "dirty": self.dirty,
            "moves": [
                _("%(player)s moves from table %(origin)s to table %(goal)s")
                % {"player": names[move.player], "origin": move.origin, "goal": move.goal}
                for move in (self.proposal.moves if self.proposal else ())
            ],
            "levelled": bool(self.proposal and not self.origin),
        }


@dataclass(frozen=True, slots=True)
class Ask:
    """Separated pairs that would share a table; `agreed` to."""

    pairs: set[tuple[str, str]]
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A table; `number` "": players without a seat; `begun`: why seats are locked."""

    number: str
    rows: Sequence[SeatRow]
    begun: str = ""
    line: str = ""
    notes: Sequence[str] = ()
    oldest: str = ""
    youngest: str = ""
    ask: str = ""  # URL to name oldest and youngest


def seats_page(
    request: HttpRequest,
    situation: Situation,
    form: DrawForm,
    shown: Shown,
    *,
    impossible: Impossible | None = None,
    ways: Sequence[Mapping[str, str]] = (),
    ask: Ask | None = None,
    changed: Meanwhile | None = None,
    faults: Sequence[Fault] = (),
    status: int = OK,
) -> HttpResponse:
    """Render the seats. `impossible`: why a draw fails; `ways`: instead; `changed`: a lost optimistic lock."""
    stage = situation.stage
    names = {uid: entry.shown_name for uid, entry in situation.entries.items()}
    proposal = shown.proposal
    errors, wrong = _refusals(faults, names)
    rows = _rows(situation, shown.data, wrong)
    cards = _cards(situation, shown, rows)
    sharing = [] if proposal else sorted(situation.together(situation.tables))
    largest = max((len(card.rows) for card in cards if card.number), default=0)
    last = None if proposal else last_draw(stage)
    return page(
        request,
        "organiser/seats.html",
        stage.tournament,
        status=status,
        section="events",
        stage=stage,
        cards=[card for card in cards if card.number],
        unseated=next((card for card in cards if not card.number), Card(number="", rows=())),
        rows=rows,
        form=form,
        open=bool(form.errors or impossible) or not (situation.tables or proposal),
        **shown.context(names),
        **_of_draw(situation, shown, proposal.record if proposal else last.record if last else None, names),
        lines=[line_text(needs_of(stage, players)) for players in range(largest + ROOM + 1)],
        start=start_text(stage.tournament.ruleset),
        taken_out=taken_out_text(stage),
        drawn=last and {"seed": last.record.seed, "at": last.at, "moved": moved_texts(last.moved, names)},
        begun=bool(situation.begun),
        sitting_out=listed([name for uid, name in names.items() if uid in situation.done]),
        uneven=not proposal and uneven(situation),
        editable=stage.state != Stage.State.FINISHED,
        may_level=bool(situation.free) and stage.state != Stage.State.FINISHED,
        after_heats=situation.filled,
        apart=len(situation.apart),
        together=[_pair_text(pair, names) for pair in sorted(ask.pairs)] if ask else [],
        sharing=[_pair_text(pair, names) for pair in sharing],
        impossible=impossible_text(impossible, names) if impossible else "",
        ways=ways,
        agreed=bool(ask and ask.agreed),
        seen=shown.seen or seats_text(situation.tables),
        changed=changed,
        errors=errors,
        command=uuid4(),
        at=receipt_of(request, stage.tournament),
    )


def _rows(situation: Situation, data: Mapping[str, str], wrong: Mapping[str, str]) -> list[SeatRow]:
    lives = lives_of(situation.stage.tournament, situation.stage.tournament.stages.all())
    enemies = grouped(pair for one, other in situation.apart for pair in ((one, other), (other, one)))
    return sorted(
        [
            SeatRow(
                entry=entry,
                table=data.get(f"table-{uid}", ""),
                seat=data.get(f"seat-{uid}", ""),
                wrong=wrong.get(uid, ""),
                apart=" ".join(enemies.get(uid, ())),
                lives=lives_text(lives.get(uid)),
            )
            for uid, entry in situation.entries.items()
        ],
        key=lambda row: (_number(row.table), _number(row.seat), row.entry.start_number),
    )


def _cards(situation: Situation, shown: Shown, rows: Sequence[SeatRow]) -> list[Card]:
    """A card per table and per number in `rows`."""
    numbers = shown.proposal.tables if shown.proposal else situation.tables
    met = situation.met if shown.proposal and shown.origin else set()
    tables: dict[str, list[SeatRow]] = {str(number): [] for number in numbers}
    for row in rows:
        tables.setdefault(row.table, []).append(row)
    stored = {
        str(table.number): table
        for table in Table.objects.filter(stage=situation.stage).select_related("oldest", "youngest")
    }
    return [
        _card(situation, number, tables[number], stored.get(number), met)
        for number in sorted(tables, key=_number)
    ]


def _card(
    situation: Situation,
    number: str,
    rows: Sequence[SeatRow],
    stored: Table | None,
    met: set[frozenset[str]],
) -> Card:
    if not number:
        return Card(number="", rows=rows)
    begun = ""
    if _number(number) in situation.begun and situation.stage.state != Stage.State.FINISHED:
        begun = (
            _("A game is running here, so the seats stay.")
            if kind_of(situation.stage.kind).seats_change
            else _("Play at this table has begun, so the seats stay.")
        )
    needs = needs_of(situation.stage, len(rows))
    oldest, youngest = None, None
    entries = [row.entry for row in rows]
    if needs.by_age:
        found = known_by_age(stored, entries) if stored else oldest_and_youngest(entries)
        oldest, youngest = found if found and all(found) else (None, None)
    unnamed = needs.by_age and stored and rows and not oldest
    return Card(
        number=number,
        rows=rows,
        begun=begun,
        line=line_text(needs),
        notes=_notes(entries, set() if begun else met),
        oldest=oldest.shown_name if oldest else "",
        youngest=youngest.shown_name if youngest else "",
        ask=reverse("table-roles", args=[stored.uid]) if stored and unnamed else "",
    )


def _notes(entries: Sequence[Entry], met: set[frozenset[str]]) -> list[str]:
    clubs = grouped((group_of(entry), entry) for entry in entries if entry.club)
    notes = [
        _("%(n)d from %(club)s") % {"n": len(members), "club": members[0].club}
        for members in clubs.values()
        if len(members) > 1
    ]
    uids = [str(entry.uid) for entry in entries]
    again = sum(frozenset((one, other)) in met for at, one in enumerate(uids) for other in uids[:at])
    if again:
        notes.append(ngettext("%(n)d pair met before", "%(n)d pairs met before", again) % {"n": again})
    return notes


def _differs(situation: Situation, shown: Shown) -> str:
    """How the draw (shown, or usual) deviates from the plan, or ""."""
    plan = Plan.of(situation.stage.plan)
    if not kind_of(situation.stage.kind).one_play or not plan.players:
        return ""
    if shown.proposal:
        sizes = Sizes(len(table) for table in shown.proposal.tables.values() if table)
    elif situation.tables:
        return ""
    else:
        try:
            sizes = sizes_of(situation, situation.present or len(situation.to_draw), {})
        except Impossible:
            return ""
    fewest = -(-plan.players // (plan.most or COMFORTABLE[situation.stage.kind]))
    planned = even_sizes(plan.players, plan.tables or fewest)
    if len(sizes) == len(planned):
        return ""
    return _("The plan has %(planned)s for %(players)d players. This draw has %(drawn)s for %(count)d.") % {
        "planned": _tables(planned),
        "players": plan.players,
        "drawn": _tables(sizes),
        "count": sum(sizes),
    }


def _few_referees(situation: Situation, shown: Shown) -> str:
    referees = referees_of(situation)
    tables = sum(bool(table) for table in shown.proposal.tables.values()) if shown.proposal else 0
    if not referees or tables <= referees:
        return ""
    return ngettext(
        "%(n)d referee here, so not every table has its own.",
        "%(n)d referees here, so not every table has its own.",
        referees,
    ) % {"n": referees}


def _tables(sizes: Sizes) -> str:
    return tables_text(len(sizes), smallest=sizes.smallest, largest=sizes.largest)


def _summary(situation: Situation, shown: Shown) -> list[str]:
    if shown.proposal is None:
        return []
    sizes = [
        len(table)
        for number, table in shown.proposal.tables.items()
        if table and number not in situation.begun
    ]
    said = [_tables(Sizes(sizes))] if sizes else []
    record = shown.proposal.record
    if record and record.evening:
        said.append(_("Game %(n)d of %(games)d") % {"n": record.game, "games": len(record.evening)})
    if (situation.past or (record and record.evening)) and shown.origin:
        again = shown.proposal.again
        said.append(
            ngettext("%(n)d pair meets again", "%(n)d pairs meet again", again) % {"n": again}
            if again
            else _("Nobody meets again")
        )
    if situation.apart and shown.origin:
        pairs = len(situation.apart)
        said.append(ngettext("%(n)d pair kept apart", "%(n)d pairs kept apart", pairs) % {"n": pairs})
    return said


def _of_draw(
    situation: Situation, shown: Shown, record: DrawRecord | None, names: Mapping[str, str]
) -> dict[str, object]:
    """The draw for the template; `evening`: each table's number and players, by game."""
    tables = record.tables if record else ()
    return {
        "differs": _differs(situation, shown),
        "few_referees": _few_referees(situation, shown),
        "summary": _summary(situation, shown),
        "games": situation.games,
        "next_game": situation.game if situation.evening else 0,
        "evening": [
            [
                (number, listed([names[player] for player in seated if player in names]))
                for number, seated in zip(tables, game, strict=False)
            ]
            for game in (record.evening if record else ())
        ],
    }


def _pair_text(pair: tuple[str, str], names: Mapping[str, str]) -> str:
    return _("%(one)s and %(other)s") % {"one": names.get(pair[0], ""), "other": names.get(pair[1], "")}


def _refusals(faults: Sequence[Fault], names: Mapping[str, str]) -> tuple[list[Problem], dict[str, str]]:
    """The summary's lines, linked to a player or table, and texts by player."""
    hrefs = {"entries": "#entry-", "tables": "#table-"}
    lines, wrong = [], {}
    for fault, line in zip(faults, problems(faults, names), strict=True):
        _root, kind, about, *_rest = [*fault.path.split("/"), "", ""]
        lines.append(Problem(line.text, hrefs[kind] + about if kind in hrefs and about else ""))
        if kind == "entries":
            wrong[about] = fault_text(fault, {about: ""})
    return lines, wrong


def _number(text: str) -> int:
    number = number_or_none(text)
    return BEHIND_ALL if number is None else number


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
    expected = len(situation.to_draw) - present
    return DrawForm(query, usual_draw(situation), present, expected, situation.games)


def _draw(request: HttpRequest, situation: Situation, form: DrawForm) -> HttpResponse:
    """Without a seed, redirect to one: a reload shows the same draw."""
    now = Shown(typed_seats(situation.tables))
    if not form.is_valid():
        return seats_page(request, situation, form, now)
    wanted = form.cleaned_data
    seed = clean(wanted["seed"])
    if wanted["order"] == "drawn" and not seed:
        query = urlencode(request.GET.dict() | {"seed": str(10_000 + secrets.randbelow(90_000))})
        return HttpResponseRedirect(f"{request.path}?{query}")
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
    limits = {
        name: {
            "tables": str(int(asked[name]) + int(asked.get("begun", 0))),
            "least": str(min(int(asked["least"]), int(asked[f"{name}_smallest"]))),
            "most": str(max(int(asked["most"]), int(asked[f"{name}_largest"]))),
        }
        for name in ("fewer", "more")
        if name in asked
    }
    return [
        {"text": way_text(asked, name), "url": f"?{urlencode(request.GET.dict() | each)}"}
        for name, each in limits.items()
    ]


def _store(request: HttpRequest, situation: Situation) -> HttpResponse:
    row = situation.stage
    typed = Typed(request.POST)
    seen = request.POST.get("over") or request.POST.get("seen", "")
    tables = read_seats(typed, situation, seen)
    origin = request.POST.get("draw", "")
    record = unsigned(row, origin)
    draw = record.as_json() if record else None  # {} voids an earlier one
    if not record and origin == BY_NUMBERS and Draw.objects.filter(stage=row).exists():
        draw = {}
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
        draw=draw,
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


def read_seats(typed: Typed, situation: Situation, seen: str) -> dict[int, list[UUID]]:
    """Players per table, by seat. One moved to a taken number precedes its holder in `seen`. Played tables stay."""
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
