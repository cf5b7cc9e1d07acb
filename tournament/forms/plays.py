"""A whole play as a form: a round, a heat or a game from paper; a new one, or a stored one that is corrected."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from uuid import UUID, uuid4

from rulesets import Ruleset
from tournament.actions.table.previews import preview_game, preview_heat, preview_round
from tournament.forms.games import read_game, typed_game
from tournament.forms.heats import read_heat, typed_heat
from tournament.forms.reading import Typed, reason_in
from tournament.forms.rounds import read_round, typed_round
from tournament.models import Stage, Table
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault
from tournament.results.settle import Settled


class AtTable(Protocol):
    """What a form needs to know of the table where its play is entered."""

    @property
    def table(self) -> Table: ...
    @property
    def contest(self) -> Contest: ...
    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def next_number(self) -> int: ...
    @property
    def seated(self) -> list[UUID]: ...
    @property
    def ready(self) -> list[UUID]: ...


@dataclass
class PlayForm(ABC):
    """One kind of form for whole plays. `current` is the stored play that is corrected, None for a new one."""

    scene: AtTable
    current: PlayFacts | None
    data: Mapping[str, str]

    preview: ClassVar[Callable[..., Settled]]

    def __post_init__(self) -> None:
        if self.current and "version" not in self.data:
            self.data = self.stored(self.current) | dict(self.data)
        self.typed = Typed(self.data)
        self.play = self.current.uid if self.current else self.typed.uid("play", "/play") or uuid4()
        number = self.typed.whole("number", "/number", most=30_000, least=1)
        self.number = self.current.number if self.current else number or self.scene.next_number

    @abstractmethod
    def stored(self, play: PlayFacts) -> dict[str, str]:
        """A stored play as the form that enters it would send it."""

    @abstractmethod
    def read(self) -> dict[str, Any]:
        """The arguments of the action, from what was typed; adds to `typed.faults`."""

    def arguments(self) -> dict[str, Any]:
        """As `read`; a correction also needs a reason."""
        arguments = self.read()
        if self.current and not self.reason:
            self.typed.faults.append(Fault("missing_reason", "/reason"))
        return arguments

    @property
    def reason(self) -> str:
        return reason_in(self.data)

    def settled(self, arguments: Mapping[str, Any], contest: Contest | None = None) -> Settled:
        """What the contest would be with this play. Raises Refused with scoring's faults."""
        return type(self).preview(
            self.scene.table, play=self.play, number=self.number, contest=contest, **arguments
        )


class RoundForm(PlayForm):
    """A round of a match: the card pad."""

    preview = staticmethod(preview_round)

    def stored(self, play: PlayFacts) -> dict[str, str]:
        return typed_round(play, self.scene.contest)

    def read(self) -> dict[str, Any]:
        return read_round(self.typed, self.scene.contest, self.number)


class HeatForm(PlayForm):
    """A heat: names in the order of going out."""

    preview = staticmethod(preview_heat)

    def stored(self, play: PlayFacts) -> dict[str, str]:
        return typed_heat(play, self.scene.contest)

    def read(self) -> dict[str, Any]:
        return read_heat(self.typed, self.scene.contest, self.scene.table.uid)


class GameForm(PlayForm):
    """A game of a session: the sheet of paper. `players` may have played: who is in the stored game, who sits here, and
    whom the form already names."""

    preview = staticmethod(preview_game)

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = [row.entry for row in self.current.results] if self.current else []
        wanted += self.scene.seated if self.current else self.scene.ready
        known = [player.entry for player in self.scene.contest.players]
        wanted += [entry for entry in known if self.typed.text(f"outcome-{entry}")]
        self.players = list(dict.fromkeys(wanted))

    def stored(self, play: PlayFacts) -> dict[str, str]:
        return typed_game(play)

    def read(self) -> dict[str, Any]:
        return read_game(self.typed, self.players, self.scene.ruleset)


PLAY_FORMS: Mapping[str, type[PlayForm]] = {
    Stage.Kind.SESSION: GameForm,
    Stage.Kind.HEATS: HeatForm,
    Stage.Kind.MATCH: RoundForm,
    Stage.Kind.FINAL: RoundForm,
}
