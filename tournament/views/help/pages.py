"""Which pages the help has: the files of docs/, in the order in which they are looked for."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DOCS: Path = settings.BASE_DIR / "docs"
IMAGES = DOCS / "images"
SOURCE_LANGUAGE = "en"

GUIDES = ("players", "referees", "organisers")  # for the three who use it, in every language
# What else there is, by who looks for it; what no group names stands in the last one.
GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("How it is counted"), ("rulings", "draws", "glossary")),
    (_("Running the server"), ("operators", "rehearsal", "privacy", "security", "speed", "faults")),
    (_("Files and programs"), ("api", "score-sheet", "archive")),
    (_("How it is made"), ("contributors",)),
)
OUTSIDE = {"security": settings.BASE_DIR / "SECURITY.md"}  # pages that lie where others look for them


@dataclass(frozen=True, slots=True)
class Source:
    """One page's file, and the language that it is in."""

    slug: str
    path: Path
    language: str


def source(slug: str, language: str) -> Source | None:
    """The page of that name in this language, else in English; None for a page that there is not."""
    if slug not in slugs():
        return None
    translated = DOCS / language / f"{slug}.md"
    if language != SOURCE_LANGUAGE and translated.exists():
        return Source(slug, translated, language)
    return Source(slug, OUTSIDE.get(slug, DOCS / f"{slug}.md"), SOURCE_LANGUAGE)


def slug_of(path: Path) -> str | None:
    """The page that a file is, in whichever language; None for a file that is no page."""
    outside = {file: slug for slug, file in OUTSIDE.items()}
    if path in outside:
        return outside[path]
    folders = {DOCS, *(DOCS / code for code, _name in settings.LANGUAGES)}
    return path.stem if path.suffix == ".md" and path.parent in folders and path.stem in slugs() else None


def slugs() -> frozenset[str]:
    """Every page's name in an address."""
    return frozenset(path.stem for path in DOCS.glob("*.md")) | OUTSIDE.keys()


def groups() -> list[tuple[str | Promise, list[str]]]:
    """The pages beside the guides, each in one group."""
    rest = slugs() - set(GUIDES) - {slug for _title, named in GROUPS for slug in named}
    *first, (title, last) = GROUPS
    return [*((each, list(named)) for each, named in first), (title, [*last, *sorted(rest)])]
