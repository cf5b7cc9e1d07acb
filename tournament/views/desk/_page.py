"""Shared parts of table pages: receipt, put-back, confirmation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from tournament.actions import Receipt
from tournament.ledger.undoing import UNDO
from tournament.models import LedgerRow, Play, Proposal, Table
from tournament.pages.desk.standings_changes import way_back
from tournament.pages.desk.table import Scene, entered
from tournament.permissions import may
from tournament.queries.incidents import waits
from tournament.queries.stage_rules import target_open
from tournament.results import PlayFacts, uuid_or_none
from tournament.views import Attempt, get_table, page, row_of, saved, see_other, user_of
from tournament.views.desk.at_table import warnings
from tournament.words.seating import saved_text
from tournament.words.text import inside

# ---- From the admin to the desk, and back ----

COOKIE = f"{settings.COOKIE_PREFIX}from_admin"
SALT = "tournament.from_admin"
LONGEST_ADMIN_PATH = 500  # characters
WAYS = {"correct": "play-correct", "void": "play-void"}


@require_safe
def enter(request: HttpRequest, table: UUID) -> HttpResponse:
    """Open the table, or with `do` (WAYS) its `play`; `back` leads to the admin until the desk is opened."""
    row = get_table(request, table)
    at, to = row.uid, reverse("table", args=[row.uid])
    if way := WAYS.get(request.GET.get("do", "")):
        played = get_object_or_404(Play, table=row, uid=uuid_or_none(request.GET.get("play", "")))
        at, to = played.uid, reverse(way, args=[played.uid])
    response = HttpResponseRedirect(to)
    back = request.GET.get("back", "")
    if len(back) <= LONGEST_ADMIN_PATH and back.startswith(reverse("admin:index")):
        response.set_cookie(
            COOKIE,
            signing.dumps([str(at), back], salt=SALT),
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


def admin_url(request: HttpRequest, table: UUID) -> str:
    """The admin page that led to this table or play, or ""."""
    try:
        at, back = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
    except signing.BadSignature:
        return ""
    return str(back) if at == str(table) else ""


def after_correction(request: HttpRequest, scene: Scene, receipt: Receipt, play: UUID) -> HttpResponse:
    """The table's page after a correction, or the admin's page that led to it."""
    if back := admin_url(request, play):
        row = LedgerRow.objects.get(tournament=scene.tournament, sequence=receipt.sequence)
        messages.success(request, f"{scene.label(scene.play(play))}: {saved_text(row)}")
        return forget(request, see_other(back))
    return saved(scene.url, receipt, corrected=str(play))


def forget(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Delete the cookie of the way back."""
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


CORRECTING = frozenset({"correct_round", "correct_heat", "correct_game", "void_play", "revert_play"})
# Receipts of rows that wrote several plays.
SEVERAL: dict[str, str | Promise] = {
    "accept_plays": gettext_lazy("%(what)s: confirmed"),
    "leave_out_plays": gettext_lazy("%(what)s: left out"),
    UNDO: gettext_lazy("%(what)s: as before"),
}


@dataclass(frozen=True, slots=True)
class PutBack:
    """One-tap undo: address, label, fields."""

    url: str
    words: str
    fields: Mapping[str, object] = field(default_factory=dict)
    command: UUID = field(default_factory=uuid4)


def receipt_context(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Context of the last entry: `at`, `saved_label`, `correct` (its play), `put_back`; `same`: the play that `same_by`
    entered alike; `kept_theirs`: of two versions. Also `entering_now` (warnings), and counts: `proposals`,
    `provisional`, `contested`."""
    same, kept = (uuid_or_none(request.GET.get(name, "")) for name in ("same", "kept"))
    row = row_of(request, scene.tournament)
    written = [play for play in scene.plays if row and str(play.uid) in row.payload.get("play", {})]
    corrected = uuid_or_none(request.GET.get("corrected", ""))
    stored = next((play for play in written if play.uid == corrected), written[0] if written else None)
    same_play = next((play for play in scene.plays if play.uid == same), None)
    writer = entered(scene, same_play) if same_play else None
    label = scene.label(stored) if stored and row else ""
    if stored and row and row.action in SEVERAL:
        label = str(SEVERAL[row.action]) % {"what": scene.labels(written)}
    elif label and stored and stored.state == Play.State.SET_ASIDE:
        label = _("%(what)s is on hold") % {"what": label}
    stands = stored and stored.state not in {Play.State.RUNNING, Play.State.SET_ASIDE}
    return {
        "at": row and row.at,
        "undo_url": "",  # an organiser's page
        "admin_url": admin_url(request, scene.table.uid),
        "board_url": reverse("organise-board", args=[scene.tournament.slug])
        if may(user_of(request), "plan_stage", scene.tournament)
        else "",
        "correct": stored.uid if stored and stands and row and row.action not in SEVERAL else None,
        "saved_label": label,
        "same": scene.label(same_play) if same_play else "",
        "same_by": writer["by"] if writer else "",
        "kept_theirs": next((scene.label(play) for play in scene.plays if play.uid == kept), ""),
        "put_back": put_back(scene, row, stored),
        "proposals": Proposal.objects.filter(table=scene.table, state=Proposal.State.WAITING).count()
        if scene.open
        else 0,
        # None once the target is chosen
        "chooses_target": may(user_of(request), "choose_target", scene.tournament)
        if target_open(scene.stage)
        else None,
        "provisional": sum(
            waits(play) and play.second_look == Play.SecondLook.WANTED for play in scene.plays
        ),
        "contested": sum(
            waits(play) and play.second_look == Play.SecondLook.CONTESTED for play in scene.plays
        ),
        "entering_now": warnings(request, scene.table),
    }


def undo_of_several(table: Table, row: LedgerRow) -> PutBack | None:
    """Undo of a decision for several plays, else None."""
    url = reverse("table-undo", args=[table.uid, row.sequence])
    return PutBack(url, _("Undo")) if row.action in SEVERAL and row.action != UNDO else None


def put_back(scene: Scene, row: LedgerRow | None, play: PlayFacts | None) -> PutBack | None:
    """Undo of what this user just decided, while it stands."""
    if not scene.open or not row or not play or row.sequence != play.version:
        return None
    if row.action in SEVERAL:
        return undo_of_several(scene.table, row)
    back = way_back(scene, play, row.replaces or 0) if row.action in CORRECTING else None
    if back is None or back.refused:
        return None
    words = (
        _("Undo the correction of %(what)s") % {"what": inside(scene.label(play))}
        if row.action.startswith("correct_")
        else f"{scene.label(play)}: {back.words}"
    )
    return PutBack(
        reverse("play-revert", args=[play.uid]),
        words,
        {"version": play.version, "to": back.to},
        back.command,
    )


def not_done_page(request: HttpRequest, scene: Scene, attempt: Attempt) -> HttpResponse:
    """Page that says why nothing was done."""
    return page(
        request,
        "desk/not_done.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **attempt.context(scene.names),
    )


def confirm_page(request: HttpRequest, scene: Scene, attempt: Attempt, **said: Any) -> HttpResponse:
    """Ask for confirmation by desk/confirm.html."""
    return page(
        request,
        "desk/confirm.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **attempt.context(scene.names),
        command=request.POST.get("command") or uuid4(),
        unwarned=next(
            (each.parameters["player"] for each in attempt.faults if each.code == "not_warned"), ""
        ),
        **{"cancel": scene.url, "reason": request.POST.get("reason", "")} | said,
    )
