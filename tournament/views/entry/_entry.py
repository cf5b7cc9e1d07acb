"""Entering a whole play: a round, a heat, a game from paper; new ones and corrections alike.

A form is looked at before it is saved: `step=look` shows what the standings become and stores nothing, `step=save`
stores, `step=edit` goes back to the form with everything still in it. With script a new play is looked at on its own
page: `step=preview` answers with that part alone, and the next tap stores. A refused form comes back the same way,
each error at its field. When somebody else entered the play in the meantime, both versions stand side by side.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.actions import Receipt
from tournament.forms.reading import Typed, number_or_none
from tournament.models import Play
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Conflict, Fault, Refused
from tournament.results.settle import Settled
from tournament.views._access import get_scene
from tournament.views._answer import LONGEST_SEQUENCE, OK, UNPROCESSABLE, Attempt, reason_in, saved
from tournament.views.entry._conflict import conflict_page
from tournament.views.entry._preview import look, preview
from tournament.views.entry._submission import Sent

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

    def arguments(self) -> dict[str, Any]:
        """The same, and of a correction that it has a reason."""
        arguments = self.read()
        if self.current and not self.reason:
            self.typed.faults.append(Fault("missing_reason", "/reason"))
        return arguments

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
        seen = number_or_none(self.typed.text("version"), longest=LONGEST_SEQUENCE)
        return self.current.version if seen is None else seen

    @property
    def reason(self) -> str:
        return reason_in(self.data)

    def settled(self, arguments: Mapping[str, Any], contest: Contest | None = None) -> Settled:
        """What the contest would be with this play. Raises Refused with scoring's faults."""
        return type(self).preview(
            self.scene.table, play=self.play, number=self.number, contest=contest, **arguments
        )

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
