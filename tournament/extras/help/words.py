"""Sections of the help guides.

A guide is docs/<guide>.md with translations; sections are second-level headings, with the English anchor as id.
`<!-- also: ... -->` holds search words.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

DOCS: Path = settings.BASE_DIR / "docs"
SOURCE_LANGUAGE = "en"
GUIDES = ("players", "referees", "organisers")

# Pages with a "?", by their name in templates, and its section.
PARTS: dict[str, tuple[str, str]] = {
    "board": ("organisers", "run-the-tables"),
    "more": ("organisers", "find-a-page"),
    "new": ("organisers", "create-an-event"),
    "details": ("organisers", "describe-the-event"),
    "copy": ("organisers", "repeat-or-rehearse-an-event"),
    "seasons": ("organisers", "rank-a-season"),
    "hide": ("organisers", "hide-delete-or-change-an-event"),
    "plan": ("organisers", "plan-the-evening"),
    "programme": ("organisers", "plan-the-evening"),
    "players": ("organisers", "check-players-in"),
    "enter": ("organisers", "enter-players"),
    "list": ("organisers", "read-players-from-a-file"),
    "registration": ("organisers", "open-registration"),
    "people": ("organisers", "choose-from-people-you-know"),
    "duplicates": ("organisers", "merge-duplicate-players"),
    "player": ("organisers", "late-no-show-or-gone"),
    "walk-in": ("organisers", "add-a-walk-in"),
    "roles": ("organisers", "invite-referees"),
    "checklist": ("organisers", "get-ready-to-start"),
    "seats": ("organisers", "draw-seats"),
    "apart": ("organisers", "draw-seats"),
    "stage": ("organisers", "start-and-finish-a-stage"),
    "heats": ("organisers", "from-the-heats-to-the-final"),
    "chain": ("organisers", "let-stages-lead-to-each-other"),
    "freeze": ("organisers", "freeze-the-standings"),
    "reveal": ("organisers", "reveal-the-results"),
    "table-codes": ("organisers", "let-players-enter-results"),
    "hall-clock": ("organisers", "run-the-clock"),
    "screens": ("organisers", "use-a-big-screen"),
    "announce": ("organisers", "make-an-announcement"),
    "ledger": ("organisers", "undo"),
    "prints": ("organisers", "print"),
    "results-file": ("organisers", "enter-results-from-a-file"),
    "past-results": ("organisers", "bring-in-last-years-results"),
    "archive": ("organisers", "keep-the-results"),
    "webhooks": ("organisers", "notify-another-program"),
    "tables": ("referees", "find-your-table"),
    "game": ("referees", "enter-a-kpgut-game"),
    "hands": ("referees", "enter-a-kpgut-game"),
    "paper": ("referees", "enter-a-game-from-paper"),
    "round": ("referees", "enter-a-round"),
    "heat": ("referees", "enter-a-heat"),
    "play": ("referees", "correct-a-result"),
    "look": ("referees", "correct-a-result"),
    "conflict": ("referees", "two-versions-of-a-result"),
    "incident": ("referees", "note-a-penalty-or-dispute"),
    "accept": ("referees", "confirm-results"),
    "code": ("referees", "let-players-confirm"),
    "minutes": ("referees", "give-a-table-more-time"),
    "target": ("referees", "choose-the-finals-target"),
    "outbox": ("referees", "entries-waiting-to-be-sent"),
    "hand-over": ("referees", "hand-over-to-another-phone"),
    "join": ("players", "register"),
    "own": ("players", "check-in-or-cancel"),
    "place": ("players", "find-your-table-and-place"),
    "at-table": ("players", "check-your-tables-results"),
    "propose": ("players", "enter-a-result-yourselves"),
    "players-clock": ("players", "enter-a-result-yourselves"),
    "short": ("players", "enter-a-result-yourselves"),
    "open-tables": ("players", "sit-down-at-an-open-table"),
    "standings": ("players", "read-the-standings"),
}

_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_ALSO = re.compile(r"<!-- also: (.*?) -->")
_MARKS = re.compile(r'<img [^>]*alt="|">|<!--.*?-->|\]\([^)]*\)|[*`|\[]')


@dataclass(frozen=True, slots=True)
class Section:
    """A section; `also`: further search words."""

    guide: str
    id: str
    title: str
    text: str
    also: str


def anchor(heading: str) -> str:
    """GitHub's anchor of a heading."""
    return _NOT_IN_ANCHORS.sub("", heading.lower()).replace(" ", "-")


@cache
def ids(path: Path, original: Path) -> dict[str, str]:
    """Section ids by anchor; empty if the English file has other sections."""
    own, english = (_HEADING.findall(each.read_text(encoding="utf-8")) for each in (path, original))
    if len(own) != len(english):
        return {}
    return dict(zip(map(anchor, own), map(anchor, english), strict=True))


@cache
def sections(guide: str, language: str) -> tuple[Section, ...]:
    """Sections of a guide in order."""
    original = DOCS / f"{guide}.md"
    path = original if language == SOURCE_LANGUAGE else DOCS / language / f"{guide}.md"
    known = ids(path, original)
    _lead, *pieces = _HEADING.split(path.read_text(encoding="utf-8"))
    return tuple(
        Section(guide, known[anchor(title)], title, _MARKS.sub(" ", text), " ".join(_ALSO.findall(text)))
        for title, text in zip(pieces[::2], pieces[1::2], strict=True)
    )


def part(page: str, language: str) -> Section:
    """Section that explains a page."""
    guide, wanted = PARTS[page]
    return next(each for each in sections(guide, language) if each.id == wanted)
