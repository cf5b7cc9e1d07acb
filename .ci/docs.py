"""Answers for ProperDocs as it makes the site of docs/ (`make docs`): pages and their order are those of /help."""

import os
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
os.environ["DEBUG"] = "1"  # the help asks for its pictures, which then need not be collected

import django

django.setup()

from django.conf import settings
from django.utils import translation
from properdocs.structure.files import File, Files

from tournament.extras.help import views as pages
from tournament.extras.help.words import DOCS, GUIDES, SOURCE_LANGUAGE

LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]*)\]\((?P<href>[^)\s]+)\)")


def on_config(config: Any) -> Any:
    """Put the pages in the order of /help, the guides in each language first."""
    with translation.override(SOURCE_LANGUAGE):
        rest = [{str(title): [f"{slug}.md" for slug in slugs]} for title, slugs in pages.groups()]
    guides = [
        {name: [path for slug in GUIDES if (DOCS / (path := guide(slug, code))).is_file()]}
        for code, name in settings.LANGUAGES
    ]
    config.nav = ["index.md", *guides, *rest]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the first page, and the pages that do not lie in docs/."""
    for slug, path in pages.OUTSIDE.items():
        files.append(File.generated(config, f"{slug}.md", content=path.read_text(encoding="utf-8")))
    lines = ["# Lastcard", "", "UNO tournaments with real cards at real tables.", ""]
    with translation.override(SOURCE_LANGUAGE):
        for title, slugs in [("Guides", [*GUIDES]), *pages.groups()]:
            lines += [f"## {title}", ""]
            for slug in slugs:
                source = pages.source(slug, SOURCE_LANGUAGE)
                assert source
                shown = pages.page(source, SOURCE_LANGUAGE)
                lines += [f"- [{shown.title}]({slug}.md): {shown.lead}"]
            lines += [""]
    files.append(File.generated(config, "index.md", content="\n".join(lines)))
    return files


def on_page_markdown(markdown: str, page: Any, **_more: Any) -> str:
    """Leave the words of a link to a file that is no page, such as the code, and lead to the pages outside docs/."""
    outside = {path: f"{slug}.md" for slug, path in pages.OUTSIDE.items()}
    inside = {file: path for path, file in outside.items()}
    here = inside.get(page.file.src_uri, DOCS / page.file.src_uri).parent

    def led(found: re.Match[str]) -> str:
        href, _mark, anchor = found["href"].partition("#")
        if not href or "://" in href or page.file.src_uri == "index.md":
            return found[0]
        path = (here / href).resolve()
        if path.exists() and pages.slug_of(path) is None:
            return found["words"]
        named = outside.get(path) or (path.relative_to(DOCS).as_posix() if path.is_relative_to(DOCS) else "")
        if not named:
            return found[0]
        up = "../" * page.file.src_uri.count("/")
        return f"[{found['words']}]({up}{named}{f'#{anchor}' if anchor else ''})"

    return LINK.sub(led, markdown)


def guide(slug: str, language: str) -> str:
    """The file of a guide in this language."""
    return f"{slug}.md" if language == SOURCE_LANGUAGE else f"{language}/{slug}.md"
