"""Parts that the pages of all kinds of tables share: the receipt, the list of plays, the standings, the question before
a step that is official."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse

from tournament.models import Play, Proposal, Table
from tournament.pages.desk.past_versions import Back, way_back
from tournament.pages.desk.plays import entered
from tournament.pages.desk.table import Scene
from tournament.queries.second_look import waits
from tournament.results.facts import PlayFacts
from tournament.results.typed import uuid_or_none
from tournament.views._answer import Attempt, page, plays_just_written, receipt_of, row_of
from tournament.views.desk.typing import warnings

Look = Play.SecondLook

CORRECTING = frozenset({"correct_round", "correct_heat", "correct_game", "void_play", "revert_play"})


@dataclass(frozen=True, slots=True)
class PutBack:
    """The one tap that takes a correction back: the play, its label, and the way back to the version before."""

    play: PlayFacts
    label: str
    back: Back


def receipt_context(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """`at`: when the server stored the last entry, and `correct`: its play, which can be corrected, called
    `saved_label`; `same`: the play that somebody else, `same_by`, had entered alike; `kept_theirs`: both differed and
    theirs stays; `put_back`: the tap that takes this user's correction back; `entering_now`: who else is entering
    something here; `proposals`, `provisional` and `contested`: how many results wait for a referee, a second person, a
    correction."""
    same, kept = (uuid_or_none(request.GET.get(name, "")) for name in ("same", "kept"))
    written = plays_just_written(request, scene.tournament)
    saved = next(
        (play for play in scene.plays if play.uid in written and play.state != Play.State.RUNNING), None
    )
    return {
        "at": receipt_of(request, scene.tournament),
        "correct": saved and saved.uid,
        "saved_label": scene.label(saved) if saved else "",
        "same": next((scene.label(play) for play in scene.plays if play.uid == same), ""),
        "same_by": _writer_of(scene, same),
        "kept_theirs": next((scene.label(play) for play in scene.plays if play.uid == kept), ""),
        "put_back": _put_back(request, scene),
        "proposals": _proposals(scene.table) if scene.open else 0,
        "provisional": sum(waits(play) and play.second_look == Look.WANTED for play in scene.plays),
        "contested": sum(waits(play) and play.second_look == Look.CONTESTED for play in scene.plays),
        "entering_now": warnings(request, scene.table),
    }


def _writer_of(scene: Scene, uid: UUID | None) -> str:
    """The name of the person who entered that play, or corrected it last; "" if there is none."""
    play = next((play for play in scene.plays if play.uid == uid), None)
    found = entered(scene, play) if play else None
    return found["by"] if found else ""


def _proposals(table: Table) -> int:
    """The number of results that the players here propose."""
    return Proposal.objects.filter(table=table, state=Proposal.State.WAITING).count()


def _put_back(request: HttpRequest, scene: Scene) -> PutBack | None:
    """The tap that takes back what this user just corrected or voided, while it stands."""
    corrected = uuid_or_none(request.GET.get("corrected", ""))
    play = next((play for play in scene.plays if play.uid == corrected), None)
    row = row_of(request, scene.tournament) if play and scene.open else None
    if not play or not row or row.action not in CORRECTING or row.sequence != play.version:
        return None
    back = way_back(scene, play, row.replaces or 0)
    return PutBack(play, scene.label(play), back) if back and not back.refused else None


def confirm_page(request: HttpRequest, scene: Scene, attempt: Attempt, **said: Any) -> HttpResponse:
    """Ask for confirmation, with the faults of the attempt. `said` holds the `question`, what `follows`, the word of
    the `action`, and whatever else desk/confirm.html shows."""
    return page(
        request,
        "desk/confirm.html",
        scene.tournament,
        status=attempt.status,
        **scene.context(),
        **attempt.context(scene.names),
        command=request.POST.get("command") or uuid4(),
        **{"cancel": scene.url, "reason": request.POST.get("reason", "")} | said,
    )
