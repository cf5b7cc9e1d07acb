"""What an outbox sends, read: anything else is Malformed, and is never an error of the program.

    {"user": uid, "now": ms, "entries": [{"command": uid, "kind": "round", "url": "/en/desk/table/<uid>/record/",
     "fields": [[name, value], ...], "queued": ms}, ...], "tournaments": [uid, ...], "others": [uid, ...]}

`now` and `queued` are by the phone's own clock, so that their difference is right however wrong the clock is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from tournament.results.typed import uuid_or_none
from tournament.words.text import can_be_written

MOST = 50  # entries in a request
MOST_FIELDS = 2_000  # of an entry
MOST_NAMED = 200  # tournaments, or other users of the phone, that a request asks about
LATEST = 30 * 24 * 3600  # seconds that an entry may have waited


class Malformed(Exception):
    """None that an outbox sends."""


@dataclass(frozen=True)
class Batch:
    """A request: the sender's uid, the entries, whose tournaments' end and whose names the phone asks for."""

    user: str
    entries: Sequence["Entry"]
    tournaments: Sequence[UUID]
    others: Sequence[UUID]


@dataclass(frozen=True)
class Entry:
    """One form of the outbox. `about` is the uid of the table or play that its address names; None for an address that
    is none of the desk's, and for an entry that cannot be read: it is refused, and keeps no other back."""

    command: UUID
    kind: str
    about: UUID | None
    data: QueryDict
    late_s: int


def batch_of(body: bytes) -> Batch:
    """The request that this body is. Raises Malformed."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(asked, dict) or not isinstance(asked.get("user"), str):
        raise Malformed
    entries, now = asked.get("entries"), _moment(asked.get("now"))
    if not isinstance(entries, list) or len(entries) > MOST:
        raise Malformed
    return Batch(
        user=asked["user"],
        entries=[_entry(each, now) for each in entries],
        tournaments=_uids(asked.get("tournaments", [])),
        others=_uids(asked.get("others", [])),
    )


def _entry(asked: object, now: int) -> Entry:
    if not isinstance(asked, dict):
        raise Malformed
    command = uuid_or_none(str(asked.get("command")))
    if command is None:
        raise Malformed  # there is nothing to answer it by
    try:
        return _read(asked, command, now)
    except Malformed:
        return Entry(command, "", None, QueryDict(), 0)


def _read(asked: Mapping[str, object], command: UUID, now: int) -> Entry:
    kind, url = asked.get("kind"), asked.get("url")
    if not isinstance(kind, str) or not isinstance(url, str):
        raise Malformed
    late_s = max(0, min(now - _moment(asked.get("queued")), LATEST * 1000)) // 1000
    return Entry(command, kind, _about(url), _fields(asked.get("fields"), command), late_s)


def _fields(fields: object, command: UUID) -> QueryDict:
    if not isinstance(fields, list) or len(fields) > MOST_FIELDS:
        raise Malformed
    data = QueryDict(mutable=True)
    for field in fields:
        if not (isinstance(field, list) and len(field) == 2 and all(map(_is_text, field))):
            raise Malformed
        data.appendlist(*field)
    data["command"] = str(command)
    return data


def _is_text(value: object) -> bool:
    return isinstance(value, str) and can_be_written(value)


def _moment(value: object) -> int:
    """Milliseconds of a phone's time of day."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 10**15:
        raise Malformed
    return int(value)


def _about(url: str) -> UUID | None:
    """In whichever language: `/fi/desk/play/<uid>/out/`."""
    steps = url.split("/")
    return uuid_or_none(steps[4]) if len(steps) > 4 and steps[2] == "desk" else None


def _uids(texts: object) -> list[UUID]:
    if not isinstance(texts, list) or len(texts) > MOST_NAMED:
        raise Malformed
    return [uid for each in texts if (uid := uuid_or_none(str(each)))]
