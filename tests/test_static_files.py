"""Every script that a script imports has the name that a page would load it by, so that it runs once."""

import re
import shutil
from pathlib import Path
from posixpath import dirname, normpath

from django.test import override_settings

from tournament.settings import BASE_DIR
from tournament.static_files import StaticFiles

STATIC = BASE_DIR / "tournament/static"
LOADS = re.compile(r"""^(?:import|export)\b.*?["'](\..*?)["']|import\(["'](.*?)["']\)""", re.MULTILINE)


@override_settings(DEBUG=False)
def test_script_imports_another_by_the_name_that_follows_its_content(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path, dirs_exist_ok=True)
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    names = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.js")]
    list(storage.post_process({name: (storage, name) for name in names}))
    named = set(storage.hashed_files.values())
    loaded = {
        normpath(f"{dirname(name)}/{one or other}")
        for name in named
        if name.startswith("lastcard/js/")
        for one, other in LOADS.findall((tmp_path / name).read_text())
    }
    assert loaded
    assert loaded <= named
