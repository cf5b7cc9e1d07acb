"""Line changes of a page, for browsers that hold its former text (static/lastcard/js/watch/changes.js).

A change is [unchanged lines before it, lines that go] and, where lines come, their text.
"""

import base64
import json
import zlib
from collections.abc import Iterator
from difflib import SequenceMatcher

from tournament.live.store import Entry, Form

MOST = 2048  # bytes, compressed; above, fetching the page costs no more
LINES_MOST = 5000  # compared: comparing takes long

Change = list[int | str]


def changes(before: str, after: str) -> Iterator[Change]:
    """The changes that make `after` of `before`, in order."""
    old, new, done = before.split("\n"), after.split("\n"), 0
    for what, begin, end, begins, ends in SequenceMatcher(None, old, new).get_opcodes():
        if what != "equal":
            yield [begin - done, end - begin, *(["\n".join(new[begins:ends])] if begins < ends else [])]
            done = end


def packed(entry: Entry) -> bytes | None:
    """Changes since the page's former version, as words for the stream: former and new tag, version, and the changes as
    JSON, deflated, in Base64. None if there is no former one, or where they are too many."""
    former, body = entry.former, entry.plain.full.body
    if former is None or max(former.full.body.count(b"\n"), body.count(b"\n")) > LINES_MOST:
        return None
    found = list(changes(former.full.body.decode(), body.decode()))
    deflate = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    plain = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    small = deflate.compress(plain.encode()) + deflate.flush()
    if len(small) > MOST:
        return None
    return b"%b %b %d %b" % (_tag(former), _tag(entry.plain), entry.version, base64.b64encode(small))


def _tag(form: Form) -> bytes:
    return form.etag.strip(b'"')
