"""A copy of an event's pages is whole: every link leads to a file of it, and nothing to anywhere else."""

import posixpath
import re
from html import unescape
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from tests.ledger.test_purge import whole
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.extras.archive.files.static_copy import (
    ARCHIVE_FILE,
    NotPublished,
    StillFrozen,
    copied_pages,
    write_folder,
    write_zip,
)
from tournament.models import Tournament
from tournament.pages.public import paging
from tournament.server.middleware import CONTENT_SECURITY_POLICY

Copy = dict[str, bytes]


def copy_of(tournament: Tournament) -> Copy:
    return dict(copied_pages(Tournament.objects.get(pk=tournament.pk)))


class Links(HTMLParser):
    """The links and resources of a page, the ids on it, and its tags."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.tags.add(tag)
        self.ids.add(found.get("id") or "")
        self.leads += [str(found[name]) for name in ("href", "src", "action", "srcset") if name in found]
        assert not [name for name in found if name.startswith(("on", "hx-"))]


@pytest.fixture
def championship() -> Event:
    return whole()


@pytest.mark.django_db
@pytest.mark.sweep
def test_every_link_leads_to_a_file_of_the_copy(championship: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PEOPLE_PER_PAGE", 2)  # so that a stage has several pages
    copy = copy_of(championship.tournament)
    pages = {name: Links(content) for name, content in copy.items() if name.endswith(".html")}
    for name, page in pages.items():
        assert "script" not in page.tags | {"form", "button", "iframe"} & page.tags, name
        for lead in page.leads:
            parts = urlsplit(lead)
            assert (parts.scheme, parts.netloc, parts.query) == ("", "", ""), (name, lead)
            goal = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path))
                if parts.path
                else name
            )
            assert goal in copy, (name, lead)
            if parts.fragment:
                assert parts.fragment in pages[goal].ids, (name, lead)


@pytest.mark.django_db
@pytest.mark.sweep
def test_every_page_forbids_scripts_and_all_that_does_not_lie_beside_it(championship: Event) -> None:
    copy = copy_of(championship.tournament)
    pages = [content.decode() for name, content in copy.items() if name.endswith(".html")]
    assert pages
    for page in pages:
        _before, policy, rest = page.partition('<head><meta http-equiv="Content-Security-Policy" content="')
        assert policy, page[:200]
        allowed = dict(part.split(" ", 1) for part in unescape(rest.partition('"')[0]).split("; "))
        assert allowed.pop("default-src") == "'none'"  # so no script, frame, font or connection either
        own = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
        for what, sources in allowed.items():
            assert set(sources.split()) - {"'none'", "file:"} <= set(own[what].split()), what


@pytest.mark.django_db
@pytest.mark.sweep
def test_it_holds_every_page_in_every_language(championship: Event, settings: Settings) -> None:
    settings.WORKBOOK_AT_ONCE = 0  # a big event's workbook is not waited for either
    names = set(copy_of(championship.tournament))
    stages = [str(stage.uid) for stage in championship.tournament.stages.all()]
    entries = [str(entry.uid) for entry in championship.tournament.entries.taking_part()]
    for language in ("en", "fi", "sv"):
        assert {
            f"{language}/index.html",
            f"{language}/players/index.html",
            f"{language}/bracket/index.html",
        } <= names
        assert f"{language}/rules/tite-2022/index.html" in names
        assert {f"{language}/stage/{stage}/index.html" for stage in stages} <= names
        assert {f"{language}/player/{entry}/index.html" for entry in entries} <= names
    assert {"index.html", "results.xlsx"} <= names
    others = {name for name in names if not re.match(r"(en|fi|sv|parts)/|index\.html$|results\.xlsx$", name)}
    assert others == set()


@pytest.mark.django_db
def test_it_opens_in_the_language_of_the_event() -> None:
    made = running_match(players=3)
    made.act(actions.edit_tournament, name="Kevätkisa", starts_on=made.tournament.starts_on, language="fi")
    copy = copy_of(made.tournament)
    assert b'<html lang="fi">' in copy["index.html"]
    assert b'<html lang="sv">' in copy["sv/index.html"]


@pytest.mark.django_db
def test_a_page_says_what_the_page_says_that_everybody_sees() -> None:
    made = running_match(players=3)
    recorded_round(made)
    table = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
    live = Client().get(f"/en/t/{made.tournament.slug}/").content.decode()
    there = copy_of(made.tournament)["en/index.html"].decode()

    def told(html: str) -> str:
        return re.sub(r"<[^>]*>", "", str(table.search(html)))

    assert told(there) == told(live)


@pytest.mark.django_db
def test_what_is_frozen_stays_held_back() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    before = copy_of(made.tournament)
    recorded_round(made)
    after = copy_of(made.tournament)
    ours = [name for name in before if name.endswith("index.html")]
    undated = re.compile(rb'<p class="wrap small">.*?</p>', re.DOTALL)
    assert [undated.sub(b"", after[name]) for name in ours] == [
        undated.sub(b"", before[name]) for name in ours
    ]
    with pytest.raises(StillFrozen):
        write_zip(made.tournament, BytesIO(), archive=True)


@pytest.mark.django_db
def test_with_an_address_each_page_names_its_live_version(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://uno.example"
    made = running_match(players=3)
    copy = copy_of(made.tournament)
    for name, content in copy.items():
        if name.endswith(".html"):
            away = [lead for lead in Links(content).leads if urlsplit(lead).scheme]
            assert len(away) == 1, name
            assert away[0].startswith("https://uno.example/")
            assert b"Live version" in content or not name.startswith("en/")


@pytest.mark.django_db
@pytest.mark.sweep
def test_as_a_folder_and_as_a_zip_it_is_the_same(tmp_path: Path) -> None:
    made = running_match(players=3)
    folder, packed = tmp_path / "folder", tmp_path / "pages.zip"
    call_command("static_copy", made.tournament.slug, str(folder), "--archive", verbosity=0)
    call_command("static_copy", made.tournament.slug, str(packed), "--archive", verbosity=0)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    with ZipFile(packed) as archive:
        assert set(archive.namelist()) == files
        assert archive.testzip() is None
    assert ARCHIVE_FILE in files
    with ZipFile(folder / ARCHIVE_FILE) as archive:
        assert b'"people": "public names"' in archive.read("manifest.json")


@pytest.mark.django_db
def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    made = running_match(players=3)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        write_folder(made.tournament, tmp_path)
    with pytest.raises(CommandError, match="is not empty"):
        call_command("static_copy", made.tournament.slug, str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.django_db
def test_a_rehearsal_that_was_put_away_has_no_pages() -> None:
    made = whole(rehearsal=True)
    made.act(actions.put_away)
    with pytest.raises(NotPublished):
        copy_of(made.tournament)


# One page
