"""What happens beside the cards at a table: tap what happened, whom it was, and save; the list of what was kept."""

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import ejects_after_warning
from tournament import actions
from tournament.models import Incident, Membership, Play, Seat, Stage
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.queries.incidents import lines_of, tallies
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_scene, get_table, refuse_below, signed_in, user_of
from tournament.views._answer import Attempt, attempt_action, page, reason_of, receipt_of, saved, see_other
from tournament.views.desk._incident_form import IncidentForm, choices_of

Kind = Incident.Kind


@signed_in
@require_safe
def incidents(request: HttpRequest, table: UUID) -> HttpResponse:
    """What can have happened, the most usual first, and what was kept at this table."""
    scene = get_scene(get_table(request, table))
    if scene.stage.state == Stage.State.PLANNED:
        return HttpResponseRedirect(scene.url)
    lines = lines_of(scene.tournament, Incident.objects.filter(table=scene.table))
    at = receipt_of(request, scene.tournament)
    context = {
        **scene.context(),
        "choices": choices_of(scene.tournament.ruleset),
        "lines": lines,
        "earlier": lines[1:] if at else lines,  # the one just saved stands on top
        "at": at,
        "warned": _warned(request, scene),
    }
    return page(request, "desk/incidents.html", context, scene.tournament)


@signed_in
@require_http_methods(["GET", "POST"])
def incident(request: HttpRequest, table: UUID, what: str) -> HttpResponse:
    """One of them: what the sheet says, whom it was, and save. An ejection goes on to where it is entered."""
    scene = get_scene(get_table(request, table))
    data = request.POST.dict() if request.method == "POST" else {}
    form = IncidentForm.of(scene, what, data)
    if scene.stage.state == Stage.State.PLANNED:
        return HttpResponseRedirect(scene.url)
    if form is None:
        raise Http404
    if form.kind == Kind.EJECTION and (entry := uuid_or_none(request.GET.get("entry", ""))):
        return _to_ejection(scene, entry, form.code)
    attempt = Attempt()
    if request.method == "POST" and form.kind != Kind.EJECTION:
        attempt = form.attempt(request)
        if attempt.receipt:
            told = {"warned": data.get("entry", "")} if form.kind == Kind.WARNING else {}
            return saved(reverse("table-incidents", args=[scene.table.uid]), attempt.receipt, **told)
    context = {
        **scene.context(),
        **errors_context(attempt.faults, scene.names),
        "form": form,
        "players": _players(scene),
        "ejects": ejects_after_warning(scene.tournament.ruleset),
        "ask_oldest": any(fault.code == "missing_oldest" for fault in attempt.faults) or "oldest_yes" in data,
        "data": data,
        "incident": uuid_or_none(data.get("incident", "")) or uuid4(),
        "command": data.get("command") or uuid4(),
    }
    return page(request, "desk/incident.html", context, scene.tournament, status=attempt.status)


@signed_in
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, incident: UUID) -> HttpResponse:
    """Take an incident back with one tap."""
    row = Incident.objects.select_related("tournament", "table").filter(uid=incident).first()
    if row is None:
        raise Http404
    if row.table is None:
        refuse_below(user_of(request), row.tournament, Membership.Role.HEAD_REFEREE)
        url = reverse("rulings", args=[row.tournament.slug])
    else:
        get_table(request, row.table.uid)
        url = reverse("table-incidents", args=[row.table.uid])
    if request.method == "GET":
        return HttpResponseRedirect(url)
    attempt = attempt_action(
        request,
        actions.withdraw_incident,
        row.tournament.uid,
        incident=row.uid,
        reason=reason_of(request),
    )
    if attempt.receipt:
        return saved(url, attempt.receipt)
    return see_other(url)  # withdrawn by somebody else, or an ejection, which shows no such button


def _players(scene: Scene) -> list[dict[str, Any]]:
    """Who sits here, in the order of the seats, with what each has already."""
    seats = Seat.objects.filter(table=scene.table).select_related("entry").order_by("position")
    found = tallies(scene.tournament, [seat.entry.uid for seat in seats])
    return [
        {"uid": str(seat.entry.uid), "name": seat.entry.public_name, "tally": found.get(str(seat.entry.uid))}
        for seat in seats
    ]


def _warned(request: HttpRequest, scene: Scene) -> dict[str, Any] | None:
    """Who was warned on the page before, where the sheet ejects after a warning; and what they have by now."""
    entry = uuid_or_none(request.GET.get("warned", ""))
    if entry is None or not ejects_after_warning(scene.tournament.ruleset):
        return None
    tally = tallies(scene.tournament, [entry]).get(str(entry))
    name = scene.names.get(str(entry))
    return {"name": name, "again": tally.warnings > 1, "uid": entry} if tally and name else None


def _to_ejection(scene: Scene, entry: UUID, code: str) -> HttpResponse:
    """Where the ejection is entered: in the running game, else a removal from the event. Each says what follows."""
    running = scene.running
    result = running.result_of(entry) if running else None
    if running and result and result.outcome == "playing" and running.state == Play.State.RUNNING:
        return HttpResponseRedirect(f"{reverse('play-eject', args=[running.uid])}?entry={entry}&code={code}")
    return HttpResponseRedirect(f"{reverse('player-remove', args=[scene.table.uid, entry])}?code={code}")
