"""Requests of HTTP/1.1 as nobody's browser writes them: heads, bodies and pipelines from a seed.

Each request says its own id in X-Request-ID, which an answer of Django gives back: so an answer shows whose it is.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.faults.phones import CSRF

# Pages of every kind: stored, redirected, of Django, of the interface, files, probes, a form, nothing.
PATHS = [
    "/", "/en/", "/fi/", "/en/score/", "/en/help/", "/en/desk/", "/en/sign-in/?next=/en/desk/", "/en/nothing/",
    "/sw.js",
    "/api/v1/me", "/api/v1/tournaments", "/api/v1/score", "/api/v1/nothing", "/healthz", "/readyz", "/metrics",
    "/favicon.ico", "/en/organise/", "/en/admin/", "/j/x/", "/p/abc/", "/b/abc/", "/live/nothing", "/en/t/nothing/",
    "/static/nothing.css", "/sv/search/?q=a", "/en/at/abc/", "/set-language/",
]  # fmt: skip
TARGETS = [
    "*", "http://127.0.0.1/en/desk/", "http://[::1]/en/", "https://evil.test/en/desk/", "127.0.0.1:443",
    "//evil.test/en/",
    "/en/../etc/passwd", "/%2e%2e/%2e%2e/", "/en/%00/", "/%zz", "/%", "/%ff%fe/", "/%u0041", "/%c0%af",
    "/en/desk/#part",
    "/en/;a=b", "/en/?%00=%00", "/en/?next=%0d%0aX: y", "/en/desk/?" + "a" * 3000, "/" + "a" * 70_000, "/en /x",
    "/en/\x00/", "/\xe4/", "/en/?q=\xe4\xf6", "", "en/", "?", "/en/desk/?a=b&a=c&&=&%26", "/\\evil", "/en//desk//",
    "javascript:alert(1)", "/api/v1/tournaments?page=-1&x[]=1", "/api/v1/tournaments/%7b%7d", "/en/t/\u0130/",
]  # fmt: skip
METHODS = [
    "GET",
    "GET",
    "GET",
    "HEAD",
    "POST",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
]
NO_METHODS = [
    "get",
    "G@T",
    "",
    "PRI",
    "X" * 100,
    "GET\t",
    "\x00",
    "M-SEARCH",
    "PROPFIND",
    "LOCK",
    " GET",
    "\xff",
]
VERSIONS = [
    "HTTP/1.0",
    "HTTP/0.9",
    "HTTP/2.0",
    "HTTP/1.2",
    "HTTP/1.10",
    "http/1.1",
    "HTTP/1.",
    "",
    "HTTPS/1.1",
    "ICE/1.0",
]
LONG = "x" * 20_000
# Values by which a server, Django or we read something; each line is one header's.
ODD: dict[str, list[str]] = {
    "Host": ["", "[::1]", "[::1]:8000", "[::1", "[fe80::1%25eth0]:1", "evil.test", "a b", "a\x00b",
        "127.0.0.1:99999", "x" * 5000],
    "Content-Length": ["0", "5", "-1", "+5", "0x5", "5, 5", "5,6", "5 5", "99999999999999999999", "", "1e1", "\xb2",
        "17000000"],
    "Transfer-Encoding": ["chunked", "Chunked", "gzip, chunked", "chunked, chunked", "identity", "x", "chunked\x0b",
        "", "gzip"],
    "Connection": ["close", "keep-alive", "upgrade", "close, keep-alive", "x", "", "Content-Length", "TE, close"],
    "Expect": ["100-continue", "100-Continue", "200-ok", ""],
    "Upgrade": ["websocket", "h2c", "HTTP/2.0", "", "websocket, h2c"],
    "Sec-WebSocket-Key": ["dGhlIHNhbXBsZSBub25jZQ==", "x"],
    "HTTP2-Settings": ["AAMAAABkAARAAAAAAAIAAAAA"],
    "Range": ["bytes=0-1", "bytes=-1", "bytes=5-", "bytes=9-1", "bytes=0-0,2-3", "x",
        "bytes=" + "0-0," * 2000, "bytes=-0"],
    "If-Range": ['"x"', "Thu, 01 Jan 1970 00:00:00 GMT", "x"],
    "If-None-Match": ['"x"', "*", 'W/"x"', '"a","b"', '"', '"' * 1000, '"a",' * 400, '"' * 5000],
    "If-Match": ['"x"', "*", '"1"', "1", '"' * 5000],
    "If-Modified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Jan 1970 99:00:00 GMT", "x",
        "Mon, 01-Jan-99999 00:00:00 GMT", "1" * 400],
    "If-Unmodified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "x"],
    "Confirm": ["*/*", "", "text/html", "application/json;q=x", "a/b;q=1;c=\"", ";;;",
        "a/b," * 700, "a" * 4000, "\xff/\xff"],
    "Accept-Encoding": ["gzip", "gzip;q=0", "gzip;q=x", "*", "br, gzip;q=0.5", "gzip," * 100, "identity;q=0, *;q=0",
        "\xff"],
    "Accept-Language": ["fi", "xx", "fi;q=2", "fi;q=0.0001", "*", "a-" * 300, "\xff", "en-" + "a" * 5000],
    "Content-Type": [
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data",
        "multipart/form-data; boundary=b",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "b" * 300, "text/plain; charset=nothing",
        "application/json; charset=utf-16", "application/x-www-form-urlencoded; charset=utf-7",
        "a; b=\"" + ";" * 900, "",
        "a;a;a", "multipart/form-data; boundary=\"\x01\"", "application/json; charset=\xff", "a; b*=utf-8''%ff",
        "a" * 3000,
        "multipart/form-data; boundary=b; charset=unicode_escape", "application/x-www-form-urlencoded; charset=rot13",
    ],
    "Content-Encoding": ["gzip", "deflate", "x"],
    "Cookie": [
        "sessionid=aaaabbbbccccddddeeeeffff00001111", "csrftoken=x", "a=b; ;=;c", "messages=forged", "=", ";",
        "a" * 4000,
        "known=forged:x:y", "device=%00", "language=xx", "sessionid=\xff",
        "sessionid=" + "a" * 4000, "device=\"\\401\"",
        "proved=forged", "sessionid=; sessionid=b", "a=" + "b;" * 500, "practised=1; site-language=x",
        "csrftoken=" + "\u0130",
    ],
    "Authorization": ["Bearer lc_x", "Bearer", "Bearer \xff", "Basic YTpi", "Basic ===", "Token x", "", "Bearer a b",
        "Bearer " + "x" * 3000],
    "Idempotency-Key": ["x", "", "00000000-0000-0000-0000-000000000000", "\xff",
        "{00000000-0000-4000-8000-000000000000}", "a" * 3000],
    "X-CSRFToken": ["x", "", CSRF, "\xff" * 32],
    "X-Forwarded-For": ["192.0.2.1", "x", "192.0.2.1, 192.0.2.2", "", "[::1]", "\x01", "a" * 3000],
    "X-Forwarded-Proto": ["https", "http", "x"],
    "X-Forwarded-Host": ["evil.test"],
    "X-HTTP-Method-Override": ["DELETE"],
    "Origin": ["null", "https://evil.test", "http://127.0.0.1", "x", "http://[", "\xff"],
    "Referer": ["http://[", "https://evil.test/", "x", "http://127.0.0.1:99999/"],
    "Sec-Fetch-Site": ["cross-site", "x"],
    "X-Request-ID": ["\xff" * 10, "a b c d e f", "short"],
    "X_Under": ["x"],
    "Date": ["x"],
    "Trailer": ["Host", "X-After"],
    "TE": ["trailers", "x"],
    "Last-Event-ID": ["x", "-1"],
    "X-Requested-With": ["XMLHttpRequest"],
    "Purpose": ["prefetch"],
    "User-Agent": ["", "\xff", "a" * 3000],
}  # fmt: skip
# Lines that are no header, or that one reads in two ways.
LINES = [
    " folded: x", "X-A: a\r\n b", "X-A: a\r\n\tb", "X Y: 1", ": 1", "X\x00: 1", "no colon", "X-A : 1", "X-A:",
    "X-A: a\rb", "X-A: a\nb: c",
    "X-Long: " + LONG, "X-" + LONG + ": 1", "\xe4: 1", "X-A: \xe4", "X-A: \x7f", "\x00", "X-A: a\x00b",
    "\r\n".join(f"X-{number}: 1" for number in range(300)), "Content_Length: 5", "GET / HTTP/1.1",
    "X-A: " + "y" * 7000,
    "Host: 127.0.0.1\r\nHost: 127.0.0.1", "Content-Length: 3\r\nContent-Length: 4",
    "Content-Length: 3\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding:\x0bchunked",
    "Transfer-Encoding\t: chunked",
]  # fmt: skip
FORM = "application/x-www-form-urlencoded"
BODIES: list[tuple[str, bytes]] = [
    (FORM, b""), (FORM, b"a=b&c=%00&d=%ff&=&&%zz=%"), (FORM, b"do=show&sheet=%7B%7D"),
    (FORM, b"do=save:9999&sheet=[]&row=-1"),
    (FORM, b"do=\x00&sheet=\xff"), (FORM, b"&".join(b"a=%d" % number for number in range(3000))),
    (FORM, b"language=xx&next=//evil.test"),
    ("application/json", b"{}"), ("application/json", b"["), ("application/json", b"[" * 3000), ("application/json",
    b"\xff\xfe"),
    ("application/json", b'{"a":1e999,"b":"\\ud800"}'), ("application/json",
    b'{"sheet":1,"kind":"match","ruleset":"\\u0000"}'),
    ("application/json", b"NaN"), ("application/json", b"1" * 5000), ("application/json",
    b'"' + b"\\u0000" * 50 + b'"'),
    ("text/plain", b"hello"), ("", b"\x00\x01"), ("application/json; charset=utf-16", b"{}"),
    ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="do"\r\n\r\nshow\r\n--b--\r\n'),
    ("multipart/form-data; boundary=b",
    b'--b\r\nContent-Disposition: form-data; name="f"; filename="a\x00.csv"\r\n\r\nx\r\n--b--\r\n'),
    ("multipart/form-data; boundary=b", b"--b\r\n\r\n--b\r\n--b"), ("multipart/form-data; boundary=b",
    b"no part at all"),
    ("multipart/form-data; boundary=b",
    b"--b\r\nContent-Disposition: form-data; name*=utf-8''%ff\r\nContent-Transfer-Encoding: base64\r\n\r\n=\r\n--b--"),
    ("multipart/form-data; boundary=b", b"--b\r\n" + b"X: y\r\n" * 500 + b"\r\n\r\n--b--\r\n"),
]  # fmt: skip
SIZES = [
    b"5;ext=1",
    b"0x5",
    b"-1",
    b"f" * 17,
    b"5 ",
    b"\t5",
    b"",
    b"5;" + b"a" * 3000,
    b"+5",
    b"5\n",
    b"00005",
    b"g",
]
TRAILERS = [b"", b"", b"X-After: 1\r\n", b"Host: evil.test\r\n", b"Authorization: Bearer lc_x\r\n",
b"Content-Length: 9\r\n", b"no colon\r\n", b"X: " + b"y" * 20_000 + b"\r\n"]  # fmt: skip
CUTS = [0, 0, 0, 1, 2, 5]  # how often a request is cut in two on its way


@dataclass(frozen=True)
class Asked:
    """One request: its bytes, and where all of it is as it should be, the method and the id that its answer has."""

    data: bytes
    method: str
    id: str
    well: bool


@dataclass(frozen=True)
class Case:
    """The bytes that are sent on one connection. `ends`: "waits" for answers, "leaves" in the middle, or "stops"
    sending."""

    name: str
    asked: Sequence[Asked]
    pieces: Sequence[bytes]
    ends: str

    @property
    def well(self) -> bool:
        """Whether each request has an answer of its own, the last of which closes the connection."""
        return self.ends == "waits" and all(each.well for each in self.asked)

    def __str__(self) -> str:
        """The case, to be pasted into KNOWN of test_fuzz.py."""
        return f"({self.ends!r}, {list(self.pieces)!r})"


def case(seed: int) -> Case:
    """The case of this seed."""
    chance = random.Random(seed)
    name = f"fuzz-{seed:07}"
    many = chance.choice([1, 1, 1, 2, 3, 5, 20])
    well = chance.random() < 0.3
    asked = []
    for number in range(many):
        id_ = f"{name}-{number:03}"
        last = number == many - 1
        as_should_be = well or chance.random() < 0.3
        asked.append(_plain(chance, id_, last=last) if as_should_be else _odd(chance, id_))
    data = b"".join(each.data for each in asked)
    ends = "waits" if well else chance.choice(["waits", "waits", "waits", "stops", "leaves"])
    if ends == "leaves":
        data = data[: chance.randrange(len(data) + 1)]
    return Case(
        name,
        asked,
        cut(data, sorted(chance.randrange(len(data) + 1) for _ in range(chance.choice(CUTS)))),
        ends,
    )


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True) if a < b]


def _plain(chance: random.Random, id_: str, *, last: bool) -> Asked:
    """A request that a browser might send."""
    method = chance.choice(["GET", "GET", "GET", "HEAD", "POST"])
    lines = [f"X-Request-ID: {id_}", "Host: 127.0.0.1"]
    body = b""
    if chance.random() < 0.3:
        lines.append("Accept-Encoding: gzip")
    if method == "POST":
        kind, sent = chance.choice(BODIES[:3])
        lines += [f"Content-Type: {kind}", f"Cookie: csrftoken={CSRF}", f"X-CSRFToken: {CSRF}"]
        if chance.random() < 0.5:
            lines.append(f"Content-Length: {len(sent)}")
            body = sent
        else:
            lines.append("Transfer-Encoding: chunked")
            body = chunked(sent, [b"%x" % len(sent)])
    lines.append("Connection: close" if last else "Connection: keep-alive")
    chance.shuffle(lines)
    path = chance.choice(PATHS)
    return Asked(_request(f"{method} {path} HTTP/1.1", lines, body), method, id_, True)


def _odd(chance: random.Random, id_: str) -> Asked:
    """A request with some things in it that should not be there."""
    pick = chance.random
    method = chance.choice(METHODS if pick() < 0.85 else NO_METHODS)
    target = chance.choice(PATHS if pick() < 0.7 else TARGETS)
    version = "HTTP/1.1" if pick() < 0.9 else chance.choice(VERSIONS)
    lines = [f"X-Request-ID: {id_}"]
    if pick() < 0.9:
        lines.append("Host: 127.0.0.1")
    body = b""
    if pick() < 0.5:
        kind, body = chance.choice(BODIES)
        lines += [f"Content-Type: {kind}"] * (pick() < 0.9)
        lines += [f"Cookie: csrftoken={CSRF}", f"X-CSRFToken: {CSRF}"] * (pick() < 0.7)
        how = pick()
        if how < 0.4:
            lines.append(f"Content-Length: {len(body) + chance.choice([0, 0, 0, 0, 1, -1, 7]):d}")
        elif how < 0.8:
            lines.append("Transfer-Encoding: chunked")
            sizes = [b"%x" % len(body)] if pick() < 0.6 else [chance.choice(SIZES)]
            body = chunked(body, sizes, chance.choice(TRAILERS), end=pick() < 0.9)
    for name in chance.sample(list(ODD), chance.choice([0, 1, 1, 2, 4])):
        lines.append(f"{name}: {chance.choice(ODD[name])}")
    if pick() < 0.25:
        lines.append(chance.choice(LINES))
    chance.shuffle(lines)
    ending = "\r\n" if pick() < 0.93 else chance.choice(["\n", "\r", "\r\r\n"])
    return Asked(_request(f"{method} {target} {version}", lines, body, ending), method, id_, False)


def chunked(body: bytes, sizes: Sequence[bytes], trailer: bytes = b"", *, end: bool = True) -> bytes:
    if not body:
        sizes = []
    return b"".join(b"%b\r\n%b\r\n" % (size, body) for size in sizes) + (
        b"0\r\n%b\r\n" % trailer if end else b""
    )


def _request(line: str, lines: Sequence[str], body: bytes, ending: str = "\r\n") -> bytes:
    return _bytes("".join(f"{each}{ending}" for each in (line, *lines, ""))) + body


def _bytes(text: str) -> bytes:
    """Latin-1 where it can be, UTF-8 for the other letters."""
    return b"".join(each.encode("latin-1") if ord(each) < 256 else each.encode() for each in text)
