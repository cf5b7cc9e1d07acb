"""A run's output, and the part of docs/mutants.md that reports its findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from .accepted import Accepted, Key, key_of
from .running import ALIVE, BROKEN, KILLED, TIMED_OUT, Verdict

MOST_ALIVE = 5  # per cent


class Report:
    """The verdicts of a run beside the survivors that are accepted."""

    def __init__(self, accepted: Mapping[Key, Accepted]) -> None:
        self.accepted = accepted
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        """Add a verdict; a survivor that is not accepted is printed at once."""
        self.verdicts.append(verdict)
        if verdict.state == BROKEN or verdict in self.unexplained():
            print(_written(verdict), flush=True)

    @property
    def alive(self) -> list[Verdict]:
        """The survivors, accepted or not."""
        return [verdict for verdict in self.verdicts if verdict.state == ALIVE]

    def unexplained(self) -> list[Verdict]:
        """The survivors without a reason."""
        return [verdict for verdict in self.alive if key_of(verdict.mutant) not in self.accepted]

    def unneeded(self) -> list[Accepted]:
        """List the accepted survivors that the tests notice, or that are nowhere in the files that were looked
        through."""
        alive = {key_of(verdict.mutant) for verdict in self.alive}
        files = {verdict.mutant.file for verdict in self.verdicts}
        return [each for key, each in self.accepted.items() if each.file in files and key not in alive]

    def per_cent(self) -> float:
        """The percentage of mutants that are alive."""
        return 100 * len(self.alive) / len(self.verdicts) if self.verdicts else 0

    def fine(self) -> bool:
        """Whether few enough are alive, each with a reason, and nothing went wrong."""
        broken = any(verdict.state == BROKEN for verdict in self.verdicts)
        return self.per_cent() <= MOST_ALIVE and not self.unexplained() and not broken

    def table(self) -> str:
        """Mutants, killed, alive by file, as the page shows them."""
        rows = [(file, _counts(group)) for file, group in _by_file(self.verdicts)]
        lines = [
            "| file | mutants | killed | of them by time | alive | per cent alive |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
            *(_row(f"`{file}`", counts) for file, counts in rows),
        ]
        return "\n".join([*lines, _row("together", _counts(self.verdicts))])

    def survivors(self) -> str:
        """The survivors with their reasons, as the page shows them."""
        parts = []
        for file, group in _by_file(self.alive):
            parts.append(f"### `{file}`\n\n| function | change | why |\n| --- | --- | --- |")
            for verdict in group:
                found = self.accepted.get(key_of(verdict.mutant))
                change = f"`{verdict.mutant.before}` → `{verdict.mutant.after}`".replace("|", "\\|")
                reason = found.reason if found else "—"
                parts[-1] += f"\n| `{verdict.mutant.function}` | {change} | {reason} |"
        return "\n\n".join(parts)

    def print(self) -> None:
        """Print the end of a run."""
        print(self.table())
        for each in self.unneeded():
            print(f"accepted, but noticed or gone: {each.file} {each.function}: {each.text}")
        if unexplained := self.unexplained():
            print(f"{len(unexplained)} alive without a reason; to accept one:")
            for verdict in unexplained:
                print(_entry(verdict))


def _by_file(verdicts: Iterable[Verdict]) -> Iterable[tuple[str, list[Verdict]]]:
    order = sorted(verdicts, key=lambda verdict: (verdict.mutant.file, verdict.mutant.line))
    return [(file, list(group)) for file, group in groupby(order, key=lambda verdict: verdict.mutant.file)]


def _counts(verdicts: Iterable[Verdict]) -> Counter[str]:
    return Counter(verdict.state for verdict in verdicts)


def _row(name: str, counts: Counter[str]) -> str:
    mutants, alive, late = counts.total(), counts[ALIVE], counts[TIMED_OUT]
    killed = counts[KILLED] + late
    return f"| {name} | {mutants} | {killed} | {late} | {alive} | {100 * alive / mutants if mutants else 0:.1f} |"


def _written(verdict: Verdict) -> str:
    """Write a survivor like a diff."""
    mutant = verdict.mutant
    asked = f"{verdict.asked} tests" if verdict.asked else "no test takes it"
    head = f"{mutant.file}:{mutant.line} {mutant.function}, {mutant.operator} ({verdict.state}, {asked})"
    return f"{head}\n    - {mutant.before}\n    + {mutant.after}"


def _entry(verdict: Verdict) -> str:
    """Write a survivor as accepted/*.toml would hold it."""
    mutant = verdict.mutant
    quoted = mutant.text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[["{mutant.file}"]]\nfunction = "{mutant.function}"\nmutants = ["{quoted}"]\nreason = ""\n'
