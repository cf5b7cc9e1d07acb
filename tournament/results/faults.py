"""Errors that users can correct; texts: tournament/words/faults.py."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from tournament.results.facts import PlayFacts

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault:
    """A correctable error.

    `path`: JSON Pointer with entry and play uids: `/hands/<entry>/draw2`, `/results/<entry>/elapsed_s`,
    `/settings/target`, `/plays/<play>`.
    """

    code: str
    path: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)


class Refused(Exception):
    """Rejected, nothing stored: correct and resend, or resend after `wait` seconds (rate limit, HTTP 429)."""

    def __init__(self, *faults: Fault, wait: int = 0) -> None:
        super().__init__(", ".join(f"{fault.code} at {fault.path or '/'}" for fault in faults))
        self.faults, self.wait = faults, wait


class Forbidden(Refused):
    """The actor lacks permission; `faults` may say what for."""

    def __init__(self, action: str, *faults: Fault) -> None:
        super().__init__(*(faults or [Fault("forbidden", parameters={"action": action})]))


def or_refuse(found: T | None, fault: Fault) -> T:
    """Return what was found; raise Refused if that is None."""
    if found is None:
        raise Refused(fault)
    return found


def refuse_if(wrong: object, fault: Fault) -> None:
    """Raise Refused if `wrong` is true."""
    if wrong:
        raise Refused(fault)


def refuse(faults: Iterable[Fault]) -> None:
    """Raise Refused with all faults, if any."""
    if found := tuple(faults):
        raise Refused(*found)


class CommandReused(Refused):
    """Command id reused with other content or by another actor (HTTP 422).

    `sequence`, `at`: the accepting ledger row; `same`: same content, other actor.
    """

    def __init__(self, *, sequence: int, at: datetime, same: bool) -> None:
        super().__init__(Fault("command_reused"))
        self.sequence, self.at, self.same = sequence, at, same


class Stale(Refused):
    """The target changed since its sender saw it (HTTP 412)."""

    def __init__(self) -> None:
        super().__init__(Fault("version_changed"))


@dataclass(frozen=True, slots=True)
class Version:
    """One side of a conflict; `at` None and `sequence` 0 if not stored."""

    play: PlayFacts
    by: str
    at: datetime | None
    sequence: int = 0


class Conflict(Refused):
    """Concurrent write to the play; holds both versions."""

    def __init__(self, *, current: Version, offered: Version) -> None:
        super().__init__(Fault("conflict", f"/plays/{current.play.uid}"))
        self.current, self.offered = current, offered


class Agreed(Conflict):
    """A conflict with identical content already stored."""

    @classmethod
    def of(cls, conflict: Conflict) -> "Agreed":
        return cls(current=conflict.current, offered=conflict.offered)
