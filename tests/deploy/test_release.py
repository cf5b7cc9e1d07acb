"""docs/release.md: the version and the files that it names are those that are made."""

import re
from pathlib import Path

import pytest

from tournament import __version__

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"(?:lastcard-|Windows-|Lastcard |lastcard:|tag --sign v)(\d+\.\d+\.\d+)")


@pytest.mark.parametrize("page", ["release", "operators"])
def test_page_names_the_version_that_is_made(page: str) -> None:
    named = NAMED.findall((ROOT / "docs" / f"{page}.md").read_text())
    assert named
    assert {*named} == {__version__}


def test_each_way_to_get_it_has_five_lines() -> None:
    page = (ROOT / "docs" / "release.md").read_text()
    ways = page.split("\n## ")[1:4]
    assert [re.findall(r"^(\d)\. ", way, re.MULTILINE) for way in ways] == [[*"12345"]] * 3
    for file in (f"Lastcard-for-Windows-{__version__}.zip", f"lastcard-{__version__}-py3-none-any.whl"):
        assert file in page


def test_what_the_page_calls_is_there() -> None:
    page = (ROOT / "docs" / "release.md").read_text()
    for path in ("deploy/compose.small.yaml", "deploy/Dockerfile"):
        assert path in page
        assert (ROOT / path).is_file()
    makefile = (ROOT / "Makefile").read_text()
    assert re.search("^wheel: ", makefile, re.MULTILINE)
    assert re.search("^windows: ", makefile, re.MULTILINE)
