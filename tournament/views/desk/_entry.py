"""Entering a whole play: a round, a heat, a game from paper; new ones and corrections alike.

A form is looked at before it is saved: `step=look` shows what the standings become and stores nothing, `step=save`
stores, `step=edit` goes back to the form with everything still in it. A refused form comes back the same way, each
error at its field. When somebody else entered the play in the meantime, both versions stand side by side.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.actions import Receipt
from tournament.facts import PlayFacts
from tournament.faults import Conflict, Fault, Refused
from tournament.forms.reading import Typed
from tournament.settle import Settled
from tournament.text import clean
from tournament.views._answer import (
    MOST_REASON,
    OK,
    UNPROCESSABLE,
    Attempt,
    attempt_action,
    errors_context,
    page,
    refused,
    saved,
)
from tournament.views.desk._conflict import conflict_page
from tournament.views.desk._describe import comparison, lines_of, notes_of
from tournament.views.desk._scene import Scene

NOT_KEPT = {"csrfmiddlewaretoken", "step"}


@dataclass
class Entering(ABC):
    """One kind of form for whole plays. `current` is the stored play that is corrected, None for a new one."""

    scene: Scene
    current: PlayFacts | None
    data: Mapping[str, str]

    template: ClassVar[str]
    record: ClassVar[Callable[..., Receipt]]
    correct: ClassVar[Callable[..., Receipt]]
    preview: ClassVar[Callable[..., Settled]]

    def __post_init__(self) -> None:
        self.typed = Typed(self.data)
        self.play = self.current.uid if self.current else self.typed.uid("play", "/play") or uuid4()
        number = self.typed.whole("number", "/number", most=30_000, least=1)
        self.number = self.current.number if self.current else number or self.scene.next_number

    @abstractmethod
    def read(self) -> dict[str, Any]:
        """The arguments of the action, from what was typed; adds to `typed.faults`."""

    @abstractmethod
    def fields(self, wrong: Mapping[str, str]) -> dict[str, Any]:
        """What the form's template wants; `wrong` are the words for what is wrong, by path."""

    def form(self, faults: tuple[Fault, ...] = ()) -> dict[str, Any]:
        """The whole context of the form, with what was typed and what is wrong with it."""
        context = errors_context(faults, self.scene.names)
        typed = bool(self.data) and "play" in self.data
        return {
            **self.scene.context(),
            **context,
            **self.fields(context["wrong"]),
            "entering": self,
            "typed": self.data,
            "kept": not typed,
            "command": self.data.get("command") or uuid4(),
            "keep_key": f"{self.scene.table.uid}:{self.number}:{self.version}",
        }

    @property
    def url(self) -> str:
        if self.current:
            return reverse("play-correct", args=[self.current.uid])
        return reverse("table-record", args=[self.scene.table.uid])

    @property
    def version(self) -> int:
        """The version that its editor saw, 0 for a new play."""
        if self.current is None:
            return 0
        seen = self.typed.text("version")
        usable = seen.isascii() and seen.isdigit() and len(seen) <= 12
        return int(seen) if usable else self.current.version

    @property
    def reason(self) -> str:
        return clean(self.typed.text("reason"))[:MOST_REASON]

    def title(self) -> str:
        """What is being entered: "Round 3"."""
        facts = self.current or PlayFacts(self.play, self.scene.table.uid, self.number, "entered")
        label = self.scene.label(facts)
        return _("Correct %(what)s") % {"what": label} if self.current else label


def enter(request: HttpRequest, entering: Entering, *, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Answer a POST of such a form; `show(entering, faults, status)` renders the form's page."""
    step = request.POST.get("step")
    if step == "edit":
        return show(entering, (), OK)
    arguments = entering.read()
    if entering.current and not entering.reason:
        entering.typed.faults.append(Fault("missing_reason", "/reason"))
    if entering.typed.faults:
        return show(entering, tuple(entering.typed.faults), UNPROCESSABLE)
    if step == "save":
        return _save(request, entering, arguments, show)
    try:
        settled = type(entering).preview(
            entering.scene.table, play=entering.play, number=entering.number, **arguments
        )
    except Refused as refusal:
        return show(entering, refusal.faults, UNPROCESSABLE)
    return look(request, entering, settled)


def _save(
    request: HttpRequest,
    entering: Entering,
    arguments: Mapping[str, Any],
    show: Callable[..., HttpResponse],
) -> HttpResponse:
    attempt = _attempt(request, entering, arguments)
    if attempt.receipt:
        return saved(entering.scene.url, attempt.receipt)
    if attempt.conflict:
        return conflicting(request, entering, attempt.conflict)
    return show(entering, attempt.faults, attempt.status)


def _attempt(request: HttpRequest, entering: Entering, arguments: Mapping[str, Any]) -> Attempt:
    uid = entering.scene.tournament.uid
    if entering.current:
        return attempt_action(
            request,
            type(entering).correct,
            uid,
            play=entering.play,
            version=entering.version,
            reason=entering.reason,
            **arguments,
        )
    if not entering.typed.text("play"):
        return refused(Fault("malformed", "/play"))
    return attempt_action(
        request,
        type(entering).record,
        uid,
        table=entering.scene.table.uid,
        play=entering.play,
        number=entering.number,
        **arguments,
    )


def look(request: HttpRequest, entering: Entering, settled: Settled) -> HttpResponse:
    """What was typed, read back, and what the standings become; saved by the next tap."""
    scene, after = entering.scene, settled.contest.play(entering.play)
    assert after is not None
    change = None
    if entering.current:
        change = comparison(entering.current, after, scene, yours_by="", theirs_by="")
    context = {
        **scene.context(),
        "entering": entering,
        "title": entering.title(),
        "lines": lines_of(after, scene.names, scene.ruleset, scene.points(entering.play, settled)),
        "notes": notes_of(after, scene.names),
        "out": [
            (scene.names.get(str(seat.entry), ""), seat.get_out_as_display())
            for seat in _departing(settled, entering)
        ],
        "board": scene.board(settled),
        "change": change,
        "moved": [(scene.label(play), play.state) for play in settled.moved if play.uid != entering.play],
        "reason": entering.reason,
        "hidden": hidden_fields(entering.data),
    }
    return page(request, "desk/look.html", context, scene.tournament)


@dataclass(frozen=True, slots=True)
class _Departing:
    entry: UUID
    out_as: str

    def get_out_as_display(self) -> str:
        return _("removed") if self.out_as == "removed" else _("left")


def _departing(settled: Settled, entering: Entering) -> list[_Departing]:
    return [
        _Departing(seat.entry, seat.out_as)
        for seat in settled.contest.seats
        if seat.out_from == entering.number and seat.table == entering.scene.table.number
    ]


def hidden_fields(data: Mapping[str, str]) -> list[tuple[str, str]]:
    """What was typed, to be sent along once more."""
    return [(name, value) for name, value in data.items() if name not in NOT_KEPT and value]


def conflicting(request: HttpRequest, entering: Entering, conflict: Conflict) -> HttpResponse:
    """Both versions; what was typed goes along into the correction."""
    mine = {name: value for name, value in hidden_fields(entering.data) if name not in {"command", "play"}}
    return conflict_page(request, entering.scene, conflict, mine)
