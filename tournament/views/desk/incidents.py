"""What happens beside the cards: at a table tap what happened, whom it was, and save, with the list of what was kept;
and for the whole event what its referees noted and ruled, so that every table judges alike, with a search."""

from typing import Any
from uuid import UUID, uuid4

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import ejects_after_warning, penalties_of
from tournament import actions
from tournament.models import Incident, Membership, Play, Seat, Stage, Tournament
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.permissions import RANK, rank
from tournament.queries.incidents import Line, lines_of, tallies
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_refereed, get_scene, get_table, refuse_below, signed_in, user_of
from tournament.views._answer import Attempt, attempt_action, page, reason_of, receipt_of, saved, see_other
from tournament.views.desk._incident_form import IncidentForm, choices_of
from tournament.words.penalties import penalty_texts
from tournament.words.text import as_read, clean

Kind = Incident.Kind
ROWS = 50  # a page
MOST_SEARCHED = 60  # characters


@signed_in
@require_safe
def incidents(request: HttpRequest, table: UUID) -> HttpResponse:
    """What can have happened, the most usual first, and what was kept at this table."""
    scene = get_scene(get_table(request, table))
    if scene.stage.state == Stage.State.PLANNED:
        return HttpResponseRedirect(scene.url)
    lines = lines_of(scene.tournament, Incident.objects.filter(table=scene.table))
    at = receipt_of(request, scene.tournament)
    return page(
        request,
        "desk/incidents.html",
        scene.tournament,
        **scene.context(),
        choices=choices_of(scene.tournament.ruleset),
        lines=lines,
        earlier=lines[1:] if at else lines,  # the one just saved stands on top
        at=at,
        warned=_warned(request, scene),
    )


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
    return page(
        request,
        "desk/incident.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **errors_context(attempt.faults, scene.names),
        form=form,
        players=_players(scene),
        ejects=ejects_after_warning(scene.tournament.ruleset),
        ask_oldest=any(fault.code == "missing_oldest" for fault in attempt.faults) or "oldest_yes" in data,
        data=data,
        incident=uuid_or_none(data.get("incident", "")) or uuid4(),
        command=data.get("command") or uuid4(),
    )


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


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that was noted at the event and not withdrawn; a head referee rules for the whole event here."""
    tournament = get_refereed(request, slug)
    attempt = Attempt()
    data = request.POST.dict() if request.method == "POST" else {}
    if request.method == "POST":
        attempt = attempt_action(
            request,
            actions.record_ruling,
            tournament.uid,
            incident=uuid_or_none(data.get("incident", "")) or uuid4(),
            text=clean(data.get("text", "")),
            ruling=clean(data.get("ruling", "")),
            code=clean(data.get("code", "")),
        )
        if attempt.receipt:
            return saved(reverse("rulings", args=[slug]), attempt.receipt)
    q = clean(request.GET.get("q", ""))[:MOST_SEARCHED]
    shown = Paginator(_found(tournament, q), ROWS).get_page(request.GET.get("page"))
    return page(
        request,
        "desk/rulings.html",
        tournament,
        status=attempt.status,
        **attempt.context(),
        section="desk",
        q=q,
        query=f"&{urlencode({'q': q})}" if q else "",
        shown=shown,
        lines=list(shown),
        count=shown.paginator.count,
        at=receipt_of(request, tournament),
        rules=rank(user_of(request), tournament) >= RANK[Membership.Role.HEAD_REFEREE],
        sheet=_sheet(tournament),
        data=data,
        kept=Incident.objects.filter(tournament=tournament, table=None).count(),
        incident=uuid_or_none(data.get("incident", "")) or uuid4(),
        command=data.get("command") or uuid4(),
    )


def _found(tournament: Tournament, searched: str) -> list[Line]:
    """The incidents in which every searched word stands somewhere."""
    words = as_read(searched).split()
    lines = lines_of(tournament, Incident.objects.filter(withdrawn=False))
    return [line for line in lines if all(line.says(word) for word in words)]


def _sheet(tournament: Tournament) -> list[tuple[str, Any]]:
    ruleset = tournament.ruleset
    return [(row.code, penalty_texts(ruleset, row.code)[0]) for row in penalties_of(ruleset)]
