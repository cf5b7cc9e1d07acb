"""Faults: errors that a person can correct, with a code, a place and parameters.

scoring's errors become faults with the same codes; the actions add their own. tournament/words/faults.py words both
in the reader's language, so nothing here is a sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tournament.results.facts import PlayFacts


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `path` is its place in the input, as a JSON Pointer with entries and plays by their uid:
    `/hands/<entry>/draw2`, `/results/<entry>/elapsed_s`, `/settings/target`, `/plays/<play>`."""

    code: str
    path: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)


class Refused(Exception):
    """The command was not carried out and nothing was stored; it may be corrected and sent again, or was sent too often
    and may be sent again as it is after `wait` seconds (HTTP 429)."""

    def __init__(self, *faults: Fault, wait: int = 0) -> None:
        super().__init__(", ".join(f"{fault.code} at {fault.path or '/'}" for fault in faults))
        self.faults, self.wait = faults, wait


class Forbidden(Refused):
    """The actor may not do this."""

    def __init__(self, action: str) -> None:
        super().__init__(Fault("forbidden", parameters={"action": action}))


class CommandReused(Refused):
    """A command id was used again with another content or by another actor (HTTP 422).

    `sequence` and `at` are those of the ledger row that accepted it; `same`: with this content, so by another actor.
    """

    def __init__(self, *, sequence: int, at: datetime, same: bool) -> None:
        super().__init__(Fault("command_reused"))
        self.sequence, self.at, self.same = sequence, at, same


class Stale(Refused):
    """What the command changes is no longer as its sender saw it (HTTP 412)."""

    def __init__(self) -> None:
        super().__init__(Fault("version_changed"))


@dataclass(frozen=True, slots=True)
class Version:
    """One of the two sides of a conflict: the play as somebody wrote it, when, and in which row of the ledger. `at` is
    None, and `sequence` 0, for the side that was offered and not stored."""

    play: PlayFacts
    by: str
    at: datetime | None
    sequence: int = 0


class Conflict(Refused):
    """Somebody else wrote the play in the meantime; both versions are kept for the person who must choose."""

    def __init__(self, *, current: Version, offered: Version) -> None:
        super().__init__(Fault("conflict", f"/plays/{current.play.uid}"))
        self.current = current
        self.offered = offered


class Agreed(Conflict):
    """A conflict with nothing to choose: somebody else has already stored the same."""

    @classmethod
    def of(cls, conflict: Conflict) -> "Agreed":
        return cls(current=conflict.current, offered=conflict.offered)
