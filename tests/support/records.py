"""Tables in docs/ that a program writes: where, when and on which commit something ran, between two marks on a page."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def machine() -> str:
    """The processors, the kernel and Python, as `2 x Intel Xeon, Linux 6.18, Python 3.11.7`."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", info.read_text()) if info.exists() else None
    name = re.sub(r"\((R|TM)\)|CPU| Processor", "", found[1] if found else platform.machine())
    kernel = re.match(r"\d+\.\d+", platform.release())
    system = f"{platform.system()} {kernel[0] if kernel else platform.release()}"
    return f"{os.cpu_count()} x {' '.join(name.split())}, {system}, Python {platform.python_version()}"


def load() -> str:
    """The mean number of processes that wanted a processor in the last minute."""
    return f"{os.getloadavg()[0]:.1f}"


def commit() -> str:
    """The short name of the commit, with `+` where files differ from it."""
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    return _git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def row(*cells: object) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def cells(line: str) -> list[str]:
    """Split a line that `row` made into its cells."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def between(page: Path, mark: str) -> list[str]:
    """The rows of the table between `<!-- MARK -->` and `<!-- END OF MARK -->`, without its heading."""
    return _parts(page, mark)[1].strip().splitlines()[2:]


def write_between(page: Path, mark: str, heading: list[str], rows: list[str]) -> None:
    """Put these rows into the table between the marks, sorted by their first cell. They replace every old row whose
    first cell is one of theirs; the other rows stay."""
    replaced = {cells(line)[0] for line in rows}
    stay = [line for line in between(page, mark) if cells(line)[0] not in replaced]
    table = sorted([*stay, *rows], key=lambda line: cells(line)[0])
    before, _, after = _parts(page, mark)
    lines = [row(*heading), row(*["---"] * len(heading)), *table]
    page.write_text(before + "\n".join(lines) + "\n" + after)


def _parts(page: Path, mark: str) -> tuple[str, str, str]:
    start, end = f"<!-- {mark} -->\n", f"<!-- END OF {mark} -->"
    before, found, rest = page.read_text().partition(start)
    table, closed, after = rest.partition(end)
    assert found, f"{page.name} lacks {start.strip()}"
    assert closed, f"{page.name} lacks {end}"
    return before + start, table, end + after


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
