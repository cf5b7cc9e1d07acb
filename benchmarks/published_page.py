"""A published standings page of 100 rows, beside a bare uvicorn that answers the same bytes and headers.

    python benchmarks/published_page.py [seconds]

Both servers run all the time and are asked in turn, and the best turn of each counts, so that the ratio
holds on a busy computer too.
"""

import json
import sys

from _serving import fetch, requests_per_second, server

TURNS = 8


def main(seconds: float = 4.0) -> None:
    with server("lastcard") as lastcard, server("bare") as bare:
        path = lastcard.told["path"]
        page = {"Accept-Encoding": "gzip"}
        fetch(lastcard.port, path, page)
        full, body = fetch(lastcard.port, path, page)
        unchanged = {**page, "If-None-Match": full.headers["ETag"]}
        none, _ = fetch(lastcard.port, path, unchanged)
        assert (full.status, none.status) == (200, 304)
        rows = fetch(lastcard.port, path, {})[1].count(b'class="standings__row')
        own = {"date", "server"}  # uvicorn adds these itself
        headers = {
            str(answer.status): [
                (name, value) for name, value in answer.getheaders() if name.lower() not in own
            ]
            for answer in (full, none)
        }
        bare.ask(json.dumps({"body": body.hex(), "headers": headers}))
        print(f"a page of {rows} rows, {len(body):,} bytes compressed")
        for status, asking in ((200, page), (304, unchanged)):
            turns = [
                (
                    requests_per_second(lastcard.port, path, asking, seconds / TURNS),
                    requests_per_second(bare.port, f"/{status}", asking, seconds / TURNS),
                )
                for _ in range(TURNS)
            ]
            ours, reference = (max(column) for column in zip(*turns, strict=True))
            print(
                f"published page, {status}: {ours:,.0f} requests/s "
                f"(bare uvicorn {reference:,.0f}, ratio {ours / reference:.2f}, aim 0.60)"
            )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
