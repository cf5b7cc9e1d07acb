"""Results from a file: preview, then enter by the desk's actions."""

from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _

from tournament import actions, backup
from tournament.extras.imports.files.columns import KINDS
from tournament.extras.imports.files.problems import MOST_RESULT_BYTES, Problem
from tournament.extras.imports.files.results import ResultsRead
from tournament.extras.imports.files.results_template import refusal_text
from tournament.extras.imports.forms.results import (
    Entering,
    ResultsForm,
    TemplateForm,
    carried,
    for_one_form,
    read_carried,
)
from tournament.extras.imports.pages import Planned, numbered, plan
from tournament.models import Entry, Membership, Tournament
from tournament.pages.components import Problem as Line
from tournament.permissions import is_limited, may
from tournament.results import Fault, uuid_or_none
from tournament.views import (
    BUSY,
    OK,
    UNPROCESSABLE,
    attempt_call,
    capped_upload,
    device_of,
    get_tournament,
    page,
    reason_of,
    signed_in_form,
    signed_in_page,
    slot,
    user_of,
)
from tournament.words.faults import fault_text

IMPORT_ROLE = Membership.Role.HEAD_REFEREE
SHOWN_IGNORED = 12  # cells
SHOWN_WRONG = 200  # problems

# one at a time: seconds and memory each
_reading = BoundedSemaphore(1)


@signed_in_page
def template(request: HttpRequest, slug: str) -> HttpResponse:
    """Workbook template with room for next plays."""
    tournament = get_tournament(request, slug, IMPORT_ROLE)
    form = TemplateForm(request.GET or {"plays": TemplateForm().fields["plays"].initial})
    if not form.is_valid():
        return _choose(request, tournament, ResultsForm(), template=form, status=UNPROCESSABLE)
    from tournament.extras.imports.files.results_template import results_template  # imports openpyxl

    response = HttpResponse(
        results_template(
            tournament,
            form.cleaned_data["plays"],
            timezone.now().astimezone(tournament.zone),
            get_language() or tournament.language,
        ),
        content_type=KINDS["xlsx"],
    )
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-results.xlsx"'
    return response


@capped_upload(MOST_RESULT_BYTES)
@signed_in_form
def results_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a file; preview; enter ticked plays."""
    tournament = get_tournament(request, slug, IMPORT_ROLE)
    if request.method != "POST":
        return _choose(request, tournament, ResultsForm())
    if is_limited(user_of(request), tournament):
        return _choose(
            request,
            tournament,
            ResultsForm(),
            [Line(fault_text(Fault("account_needed")))],
            status=UNPROCESSABLE,
        )
    if "plays" in request.POST:
        return _enter(request, tournament)
    form = ResultsForm(request.POST, request.FILES)
    with slot(_reading) as free:
        if not free:
            busy = [Line(refusal_text(Problem("busy")))]
            return _choose(request, tournament, ResultsForm(), busy, status=BUSY)
        if form.is_valid():
            return _preview(request, tournament, form.read)
    return _choose(request, tournament, form, status=UNPROCESSABLE)


def _preview(request: HttpRequest, tournament: Tournament, read: ResultsRead) -> HttpResponse:
    found = plan(tournament, read)
    several = len({each.stage for each in found.planned}) > 1
    ticks = list(numbered(found))
    entering = for_one_form(
        Entering(number, _label(each, several=several), each.action, each.arguments) for number, each in ticks
    )
    shown = ticks[: len(entering)]
    wrong = [
        *(("", one) for one in found.wrong),
        *((_label(each, several=several), one) for each in found.refused for one in each.wrong),
    ]
    return page(
        request,
        "imports/results/preview.html",
        tournament,
        section="events",
        filename=read.filename[:100],
        plan=found,
        corrected=[(number, each) for number, each in shown if each.change],
        new=[(number, each) for number, each in shown if not each.change],
        later=len(ticks) - len(shown),
        ignored=", ".join(found.ignored[:SHOWN_IGNORED]),
        ignored_more=max(0, len(found.ignored) - SHOWN_IGNORED),
        several=several,
        wrong=wrong[:SHOWN_WRONG],
        wrong_more=max(0, len(wrong) - SHOWN_WRONG),
        carried=carried(entering),
        upload=uuid4(),
        form=ResultsForm(),
    )


def _label(planned: Planned, *, several: bool) -> str:
    return f"{planned.stage}: {planned.label}" if several else planned.label


def _enter(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    upload = uuid_or_none(request.POST.get("upload", ""))
    try:
        plays = read_carried(request.POST["plays"])
    except ValueError:
        plays = []
    ticked = [each for each in plays if f"enter-{each.number}" in request.POST]
    code = "lost_on_the_way" if not plays or upload is None else "" if ticked else "nothing_ticked"
    if upload is None or code:
        return _choose(
            request, tournament, ResultsForm(), [Line(refusal_text(Problem(code)))], status=UNPROCESSABLE
        )
    reason = reason_of(request)
    if not reason and any(each.corrects for each in ticked):
        context = {"ticked": ticked, "carried": request.POST["plays"], "upload": upload}
        return _result(request, tournament, context, status=UNPROCESSABLE)
    backup.before("results from a file")
    names = Entry.objects.filter(tournament=tournament).names()
    done: list[dict[str, Any]] = []
    for each in ticked:
        attempt = attempt_call(lambda each=each: _call(request, tournament, each, upload, reason))  # type: ignore[misc]
        faults = tuple(dict.fromkeys(fault_text(fault, names) for fault in attempt.faults))
        done.append(
            {"label": each.label, "faults": faults, "play": each.arguments["play"], "corrects": each.corrects}
        )
    context = {
        "entered": [each for each in done if not each["faults"]],
        "refused": [each for each in done if each["faults"]],
    }
    return _result(request, tournament, context, status=UNPROCESSABLE if context["refused"] else OK)


def _call(
    request: HttpRequest, tournament: Tournament, each: Entering, upload: UUID, reason: str
) -> actions.Receipt:
    command = actions.Command(each.command(upload), user_of(request), device_of(request))
    why = {"reason": reason} if each.corrects else {}
    receipt: actions.Receipt = getattr(actions, each.action)(command, tournament.uid, **each.arguments, **why)
    return receipt


def _result(
    request: HttpRequest, tournament: Tournament, context: dict[str, object], *, status: int
) -> HttpResponse:
    reason_error = (
        "" if "ticked" not in context else _("Give a reason. Something already recorded will change.")
    )
    more = {"section": "events", "reason_error": reason_error, "form": ResultsForm()}
    return page(request, "imports/results/done.html", tournament, status=status, **more | context)


def _choose(
    request: HttpRequest,
    tournament: Tournament,
    form: ResultsForm,
    errors: Sequence[Line] = (),
    *,
    template: TemplateForm | None = None,
    status: int = OK,
) -> HttpResponse:
    return page(
        request,
        "imports/results/choose.html",
        tournament,
        status=status,
        section="events",
        form=form,
        errors=errors,
        template=template or TemplateForm(),
        earlier=may(user_of(request), "bring_in_results", tournament)
        and tournament.state != Tournament.State.RUNNING
        and not tournament.was_played(),
    )
