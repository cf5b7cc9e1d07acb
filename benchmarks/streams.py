"""10,000 phones watch one page of standings: how soon each has a save's page, beside a raw hub on the same clients.

    python -m benchmarks.streams [streams] [saves]

In one run, one after the other on the same machine:

    raw hub     uvicorn with a coroutine and a queue for each stream, which answers the same page from memory
    Lastcard    the same phones; a save is a whole action: one KPGUT game of ten players, with 100 in the standings

The event alone is a bare announcement without save or page. A page counts when its bytes are of the last save's
version. The phones are one other process (tournament/extras/rehearsal/watchers.py), so that with two cores each side
has one.
"""

import json
import statistics
import time
from dataclasses import dataclass

from benchmarks._figures import report, run
from benchmarks._serving import Process, fetch, percentile, server

ROUNDS = 5  # of the event alone
APART = 0.7  # seconds between two of them, more than the hub's own pause
DROP = 0.2  # of the events, in the last part
AIM_S = 1.0


@dataclass
class Figures:
    """Milliseconds, and kilobytes for each stream."""

    memory: float
    event: list[float]
    page: list[float]


def main(streams: int = 10_000, saves: int = 10) -> None:
    with server("lastcard") as lastcard:
        _, page = fetch(lastcard.port, lastcard.told["path"], {})
        raw = raw_hub(page, streams)
        print(f"{streams:,} streams; raw: uvicorn with a queue for each stream, same clients, same run")
        ours(lastcard, raw, streams, saves)


def raw_hub(page: bytes, streams: int) -> Figures:
    with server("hub") as hub, server("watchers") as crowd:
        before, rest = page.split(b'data-version="', 1)
        page = before + b'data-version="VERSION' + rest[rest.index(b'"') :]
        hub.ask(json.dumps({"page": page.hex()}))
        memory = idle(hub, crowd, streams, "/page", "any")
        event = events(hub, crowd, "announce")
        watch(hub, crowd, streams, "/page", "any", fetches=True)
        shown: list[float] = []
        for _ in range(ROUNDS):
            time.sleep(APART)
            told = hub.ask("announce")
            shown += since(told["began"], until(crowd, told["version"], "shown"))
    return Figures(memory, event, shown)


def ours(lastcard: Process, raw: Figures, streams: int, saves: int) -> None:
    path, scope, bare = (lastcard.told[key] for key in ("path", "scope", "bare"))
    with server("watchers") as crowd:
        memory = idle(lastcard, crowd, streams, path, bare)
        report("memory a stream", memory, "kB", reference=raw.memory, beside="raw", aim="25 kB more than raw")
        say("a bare event on every stream", events(lastcard, crowd, "announce"), raw.event, "ratio 1.5")
        pages = watch(lastcard, crowd, streams, path, scope, fetches=True)
        until(crowd, lastcard.ask("save")["version"], "shown")
        told = [lastcard.ask("save") for _ in range(saves)]
        shown = since(told[-1]["began"], until(crowd, told[-1]["version"], "shown"))
        took = [(one["saved"] - one["began"]) * 1000 for one in told]
        print(
            f"{saves} saves in a row, over {told[-1]['saved'] - told[0]['began']:.1f} s, of "
            f"{statistics.median(took):.0f} ms each; pages over {pages:,} connections"
        )
        say("the last of several saves to its page, raw one announcement", shown, raw.page, f"{AIM_S:.0f} s")
        soon = sum(one <= AIM_S * 1000 for one in shown) / len(shown)
        report(f"pages within {AIM_S:.0f} s of the last save", soon * 100, "%", aim="99 %")
        crowd.ask(json.dumps({"do": "drop", "share": DROP}))
        told = [lastcard.ask("save") for _ in range(saves)]
        answer = crowd.ask(json.dumps({"do": "until", "version": told[-1]["version"], "what": "shown"}))
        late = since(told[-1]["began"], answer["at"])
        print(f"{answer['dropped']:,} events lost on the way: {len(late):,} of {streams:,} pages are right")
        report(f"the last page when {DROP:.0%} of the events are lost", max(late) / 1000, "s")


def idle(process: Process, crowd: Process, streams: int, path: str, scope: str) -> float:
    """Kilobytes that each idle stream costs the server."""
    before: float = process.memory
    watch(process, crowd, streams, path, scope, fetches=False)
    return (process.memory - before) / streams


def watch(process: Process, crowd: Process, streams: int, path: str, scope: str, *, fetches: bool) -> int:
    """Open the streams, in the place of those before; gives the connections that pages come over."""
    crowd.ask(json.dumps({"do": "close"}))
    watched = {"port": process.port, "path": path, "scope": scope, "fetches": fetches}
    pages: int = crowd.ask(json.dumps({"do": "open", "streams": streams, "watched": watched}))["pages"]
    return pages


def events(process: Process, crowd: Process, what: str) -> list[float]:
    found: list[float] = []
    for _ in range(ROUNDS):
        time.sleep(APART)
        told = process.ask(what)
        found += since(told["began"], until(crowd, told["version"], "heard"))
    return found


def until(crowd: Process, version: int, what: str) -> list[float]:
    at: list[float] = crowd.ask(json.dumps({"do": "until", "version": version, "what": what}))["at"]
    return at


def since(began: float, at: list[float]) -> list[float]:
    return [(one - began) * 1000 for one in at]


def say(what: str, found: list[float], reference: list[float], aim: str) -> None:
    for percent in (50, 99):
        one, other = percentile(found, percent), percentile(reference, percent)
        report(
            f"{what}, {percent}%", one, "ms", reference=other, beside="raw", aim=aim if percent == 99 else ""
        )


if __name__ == "__main__":
    run(main, 20, 2)
