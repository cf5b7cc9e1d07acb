"""Score sheets a second, beside what reading and writing the same JSON alone takes.

    python -m benchmarks.score_sheets [seconds]

Both sides run in turn in the same process over the golden sheets, and the best of the turns counts, so that
the ratio holds on a busy computer too.
"""

import json
import time
from collections.abc import Callable

from benchmarks._data import ROOT
from benchmarks._figures import report, run
from scoring import SheetInvalid, parse_sheet, score


def score_line(line: bytes) -> str:
    """Score a line as `manage.py score --lines` does."""
    try:
        answer = score(parse_sheet(line)).as_json()
    except SheetInvalid as refusal:
        answer = refusal.as_json()
    return json.dumps(answer)


def copy_line(line: bytes) -> str:
    """The reference: the same JSON in and out, without scoring."""
    return json.dumps(json.loads(line))


def seconds_per_sheet(work: Callable[[bytes], str], lines: list[bytes]) -> float:
    begin = time.perf_counter()
    for line in lines:
        work(line)
    return (time.perf_counter() - begin) / len(lines)


def main(seconds: float = 5.0) -> None:
    cases = sorted((ROOT / "fixtures" / "sheets").glob("*.json"))
    lines = [json.dumps(json.loads(case.read_bytes())["sheet"]).encode() for case in cases] * 20
    scored = copied = float("inf")
    end = time.perf_counter() + seconds
    while scored == float("inf") or time.perf_counter() < end:
        scored = min(scored, seconds_per_sheet(score_line, lines))
        copied = min(copied, seconds_per_sheet(copy_line, lines))
    report("score sheet", scored * 1e6, "us", reference=copied * 1e6, beside="the same JSON in and out")


if __name__ == "__main__":
    run(main, 0.0)
