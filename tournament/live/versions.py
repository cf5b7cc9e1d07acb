"""The versions that this process knows: for each scope the greatest that anybody committed."""

import logging
import time
from collections.abc import Callable, Mapping
from threading import Lock

logger = logging.getLogger(__name__)

# Seconds without an answer of the database until pages are no longer taken to be of the newest version.
DOUBT_S = 10.0
PROGRAM = "program"  # the scope of pages that only another version of the program changes; always at 0

# Told which scopes changed and their versions; None is a scope that is gone. Called in the announcing thread.
Listener = Callable[[Mapping[str, int | None]], None]


class Versions:
    """Scopes and their known versions. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()
        self._settled = float("-inf")  # when the database was read last, on the clock that never jumps

    @property
    def silent_s(self) -> float:
        """Seconds since the versions were last read from the database; infinite until they first are."""
        return time.monotonic() - self._settled

    @property
    def doubtful(self) -> bool:
        """Whether somebody may have saved something that this process does not know: the database was read before, and
        now is not, for whatever reason."""
        return DOUBT_S < self.silent_s < float("inf")

    def known(self, scope: str) -> int | None:
        """The known version of a scope; None when there is no such scope, as far as this process knows."""
        return self._known.get(scope)

    def all(self) -> dict[str, int]:
        """A copy of everything known."""
        with self._lock:
            return dict(self._known)

    def announce(self, changes: Mapping[str, int]) -> None:
        """Announce which versions were committed. This never lowers a version and never raises."""
        try:
            with self._lock:
                risen = {scope: version for scope, version in changes.items() if version > self._at(scope)}
                self._known.update(risen)
            self._tell(risen)
        except Exception:  # the change is committed: no failure here may make it look otherwise
            logger.exception("could not announce %r", changes)

    def settle(self, before: Mapping[str, int], read: Mapping[str, int]) -> None:
        """Take over what the database holds: `read` was read after `before` was everything known.

        An announced version was committed, so a scope that reads lower than it was known before the reading, or not at
        all, has really gone back: a tournament was deleted or a backup restored.
        """
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
        """Have `listener` called for every change from now on; gives the function that ends it."""
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
            except Exception:  # one listener's, and no other's
                logger.exception("a listener failed at %r", changed)


versions = Versions()
