"""A release: its number, its notes, its files, and that the documents install from them."""

import hashlib
import importlib
import json
import re
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tournament import __version__

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 120
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
SECTIONS = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]
PAGES = [
    *(ROOT / "docs").glob("*.md"),
    ROOT / "README.md",
    ROOT / "SECURITY.md",
    ROOT / "deploy" / "lastcard.env",
]
release: Any = importlib.import_module("deploy.release")

OLD = """# Changelog

## 0.2.0 (2026-01-02)

- cards

### Upgrading from 0.1.0

Stop it.

## 0.1.0 (2026-01-01)
"""
PAGE = """# Download

See [operators](operators.md) and [Python](https://python.org).

## How it was checked
"""


def test_lines_that_are_not_released_stand_under_a_version_in_the_making() -> None:
    newest = SECTIONS[0].split(maxsplit=1)[0]
    assert newest == ("Unreleased" if ".dev" in __version__ else __version__)
    assert [each.split(maxsplit=1)[0] for each in SECTIONS].count("Unreleased") == (".dev" in __version__)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split(maxsplit=1)[0])
def test_each_release_is_short_and_says_how_to_come_to_it(section: str) -> None:
    assert len(section.strip().splitlines()) <= MOST_LINES
    if section != SECTIONS[-1] and not section.startswith("Unreleased"):
        assert "### Upgrading from " in section


def test_notes_have_the_changes_the_steps_and_the_way_to_install() -> None:
    newer = OLD.replace(
        "## 0.2.0", "## Unreleased\n\n- tables\n\n### Upgrading from 0.2.0\n\nStart it.\n\n## 0.2.0"
    )
    said = release.notes(newer, PAGE, "0.3.0.dev0")
    steps = "## Upgrading\n\n### From 0.2.0\n\nStart it.\n\n### From 0.1.0\n\nStop it.\n"
    install = "## Download\n\nSee operators and [Python](https://python.org).\n\n"
    assert said == f"# Lastcard 0.3.0.dev0\n\n{install}## What is new\n\n- tables\n\n{steps}"
    assert release.notes(OLD, PAGE, "0.2.0").endswith(
        "## What is new\n\n- cards\n\n## Upgrading\n\n### From 0.1.0\n\nStop it.\n"
    )
    with pytest.raises(SystemExit, match=r"^CHANGELOG.md says nothing of 0.3.0. Nothing was made.$"):
        release.notes(OLD, PAGE, "0.3.0")


def test_locks_name_the_wheel_and_all_that_it_needs(tmp_path: Path) -> None:
    wheel = tmp_path / "lastcard-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    release.write_locks(wheel)
    digest = hashlib.sha256(b"wheel").hexdigest()
    own = f"--require-hashes\n--only-binary :all:\n./{wheel.name} --hash=sha256:{digest}\n"
    laptop, server = ((tmp_path / name).read_text() for name in ("laptop.lock", "server.lock"))
    assert own in laptop
    assert server.partition(own)[2] == (ROOT / "deploy" / "requirements.lock").read_text()
    names = [set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE)) for text in (laptop, server)]
    assert names[1] - names[0] == {"psycopg", "psycopg-binary", "pysqlite3"}
    needed = re.findall(
        r'^    "(.+?)",', (ROOT / "pyproject.toml").read_text().partition("\n]\n")[0], re.MULTILINE
    )
    assert {Requirement(each).name for each in needed} <= names[0]


def test_documents_install_from_the_locks_and_no_name_of_ours_from_an_index() -> None:
    """Anyone who registers a name that documents install could run code on every server that follows them."""
    found = {path.name: re.findall(r"pip install ([^`\n|]*)", path.read_text()) for path in PAGES}
    assert found["release.md"] == ["--no-compile -r laptop.lock"]
    assert found["operators.md"][:2] == ["--no-compile -r laptop.lock", "-r server.lock"]
    by_name = re.compile(r"(^|[\s'])lastcard(\[|['\s]|$)")
    assert [(name, line) for name, lines in found.items() for line in lines if by_name.search(line)] == []
    assert not [path.name for path in PAGES if re.search(r"lastcard-\d", path.read_text())], (
        "old with the next one"
    )


def test_each_way_to_get_it_has_five_lines() -> None:
    page = (ROOT / "docs" / "release.md").read_text()
    ways = page.split("\n## ")[1:4]
    assert [re.findall(r"^(\d)\. ", way, re.MULTILINE) for way in ways] == [[*"12345"]] * 3


def test_what_the_page_calls_is_there() -> None:
    page = (ROOT / "docs" / "release.md").read_text()
    for path in ("deploy/compose.small.yaml", "deploy/Dockerfile"):
        assert path in page
        assert (ROOT / path).is_file()
    targets = set(re.findall("^([a-z]+): ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall("`make ([a-z]+)`", page)) == {"release", "windows"} <= targets


@pytest.mark.sweep
@pytest.mark.program
@pytest.mark.sqlite
def test_release_is_made_twice_with_equal_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("one", "two"):
        release.main(["--out", str(tmp_path / folder)])
    assert capsys.readouterr().out.count("Left out: the folder for Windows.") == 2
    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    lines = (line.split("  ") for line in files.pop("SHA256SUMS").decode().splitlines())
    sums = {name: digest for digest, name in lines}
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    named = {"deploy.tar.gz", "laptop.lock", "server.lock", "notes.md", "sbom.cdx.json", "third-party.txt"}
    assert set(files) == named | {f"lastcard-{__version__}-py3-none-any.whl"}
    with tarfile.open(fileobj=BytesIO(files["deploy.tar.gz"])) as archive:
        assert {"deploy/lastcard.env", "docs/operators.md"} <= set(archive.getnames())
    packages = json.loads(files["sbom.cdx.json"])["components"]
    assert {"Django", "pywin32", "uqr"} <= {each["name"] for each in packages}
    licences = re.split(r"^={80}$", files["third-party.txt"].decode(), flags=re.MULTILINE)
    assert len(licences) == len(packages)
    assert min(map(len, licences)) > 200
