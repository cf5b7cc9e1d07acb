"""How soon one server tells of what was saved at another on the same database: until its streams say the version, and
until its page has it.

    python benchmarks/two_servers.py [saves]

The reference is the same save told by the server that took it. On SQLite, and on a PostgreSQL where its programs are
installed. Also what the listening costs: a look at every version, with one event and with a thousand.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.server import environment, manage
from tests.faults.pair import Line, Pair, Stream, pair_of
from tests.faults.rig import Rig
from tests.postgres import Missing, cluster

AIM_S = 1.0

COST = """
import time, django
django.setup()
from uuid import uuid4
from datetime import date
from tournament.live.poller import read_versions
from tournament.models import Organiser, Stage, Tournament
def cost():
    read_versions()
    began = time.process_time()
    for _ in range(20):
        read_versions()
    return (time.process_time() - began) / 20 * 1000
few = cost()
club = Organiser.objects.create(name="Club")
many = [Tournament(name="E", slug=f"e{n}", starts_on=date(2026, 1, 1), ruleset="kpgut-2016", organiser=club, version=9)
        for n in range(1000)]
Tournament.objects.bulk_create(many)
Stage.objects.bulk_create(Stage(tournament=each, kind="session", number=n) for each in many for n in range(1, 4))
print(f"{few:.1f} ms of the processor for a look at all versions, {cost():.1f} ms with 1,000 events of 3 stages")
"""


def main(saves: int = 40) -> None:
    with lastcard(None) as pair:
        measured("SQLite", pair, saves)
    try:
        with cluster() as url, lastcard(url) as pair:
            measured("PostgreSQL", pair, saves)
    except Missing as missing:
        print(missing)


@contextmanager
def lastcard(url: str | None):
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        data, own = Path(first), Path(second)
        settings = {} if url is None else {"DATABASE_URL": url}
        manage(environment(data) | settings, "prepare")
        rig = Rig(data, **settings)
        try:
            rig.start()
            with pair_of(rig, own) as pair:
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
        for place, (stream, line) in enumerate(zip(streams, lines, strict=True)):
            told[place].append(stream.until(version) - saved)
            assert line.version(page) >= version
            paged[place].append(time.monotonic() - saved)
        time.sleep(0.6)  # more than the pause between two events of a stream
    print(f"{name}, {saves} saves, milliseconds after the answer to the save:")
    for what, found in (("on its streams", told), ("in its page", paged)):
        print(f"  {what}: {said(found[1])}; at the server that took it {said(found[0])}")
    late = sum(each > AIM_S for each in paged[1])
    print(f"  later than {AIM_S:.0f} s: {late} of {saves} (aim 0)")
    print("  " + cost(pair))
    for each in (*streams, *lines):
        each.close()


def cost(pair: Pair) -> str:
    done = subprocess.run(
        [sys.executable, "-c", COST], cwd=ROOT, env=pair.rig.env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def said(seconds: list[float]) -> str:
    rising = sorted(seconds)
    return f"{statistics.median(rising) * 1000:.0f} ms, at most {rising[-1] * 1000:.0f} ms"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
