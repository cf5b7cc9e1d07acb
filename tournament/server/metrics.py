"""Metrics of the process, without persons, events or addresses (docs/operators.md)."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as TEXT
from prometheus_client.metrics_core import Metric

__all__ = [
    "TEXT",
    "answers",
    "errors",
    "holds",
    "published",
    "renders",
    "requests",
    "saves",
    "serving",
    "written",
]


class _Registry(CollectorRegistry):
    """Writes `le="1"`, not `le="1.0"`, which monitors match as text."""

    def collect(self) -> Iterable[Metric]:
        for metric in super().collect():
            for sample in metric.samples:
                if "le" in sample.labels:
                    sample.labels["le"] = sample.labels["le"].removesuffix(".0")
            yield metric


class Serving:
    """Counts requests passed to Django and those in threads."""

    def __init__(self) -> None:
        self.open = 0  # event loop only
        self._lock = Lock()
        self._at_work = 0

    @property
    def waiting(self) -> int:
        """Requests that wait for a thread."""
        return max(0, self.open - self._at_work)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count a request during the block."""
        with self._lock:
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1


# Targets: 300 ms (95%), 1 s (99%).
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second sample for each counter, of when it began
counted = _Registry()
requests = Counter(
    "lastcard_requests_total",
    "Requests that Django answered, by kind and class of status.",
    ["kind", "status"],
    registry=counted,
)
published = Counter("lastcard_published_total", "Published pages answered from memory.", registry=counted)
renders = Counter(
    "lastcard_renders_total", "Published pages rendered again after a change.", registry=counted
)
errors = Counter("lastcard_errors_total", "Errors in the log.", registry=counted)
answers = Histogram(
    "lastcard_answer_seconds",
    "Seconds that Django took for a request, without waiting for a thread.",
    buckets=SECONDS,
    registry=counted,
)
saves = Histogram(
    "lastcard_save_seconds",
    "Seconds from a command's call to its commit, including waiting for others.",
    buckets=SECONDS,
    registry=counted,
)
holds = Histogram(
    "lastcard_writer_seconds",
    "Seconds for which one writing transaction kept SQLite's other writers waiting, without its own waiting.",
    buckets=SECONDS,
    registry=counted,
)
serving = Serving()


def written(gauges: Mapping[str, tuple[float, str]]) -> bytes:
    """Counters and `gauges`, as {name: (value, description)}, in Prometheus text format 0.0.4."""
    now = CollectorRegistry()
    for name, (value, says) in gauges.items():
        Gauge(f"lastcard_{name}", says, registry=now).set(value)
    return generate_latest(counted) + generate_latest(now)
