"""Player lists by file or paste: preview rows, confirm; also an earlier event's results.

Nothing is stored before confirmation; the form carries the rows.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import BoundedSemaphore
from uuid import UUID, uuid4, uuid5

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _

from tournament import actions
from tournament.extras.imports.files.choosing import keys_of, remembered, set_key
from tournament.extras.imports.files.columns import KINDS, template_file
from tournament.extras.imports.files.lists import Known, ListRead, Sheet, read_sheet
from tournament.extras.imports.files.matching import Entered, Kind, Planned, plan
from tournament.extras.imports.files.past import RESULT_COLUMNS, as_results, result_of, spellings
from tournament.extras.imports.files.problems import COLUMN_NAMES, LAST_ROW, NOTES, Problem, problem_text
from tournament.extras.imports.forms.players import (
    MAYBE,
    MOST_CARRIED,
    ColumnsForm,
    FileForm,
    ListForm,
    PasteForm,
    Ticks,
    answers_in,
    carried,
    carried_sheet,
    known_of,
    past_results_of,
    players_of,
    read_carried,
    read_carried_sheet,
)
from tournament.models import Entry, Tournament
from tournament.pages.components import Problem as Line
from tournament.queries.people import not_here, told_apart
from tournament.queries.registration import Question, questions_of
from tournament.results import Fault, number_or_none, uuid_or_none
from tournament.views import (
    BUSY,
    OK,
    UNPROCESSABLE,
    attempt_action,
    attempt_call,
    by_fields,
    device_of,
    get_tournament,
    page,
    saved,
    signed_in_form,
    signed_in_page,
    slot,
    user_of,
)
from tournament.views.public.workbook import content_disposition
from tournament.words.faults import fault_text
from tournament.words.text import home_today

# one at a time: a second and memory each
_reading = BoundedSemaphore(1)


@signed_in_form
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a list; map columns; preview; enter ticked rows."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _choose(request, tournament, FileForm())
    if "rows" in request.POST and not request.POST.keys() & {"preview", "again"}:
        return _confirm(request, tournament)
    questions = _columns(request, tournament)
    if "sheet" in request.POST and "preview" not in request.POST:
        return _look(request, tournament, posted_columns(request, tournament, questions))
    known = known_of(questions)
    form = (
        PasteForm(request.POST, known=known)
        if "players" in request.POST
        else FileForm(request.POST, request.FILES, known=known)
    )
    with slot(_reading) as free:
        if not free:
            return _choose(
                request, tournament, FileForm(), [Line(problem_text(Problem("busy")))], status=BUSY
            )
        valid = form.is_valid()
    if not valid:
        return _choose(request, tournament, form, status=UNPROCESSABLE)
    return _look(request, tournament, columns_known(request, tournament, form.read, questions))


def _look(request: HttpRequest, tournament: Tournament, read: ListRead | HttpResponse) -> HttpResponse:
    if isinstance(read, HttpResponse):
        return read
    found = as_results(read) if _is_results(request) else read
    if found.refusal:
        return _choose(
            request, tournament, FileForm(), [Line(problem_text(found.refusal))], status=UNPROCESSABLE
        )
    planned = _planned(request, tournament, found)
    return _preview(
        request, tournament, _Preview(found, planned, _ticks(request, tournament, planned), uuid4())
    )


def _ticks(request: HttpRequest, tournament: Tournament, planned: Sequence[Planned]) -> Ticks:
    before = read_carried(request.POST.get("rows", ""), home_today())
    if before.refusal:
        return Ticks.proposed(planned)
    before = as_results(before) if _is_results(request) else before
    return Ticks.of(request.POST, before.rows).kept(_planned(request, tournament, before), planned)


def _is_results(request: HttpRequest) -> bool:
    return bool(request.resolver_match and request.resolver_match.url_name == "organise-past-results")


def _columns(request: HttpRequest, tournament: Tournament) -> Sequence[Question]:
    return RESULT_COLUMNS if _is_results(request) else questions_of(tournament)


@signed_in_page
def template(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Empty list with localised headings."""
    tournament = get_tournament(request, slug)
    if kind not in KINDS:
        raise Http404
    zone = tournament.zone
    content = template_file(
        kind, get_language() or "en", title=_("Players"), zone=zone, made=timezone.now().astimezone(zone)
    )
    response = HttpResponse(content, content_type=KINDS[kind])
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-players.{kind}"'
    return response


@signed_in_page
def export_list(request: HttpRequest, slug: str) -> HttpResponse:
    """The organisers' data of players, as a workbook."""
    from tournament.extras.imports.files.lists import players_file  # imports openpyxl

    tournament = get_tournament(request, slug)
    entries = Entry.objects.filter(tournament=tournament).select_related("player").order_by("start_number")
    content = players_file(
        tournament,
        entries,
        questions_of(tournament),
        title=_("Players"),
        language=get_language() or "en",
        made=timezone.now().astimezone(tournament.zone),
    )
    response = HttpResponse(content, content_type=KINDS["xlsx"])
    response["Content-Disposition"] = content_disposition(tournament, " players private.xlsx")
    return response


def _confirm(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    read, results = read_carried(request.POST["rows"], home_today()), _is_results(request)
    if results:
        read = as_results(read, alike="alike" in request.POST)
    if read.refusal:
        return _choose(
            request, tournament, FileForm(), [Line(problem_text(read.refusal))], status=UNPROCESSABLE
        )
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    sent_before = tournament.ledger.filter(command=command).exists()
    planned, ticks = _planned(request, tournament, read), Ticks.of(request.POST, read.rows)
    if "all-same" in request.POST:
        return _preview(request, tournament, _Preview(read, planned, ticks.all_same(planned), command))
    chosen = ticks.chosen(read.rows)
    preview = _Preview(read, planned, ticks, command, status=UNPROCESSABLE)
    if not chosen:
        preview.errors.append(Line(problem_text(Problem("nobody_ticked"))))
    # an accepted form's rows are no longer new; same answer
    elif problems := [] if sent_before else ticks.problems(planned):
        for problem in problems:
            preview.add(problem.row, problem_text(problem))
    else:
        players = (
            past_results_of(command, chosen, ticks, planned)
            if results
            else players_of(command, chosen, ticks, questions_of(tournament), planned)
        )
        attempt = attempt_action(
            request,
            by_fields(request, actions.bring_in_results if results else actions.enter_players),
            tournament.uid,
            players=players,
        )
        if attempt.receipt:
            left = sum(each.kind is Kind.WRONG for each in planned)
            return saved(
                reverse("organise-board" if results else "organise-players", args=[tournament.slug]),
                attempt.receipt,
                **({"left": str(left)} if left else {}),
            )
        preview.status = attempt.status
        preview.add_faults(attempt.faults, [row.number for row in chosen])
    return _preview(request, tournament, preview)


def _planned(request: HttpRequest, tournament: Tournament, read: ListRead) -> list[Planned]:
    entered = [
        Entered(
            uid=entry.uid,
            public_name=entry.public_name,
            real_name=entry.player.name,
            club=entry.club,
            division=entry.division,
            start_number=entry.start_number,
            birth_date=entry.player.birth_date,
            contact=entry.player.contact,
            guardian=entry.guardian,
            paid=entry.paid,
            state=entry.state,
        )
        for entry in Entry.objects.filter(tournament=tournament).select_related("player")
    ]
    without = Entry.objects.filter(tournament=tournament, past_results=None) if _is_results(request) else ()
    bare = {entry.uid for entry in without}
    return [
        replace(each, kind=Kind.NEW)
        if each.entry and each.entry.uid in bare and each.kind in {Kind.ENTERED, Kind.DIFFERS}
        else each
        for each in plan(read.rows, entered, not_here(tournament, told_apart(tournament)))
    ]


@dataclass(slots=True)
class _Preview:
    read: ListRead
    planned: Sequence[Planned]
    ticks: Ticks
    command: UUID
    status: int = OK
    errors: list[Line] = field(default_factory=list)
    wrong: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, number: int, text: str) -> None:
        self.wrong[number].append(text)
        self.errors.append(
            Line(_("Row %(number)d: %(text)s") % {"number": number, "text": text}, f"#row-{number}")
        )

    def add_faults(self, faults: Sequence[Fault], numbers: Sequence[int]) -> None:
        """Map faults (`/players/<index>/...`) to rows by `numbers`."""
        for fault in faults:
            match fault.path.split("/"):
                case ["", "players", index, *_rest] if index.isdecimal() and int(index) < len(numbers):
                    self.add(numbers[int(index)], fault_text(fault))
                case _ if fault.code == "command_reused":
                    self.command = uuid4()
                    self.errors.append(Line(problem_text(Problem("confirmed_before"))))
                case _:
                    self.errors.append(Line(fault_text(fault)))


@dataclass(frozen=True, slots=True)
class _Row:
    """`box`: checkbox name or ""."""

    planned: Planned
    box: str
    ticked: bool
    same: UUID | None
    problems: list[str]
    notes: list[str]
    differences: str
    answers: list[tuple[Question, str]]

    @property
    def group(self) -> str:
        """By what is needed: wrong, look, known, new, entered."""
        each = self.planned
        if each.kind in {Kind.WRONG, Kind.ENTERED}:
            return each.kind.value
        if each.kind in MAYBE or each.row.asks or self.problems:
            return "look"
        return "known" if each.same else "look" if each.known else "new"


def _rows(preview: _Preview, columns: Sequence[Question]) -> dict[str, list[_Row]]:
    groups: dict[str, list[_Row]] = {"wrong": [], "look": [], "known": [], "new": [], "entered": []}
    for each in preview.planned:
        number = each.row.number
        said = result_of(each.row.answers) if columns is RESULT_COLUMNS else answers_in(each.row, columns)
        another = each.kind in MAYBE
        box = "another" if another else "enter" if each.kind is Kind.NEW else ""
        row = _Row(
            planned=each,
            box=f"{box}-{number}" if box else "",
            ticked=number in (preview.ticks.another if another else preview.ticks.enter),
            same=preview.ticks.same.get(number),
            problems=[
                *(problem_text(problem) for problem in each.problems if problem.code not in NOTES),
                *preview.wrong.get(number, ()),
            ],
            notes=[problem_text(problem) for problem in each.problems if problem.code in NOTES],
            differences=", ".join(str(COLUMN_NAMES[column]) for column in each.differences),
            answers=[(column, text) for column in columns if (text := column.said(said.get(column.id)))],
        )
        groups[row.group].append(row)
    return groups


def _preview(request: HttpRequest, tournament: Tournament, preview: _Preview) -> HttpResponse:
    groups, results = _rows(preview, _columns(request, tournament)), _is_results(request)
    rows = carried(preview.read.filename, preview.read.rows)
    return page(
        request,
        "imports/preview.html",
        tournament,
        status=preview.status,
        section="events",
        read=preview.read,
        notes=[problem_text(problem) for problem in preview.read.problems],
        groups=groups,
        total=len(preview.planned),
        open_people=sum(bool(row.planned.only) and row.same is None for row in groups["look"]),
        enterable=sum(bool(row.box) for rows in groups.values() for row in rows),
        ticked=sum(bool(row.box) and row.ticked for rows in groups.values() for row in rows),
        carried=rows,
        command=preview.command,
        errors=preview.errors,
        results=results,
        planned_stages=results and tournament.stages.exists(),
        alike=spellings(preview.read.rows).items() if results else (),
        keeps_spellings="rows" in request.POST and "alike" not in request.POST,
        form=FileForm(),
        reading=_read_from(request, preview.read, room=MOST_CARRIED - len(rows.encode())),
        paste=None
        if preview.read.filename
        else PasteForm(initial=_typed(request), of_form="preview", use_required_attribute=False),
    )


def _read_from(request: HttpRequest, read: ListRead, *, room: int) -> dict[str, str]:
    """Hidden fields of how the list is read; none if longer than `room` bytes."""
    if read.sheet is None:
        return {
            name: str(text)
            for name, text in request.POST.items()
            if name in {"sheet", "heading"} or name.startswith("column-")
        }
    sheet, chosen = carried_sheet(read.sheet), {column.field: column.choice for column in read.columns}
    return {"sheet": sheet, "heading": str(read.heading), **chosen} if 0 < len(sheet.encode()) <= room else {}


def _typed(request: HttpRequest) -> dict[str, str]:
    return {"players": request.POST.get("players", "")}


def _choose(
    request: HttpRequest,
    tournament: Tournament,
    form: ListForm,
    errors: Sequence[Line] = (),
    *,
    status: int = OK,
) -> HttpResponse:
    pasted = isinstance(form, PasteForm)
    return page(
        request,
        "imports/past_results.html" if _is_results(request) else "imports/choose.html",
        tournament,
        status=status,
        section="events",
        form=FileForm() if pasted else form,
        paste=form if pasted else PasteForm(initial=_typed(request)),
        errors=errors,
    )


# ---- Map a list's columns, once per set of headings ----


def columns_known(
    request: HttpRequest, tournament: Tournament, read: ListRead, questions: Sequence[Question]
) -> ListRead | HttpResponse:
    """The list by remembered columns, or the page that asks."""
    if read.sheet is None or (read.refusal and not read.unknown):
        return read
    sets = tournament.organiser.list_columns.get("sets", ())
    # a first row chosen before
    first = read_sheet(
        read.sheet, known=Known(known_of(questions).words, heading=read.sheet.grid.lines[0].number)
    )
    for each in (read,) if read.heading else (read, first):
        if each.heading and (places := remembered(sets, each.columns)):
            chosen = {f"column-{number}": choice for number, choice in places.items()}
            form = ColumnsForm(each, questions, chosen | {"heading": str(each.heading)})
            if form.is_valid() and not (found := _read(read.sheet, form, questions)).refusal:
                return found
    if (read.unknown or read.sheet.grid.encodings) and not carried_sheet(read.sheet):
        return ListRead(read.filename, refusal=Problem("too_much_text"))
    if not read.unknown:
        return read
    return _page(request, tournament, read.sheet, ColumnsForm(read, questions))


def posted_columns(
    request: HttpRequest, tournament: Tournament, questions: Sequence[Question]
) -> ListRead | HttpResponse:
    """The list by the form's columns, which are remembered, or the page."""
    sheet = read_carried_sheet(request.POST["sheet"], request.POST.get("encoding", ""))
    if sheet is None or not sheet.grid.lines:
        return ListRead("", refusal=Problem("lost_on_the_way"))
    heading = number_or_none(request.POST.get("heading", ""), longest=len(str(LAST_ROW)))
    read = read_sheet(sheet, known=Known(known_of(questions).words, heading=heading))
    form = ColumnsForm(read, questions, request.POST)
    if "again" in request.POST or not form.is_valid():
        return _page(
            request, tournament, sheet, form, status=OK if "again" in request.POST else UNPROCESSABLE
        )
    found = _read(sheet, form, questions)
    if found.refusal:
        return _page(
            request, tournament, sheet, form, status=UNPROCESSABLE, errors=[Line(problem_text(found.refusal))]
        )
    if found.heading:
        _remember(request, tournament, form)
    return found


def _read(sheet: Sheet, form: ColumnsForm, questions: Sequence[Question]) -> ListRead:
    return read_sheet(
        sheet, known=Known(known_of(questions).words, form.places(), int(form.cleaned_data["heading"]))
    )


def _remember(request: HttpRequest, tournament: Tournament, form: ColumnsForm) -> None:
    """Other choices are another command. Without permission the list is entered anyway."""
    if remembered(tournament.organiser.list_columns.get("sets", ()), form.columns) == form.places():
        return
    headings = [column.heading for column in form.columns]
    chosen = dict(zip(keys_of(headings), form.places().values(), strict=True))
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    asked = actions.Command(uuid5(command, str(chosen)), user_of(request), device_of(request))
    attempt_call(
        lambda: actions.remember_columns(asked, tournament.uid, headings=set_key(headings), columns=chosen)
    )


def _page(
    request: HttpRequest,
    tournament: Tournament,
    sheet: Sheet,
    form: ColumnsForm,
    *,
    status: int = OK,
    errors: Sequence[Line] = (),
) -> HttpResponse:
    return page(
        request,
        "imports/columns.html",
        tournament,
        status=status,
        section="events",
        form=form,
        filename=sheet.filename,
        sheet=carried_sheet(sheet),
        typed=request.POST.get("players", ""),
        command=uuid4(),
        errors=errors,
    )
