"""Process of watching phones.

python -m tournament.extras.rehearsal.watchers    JSON lines on stdin and stdout
"""

import asyncio
import json
import random
import sys
import time
from bisect import bisect_left
from collections.abc import Coroutine, Sequence
from typing import Any

from tournament.extras.rehearsal.crowd import PATIENCE, Crowd, Watched
from tournament.server.machine import most_files

FILES = 500  # file descriptors reserved


def freshness(crowds: Sequence[Crowd], acknowledged: Sequence[tuple[float, int]]) -> tuple[list[float], int]:
    """Seconds from each acknowledgement (time, version) to each watcher's page, and the number never reached."""
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
    """Cut a share of streams again and again."""
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
            await crowd.open(
                streams, asked.get("pages") or max(100, min(streams, most_files() - streams - FILES))
            )
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
    """Freshness in 1000 quantiles; waits for stragglers."""
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
    """Run on uvloop if available."""
    try:
        import uvloop
    except ImportError:  # Windows
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    main(serve())
