"""Every script that a script imports has the name that a page would load it by, so that it runs once."""

import re
import shutil
from pathlib import Path

from django.test import override_settings

from tournament.settings import BASE_DIR
from tournament.static_files import StaticFiles

SCRIPTS = "lastcard/js"


@override_settings(DEBUG=False)
def test_script_imports_another_by_the_name_that_follows_its_content(tmp_path: Path) -> None:
    shutil.copytree(BASE_DIR / "tournament/static" / SCRIPTS, tmp_path / SCRIPTS)
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    names = [path.relative_to(tmp_path).as_posix() for path in (tmp_path / SCRIPTS).iterdir()]
    list(storage.post_process({name: (storage, name) for name in names}))
    named = set(storage.hashed_files.values())
    text = "\n".join((tmp_path / name).read_text() for name in named)
    imported = re.findall(r"""^(?:import|export)\b.*?["']\./(.*?)["']|import\(""", text, re.MULTILINE)
    assert imported
    assert {f"{SCRIPTS}/{name}" for name in imported} <= named
