"""Map a list's columns, once per set of headings."""

from collections.abc import Sequence
from uuid import uuid4, uuid5

from django.http import HttpRequest, HttpResponse

from tournament import actions
from tournament.files.lists.choosing import keys_of, remembered, set_key
from tournament.files.lists.limits import LAST_ROW
from tournament.files.lists.lists import Known, ListRead, Sheet, read_sheet
from tournament.files.lists.problems import Problem, problem_text
from tournament.forms.imports import ColumnsForm, carried_sheet, known_of, read_carried_sheet
from tournament.models import Tournament
from tournament.pages.errors import Problem as Line
from tournament.queries.registration import Question
from tournament.results import uuid_or_none
from tournament.views import OK, UNPROCESSABLE, attempt_call, device_of, page, user_of


def columns_known(
    request: HttpRequest, tournament: Tournament, read: ListRead, questions: Sequence[Question]
) -> ListRead | HttpResponse:
    """The list by remembered columns, or the page that asks. `questions`: further columns."""
    if read.sheet is None or (read.refusal and not read.unknown):
        return read
    sets = tournament.organiser.list_columns.get("sets", ())
    # a first row chosen before, known by its words
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
    """The list by the form's columns, which are remembered; the page if invalid or `again`."""
    sheet = read_carried_sheet(request.POST["sheet"], request.POST.get("encoding", ""))
    if sheet is None or not sheet.grid.lines:
        return ListRead("", refusal=Problem("lost_on_the_way"))
    row = request.POST.get("heading", "")
    heading = int(row) if row.isascii() and row.isdecimal() and len(row) <= len(str(LAST_ROW)) else None
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
    heading = int(form.cleaned_data["heading"])
    return read_sheet(sheet, known=Known(known_of(questions).words, form.places(), heading))


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
        "organiser/import_columns.html",
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
