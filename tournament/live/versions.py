"""Versions known to this process: the highest committed per scope."""

import logging
import time
from collections.abc import Callable, Mapping
from threading import Lock

logger = logging.getLogger(__name__)

# Seconds without database until versions are doubtful.
DOUBT_S = 10.0
PROGRAM = "program"  # scope of pages that change only with the program; always 0

# Called in the announcing thread with each changed scope's version, None if deleted.
Listener = Callable[[Mapping[str, int | None]], None]


class Versions:
    """Known version per scope; thread-safe."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()
        self._settled = float("-inf")

    @property
    def silent_s(self) -> float:
        """Seconds since the last database read; infinite before the first."""
        return time.monotonic() - self._settled

    @property
    def doubtful(self) -> bool:
        """Whether commits may be missing: the database answered before, but not for DOUBT_S."""
        return DOUBT_S < self.silent_s < float("inf")

    def known(self, scope: str) -> int | None:
        """Known version of a scope; None if unknown."""
        return self._known.get(scope)

    def all(self) -> dict[str, int]:
        """Snapshot of all known versions."""
        with self._lock:
            return dict(self._known)

    def announce(self, changes: Mapping[str, int]) -> None:
        """Announce committed versions; never lowers one, never raises."""
        try:
            with self._lock:
                risen = {scope: version for scope, version in changes.items() if version > self._at(scope)}
                self._known.update(risen)
            self._tell(risen)
        except Exception:  # already committed: must not look failed
            logger.exception("could not announce %r", changes)

    def settle(self, before: Mapping[str, int], read: Mapping[str, int]) -> None:
        """Apply versions `read` from the database; `before` is the snapshot before that. A lower or missing one was
        rolled back."""
        with self._lock:
            changed = {
                scope: version
                for scope, version in read.items()
                if version > self._at(scope) or version < before.get(scope, -1)
            }
            self._known.update(changed)
            gone = before.keys() - read.keys()
            for scope in gone:
                self._known.pop(scope, None)
        self._settled = time.monotonic()
        self._tell(changed | dict.fromkeys(gone))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe `listener`; returns the unsubscribe function."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    def _at(self, scope: str) -> int:
        return self._known.get(scope, -1)

    def _tell(self, changed: Mapping[str, int | None]) -> None:
        if not changed:
            return
        for listener in self._listeners:
            try:
                listener(changed)
            except Exception:  # isolate listeners
                logger.exception("a listener failed at %r", changed)


versions = Versions()
