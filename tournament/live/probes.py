"""Health checks and metrics, without Django or its threads.

/healthz 200 while running
/readyz     200 if the database answers and is migrated and the process is not stopping; else 503 with the reason. A
            nearly full disk only warns
/metrics    Prometheus; 404 outside METRICS_ALLOW
"""

import asyncio
import ipaddress
import os
import time
from collections.abc import Callable, Iterable
from shutil import disk_usage

from django.conf import settings
from django.db import Error, connection, connections
from django.db.migrations.executor import MigrationExecutor

from tournament.live.hub import Hub, Message, Send, refuse
from tournament.live.store import Store, Versions
from tournament.server import metrics
from tournament.server.database import damaged
from tournament.server.machine import LEAST_FREE_MB, memory

PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
SILENT_S = 5.0  # seconds without database until not ready
LOOK_S = 2.0  # seconds between migration checks


class Probes:
    """Serves PATHS. `hub` returns the current hub; `allowed` overrides METRICS_ALLOW."""

    def __init__(
        self,
        *,
        hub: Callable[[], Hub],
        versions: Versions,
        store: Store,
        allowed: Iterable[str] | None = None,
    ) -> None:
        self._hub, self._versions, self._store = hub, versions, store
        allowed = settings.METRICS_ALLOW if allowed is None else allowed
        self._allowed = [ipaddress.ip_network(each.strip()) for each in allowed]
        self._migrated = False
        self._looked = float("-inf")
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Message, send: Send) -> None:
        path = scope["path"]
        if path == "/healthz":
            return await refuse(send, 200, b"ok")
        if path == "/readyz":
            missing = await self.missing()
            return await refuse(
                send, 503 if missing else 200, "\n".join(missing or ["ready", *self.warnings()]).encode()
            )
        if not self._may(scope):
            return await refuse(send, 404, b"There is nothing here.")
        text = await asyncio.to_thread(lambda: metrics.written(self.values()))
        headers = [
            (b"content-type", metrics.TEXT.encode()),
            (b"content-length", b"%d" % len(text)),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        return await send({"type": "http.response.body", "body": text})

    async def missing(self) -> list[str]:
        """Reasons for not being ready; empty if ready."""
        if self._hub().closed:
            return ["It is ending."]
        if self._versions.silent_s > SILENT_S:
            return ["The database does not answer."]
        if damaged.is_set():
            return ["The database file is damaged. Restore the newest backup."]
        async with self._lock:
            if not self._migrated and time.monotonic() - self._looked >= LOOK_S:
                self._migrated = await asyncio.to_thread(is_migrated)
                self._looked = time.monotonic()
        return [] if self._migrated else ["The database is not migrated."]

    def warnings(self) -> list[str]:
        """Operator warnings that do not affect readiness."""
        free = disk_usage(settings.DATA_DIR).free // 1024**2
        return [f"The disk is almost full: {free} MB are left."] if free < LEAST_FREE_MB else []

    def _may(self, scope: Message) -> bool:
        """Whether the client (forwarded by trusted proxies) may read metrics."""
        client = scope.get("client")
        try:
            address = ipaddress.ip_address(client[0] if client else "")
        except ValueError:
            return False
        return any(address in network for network in self._allowed)

    def values(self) -> dict[str, tuple[float, str]]:
        """Return the gauges as {name: (value, description)}."""
        from tournament.backup.shelf import Shelf

        hub, silent = self._hub(), self._versions.silent_s
        values: dict[str, tuple[float, str]] = {
            "streams": (hub.open, "Event streams that are open."),
            "streams_most": (hub.cap, "Event streams that may be open."),
            "store_bytes": (self._store.size, "Bytes of published pages in memory."),
            "requests_open": (metrics.serving.open, "Requests that Django was given and has not answered."),
            "requests_waiting": (metrics.serving.waiting, "Those of them that wait for a thread."),
            "ledger_rows": (self._versions.known("site") or 0, "Rows in the ledgers of all events."),
            "disk_free_bytes": (
                disk_usage(settings.DATA_DIR).free,
                "Bytes that are free where the data lies.",
            ),
            "process_cpu_seconds": (sum(os.times()[:2]), "Seconds of the processor that this process used."),
            "process_memory_bytes": (memory(), "Bytes of memory that it holds."),
        }
        if silent != float("inf"):
            values["versions_age_seconds"] = (silent, "Seconds since the database said what others saved.")
        if newest := Shelf.now().newest:
            values["backup_age_seconds"] = (
                (time.time() - newest.timestamp()),
                "Seconds since the newest backup was made.",
            )
        return values


def is_migrated() -> bool:
    """Whether all migrations are applied; False without a database."""
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return False
    finally:
        connections.close_all()
