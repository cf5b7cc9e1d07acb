"""Every script that a script imports has the name that a page would load it by, so that it runs once. Files are served
from their folder, or where nothing was collected from the source tree, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, normpath

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import HttpResponse
from django.templatetags.static import static
from django.test import RequestFactory, override_settings

from tests.support.collected import collected
from tournament.server.environment import BASE_DIR
from tournament.server.static_files import Served, StaticFiles, strip_css, whole

STATIC = BASE_DIR / "tournament/static"
LOADS = re.compile(r"""^(?:import|export)\b.*?["'](\..*?)["']|import\(["'](.*?)["']\)""", re.MULTILINE)
LOADS_STORED = re.compile(r"""from"(\..*?)"|import\("(.*?)"\)""")


@override_settings(DEBUG=False)
def test_script_imports_another_by_the_name_that_follows_its_content(tmp_path: Path) -> None:
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")]
    for name in names:
        storage.save(name, ContentFile((STATIC / name).read_bytes()))
    list(storage.post_process({name: (storage, name) for name in names}))
    named = set(storage.hashed_files.values())
    loaded = {
        normpath(f"{dirname(name)}/{one or other}")
        for name in named
        if name.startswith("lastcard/js/")
        for one, other in LOADS_STORED.findall((tmp_path / name).read_text())
    }
    written = {each for name in names if name.startswith("lastcard/js/") for each in _loads(name)}
    assert len(loaded) == len(written)
    assert loaded <= named


def _loads(name: str) -> set[str]:
    return {
        normpath(f"{dirname(name)}/{one or other}")
        for one, other in LOADS.findall((STATIC / name).read_text())
    }


TAGS = re.compile(r"""<(script|link)\b[^>]*{% static 'lastcard/([\w./-]+\.js)' %}""")


def loaded(name: str, *, later: bool) -> set[str]:
    """A script and all that it imports, `later` also what it asks for when somebody wants it."""
    found = {name}
    for one, other in LOADS.findall((STATIC / "lastcard" / name).read_text()):
        if one or later:
            found |= loaded(normpath(f"{dirname(name)}/{one or other}"), later=later)
    return found


@pytest.mark.parametrize(("page", "opened"), [("desk/base.html", True), ("public/no_network.html", False)])
def test_a_page_loads_at_once_what_it_needs_without_a_network(page: str, opened: bool) -> None:
    """Files that its scripts ask for later are preloaded, each part by name: a preload brings nothing else along. A
    page that nobody has opened names everything: the service worker keeps what stands in it."""
    tags = TAGS.findall((BASE_DIR / "templates" / page).read_text())
    preloaded = {name for tag, name in tags if tag == "link"}
    scripts = {name for tag, name in tags if tag == "script"}
    at_once = preloaded.union(*(loaded(name, later=False) if opened else {name} for name in scripts))
    assert preloaded
    assert scripts
    assert set().union(*(loaded(name, later=True) for name in preloaded | scripts)) <= at_once


def test_a_style_sheet_loses_comments_and_indents_and_nothing_else() -> None:
    given = "/* a */\n.a {\n  content: \"/* kept */ , ;\";\n\n  color: red; /* b\n  c */\n  background: url('x');\n}\n"
    assert strip_css(given) == ".a {content: \"/* kept */ , ;\";color: red;background: url('x');}"


def test_what_is_stripped_stays_so_when_it_is_stripped_again() -> None:
    for path in (STATIC / "lastcard").rglob("*.css"):
        once = strip_css(path.read_text())
        assert strip_css(once) == once, path
        assert all(once.count(mark) == path.read_text().count(mark) for mark in "{}"), path


def test_each_part_of_the_style_sheets_is_in_one_of_them_once() -> None:
    css = "".join((STATIC / "lastcard" / name).read_text() for name in ("app.css", "prints.css"))
    parts = sorted((STATIC / "lastcard/css").rglob("*.css"))
    assert sorted(re.findall(r'"(css/.*?)"', css)) == [
        path.relative_to(STATIC / "lastcard").as_posix() for path in parts
    ]
    assert "@import" not in whole(css)
    assert all(path.read_text() in whole(css) for path in parts)


@override_settings(DEBUG=False)
def test_our_files_are_stored_stripped_and_packed_and_others_as_they_are(tmp_path: Path) -> None:
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    css = (STATIC / "lastcard/app.css").read_text()
    vendor = next((STATIC / "lastcard/vendor").rglob("*.js"))
    other = vendor.relative_to(STATIC).as_posix()
    storage.save("lastcard/app.css", ContentFile(css.encode()))
    storage.save(other, ContentFile(vendor.read_bytes()))
    list(storage.post_process({"lastcard/app.css": (storage, "lastcard/app.css"), other: (storage, other)}))
    stored = storage.stored_name("lastcard/app.css")
    assert (tmp_path / stored).read_text() == strip_css(whole(css))
    assert (tmp_path / f"{stored}.gz").exists()
    assert (tmp_path / other).read_bytes() == vendor.read_bytes()


class TestNothingCollected:
    """Files by their plain names, from the source tree."""

    @pytest.fixture(params=["no folder", "no manifest", "runserver"])
    def served(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
        editing = request.param == "runserver"  # which never takes what was collected
        if editing:
            (tmp_path / "lastcard").mkdir()
            (tmp_path / "lastcard" / "app.css").write_text("of before")
        folder = tmp_path / "none" if request.param == "no folder" else tmp_path
        with (
            collected(folder, *(["lastcard/app.css"] if editing else [])),
            override_settings(WHITENOISE_USE_FINDERS=editing),
        ):
            yield Served(lambda _request: HttpResponse("a page"))

    @pytest.mark.parametrize(
        "name",
        [
            "lastcard/app.css",
            "lastcard/css/tokens.css",
            "lastcard/help/architecture.svg",
            "admin/css/base.css",
        ],
    )
    def test_file_is_found_as_it_is_written(self, served: Served, name: str) -> None:
        answer = served(RequestFactory().get(static(name)))
        assert static(name) == f"/static/{name}"
        found = finders.find(name)
        assert isinstance(found, str)
        assert answer.getvalue() == Path(found).read_bytes()
        assert answer["Cache-Control"] == "max-age=0, public"  # an edited file shows at once

    def test_other_paths_are_left_to_the_pages(self, served: Served) -> None:
        for path in ("/static/lastcard/none.css", "/static/../manage.py", "/static/", "/en/"):
            request = RequestFactory().get("/")
            request.path_info = path
            assert served(request).content == b"a page"  # type: ignore[attr-defined]  # a page's answer


class TestServed:
    """Files by WhiteNoise, each looked at when it is first asked for."""

    @pytest.fixture
    def served(self, tmp_path: Path) -> Iterator[Served]:
        (tmp_path / "a.css").write_text("a { }")
        (tmp_path / "a.css.gz").write_bytes(b"gz")
        (tmp_path / "folder").mkdir()
        with collected(tmp_path, "a.css"):
            yield Served(lambda _request: HttpResponse("a page"))

    def test_nothing_is_looked_at_before_it_is_asked_for(self, served: Served) -> None:
        assert served.files == {}

    def test_file_asked_for_is_prepared_once(self, served: Served, tmp_path: Path) -> None:
        first = served(RequestFactory().get("/static/a.css"))
        (tmp_path / "a.css").rename(tmp_path / "b.css")  # what is prepared looks for nothing again
        assert list(served.files) == ["/static/a.css"]
        assert (first.status_code, first["Content-Type"]) == (200, 'text/css; charset="utf-8"')
        assert first.getvalue() == b"a { }"

    def test_packed_file_goes_to_who_takes_it(self, served: Served) -> None:
        answer = served(RequestFactory().get("/static/a.css", headers={"Accept-Encoding": "gzip"}))
        assert answer["Content-Encoding"] == "gzip"

    @pytest.mark.parametrize(
        "path",
        [
            "/static/b.css",
            "/static/a.css.gz",
            "/static/folder",
            "/static/folder/",
            "/static/../tests.sqlite3",
            "/static//a.css",
            "/static/\\a.css",
            "/static/\0",
            "/elsewhere/a.css",
        ],
    )
    def test_what_is_no_static_file_is_left_to_the_pages(self, served: Served, path: str) -> None:
        request = RequestFactory().get("/")
        request.path_info = path
        assert served(request).getvalue() == b"a page"
        assert served.files == {}
