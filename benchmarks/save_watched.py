"""A referee's save while 2,000 phones fetch the page after each one, beside the same save with nobody watching.

    python -m benchmarks.save_watched [streams] [saves]

A save is a whole action, one KPGUT game of ten players, in a thread of the server as Django's are. Two servers run, one
of them watched, and are saved to in turns of five saves at moments of chance, so that some fall into the middle of the
phones' fetching and the ratio holds on a busy computer too.
"""

import random
import time

from benchmarks._figures import report, run
from benchmarks._serving import Process, percentile, server
from benchmarks.streams import until, watch

TURN = 5  # saves
PAUSE = (0.1, 0.7)  # seconds between two saves, by chance
QUIET = 1.0  # seconds after a turn: the phones have fetched by then


def main(streams: int = 2000, saves: int = 60) -> None:
    with server("lastcard") as watched, server("lastcard") as alone, server("watchers") as crowd:
        watch(watched, crowd, streams, watched.told["path"], watched.told["scope"], fetches=True)
        turn(watched)
        turn(alone)
        took: dict[str, list[float]] = {"watched": [], "alone": []}
        for _ in range(max(1, saves // TURN)):
            took["watched"] += turn(watched)
            took["alone"] += turn(alone)
        until(crowd, watched.ask("save")["version"], "shown")
    for percent in (50, 95):
        one, other = percentile(took["watched"], percent), percentile(took["alone"], percent)
        report(
            f"save with {streams:,} phones that fetch its page, {percent}%", one, "ms",
            reference=other, beside="with none",
        )  # fmt: skip


def turn(lastcard: Process) -> list[float]:
    """Milliseconds of each save."""
    found = []
    for _ in range(TURN):
        time.sleep(random.uniform(*PAUSE))
        told = lastcard.ask("save")
        found.append((told["saved"] - told["began"]) * 1000)
    time.sleep(QUIET)
    return found


if __name__ == "__main__":
    run(main, 20, TURN)
