"""A published standings page of 100 rows, beside a bare uvicorn that answers the same bytes and headers.

    python -m benchmarks.published_page [seconds]

Both servers run all the time and are asked in short turns, one after the other, and the best turn of each counts, so
that the ratio holds on a busy computer too.
"""

import json

from benchmarks._figures import report, run
from benchmarks._serving import Process, fetch, requests_per_second, server

TURNS = 16
FORMS = {"compressed": {"Accept-Encoding": "gzip"}, "plain": {"Accept-Encoding": "identity"}}
AIM = 0.8


def main(seconds: float = 5.0) -> None:
    with server("lastcard") as lastcard:
        for form, asking in FORMS.items():
            with server("bare") as bare:
                compare(lastcard, bare, form, asking, seconds)


def compare(lastcard: Process, bare: Process, form: str, asking: dict[str, str], seconds: float) -> None:
    """Print the ratios of a 200 and a 304 in one form."""
    path = lastcard.told["path"]
    fetch(lastcard.port, path, asking)
    full, body = fetch(lastcard.port, path, asking)
    unchanged = {**asking, "If-None-Match": full.headers["ETag"]}
    none, _ = fetch(lastcard.port, path, unchanged)
    assert (full.status, none.status) == (200, 304)
    assert ("Content-Encoding" in full.headers) == (form == "compressed")
    own = {"date", "server"}  # uvicorn adds these itself
    headers = {
        str(answer.status): [(name, value) for name, value in answer.getheaders() if name.lower() not in own]
        for answer in (full, none)
    }
    bare.ask(json.dumps({"body": body.hex(), "headers": headers}))
    for status, headers_asked in ((200, asking), (304, unchanged)):
        turns = [
            (
                requests_per_second(lastcard.port, path, headers_asked, seconds / TURNS),
                requests_per_second(bare.port, f"/{status}", headers_asked, seconds / TURNS),
            )
            for _ in range(TURNS)
        ]
        ours, reference = (max(column) for column in zip(*turns, strict=True))
        report(
            f"published page, {form}, {status}", ours, "requests/s",
            reference=reference, beside="bare uvicorn, same bytes", aim=f"ratio at least {AIM}",
        )  # fmt: skip


if __name__ == "__main__":
    run(main, 0.3)
