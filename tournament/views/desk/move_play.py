"""A play at the wrong table: move, or void and re-enter."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament import actions
from tournament.actions.table.move_play import fits
from tournament.models import Play, Stage, Table
from tournament.pages.desk.play import Line, lines_of
from tournament.pages.desk.table import Scene
from tournament.permissions import may
from tournament.results import SHEET_KINDS, PlayFacts, Typed, stage_contests, uuid_or_none
from tournament.views import attempt_action, page, play_at, reason_of, signed_in_desk, user_of
from tournament.views.desk.plays import when_void
from tournament.views.entry._conflict import answer_at_table
from tournament.words.faults import table_text


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another table; `here`: how many of the play's players sit there."""

    table: Table
    here: int
    fits: bool

    @property
    def name(self) -> str:
        return table_text(self.table.stage, self.table.number)


@signed_in_desk
def elsewhere(request: HttpRequest, play: UUID) -> HttpResponse:
    """Move the play elsewhere; here it becomes void."""
    scene, row, current = play_at(request, play)
    if not scene.open or current.state in {Play.State.VOID, Play.State.RUNNING}:
        return HttpResponseRedirect(reverse("play", args=[row.uid]))
    tables = _tables(request, scene, current)
    fitting = [each for each in tables if each.fits]
    if not fitting:
        return _void_here(request, scene, current, tables)
    chosen = request.POST.get("to", str(fitting[0].table.uid) if len(fitting) == 1 else "")
    typed = Typed(request.POST.dict())
    # if none was chosen, an unknown uid, which the action refuses
    target = next((each.table.uid for each in fitting if str(each.table.uid) == chosen), uuid4())
    attempt = attempt_action(
        request,
        actions.move_play,
        scene.tournament.uid,
        typed=typed,
        play=current.uid,
        version=typed.sequence("version"),
        to=target,
        new=uuid_or_none(typed.text("new")) or uuid4(),
        reason=reason_of(request),
    )
    return answer_at_table(
        request,
        scene,
        attempt,
        lambda: page(
            request,
            "desk/elsewhere.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(scene.names),
            play=current,
            label=scene.label(current),
            fitting=fitting,
            lines=_entered_here(scene, current),
            chosen=chosen,
            reason=request.POST.get("reason", _("Wrong table")),
            version=request.POST.get("version", str(current.version)),
            new=request.POST.get("new") or uuid4(),
            command=request.POST.get("command") or uuid4(),
        ),
        reverse("table", args=[target]),
    )


def _void_here(
    request: HttpRequest, scene: Scene, current: PlayFacts, tables: list[Elsewhere]
) -> HttpResponse:
    """No table fits: void, and open the table to re-enter it."""
    typed = Typed(request.POST.dict())
    attempt = attempt_action(
        request,
        actions.void_play,
        scene.tournament.uid,
        typed=typed,
        play=current.uid,
        version=typed.sequence("version"),
        reason=request.POST.get("reason", ""),
    )
    to = next((each.table.uid for each in tables if str(each.table.uid) == request.POST.get("to")), None)
    return answer_at_table(
        request,
        scene,
        attempt,
        lambda: page(
            request,
            "desk/elsewhere.html",
            scene.tournament,
            status=attempt.status,
            **scene.context(),
            **attempt.context(scene.names),
            play=current,
            label=scene.label(current),
            lines=_entered_here(scene, current),
            follows=when_void(scene, current),
            others=tables,
            players=len(current.results),
            reason=_("Wrong table"),
            version=str(current.version),
            command=request.POST.get("command") or uuid4(),
        ),
        reverse("table", args=[to or scene.table.uid]),
    )


def _entered_here(scene: Scene, play: PlayFacts) -> list[Line]:
    return lines_of(play, scene.names, scene.ruleset, scene.points(play.uid), scored=scene.scored(play.uid))


def _tables(request: HttpRequest, scene: Scene, play: PlayFacts) -> list[Elsewhere]:
    """Other tables of this user: this stage's, and those of the same sheet with its players; best fit first."""
    running = Stage.objects.filter(
        tournament=scene.tournament,
        state=Stage.State.RUNNING,
        kind__in=[kind for kind in Stage.Kind if SHEET_KINDS[kind] == SHEET_KINDS[scene.stage.kind]],
    ).select_related("tournament")
    players = {row.entry for row in play.results}
    found = []
    for stage in running.order_by("number"):
        tables = {table.uid: table for table in Table.objects.filter(stage=stage).select_related("stage")}
        for contest in stage_contests(stage):
            for uid, number in contest.table_numbers.items():
                if uid == scene.table.uid or not may(user_of(request), "move_play", scene.tournament, uid):
                    continue
                here = sum(seat.table == number and seat.entry in players for seat in contest.seats)
                found.append(Elsewhere(tables[uid], here, fits(play, contest, tables[uid])))
    found = [each for each in found if each.here or each.table.stage_id == scene.stage.pk]
    return sorted(
        found, key=lambda each: (not each.fits, -each.here, each.table.stage.number, each.table.number)
    )
