"""Phones that watch pages, in a process of their own, so that they share no interpreter with the server.

    python -m tournament.practice.rehearse.watchers    one line of JSON on standard input asks for something, one line
    answers

`open` adds a crowd (crowd.py), `until` waits for a version, `drop` sets the share of events that are lost on the way,
`cut` cuts streams now and then, `freshness` is the sum of a rehearsal, `close` ends all crowds.
"""

import asyncio
import json
import random
import sys
import time
from bisect import bisect_left
from collections.abc import Coroutine, Sequence
from typing import Any

from tournament.practice.rehearse.crowd import PATIENCE, Crowd, Watched
from tournament.server.machine import most_files

FILES = 500  # that are left for all else


def freshness(crowds: Sequence[Crowd], acknowledged: Sequence[tuple[float, int]]) -> tuple[list[float], int]:
    """Seconds from each acknowledgement (when, and its version) until each watcher had a page of that version or a
    later one, and how many never had; 0 where the page was quicker than the answer."""
    took: list[float] = []
    never = 0
    for watcher in (one for crowd in crowds for one in crowd.watchers):
        for at, version in acknowledged:
            index = bisect_left(watcher.versions, version)
            if index < len(watcher.versions):
                took.append(max(0.0, watcher.versions_at[index] - at))
            else:
                never += 1
    return took, never


async def _cut(crowds: Sequence[Crowd], share: float, every: float) -> None:
    """Cut a share of the streams every so many seconds, as by phones that change from one network to the other."""
    while True:
        await asyncio.sleep(every)
        for watcher in (one for crowd in crowds for one in crowd.watchers):
            if watcher.opened and random.random() < share:
                watcher.transport.abort()


async def serve() -> None:
    crowds: list[Crowd] = []
    cutting: asyncio.Task[None] | None = None
    print("{}", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        if asked["do"] == "open":
            crowd = Crowd(Watched(**asked["watched"]))
            crowds.append(crowd)
            streams = asked["streams"]
            most = max(100, min(streams, most_files() - streams - FILES))  # connections for pages beside them
            await crowd.open(streams, asked.get("pages") or most)
            answer["pages"] = len(crowd.fetchers)
        elif asked["do"] == "until":
            answer = {
                "at": [at for crowd in crowds for at in await crowd.until(asked["version"], asked["what"])],
                "dropped": sum(crowd.dropped for crowd in crowds),
            }
        elif asked["do"] == "drop":
            for crowd in crowds:
                crowd.watched.drop, crowd.dropped = asked["share"], 0
        elif asked["do"] == "cut":
            cutting = asyncio.create_task(_cut(crowds, asked["share"], asked["every"]))
        elif asked["do"] == "freshness":
            if cutting:
                cutting.cancel()
            answer = await _fresh(crowds, [(at, version) for at, version in asked["acknowledged"]])
        else:
            for crowd in crowds:
                crowd.close()
            crowds.clear()
        print(json.dumps(answer), flush=True)


async def _fresh(crowds: Sequence[Crowd], acknowledged: Sequence[tuple[float, int]]) -> dict[str, Any]:
    """Answer the question at the end of a rehearsal: freshness as a spread of a thousand parts, and how many never
    caught up."""
    last = max((version for _, version in acknowledged), default=0)
    give_up = time.monotonic() + PATIENCE / 2
    while any(crowd.behind(last) for crowd in crowds) and time.monotonic() < give_up:
        await asyncio.sleep(0.1)
    took, never = await asyncio.to_thread(freshness, crowds, acknowledged)
    took.sort()
    spread = [took[min(len(took) - 1, round(part * (len(took) - 1) / 1000))] for part in range(1001)]
    return {
        "spread": spread if took else [],
        "pairs": len(took),
        "never": never,
        "behind": sum(crowd.behind(last) for crowd in crowds),
        "watchers": sum(len(crowd.watchers) for crowd in crowds),
        "cut": sum(crowd.cut for crowd in crowds),
        "refused": sum(crowd.refused for crowd in crowds),
    }


def main(work: Coroutine[Any, Any, None]) -> None:
    """Run it on the quickest event loop that is here."""
    try:
        import uvloop
    except ImportError:  # not on Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    main(serve())
