"""The ends of ledgers that were seen, in a file of LASTCARD_DATA: whoever cuts a ledger in SQL does not reach it.

A restore puts another history in the place of the present one, knowingly, and forgets them all.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from django.conf import settings

from tournament.ledger.look import Seen


def file() -> Path:
    """Where they lie."""
    return Path(settings.DATA_DIR) / "ledger-heads.json"


def seen() -> dict[UUID, Seen]:
    """The ends by tournament; none where the file is missing or no such file."""
    try:
        read = json.loads(file().read_text())
        return {UUID(uid): Seen(int(end["rows"]), str(end["head"])) for uid, end in read.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}


def remember(ends: Mapping[UUID, Seen]) -> None:
    """Put these beside, or in the place of, those that are there. Raises OSError where the disk takes nothing."""
    known = seen()
    if all(known.get(uid) == end for uid, end in ends.items()):
        return
    said = {str(uid): {"rows": end.rows, "head": end.head} for uid, end in (known | dict(ends)).items()}
    part = file().with_name(f"{file().name}.{os.getpid()}.part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(said, indent=1) + "\n")
    part.replace(file())


def forget() -> None:
    """Delete the file."""
    with suppress(FileNotFoundError):
        file().unlink()
