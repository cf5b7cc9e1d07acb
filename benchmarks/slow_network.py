"""A first visit on a phone over slow 3G: when the standings can be read, beside one bare document of the same bytes.

    python -m benchmarks.slow_network [visits]

Chromium slows its own network down (Network.emulateNetworkConditions): 400 kbit/s each way and 400 ms before each
answer begins. Each visit has a browser context of its own, so nothing is in its cache. The reference is the page
without styles and scripts, padded with noise to as many bytes as all of it has, in one answer.
"""

import base64
import gzip
import json
import os
import re
import statistics
from posixpath import dirname, normpath

from playwright.sync_api import Browser, sync_playwright

from benchmarks._figures import report, run
from benchmarks._serving import Process, fetch, server
from tests.e2e.browser import ARGUMENTS, PHONE, chromium

SPEED = 400_000 / 8  # bytes a second
LATENCY = 400  # milliseconds
AIM_MS = 2000
PART = re.compile(r'(?:src|href)="(/static/[^"]+\.(?:css|js))"')
# Told after the frame that paints the first thing of a kind.
WATCH = """
window.readable = new Promise((resolve) => {
  const look = () => {
    const row = document.querySelector("WHAT");
    if (row && row.getBoundingClientRect().height > 0) {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    } else requestAnimationFrame(look);
  };
  look();
});
"""


def main(visits: int = 5) -> None:
    with server("lastcard") as lastcard, server("bare") as bare, sync_playwright() as playwright:
        path = lastcard.told["path"]
        size, parts = give_reference(lastcard, bare, path)
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        ours, raw = [], []
        for _ in range(visits):
            ours.append(visit(browser, f"http://127.0.0.1:{lastcard.port}{path}"))
            raw.append(visit(browser, f"http://127.0.0.1:{bare.port}/200"))
        code = f"http://127.0.0.1:{lastcard.port}/j/benchmark/"
        short = [visit(browser, code, "main h1") for _ in range(visits)]
        browser.close()
    one, other = statistics.median(ours), statistics.median(raw)
    print(f"a page of 100 rows with {parts} scripts and styles, {size:,} bytes compressed in all")
    print(f"slowest of {visits}: {max(ours):.0f} ms")
    beside = "one bare document of the same bytes"
    report("first visit to readable standings", one, "ms", reference=other, beside=beside, aim=f"{AIM_MS} ms")
    report(
        "from the code on the wall to the event's page",
        statistics.median(short),
        "ms",
        reference=other,
        beside=beside,
    )


def give_reference(lastcard: Process, bare: Process, path: str) -> tuple[int, int]:
    """Have the bare server answer as many bytes; gives them and how many files the page loads."""
    asking = {"Accept-Encoding": "gzip"}
    fetch(lastcard.port, path, asking)
    page = fetch(lastcard.port, path, asking)[1]
    text = gzip.decompress(page).decode()
    coming, found = set(PART.findall(text)), dict[str, int]()
    while coming:
        name = coming.pop()
        part = fetch(lastcard.port, name, asking)[1]
        found[name] = len(part)
        if name.endswith(".js"):
            imports = re.findall(r'from "(\.{1,2}/[^"]+)";', gzip.decompress(part).decode())
            coming |= {normpath(f"{dirname(name)}/{other}") for other in imports} - found.keys()
    size = len(page) + sum(found.values())
    plain = re.sub(r"<link rel=.stylesheet[^>]*>|<script.*?</script>", "", text)
    noise = base64.b85encode(os.urandom(sum(found.values()))).decode().replace("-", "_").replace(">", "_")
    body = gzip.compress(plain.replace("<head>", f"<head><!-- {noise} -->").encode())
    headers = [
        ("content-type", "text/html"),
        ("content-encoding", "gzip"),
        ("content-length", str(len(body))),
    ]
    bare.ask(json.dumps({"body": body.hex(), "headers": {"200": headers}}))
    return size, len(found)


def visit(browser: Browser, url: str, what: str = ".standings__row") -> float:
    """Milliseconds from asking for an address to the first of this kind that is painted."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": LATENCY, "downloadThroughput": SPEED, "uploadThroughput": SPEED},
    )
    page.add_init_script(WATCH.replace("WHAT", what))
    page.goto(url, wait_until="commit")
    found = float(page.evaluate("window.readable"))
    context.close()
    return found


if __name__ == "__main__":
    run(main, 1)
