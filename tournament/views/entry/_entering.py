"""The pages' side of a form for a whole play: its address, its title and what its template shows."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import uuid4

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.actions import Receipt
from tournament.forms.plays import PlayForm
from tournament.pages.desk.table import Scene
from tournament.pages.errors import errors_context
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault
from tournament.results.typed import number_or_none
from tournament.views._answer import LONGEST_SEQUENCE


@dataclass
class Entering(PlayForm):
    """One kind of form for whole plays, as a page shows it; `record` and `correct` are the actions that store it;
    `fields_template` is the part of its `template` that players at the table fill too."""

    scene: Scene

    template: ClassVar[str]
    fields_template: ClassVar[str]
    record: ClassVar[Callable[..., Receipt]]
    correct: ClassVar[Callable[..., Receipt]]

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

    def title(self) -> str:
        """What is being entered: "Round 3"."""
        facts = self.current or PlayFacts(self.play, self.scene.table.uid, self.number, "entered")
        label = self.scene.label(facts)
        return _("Correct %(what)s") % {"what": label} if self.current else label
