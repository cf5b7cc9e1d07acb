"""The help: every page of docs/ is served, every link and picture in it leads somewhere, and none of it is HTML."""

import gettext
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils.html import escape

from tournament.extras.help import views as pages
from tournament.extras.help.views import IMAGES, Page, Source, groups, picture, slugs, source, target
from tournament.extras.help.words import DOCS, GUIDES, anchor as anchor_of
from tournament.server.environment import BASE_DIR

LANGUAGES = ("en", "fi", "sv")
LINKS = re.compile(r'<a\b[^>]* href="([^"]+)"')
PICTURES = re.compile(r'<img src="/static/([^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)"')
LARGEST, ALL_OF_THEM = 120_000, 3_000_000  # bytes: pictures are for phones on a venue's wifi


def served(language: str) -> dict[str, str]:
    """The address of each page of the help with what it says in its main part."""
    client = Client()
    found = {}
    for address in [f"/{language}/help/", *(f"/{language}/help/{slug}/" for slug in sorted(slugs()))]:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer["Cache-Control"] == "public, max-age=86400"
        found[address] = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_the_list_and_every_link_of_it_leads_to_a_page_and_a_heading(language: str) -> None:
    found = served(language)
    index = f"/{language}/help/"
    assert {urldefrag(href)[0] for href in LINKS.findall(found[index])} >= found.keys() - {index}
    for address, text in found.items():
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids)), address
        assert "style=" not in re.sub(r"<code>.*?</code>", "", text, flags=re.S), address
        for name, alt, width, height in PICTURES.findall(text):
            assert finders.find(name), (address, name)
            assert alt
            assert int(width) / 4 < int(height) < 4 * int(width), (address, name)
        assert text.count("<img") == len(PICTURES.findall(text)), address
        for href in LINKS.findall(text):
            path, anchor = urldefrag(href)
            if path.startswith("http") or "/help/" not in (path or address):
                continue
            assert not anchor or f'id="{unquote(anchor)}"' in found[path or address], (address, href)


def test_every_page_is_in_one_group_and_the_groups_name_no_other() -> None:
    named = [*GUIDES, *(slug for _title, slugs in groups() for slug in slugs)]
    assert sorted(named) == sorted(slugs())


def test_small_client_of_the_api_is_led_to_and_served() -> None:
    (address,) = {href for href in LINKS.findall(served("en")["/en/help/api/"]) if href.endswith(".py")}
    answer = Client().get(address)
    assert (answer["Content-Type"], answer.content) == (
        "text/plain; charset=utf-8", (DOCS / "client.py").read_bytes(),
    )  # fmt: skip


@pytest.mark.parametrize("path", ["en/help/nothing/", "en/help/README/", "fi/help/screenshots/"])
def test_what_is_no_page_is_not_found(path: str) -> None:
    assert Client().get(f"/{path}").status_code == 404


def texts() -> list[Source]:
    """Every Markdown file of the project's that people read."""
    found = [*DOCS.rglob("*.md"), *BASE_DIR.glob("*.md")]
    return [Source(path.stem, path, "en") for path in sorted(found)]


def anchors(path: Path) -> set[str]:
    """The anchors of a file as GitHub makes them, not the ids of the help."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.M)
    return {anchor_of(heading) for heading in headings} | {
        each.anchor for each in pages.page(Source("", path, "en"), "en").headings if path.parent == DOCS
    }


@pytest.mark.parametrize("page", texts(), ids=lambda page: page.path.relative_to(BASE_DIR).as_posix())
def test_every_link_of_a_text_names_a_file_and_a_heading_that_are_there(page: Source) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.path.read_text(), flags=re.S | re.M)
    for href in re.findall(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"', text):
        named = target(page, "".join(href))
        if named is None:
            continue
        path, anchor = named
        assert path.exists(), href
        assert not anchor or anchor in anchors(path), href
    for src in re.findall(r'<img src="([^"]+)"', text):
        assert picture(page, src), src


def shape(path: Path) -> dict[str, list[str]]:
    """Give the structure that a page has in every language: headings by depth, points of lists, rows of tables,
    pictures and links."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(), flags=re.S | re.M)
    return {
        "headings": re.findall(r"^(#+) ", text, re.M),
        "points": re.findall(r"^(-|\d+\.) ", text, re.M),
        "rows": ["|" * line.count("|") for line in text.splitlines() if line.startswith("|")],
        "pictures": [Path(src).name for src in re.findall(r'<img src="([^"]+)"', text)],
        "links": sorted(Path(urldefrag(href)[0]).name for href in re.findall(r"\]\(([^)\s]+)\)", text)),
    }


TRANSLATED = sorted(path for code in LANGUAGES[1:] for path in (DOCS / code).glob("*.md"))


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_a_translated_page_has_what_the_english_one_has(path: Path) -> None:
    assert shape(path) == shape(DOCS / path.name)
    pictures = re.findall(r'<img src="([^"]+)"', path.read_text())
    assert {Path(src).parent.as_posix() for src in pictures} <= {f"../images/{path.parent.name}"}


# Bold words of the guides that stand on no page: signs, a colour, what a row of a list begins with.
NOT_ON_A_PAGE = {
    "?",
    "−",
    "red",
    "röd",
    "Punainen",
    "Player’s own page",
    "Table’s short code",
    "Bordets korta kod",
    "Pöydän lyhyt koodi",
}


def words_of_the_pages(language: str) -> str:
    """Give the texts of the pages in this language, in lower case; for English the texts of another one's catalogue."""
    code = "fi" if language == "en" else language
    with (BASE_DIR / "locale" / code / "LC_MESSAGES" / "django.mo").open("rb") as file:
        catalogue = vars(gettext.GNUTranslations(file))["_catalog"]
    texts = (
        [(key if isinstance(key, str) else key[0]) for key in catalogue]
        if language == "en"
        else catalogue.values()
    )
    return "\n".join(texts).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_guide_tells_to_tap_is_on_a_page(language: str) -> None:
    folder = DOCS if language == "en" else DOCS / language
    said = words_of_the_pages(language)
    unknown = {
        f"{guide}: {label}"
        for guide in GUIDES
        for label in re.findall(r"\*\*(.+?)\*\*", (folder / f"{guide}.md").read_text())
        for part in re.split(r"…|\d[\d.:]*", label)
        if label not in NOT_ON_A_PAGE and part.strip(" ,.:?").lower() not in said
    }
    assert not unknown


def test_pictures_are_small_and_each_is_shown_somewhere() -> None:
    pictures = sorted(IMAGES.rglob("*.png"))
    sizes = {path.relative_to(IMAGES).as_posix(): path.stat().st_size for path in pictures}
    assert {name: size for name, size in sizes.items() if size >= LARGEST} == {}
    assert sum(sizes.values()) < ALL_OF_THEM
    shown = "".join(page.path.read_text() for page in texts())
    assert [path.name for path in pictures if f"/{path.name}" not in shown] == []
    assert {path.parent.name for path in pictures} <= set(LANGUAGES)


def docs_of(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> None:
    """Pages of the help other than ours, by name; `fi_players` is docs/fi/players.md."""
    for name, text in texts.items():
        path = folder.joinpath(*name.split("_")).with_suffix(".md")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(pages, "DOCS", folder)
    monkeypatch.setattr(pages, "OUTSIDE", {})


def shown(slug: str, language: str) -> Page:
    found = source(slug, language)
    assert found
    return pages.page(found, language)


def test_a_page_is_in_the_visitors_language_where_it_is_written_in_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs_of(
        tmp_path,
        monkeypatch,
        players="# Players\n\nOne. Two. [Referees](referees.md#at-a-table)",
        referees="# Referees\n\nThree!\n\n## At a table\n\n[Players](players.md), [code](../manage.py)",
        fi_players="# Pelaajille\n\nYksi. [Tuomarit](../referees.md#at-a-table)",
    )
    finnish, english = shown("players", "fi"), shown("referees", "fi")
    assert (finnish.title, finnish.lead) == ("Pelaajille", "Yksi.")
    assert '<a href="/fi/help/referees/#at-a-table">Tuomarit</a>' in finnish.html
    assert (english.title, english.lead) == ("Referees", "Three!")
    assert '<a href="/fi/help/players/">Players</a>, code' in english.html
    assert '<a href="/sv/help/referees/#at-a-table">' in shown("players", "sv").html


def test_a_page_that_nobody_has_translated_says_so() -> None:
    assert "This page is in English only." not in Client().get("/en/help/operators/").content.decode()
    text = Client().get("/fi/help/operators/").content.decode()
    assert '<h1 lang="en">' in text
    assert '<div class="help__text" lang="en">' in text


def test_of_a_picture_that_is_not_there_the_words_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = ["images/en/gone.png", "outside.png", "images/en/empty.png"]
    given = [*(f'<img src="{src}" width="280" alt="Words & {src}">' for src in lost), "![Words](gone.png)"]
    docs_of(tmp_path, monkeypatch, players="# A\n\nB.\n\n" + "\n\n".join(given))
    images = tmp_path / "images"
    (images / "en").mkdir(parents=True)
    monkeypatch.setattr(pages, "IMAGES", images)
    (tmp_path / "outside.png").touch()
    (images / "en/empty.png").touch()
    html = shown("players", "en").html
    assert re.findall("<p>(.*)</p>", html)[1:] == [*(f"Words &amp; {src}" for src in lost), "Words"]


def test_html_in_a_text_is_shown_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["<script>alert(1)</script>", "<b>bold</b>", '<img src="x" onerror="alert(1)">']
    docs_of(tmp_path, monkeypatch, players="# A\n\nB.\n\n" + "\n\n".join(given) + "\n\n[c](javascript:d)\n")
    page = shown("players", "en")
    for text in given:
        assert escape(text).replace("&#x27;", "'") in page.html
    assert "<script" not in page.html
    assert "<img" not in page.html
    assert "href" not in page.html


def test_the_table_of_escapes_is_full_before_two_threads_read_it() -> None:
    # The reader is made when the first page is asked for, behind a lock: whoever has it finds the table full.
    code = "import django; django.setup(); from tournament.extras.help import views; views._markdown(); "
    shown = "from mdurl import _encode; print(sorted(map(len, _encode.encode_cache.values())))"
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code + shown], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[128]"
