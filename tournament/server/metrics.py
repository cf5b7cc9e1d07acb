"""What this process counts of its work, for a monitor: plain numbers in memory, written as Prometheus reads them.

Nothing here names a person, an event or an address. `tournament/live/probes.py` adds what it reads off at the moment
and answers with all of it; docs/operators.md lists what each is for.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from threading import Lock

Labels = tuple[tuple[str, str], ...]
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Metric:
    """Something with a name, a kind and a word of what it is; every one is written by `written`."""

    kind = "untyped"

    def __init__(self, name: str, says: str) -> None:
        self.name, self.says = f"lastcard_{name}", says

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        """Each value: what is added to the name, its labels, the number."""
        raise NotImplementedError


class Counter(Metric):
    """Goes up only, for each combination of its labels. May be called from any thread."""

    kind = "counter"

    def __init__(self, name: str, says: str) -> None:
        super().__init__(name, says)
        self._lock = Lock()
        self._values: dict[Labels, int] = {}

    def add(self, **labels: str) -> None:
        """One more."""
        key = tuple(labels.items())
        with self._lock:
            self._values[key] = self._values.get(key, 0) + 1

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        with self._lock:
            values = dict(self._values)
        yield from (("", labels, value) for labels, value in (values or {(): 0}).items())


class Ticks(Metric):
    """Goes up only, counted by the event loop alone: the cheapest there is."""

    kind = "counter"

    def __init__(self, name: str, says: str) -> None:
        super().__init__(name, says)
        self.count = 0

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        yield "", (), self.count


class Histogram(Metric):
    """How many of the measured seconds were at most each bound. May be called from any thread."""

    kind = "histogram"

    def __init__(self, name: str, says: str, bounds: Iterable[float]) -> None:
        super().__init__(name, says)
        self._bounds = tuple(bounds)  # rising
        self._lock = Lock()
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def measured(self, seconds: float) -> None:
        """One that took so long."""
        with self._lock:
            self._counts[bisect_left(self._bounds, seconds)] += 1
            self._sum += seconds

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        with self._lock:
            counts, total = list(self._counts), self._sum
        up_to = list(accumulate(counts))
        for bound, count in zip((*map(_number, self._bounds), "+Inf"), up_to, strict=True):
            yield "_bucket", (("le", bound),), count
        yield "_sum", (), total
        yield "_count", (), up_to[-1]


class Gauge(Metric):
    """A number as it is at the moment."""

    kind = "gauge"

    def __init__(self, name: str, says: str, value: float) -> None:
        super().__init__(name, says)
        self._value = value

    def samples(self) -> Iterator[tuple[str, Labels, float]]:
        yield "", (), self._value


class Serving:
    """How many requests Django was given and how many of them its threads are at; the others wait for one."""

    def __init__(self) -> None:
        self.open = 0  # counted by the event loop alone
        self._lock = Lock()
        self._at_work = 0

    @property
    def waiting(self) -> int:
        """Requests that wait for a thread."""
        return max(0, self.open - self._at_work)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """A thread is at a request, from here to the end of the block."""
        with self._lock:
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1


# Where Lastcard's aims lie: a save within 300 ms for 95%, 1 s for 99%.
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)

requests = Counter(
    "requests_total", "Requests that Django answered, by kind and by the hundred of their status."
)
published = Ticks("published_total", "Published pages that were answered from memory.")
renders = Ticks("renders_total", "Published pages that were rendered anew after a change.")
errors = Counter("errors_total", "Lines of the log that tell of an error.")
answers = Histogram(
    "answer_seconds", "Seconds that Django took for a request, waiting for a thread left out.", SECONDS
)
saves = Histogram(
    "save_seconds", "Seconds from a command's call to its commit, waiting for others' included.", SECONDS
)
serving = Serving()
COUNTED: tuple[Metric, ...] = (requests, published, renders, errors, answers, saves)


def written(metrics: Iterable[Metric]) -> str:
    """These metrics in Prometheus' text format, version 0.0.4."""
    lines = []
    for metric in metrics:
        lines += [f"# HELP {metric.name} {metric.says}", f"# TYPE {metric.name} {metric.kind}"]
        for suffix, labels, value in metric.samples():
            said = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels)
            name = f"{metric.name}{suffix}" + (f"{{{said}}}" if said else "")
            lines.append(f"{name} {_number(value)}")
    return "\n".join([*lines, ""])


def gauges(values: Mapping[str, tuple[float, str]]) -> list[Metric]:
    """A gauge for each name, of its value and what it says."""
    return [Gauge(name, says, value) for name, (value, says) in values.items()]


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
