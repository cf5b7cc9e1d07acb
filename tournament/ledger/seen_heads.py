"""Ledger ends seen, in a file in LASTCARD_DATA, out of reach of an attacker with SQL. A restore deletes it."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from django.conf import settings

from tournament.ledger.look import Seen
from tournament.server.machine import whole_file


def file() -> Path:
    """The file's path."""
    return Path(settings.DATA_DIR) / "ledger-heads.json"


def seen() -> dict[UUID, Seen]:
    """Ends by tournament; {} without a valid file."""
    try:
        read = json.loads(file().read_text())
        return {UUID(uid): Seen(int(end["rows"]), str(end["head"])) for uid, end in read.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}


def remember(ends: Mapping[UUID, Seen]) -> None:
    """Add or replace these ends. Raises OSError."""
    known = seen()
    if all(known.get(uid) == end for uid, end in ends.items()):
        return
    said = {str(uid): {"rows": end.rows, "head": end.head} for uid, end in (known | dict(ends)).items()}
    with whole_file(file()) as out:
        out.write(json.dumps(said, indent=1).encode() + b"\n")


def forget() -> None:
    """Delete the file."""
    with suppress(FileNotFoundError):
        file().unlink()
