"""`make docs`: docs/ as a site. A broken link fails, and no page loads anything from elsewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tournament.extras.help.views import slugs
from tournament.extras.help.words import DOCS

ROOT = Path(__file__).resolve().parents[3]
LOADED = re.compile(r"""<(?:script|img|link(?=[^>]*stylesheet))[^>]*(?:src|href)=["']([^"']+)""")

pytestmark = [pytest.mark.program, pytest.mark.sqlite]


def build(config: Path, site: Path, data: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *("-m", "properdocs", "build", "--strict", "-f", str(config), "-d", str(site))],
        cwd=ROOT, env={**os.environ, "LASTCARD_DATA": str(data)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / ".ci" / "docs.yml", folder, tmp_path_factory.mktemp("data"))
    assert done.returncode == 0, done.stderr
    return folder


def test_site_has_every_page_of_the_help_and_finds_words_in_each_language(site: Path) -> None:
    pages = {f"{slug}.html" for slug in slugs()}
    pages |= {str(path.relative_to(DOCS).with_suffix(".html")) for path in DOCS.glob("*/*.md")}
    assert pages <= {str(path.relative_to(site)) for path in site.rglob("*.html")}
    found = json.loads((site / "search" / "search_index.json").read_text())
    assert set(found["config"]["lang"]) == {"en", "fi", "sv"}
    assert any(each["location"].startswith("fi/") for each in found["docs"])


def test_site_loads_nothing_from_elsewhere(site: Path) -> None:
    loaded = {url for page in site.rglob("*.html") for url in LOADED.findall(page.read_text())}
    assert loaded
    assert not [url for url in loaded if "//" in url]


def test_broken_link_fails(tmp_path: Path) -> None:
    """By the same settings, on one page that leads nowhere."""
    config = (ROOT / ".ci" / "docs.yml").read_text()
    config = config.replace("../docs", "pages").replace("../var/docs", "site").replace("hooks: [docs.py]", "")
    (tmp_path / "docs.yml").write_text(config)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# Lastcard\n\n[Nowhere](nowhere.md)\n")
    done = build(tmp_path / "docs.yml", tmp_path / "site", tmp_path)
    assert done.returncode != 0
    assert "nowhere.md" in done.stderr
