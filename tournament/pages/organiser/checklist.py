"""What the event board says of the server itself: whatever somebody should see to before guests notice it."""

import shutil
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from tournament.live.versions import versions

LEAST_FREE_MB = 200


@dataclass(frozen=True, slots=True)
class Trouble:
    """`title` says what is wrong, `text` what it means and what to do; `id` names it in the page."""

    id: str
    title: str
    text: str


def troubles() -> list[Trouble]:
    """What is wrong just now, in the order of weight."""
    return [each for each in (_disk(), _publisher()) if each]


def _disk() -> Trouble | None:
    free = shutil.disk_usage(settings.DATA_DIR).free // 1024**2
    if free >= LEAST_FREE_MB:
        return None
    return Trouble(
        "disk",
        _("The server’s disk is almost full"),
        _(
            "%(free)d MB are left. Without room no entry is saved; phones keep theirs and send them later."
            " Delete something there."
        )
        % {"free": free},
    )


def _publisher() -> Trouble | None:
    if not versions.doubtful:
        return None
    return Trouble(
        "publisher",
        _("Live updates have stopped"),
        _(
            "For %(seconds)d s the server could not read what others saved. Pages are made anew when they are"
            " asked for: they are right, and come later. Restart Lastcard if this stays."
        )
        % {"seconds": versions.silent_s},
    )
