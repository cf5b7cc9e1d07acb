"""The question when a game began: the clock of the phone that told it was set while the entry waited, or was wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tournament.models import Play
from tournament.results import PlayFacts, starts_of


@dataclass(frozen=True, slots=True)
class AskedStart:
    """A game whose start is in question: its label, and the moments to choose from, each with its form's value (ms)."""

    play: UUID
    label: str
    running: bool
    moments: Sequence[tuple[int, datetime]]


def asked_starts(plays: Iterable[tuple[PlayFacts | Play, str]]) -> list[AskedStart]:
    """The questions about these games, each with its label."""
    return [
        AskedStart(
            play.uid,
            label,
            play.state == Play.State.RUNNING,
            [(int(at.timestamp() * 1000), at) for at in sorted(set(starts_of(play)))],
        )
        for play, label in plays
        if play.other_start and play.state != Play.State.VOID
    ]
