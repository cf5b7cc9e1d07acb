"""The referee's queue: proposals and plays."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament import actions
from tournament.forms.plays import PLAY_FORMS, PlayForm
from tournament.models import Proposal
from tournament.pages.desk.table import (
    Proposed,
    Scene,
    is_taken,
    looked_at,
    proposed_at,
    stacks_of,
    waiting_tables,
)
from tournament.results import Refused, uuid_or_none
from tournament.views import (
    Attempt,
    Sent,
    attempt_action,
    get_scene,
    play_at,
    plays_of,
    reason_of,
    row_of,
    saved,
    scene_at,
    signed_in_desk,
    signed_in_page,
    site_page,
    user_of,
)
from tournament.views.desk._page import confirm_page, undo_of_several
from tournament.views.desk.my_tables import tables_of
from tournament.views.entry.rounds import conflict_page


def form_of(scene: Scene, proposal: Proposal) -> PlayForm:
    """The referee's form with the players' fields."""
    return PLAY_FORMS[scene.stage.kind](
        scene, None, {**proposal.fields, "play": str(proposal.play), "number": str(proposal.number)}
    )


def proposed(scene: Scene, proposal: Proposal) -> Proposed:
    """The proposed result, without a query."""
    if is_taken(scene, proposal):
        return proposed_at(scene, proposal, None)
    form = form_of(scene, proposal)
    entry = form.entry
    if form.typed.faults:
        return proposed_at(scene, proposal, None, form.typed.faults)
    try:
        return proposed_at(scene, proposal, form.settled(entry, scene.contest))
    except Refused as refused:
        return proposed_at(scene, proposal, None, refused.faults)


@signed_in_page
def queue(request: HttpRequest) -> HttpResponse:
    """Waiting results of my tables, or of `?table=`."""
    return _queue(request, None, Attempt())


@signed_in_desk
def accept_proposal(request: HttpRequest, proposal: UUID) -> HttpResponse:
    """Enter a proposal."""
    row, scene = _proposal(request, proposal)
    if request.method != "POST":
        return HttpResponseRedirect(reverse("desk-accept"))
    form = form_of(scene, row)
    attempt = Sent.by(request).attempt(
        actions.accept_proposal,
        scene.tournament.uid,
        typed=form.typed,
        proposal=row.uid,
        result=form.entry.arguments(),
    )
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict, dict(row.fields))
    return _answer(request, scene, attempt)


@signed_in_desk
def decline_proposal(request: HttpRequest, proposal: UUID) -> HttpResponse:
    """Decline a proposal, with a reason."""
    row, scene = _proposal(request, proposal)
    attempt = attempt_action(
        request, actions.decline_proposal, scene.tournament.uid, proposal=row.uid, reason=reason_of(request)
    )
    if attempt.receipt:
        return _answer(request, scene, attempt)
    return confirm_page(
        request,
        scene,
        attempt,
        question=_("Decline the players’ proposal for %(what)s?") % {"what": proposed(scene, row).label},
        follows=[_("Nothing is entered. The players read your reason and can propose it again.")],
        action=_("Decline"),
        cancel=reverse("desk-accept"),
        reason_wanted=True,
    )


@signed_in_desk
def look(request: HttpRequest, play: UUID, *, contest: bool = False) -> HttpResponse:
    """Accept another person's play, or contest it."""
    scene, row, _current = play_at(request, play)
    if request.method != "POST":
        return HttpResponseRedirect(reverse("play", args=[row.uid]))
    typed = Sent.by(request).typed()
    attempt = attempt_action(
        request,
        actions.contest_play if contest else actions.accept_play,
        scene.tournament.uid,
        typed=typed,
        play=row.uid,
        version=typed.sequence("version"),
    )
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict)
    return _answer(request, scene, attempt)


@signed_in_desk
def ask(request: HttpRequest, play: UUID) -> HttpResponse:
    """Ask for a second look (organisers only)."""
    scene, row, _current = play_at(request, play)
    attempt = attempt_action(request, actions.ask_second_look_at, scene.tournament.uid, play=row.uid)
    return attempt.answer_button(
        request, reverse("play", args=[row.uid]), lambda: _queue(request, scene, attempt)
    )


@signed_in_desk
def accept_all(request: HttpRequest, table: UUID) -> HttpResponse:
    """Accept the form's plays, and return."""
    scene = scene_at(request, table)
    attempt = attempt_action(
        request, actions.accept_plays, scene.tournament.uid, table=scene.table.uid, plays=plays_of(request)
    )
    pages = {
        "board": reverse("organise-board", args=[scene.tournament.slug]),
        "stage": reverse("organise-stage", args=[scene.stage.uid]),
    }
    if attempt.receipt and (leads_to := pages.get(request.POST.get("back", ""))):
        return saved(leads_to, attempt.receipt)
    if request.method != "POST":
        return HttpResponseRedirect(reverse("desk-accept"))
    return _answer(request, scene, attempt)


def _proposal(request: HttpRequest, uid: UUID) -> tuple[Proposal, Scene]:
    row = get_object_or_404(Proposal.objects.select_related("table"), uid=uid)
    return row, scene_at(request, row.table.uid)


def _answer(request: HttpRequest, scene: Scene, attempt: Attempt) -> HttpResponse:
    return attempt.answer(
        reverse("desk-accept"), lambda: _queue(request, scene, attempt), at=str(scene.table.uid)
    )


def _queue(request: HttpRequest, scene: Scene | None, attempt: Attempt) -> HttpResponse:
    user = user_of(request)
    only = uuid_or_none(request.GET.get("table", ""))
    tables = list(tables_of(user).select_related("stage__tournament").order_by("stage__number", "number"))
    waiting = waiting_tables(tables)
    here = [table for table in tables if table.pk in waiting and only in {None, table.uid}]
    scenes = {table.pk: get_scene(table) for table in here}
    proposals = Proposal.objects.filter(table__in=here, state=Proposal.State.WAITING).order_by("at", "pk")
    # names the receipt's table
    last = uuid_or_none(request.GET.get("at", ""))
    at = next((table for table in tables if table.uid == last), None)
    row = row_of(request, at.stage.tournament) if at else None
    return site_page(
        request,
        "desk/accept.html",
        status=attempt.status,
        section="desk",
        several=len({table.stage.tournament_id for table in here}) > 1,
        proposed=[proposed(scenes[row.table_id], row) for row in proposals],
        stacks=stacks_of(looked_at(list(scenes.values()), user)),
        zone=at.stage.tournament.time_zone if at else None,
        at=row and row.at,
        put_back=undo_of_several(at, row) if at and row else None,
        new_command=uuid4,
        **attempt.context(scene.names if scene else None),
    )
