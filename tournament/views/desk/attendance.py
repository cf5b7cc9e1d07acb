"""Players removed, leaving, readmitted, after a preview."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from rulesets import ejects_after_warning
from tournament import actions
from tournament.models import Entry, Seat
from tournament.pages.desk.table import Scene
from tournament.queries.incidents import needs_warning, tallies, warned
from tournament.results import Fault, Typed, kind_of
from tournament.views import attempt_action, page, reason_of, scene_at, signed_in_desk, signed_in_page
from tournament.views.desk._page import confirm_page
from tournament.words.penalties import ejection_reasons

ACTIONS: Mapping[str, Callable[..., actions.Receipt]] = {
    "remove": actions.remove_player,
    "leave": actions.player_leaves,
    "readmit": actions.readmit_player,
}


@signed_in_page
def people(request: HttpRequest, table: UUID) -> HttpResponse:
    """List the table's players."""
    scene = scene_at(request, table)
    seats = Seat.objects.filter(table=scene.table).select_related("entry").order_by("position")
    found = tallies(scene.tournament)
    return page(
        request,
        "desk/attendance.html",
        scene.tournament,
        **scene.context(),
        seats=[
            {
                "entry": seat.entry,
                "state": seat.entry.state,
                "out": seat.entry.is_out,
                "tally": found.get(str(seat.entry.uid)),
            }
            for seat in seats
        ],
    )


@signed_in_desk
def player(request: HttpRequest, table: UUID, entry: UUID, what: str) -> HttpResponse:
    """Remove a player, note that they left, or readmit them."""
    scene = scene_at(request, table)
    seat = Seat.objects.filter(table=scene.table, entry__uid=entry).select_related("entry").first()
    if seat is None:
        raise Http404
    code = request.POST.get("code", request.GET.get("code", ""))
    more: dict[str, Any] = {} if what == "readmit" else {"reason": reason_of(request)}
    if what == "remove" and code:
        more["code"] = code
    asks = what == "remove" and "warned" not in request.POST and needs_warning(scene.tournament, entry)
    attempt = attempt_action(
        request,
        ACTIONS[what],
        scene.tournament.uid,
        typed=Typed({}, [Fault("not_warned", "/entry", {"player": str(entry)})] if asks else []),
        entry=entry,
        table=scene.table.uid,
        **more,
    )
    hidden, words = [("code", code)] if what == "remove" else [], _words(scene, seat.entry, what)
    return attempt.answer(scene.url, lambda: confirm_page(request, scene, attempt, hidden=hidden, **words))


def _words(scene: Scene, entry: Entry, what: str) -> dict[str, Any]:
    named = {"name": entry.shown_name}
    kind = kind_of(scene.stage.kind)
    session, heats = kind.rows == "games", kind.one_play
    if what == "readmit":
        return {
            "question": _("Let %(name)s back in?") % named,
            "follows": [_("They are back at every table of this event where they have a seat.")],
            "action": _("Let back in"),
        }
    everywhere = _(
        "This holds for the whole event and every table where they sit. Results of finished matches stay."
    )
    if what == "leave":
        match_line = _(
            "They are listed last, as having left, without a place. Their hand goes back to the draw pile."
        )
        session_line = _("Nothing is lost. Their games count as they were played.")
        return {
            "question": _("Has %(name)s left the event?") % named,
            "follows": [session_line if session else _through(match_line, heats=heats), everywhere],
            "action": _("Mark as left"),
            "reason_wanted": True,
            "reason_optional": True,
        }
    match_line = _(
        "They are listed last, as disqualified, without a place. Their hand goes back to the draw pile."
    )
    session_line = _("They stay on the list as disqualified, without a place.")
    reasons = ejection_reasons(scene.tournament.ruleset)
    return {
        "question": _("Remove %(name)s from the event?") % named,
        "follows": [
            *(
                [f"{entry.shown_name}: {warned(scene.tournament, [entry.uid])[str(entry.uid)]}"]
                if ejects_after_warning(scene.tournament.ruleset)
                else []
            ),
            session_line if session else _through(match_line, heats=heats),
            everywhere,
        ],
        "action": _("Remove"),
        "danger": True,
        "reason_wanted": True,
        "quick_reasons": bool(reasons),
        "reasons": reasons,
    }


def _through(line: str, *, heats: bool) -> str:
    return _("They do not go through to the next stage.") if heats else line
