"""How soon one server tells of what was saved at another on the same database: until its streams say the version, and
until its page has it.

    python -m benchmarks.two_servers [saves] [databases: 1 is SQLite alone]

The reference is the same save told by the server that took it. On SQLite, and on a PostgreSQL where its programs are
installed. Also what the listening costs: a look at every version, with one event and with a thousand.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._data import ROOT, folder
from benchmarks._figures import report, run
from tests.e2e.server import manage
from tests.faults.pair import Line, Pair, Stream, pair_of
from tests.faults.rig import Rig
from tests.support.postgres import Missing, cluster

AIM_S = 1.0


def main(saves: int = 40, databases: int = 2) -> None:
    with lastcard(None) as pair:
        measured("SQLite", pair, saves)
    if databases == 1:
        return
    try:
        with cluster() as url, lastcard(url) as pair:
            measured("PostgreSQL", pair, saves)
    except Missing as missing:
        print(missing)


@contextmanager
def lastcard(url: str | None) -> Iterator[Pair]:
    rig = Rig(folder(), **({} if url is None else {"DATABASE_URL": url}))
    if url is not None:
        manage(rig.env, "migrate")
    try:
        rig.start()
        with TemporaryDirectory() as own, pair_of(rig, Path(own)) as pair:
            yield pair
    finally:
        rig.close()


def measured(name: str, pair: Pair, saves: int) -> None:
    event = pair.rig.match()
    (phone,) = pair.rig.phones(event)
    page = f"/en/t/{event.slug}/stage/{event.stage}/"
    streams = [Stream(port, event.stage) for port in pair.ports]
    lines = [Line(port) for port in pair.ports]
    for line in lines:
        line.version(page)
    told: list[list[float]] = [[], []]
    paged: list[list[float]] = [[], []]
    for _ in range(saves):
        phone.enter()  # at the first server
        saved = time.monotonic()
        version = phone.acknowledged[phone.commands[-1]]
        for place, stream in enumerate(streams):
            told[place].append(stream.until(version) - saved)
        for place, line in enumerate(lines):
            assert line.version(page) >= version
            paged[place].append(time.monotonic() - saved)
        time.sleep(0.6)  # more than the pause between two events of a stream
    for what, found in (("on its streams", told), ("in its page", paged)):
        for words, pick in (("median", statistics.median), ("at most", max)):
            report(
                f"{name}, a save at the other server {what}, {words}", pick(found[1]) * 1000, "ms",
                reference=pick(found[0]) * 1000, beside="at the server that took it",
                aim=f"{AIM_S:.0f} s" if words == "at most" else "",
            )  # fmt: skip
    few, many = cost(pair)
    report(
        f"{name}, a look at all versions of 1,000 events",
        many,
        "ms of the processor",
        reference=few,
        beside="1 event",
    )
    for stream, line in zip(streams, lines, strict=True):
        stream.close()
        line.close()


def cost(pair: Pair) -> tuple[float, float]:
    """Milliseconds of the processor that a look at every version takes, with one event and with a thousand."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks._versions"],
        cwd=ROOT, env=pair.rig.env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    few, many = map(float, done.stdout.split())
    return few, many


if __name__ == "__main__":
    run(main, 2, 1)
