"""One play with all its versions, making it void, and everything that happened at a table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.facts import PlayFacts
from tournament.forms.reading import Typed
from tournament.models import LedgerRow, Play
from tournament.undoing import UNDO
from tournament.views._access import get_play, get_table, signed_in
from tournament.views._answer import OK, attempt_action, errors_context, page, reason_of, saved
from tournament.views.desk._conflict import conflict_page
from tournament.views.desk._describe import Line, did_text, lines_of, notes_of
from tournament.views.desk._scene import Scene, scene_of

MOST_ROWS = 300  # of a table's history on one page


@dataclass(frozen=True, slots=True)
class Event:
    """One accepted command: when, who, what, and why."""

    sequence: int
    at: datetime
    by: str
    what: str
    about: str
    reason: str
    lines: list[Line]
    notes: list[tuple[str, str]]
    state: str


@signed_in
@require_safe
def play(request: HttpRequest, play: UUID) -> HttpResponse:
    """One game, round or heat: what stands now, and every version before it."""
    row = get_play(request, play)
    scene = scene_of(get_table(request, row.table.uid))
    current = next(each for each in scene.plays if each.uid == row.uid)
    context = {
        **scene.context(),
        "play": current,
        "label": scene.label(current),
        "lines": lines_of(
            current,
            scene.names,
            scene.ruleset,
            scene.points(current.uid),
            scored=scene.scored(current.uid),
        ),
        "notes": notes_of(current, scene.names),
        "events": _events(scene, [current.uid], in_full=True),
        "correctable": scene.open and current.state != Play.State.RUNNING,
        "voidable": scene.open and current.state != Play.State.VOID,
    }
    return page(request, "desk/play.html", context, scene.tournament)


@signed_in
@require_safe
def history(request: HttpRequest, table: UUID) -> HttpResponse:
    """Everything entered at this table, the newest first."""
    scene = scene_of(get_table(request, table))
    context = {
        **scene.context(),
        "plays": [(play, scene.label(play)) for play in scene.plays],
        "events": _events(scene, [play.uid for play in scene.plays], in_full=False),
    }
    return page(request, "desk/history.html", context, scene.tournament)


@signed_in
@require_http_methods(["GET", "POST"])
def void(request: HttpRequest, play: UUID) -> HttpResponse:
    """Make a play void, with a reason; it stays readable and counts for nobody."""
    row = get_play(request, play)
    scene = scene_of(get_table(request, row.table.uid))
    current = next(each for each in scene.plays if each.uid == row.uid)
    errors: dict[str, Any] = {}
    status = OK
    reason = reason_of(request)
    if request.method == "POST":
        typed = Typed(request.POST.dict())
        attempt = attempt_action(
            request,
            actions.void_play,
            scene.tournament.uid,
            typed=typed,
            play=current.uid,
            version=typed.whole("version", "/version", most=10**9 - 1) or 0,
            reason=reason,
        )
        if attempt.receipt:
            return saved(scene.url, attempt.receipt)
        if attempt.conflict:
            return conflict_page(request, scene, attempt.conflict)
        errors, status = errors_context(attempt.faults, scene.names), attempt.status
    label = scene.label(current)
    follows = [_("It stays readable and counts for nobody. Correcting it makes it count again.")]
    if scene.contest.kind == "session":
        follows.append(_("An ejection in it stands."))
    context = {
        **scene.context(),
        **errors,
        "question": _("Make %(what)s void?") % {"what": label},
        "follows": follows,
        "action": _("Make it void"),
        "danger": True,
        "cancel": scene.url,
        "reason_wanted": True,
        "reason": reason,
        "hidden": [("version", str(request.POST.get("version", current.version)))],
        "command": request.POST.get("command") or uuid4(),
    }
    return page(request, "desk/confirm.html", context, scene.tournament, status=status)


def _events(scene: Scene, plays: list[UUID], *, in_full: bool) -> list[Event]:
    """The ledger's rows that wrote one of these plays, the newest first."""
    if not plays:
        return []
    wanted = [str(uid) for uid in plays]
    rows = (
        LedgerRow.objects.filter(tournament=scene.tournament, payload__play__has_any_keys=wanted)
        .select_related("actor", "note")
        .order_by("-sequence")[:MOST_ROWS]
    )
    undone = _undone(scene, rows)
    return [_event(scene, row, wanted, undone, in_full=in_full) for row in rows]


def _undone(scene: Scene, rows: Iterable[LedgerRow]) -> dict[int, tuple[str, int | None]]:
    """What the undos among these rows took back, and what that took back in turn: the action and what it replaces, by
    sequence."""
    if not any(row.action == UNDO for row in rows):
        return {}
    ledger = LedgerRow.objects.filter(tournament=scene.tournament)
    undos = ledger.filter(action=UNDO).order_by()
    found = ledger.filter(sequence__in=undos.values("replaces")).values_list("sequence", "action", "replaces")
    return {sequence: (action, replaces) for sequence, action, replaces in found}


def _event(
    scene: Scene,
    row: LedgerRow,
    wanted: list[str],
    undone: Mapping[int, tuple[str, int | None]],
    *,
    in_full: bool,
) -> Event:
    written = [PlayFacts.from_json(uid, facts) for uid, facts in row.payload["play"].items() if uid in wanted]
    first = written[0]
    note = getattr(row, "note", None)
    return Event(
        sequence=row.sequence,
        at=row.at,
        by=row.actor.display_name(),
        what=did_text(row.action, row.replaces, undone),
        about=", ".join(scene.label(play) for play in written),
        reason=note.text if note else "",
        lines=lines_of(first, scene.names, scene.ruleset) if in_full else [],
        notes=notes_of(first, scene.names) if in_full else [],
        state=first.state,
    )
