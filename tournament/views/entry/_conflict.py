"""Conflicts: nothing is overwritten, a person chooses."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Play
from tournament.pages.components import ComparisonRow
from tournament.pages.desk.play import comparison
from tournament.pages.desk.standings_changes import following, in_play
from tournament.pages.desk.table import Scene
from tournament.results import Agreed, Conflict, PlayFacts, Settled, uuid_or_none
from tournament.views import Attempt, get_scene, page, see_other
from tournament.views._answer import CONFLICT
from tournament.words.formats import to_the_second


def conflict_page(
    request: HttpRequest,
    scene: Scene,
    conflict: Conflict,
    mine: Mapping[str, str] | None = None,
    settled: Settled | None = None,
) -> HttpResponse:
    """Both versions, differences first. `mine`: fields that correct the stored version, if possible; `settled`: the
    contest with them. Both choices carry the form's command, for a phone that holds it.

    Equal versions redirect to the table.
    """
    scene = get_scene(scene.table)  # current, with the other entry
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
        said = isinstance(conflict, Agreed) or not running
        return see_other(f"{scene.url}?same={current.play.uid}" if said else scene.url)
    hidden = {} if mine is None else dict(mine) | {"version": str(current.play.version)}
    return page(
        request,
        "desk/conflict.html",
        scene.tournament,
        status=CONFLICT,
        **scene.context(),
        conflict=replace(
            versions,
            rows=sorted(versions.rows, key=lambda row: not row.differs),
            points=_points(scene, current.play, settled),
        ),
        label=scene.label(current.play),
        by=current.by,
        current=current.play,
        correct=None if mine is None or running else reverse("play-correct", args=[current.play.uid]),
        hidden=[(name, value) for name, value in hidden.items() if name != "reason"],
        follows=following(scene, settled, current.play.uid) if settled else [],
        settles=uuid_or_none(request.POST.get("command", "")) or "",
        command=uuid4(),
    )


def answer_at_table(
    request: HttpRequest,
    scene: Scene,
    attempt: Attempt,
    again: Callable[[], HttpResponse],
    url: str = "",
    **more: str,
) -> HttpResponse:
    """As `Attempt.answer` (default: the table's page), or the conflict."""
    if attempt.conflict:
        return conflict_page(request, scene, attempt.conflict)
    return attempt.answer(url or scene.url, again, **more)


def _points(scene: Scene, play: PlayFacts, settled: Settled | None) -> list[ComparisonRow]:
    rows = in_play(scene, play.uid, settled) if settled else []
    return [ComparisonRow(what=name, yours=yours, theirs=theirs) for name, theirs, yours in rows]


def _who_and_when(by: str, at: datetime | None) -> str:
    return _("%(who)s, %(time)s") % {"who": by, "time": to_the_second(at)} if at else by
