"""Entering a whole play: a round, a heat, a game from paper; new ones and corrections alike.

A form is looked at before it is saved: `step=look` shows what the standings become and stores nothing, `step=save`
stores, `step=edit` goes back to the form with everything still in it. With script a new play is looked at on its own
page: `step=preview` answers with that part alone, and the next tap stores. A refused form comes back the same way,
each error at its field. When somebody else entered the play in the meantime, both versions stand side by side.
"""

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse

from tournament.models import Play
from tournament.results.faults import Conflict, Fault, Refused
from tournament.results.settle import Settled
from tournament.views._access import get_scene
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, saved
from tournament.views.entry._conflict import conflict_page
from tournament.views.entry._entering import Entering
from tournament.views.entry._preview import look, preview
from tournament.views.entry._submission import Sent

NOT_KEPT = {"csrfmiddlewaretoken", "step"}


def enter(request: HttpRequest, entering: Entering, *, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Answer a POST of such a form; `show(entering, faults, status)` renders the form's page."""
    step = request.POST.get("step")
    if step == "edit":
        return show(entering, (), OK)
    if step == "preview":
        return preview(request, entering)
    if step == "save":
        return _save(request, entering, show)
    arguments = entering.arguments()
    if entering.typed.faults:
        return show(entering, tuple(entering.typed.faults), UNPROCESSABLE)
    try:
        settled = entering.settled(arguments)
    except Refused as refusal:
        return show(entering, refusal.faults, UNPROCESSABLE)
    return look(request, entering, settled, hidden_fields(entering.data))


def _save(request: HttpRequest, entering: Entering, show: Callable[..., HttpResponse]) -> HttpResponse:
    attempt = attempt_play(Sent.by(request), entering)
    if attempt.receipt:
        corrected = {"corrected": str(entering.play)} if entering.current else {}
        return saved(entering.scene.url, attempt.receipt, **corrected)
    if attempt.conflict:
        return conflicting(request, entering, attempt.conflict)
    return show(entering, attempt.faults, attempt.status)


def attempt_play(sent: Sent, entering: Entering) -> Attempt:
    """Store the play that the form holds, new or in its stored version's place."""
    arguments, uid = entering.arguments(), entering.scene.tournament.uid
    if entering.current:
        return sent.attempt(
            type(entering).correct,
            uid,
            typed=entering.typed,
            play=entering.play,
            version=entering.version,
            reason=entering.reason,
            **arguments,
        )
    if not entering.typed.text("play"):
        entering.typed.faults.append(Fault("malformed", "/play"))
    return sent.attempt(
        type(entering).record,
        uid,
        typed=entering.typed,
        table=entering.scene.table.uid,
        play=entering.play,
        number=entering.number,
        **arguments,
    )


def hidden_fields(data: Mapping[str, str]) -> list[tuple[str, str]]:
    """What was typed, to be sent along once more."""
    return [(name, value) for name, value in data.items() if name not in NOT_KEPT and value]


def conflicting(request: HttpRequest, entering: Entering, conflict: Conflict) -> HttpResponse:
    """Both versions; what was typed goes along into the correction."""
    mine = {name: value for name, value in hidden_fields(entering.data) if name not in {"command", "play"}}
    return conflict_page(request, entering.scene, conflict, mine, _in_its_place(entering, conflict, mine))


def _in_its_place(entering: Entering, conflict: Conflict, mine: Mapping[str, str]) -> Settled | None:
    """The contest with what was typed in the stored version's place; None where that cannot be."""
    current = conflict.current.play
    if current.state == Play.State.RUNNING:
        return None
    again = type(entering)(
        get_scene(entering.scene.table), current, {**mine, "version": str(current.version)}
    )
    try:
        settled = again.settled(again.read())
    except Refused:
        return None
    return None if again.typed.faults else settled
