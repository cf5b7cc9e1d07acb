"""Collect the words to translate and compile the catalogues: `make messages`, after changing words or translations.

Needs Babel alone, not the gettext programs. English is the language of the source, so it has no catalogue. A new or
changed text comes out untranslated (never guessed), one that is gone is dropped.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file, extract_python as python
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from tournament.server.environment import compile_catalogues

LANGUAGES = ["fi", "sv"]
KEYWORDS = DEFAULT_KEYWORDS | {
    f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext", "npgettext")
}
NOTE = "Translators:"  # a comment that begins so goes into the catalogue


def template(file: Any, keywords: Any, notes: Any, options: Any) -> Iterator[Any]:
    """A Babel extractor for Django's templates: Django writes them as Python calls, the rest as a row of X."""
    calls = templatize(file.read().decode(), origin=file.name)
    lines = "\n".join(
        line.strip() for line in calls.splitlines()
    )  # so that nothing looks like Python's indentation
    return python(io.BytesIO(lines.encode()), keywords, notes, options)


def collect() -> Catalog:
    """Every text to translate, with the files that it stands in."""
    words = Catalog(domain="django", project="Lastcard", fuzzy=False)
    sources: list[tuple[str, Any]] = [
        ("tournament/**/*.py", python),
        ("templates/**/*.html", template),
        ("tournament/extras/*/templates/**/*.html", template),
    ]
    for pattern, extractor in sources:
        for path in sorted(ROOT.glob(pattern)):
            for _, text, notes, context in extract_from_file(extractor, path, KEYWORDS, [NOTE], {}, True):
                words.add(
                    text,
                    locations=[(path.relative_to(ROOT).as_posix(), 0)],
                    auto_comments=notes,
                    context=context,
                )
    return words


def update(folder: Path, language: str, words: Catalog) -> str:
    """Write the language's django.po and django.mo into the folder; gives what there is to do in a line."""
    folder = folder / language / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    po = folder / "django.po"
    catalog = Catalog(locale=language, domain="django", fuzzy=False, creation_date=words.creation_date)
    if po.exists():
        with po.open("rb") as file:
            catalog = read_po(file, locale=language)
    created = catalog.creation_date
    catalog.update(words, no_fuzzy_matching=True)
    catalog.creation_date = created  # a new date alone would be a change in every commit
    catalog.header_comment = (
        f"# Lastcard in {catalog.locale.english_name}; `make messages` keeps its list of texts."
    )
    with po.open("wb") as file:
        write_po(file, catalog, width=110, include_lineno=False, ignore_obsolete=True, sort_output=True)
    compile_catalogues(folder.parents[1])
    texts = [message for message in catalog if message.id]
    missing = sum(not all(m.string if isinstance(m.string, tuple) else [m.string]) for m in texts)
    return f"{language}: {len(texts)} texts, {missing} untranslated"


if __name__ == "__main__":
    found = collect()
    for each in LANGUAGES:
        print(update(HERE, each, found))
