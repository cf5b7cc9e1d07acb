"""A visitor who opens everything: follows every address that a page, a feed or a header holds, and tries every
other address of the site that can be made from known ids.

    found = crawl("/en/", *guesses(slug=[...], stage=[...]))
    assert not [address for address, answer in found.items() if "secret" in answer.text]

`Answer.text` is all that a visitor gets to read: headers and body, of a workbook the text of every part. `said` is
the same without what is another at each request or each save (ids of commands, versions, entity tags, times of files).
"""

import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import product
from typing import Any
from urllib.parse import urljoin, urlsplit
from zipfile import ZipFile

from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation

LANGUAGES = ("en", "fi", "sv")
# Anything that looks like an address of ours: in links, forms, data attributes, JSON and XML.
ADDRESS = re.compile(r"""["'>](/(?!/)[^"'<>\s]*|[?][^"'<>\s]*)["'<]""")
RELATIVE = re.compile(r"""(?:href|src|action)=["'](?![a-z]+:|[/#])([^"'<>\s]+)""")
# The same for everybody at all times, or not of this site's own.
FIXED = re.compile(r"/static/|/../(rules|help|score|admin)/|/favicon[.]ico|/live/|/api/v1/(docs|schema)")
NOISE = re.compile(
    r"""data-version="\d+"|"version":\d+|"ledger_head":"[0-9a-f]*"
        |name="csrfmiddlewaretoken"\s+value="[^"]*"|csrftoken=[^;\s]*|expires=[^;]*;
        |name="(?:command|proposal|play)"\s+value="[^"]*"
        |(?im:^(?:etag|content-length|content-disposition|expires|last-modified|x-request-id):.*$)
        |<updated>[^<]*</updated>|(?m:^DTSTAMP.*$)""",
    re.VERBOSE,
)
TEXT_NODE = re.compile(r">([^<]+)<")


@dataclass(frozen=True)
class Answer:
    """An address's answer: its status and all that can be read in it."""

    status: int
    text: str

    @cached_property
    def said(self) -> str:
        return NOISE.sub("", self.text)


def crawl(
    *starts: str,
    client: Client | None = None,
    follow: bool = True,
    languages: Collection[str] = LANGUAGES,
    known: Mapping[str, Answer] | None = None,
) -> dict[str, Answer]:
    """Follow every link from these addresses and give each address with its answer; without `follow` these alone.
    Nothing is sent: forms are opened, not filled in. Addresses in `known` are not asked again, nor are pages in another
    language than these."""
    client = client or Client()
    found: dict[str, Answer] = {**(known or {})}
    others = tuple(f"/{each}/" for each in LANGUAGES if each not in languages)
    coming = list(dict.fromkeys(starts))
    with translation.override("en"):  # a page leaves its own language behind
        while coming:
            address = coming.pop()
            if address in found or FIXED.match(address) or address.startswith(others):
                continue
            found[address], leads = _open(client, address)
            coming += [each for each in leads if follow and each not in found]
    return found


def guesses(languages: Sequence[str] = LANGUAGES, **values: Iterable[Any]) -> list[str]:
    """Every address that the site knows and that can be made from these values of its parts (`slug`, `stage` ...)."""
    found = []
    for pattern, parts in _patterns(get_resolver().url_patterns):
        if not parts.keys() <= values.keys() or "admin" in pattern:
            continue
        for chosen in product(*(values[part] for part in parts)):
            path = pattern
            for part, value in zip(parts.values(), chosen, strict=True):
                path = path.replace(part, str(value), 1)
            found += [path.replace("LANGUAGE", each, 1) for each in languages]
    return list(dict.fromkeys(found))


def _patterns(entries: Sequence[Any], before: str = "/") -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each pattern as a path, with the text that stands in it for each part; a path with a language says LANGUAGE."""
    for entry in entries:
        route = str(entry.pattern)
        prefix = type(entry.pattern).__name__ == "LocalePrefixPattern"
        path = before + ("LANGUAGE/" if prefix else route)
        if isinstance(entry, URLResolver):
            yield from _patterns(entry.url_patterns, path)
        elif isinstance(entry, URLPattern) and not path.count("(?P"):
            yield path, {found[1]: found[0] for found in re.finditer(r"<(?:\w+:)?(\w+)>", path)}


def _open(client: Client, address: str) -> tuple[Answer, list[str]]:
    cache.clear()  # nobody asks for so much in a minute, and the API would say so
    response = client.get(address)
    content = response.getvalue()
    head = "\n".join(f"{name}: {value}" for name, value in response.items())
    cookies = response.cookies.output()
    body = _text_of(content)
    leads = [*ADDRESS.findall(body), *RELATIVE.findall(body)]
    if response.has_header("Location"):
        leads.append(response["Location"])
    answer = Answer(response.status_code, f"{head}\n{cookies}\n\n{body}")
    return answer, list(_ours(address, leads))


def _ours(address: str, leads: Sequence[str]) -> Iterator[str]:
    for lead in leads:
        parts = urlsplit(urljoin(address, html.unescape(lead)))
        if parts.netloc in {"", "testserver"} and "%7B" not in parts.path and "{" not in parts.path:
            yield f"{parts.path}?{parts.query}" if parts.query else parts.path


def _text_of(content: bytes) -> str:
    """The text of a page, of every part of a workbook without its marks, or of every cell of an archive of CSV."""
    if content[:2] != b"PK":
        return content.decode("utf-8", "replace")
    with ZipFile(BytesIO(content)) as book:
        parts = [
            book.read(name).decode() for name in sorted(book.namelist()) if not name.startswith("docProps")
        ]
        if book.namelist()[0].endswith(".csv"):
            return "\n".join(parts).replace(",", "\n")
    return "\n".join(text for part in parts for text in TEXT_NODE.findall(part))
