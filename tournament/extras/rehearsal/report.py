"""Rehearsal report: stored against acknowledged entries, figures, verdict."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring import score
from tournament.extras.rehearsal.phones import Sent
from tournament.extras.rehearsal.plan import Size
from tournament.results import grouped

ENTRY_P95, ENTRY_P99 = 0.3, 1.0  # targets in seconds
FRESH_P95 = 2.0
GROWTH = 1.1  # memory growth after the first tenth
MB = 4.0  # always allowed: garbage, no leak
TENTH = 10
BUSY_S = 10.0  # seconds of the busiest window


@dataclass(frozen=True, slots=True)
class Found:
    """Faults, as commands: `lost` (acknowledged, not stored), `doubled`; `gaps`: missing rows."""

    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    gaps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles in seconds of `count` values; 0 if none."""

    count: int
    p50: float
    p95: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of a process after a tenth of the day, finally, at most; `seconds` observed."""

    after_tenth: float
    end: float
    most: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """`busiest`: entries per second in the busiest ten."""

    name: str
    began: str
    machine: str
    size: Size
    took: float
    sent: int
    acknowledged: int
    lost: int
    doubled: int
    unanswered: int
    refused: int
    conflicts: int
    conflicts_expected: int
    retried: int
    busiest: float
    statuses: Mapping[str, int]
    entry: Spread
    waited: Spread
    freshness: Spread
    never_fresh: int
    behind: int
    streams_cut: int
    memory: Sequence[Memory]
    load: Sequence[float]
    wrong: Sequence[str]

    @property
    def slow(self) -> list[str]:
        """Missed targets, as sentences."""
        slow = []
        if self.entry.p95 > ENTRY_P95 or self.entry.p99 > ENTRY_P99:
            slow.append(
                f"Saving is slow: 95 of 100 within {ms(self.entry.p95)} (aim {ms(ENTRY_P95)}), "
                f"99 within {ms(self.entry.p99)} (aim {ms(ENTRY_P99)})."
            )
        if self.freshness.p95 > FRESH_P95:
            slow.append(f"Screens are late: 95 of 100 within {ms(self.freshness.p95)} (aim {ms(FRESH_P95)}).")
        return slow + [
            f"Memory grew from {each.after_tenth:.0f} to {each.end:.0f} MB."
            for each in self.memory
            if each.end > max(each.after_tenth * GROWTH, each.after_tenth + MB)
        ]

    @property
    def broken(self) -> list[str]:
        """Faults, as sentences."""
        counted = {
            "acknowledged entries were lost": self.lost,
            "entries were counted twice": self.doubled,
            "entries were never answered": self.unanswered,
            "entries were refused": self.refused,
            "watchers never got the last page": self.behind,
            "answers were server errors": sum(
                count for status, count in self.statuses.items() if status.startswith("5") and status != "503"
            ),
        }
        broken = [f"{count} {words}." for words, count in counted.items() if count]
        if self.conflicts != self.conflicts_expected:
            broken.append(f"{self.conflicts} conflicts instead of {self.conflicts_expected}.")
        return [*broken, *self.wrong]

    @property
    def passed(self) -> bool:
        return not self.broken and not self.slow

    def as_json(self) -> dict[str, Any]:
        """The report with verdict."""
        return asdict(self) | {"broken": self.broken, "slow": self.slow, "passed": self.passed}

    def as_text(self) -> str:
        """Text report: verdict first."""
        size = self.size
        lines = [
            f"{'YES' if self.passed else 'NO'}: this server {'can run' if self.passed else 'cannot run'} "
            f"{size.players:,} players at {size.tables} tables with {size.watchers:,} watchers.",
            *(f"  WRONG: {each}" for each in self.broken),
            *(f"  SLOW:  {each}" for each in self.slow),
            "",
            f"{self.name}, {self.began}, {self.machine}",
            f"{self.sent:,} entries in {self.took:.0f} s ({self.sent / max(self.took, 1):.1f} a second, "
            f"{self.busiest:.1f} in the busiest {BUSY_S:.0f} seconds), "
            f"{'with' if size.faults else 'without'} faults",
            "",
            _row("what", "50%", "95%", "99%", "most", "of"),
            _spread("entry, sent to acknowledged", self.entry),
            _spread("entry, faults included", self.waited),
            _spread("freshness, acknowledged to shown", self.freshness),
            "",
            f"acknowledged {self.acknowledged:,}, lost {self.lost}, doubled {self.doubled}, "
            f"conflicts {self.conflicts} (expected: {self.conflicts_expected}), refused {self.refused}, "
            f"sent again {self.retried:,}, streams cut {self.streams_cut:,}",
            f"answers: {', '.join(f'{count:,} of {status}' for status, count in sorted(self.statuses.items()))}",
            f"load of the machine: {', '.join(f'{each:.1f}' for each in self.load) or 'not known'}",
        ]
        lines += [
            f"memory: {each.after_tenth:.0f} MB after a tenth, {each.end:.0f} MB at the end of {each.seconds:.0f} s, "
            f"most {each.most:.0f} MB"
            for each in self.memory
        ]
        return "\n".join(lines) + "\n"


def compare(sent: Sequence[Sent], ledger: Iterable[Mapping[str, Any]]) -> Found:
    """Compare sent entries with ledger rows (`sequence`, `command`)."""
    rows = [(int(row["sequence"]), str(row["command"])) for row in ledger]
    at, times = dict(rows), Counter(command for _, command in rows)
    saved = [each for each in sent if each.state == "saved"]
    ours = {each.command for each in sent}
    return Found(
        lost=tuple(each.command for each in saved if at.get(each.sequence) != each.command),
        doubled=tuple(command for command, count in times.items() if count > 1 and command in ours),
        gaps=tuple(sorted(set(range(1, max(at, default=0) + 1)) - at.keys())),
    )


def differing(sheets: Mapping[str, Any], standings: Mapping[str, Any]) -> list[str]:
    """Contests whose standings differ from a rescoring of their sheets."""
    return [
        str(sheet["table"] or "all")
        for sheet, shown in zip(sheets["sheets"], standings["contests"], strict=True)
        if any(shown["answer"].get(part) != value for part, value in score(sheet["sheet"]).as_json().items())
    ]


def spread_of(values: Sequence[float]) -> Spread:
    """Spread of values; percentiles by nearest rank."""
    if not values:
        return Spread(0, 0.0, 0.0, 0.0, 0.0)
    ranked = sorted(values)

    def part(percent: int) -> float:
        return ranked[max(0, -(-percent * len(ranked) // 100) - 1)]

    return Spread(len(ranked), part(50), part(95), part(99), ranked[-1])


def memory_of_processes(samples: Sequence[tuple[float, int, float]], seconds: float) -> list[Memory]:
    """Memory of each process that lived a fifth of the day, from samples (time, pid, megabytes)."""
    of = grouped((pid, (at, megabytes)) for at, pid, megabytes in samples)
    memories = []
    for rows in of.values():
        began, ended = rows[0][0], rows[-1][0]
        if ended - began >= 2 * seconds / TENTH:
            after = next(megabytes for at, megabytes in rows if at - began >= seconds / TENTH)
            memories.append(
                Memory(after, rows[-1][1], max(megabytes for _, megabytes in rows), ended - began)
            )
    return memories


def counted(sent: Sequence[Sent], found: Found) -> dict[str, Any]:
    """Fields of a Report, computed from what was sent."""
    states = [each.state for each in sent]
    return {
        "sent": len(sent),
        "acknowledged": states.count("saved"),
        "lost": len(found.lost),
        "doubled": len(found.doubled),
        "unanswered": states.count(""),
        "refused": states.count("refused"),
        "conflicts": states.count("conflict"),
        "conflicts_expected": sum(each.second for each in sent),
        "retried": sum(each.tries > 1 for each in sent),
        "busiest": busiest([each.at - each.waited for each in sent if each.state]),
        "entry": spread_of([each.took for each in sent if each.took is not None]),
        "waited": spread_of([each.waited for each in sent if each.state]),
    }


def busiest(moments: Sequence[float]) -> float:
    """Peak rate per second over ten seconds."""
    ranked = sorted(moments)
    most = max((bisect_left(ranked, at + BUSY_S) - index for index, at in enumerate(ranked)), default=0)
    return most / BUSY_S


def ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"


def _spread(what: str, spread: Spread) -> str:
    return _row(what, *map(ms, (spread.p50, spread.p95, spread.p99, spread.most)), f"{spread.count:,}")


def _row(what: str, *cells: str) -> str:
    return f"{what:<34}" + "".join(f"{cell:>12}" for cell in cells)
