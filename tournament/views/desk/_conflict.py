"""Two versions of one play: nothing is overwritten, a person chooses."""

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.faults import Agreed, Conflict
from tournament.models import Play
from tournament.views._answer import CONFLICT, SEE_OTHER, page
from tournament.views.desk._describe import comparison
from tournament.views.desk._scene import Scene, scene_of


def conflict_page(
    request: HttpRequest, scene: Scene, conflict: Conflict, mine: Mapping[str, str] | None = None
) -> HttpResponse:
    """Both versions side by side, with who and when. `mine` are the fields that enter the offered version as a
    correction of the stored one; None where only keeping the stored one makes sense.

    Where both say the same, there is nothing to choose: the table's page shows it, and that it was there before.
    """
    scene = scene_of(scene.table)  # as it is now, with what the other one entered
    zone = scene.tournament.zone
    current = conflict.current
    versions = comparison(
        conflict.offered.play,
        current.play,
        scene,
        yours_by=_("you, not saved"),
        theirs_by=_who_and_when(current.by, current.at.astimezone(zone) if current.at else None),
    )
    running = current.play.state == Play.State.RUNNING
    if isinstance(conflict, Agreed) or not any(row.differs for row in versions.rows):
        answer = HttpResponseRedirect(scene.url if running else f"{scene.url}?same={current.play.uid}")
        answer.status_code = SEE_OTHER
        return answer
    hidden = {} if mine is None else dict(mine) | {"version": str(current.play.version)}
    context = {
        **scene.context(),
        "conflict": versions,
        "label": scene.label(current.play),
        "by": current.by,
        "current": current.play,
        "correct": None if mine is None or running else reverse("play-correct", args=[current.play.uid]),
        "hidden": [(name, value) for name, value in hidden.items() if name != "reason"],
        "command": uuid4(),
    }
    return page(request, "desk/conflict.html", context, scene.tournament, status=CONFLICT)


def _who_and_when(by: str, at: datetime | None) -> str:
    return f"{by}, {at:%H:%M:%S}" if at else by
