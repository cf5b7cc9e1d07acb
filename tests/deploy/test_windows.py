"""Lastcard for Windows: what is in the folder, how it starts, and that it is the same at each run.

The folder is made here with a stand-in for python.org's zip. What it starts is started here too, by this Python: its
packages that are written in Python alone, on a system without what only Unix has. What is compiled for Windows is taken
from this environment.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.e2e.server import free_port
from tournament import __version__

pytestmark = [pytest.mark.program, pytest.mark.server, pytest.mark.sqlite, pytest.mark.soak]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300
LONGEST_PATH = 150  # characters in the folder: Windows has 260 for all, with the user's own folders before it
MOST_MB = 60
# The file that rules what the Python of the zip imports, as python.org ships it.
PATHS = "python313.zip\n.\n\n# Uncomment to run site.main() automatically\n#import site\n"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("windows_make", ROOT / "deploy" / "windows" / "make.py")
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A zip with the names that python.org's has."""
    path = tmp_path_factory.mktemp("python") / "python.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("python313._pth", PATHS)
        out.writestr("python.exe", b"MZ")
    return path


def make(python: Path, out: Path) -> Path:
    digest = hashlib.sha256(python.read_bytes()).hexdigest()
    script().main(["--python", str(python), "--out", str(out)], sha256=digest)
    return out / f"Lastcard-for-Windows-{__version__}.zip"


@pytest.fixture(scope="module")
def made(stand_in: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(stand_in, tmp_path_factory.mktemp("out"))


@pytest.fixture(scope="module")
def folder(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, extracted as a volunteer does."""
    path = tmp_path_factory.mktemp("extracted")
    with zipfile.ZipFile(made) as opened:
        opened.extractall(path)
    return path


@pytest.mark.soak
def test_same_bytes_each_time(made: Path, stand_in: Path, tmp_path: Path) -> None:
    assert make(stand_in, tmp_path).read_bytes() == made.read_bytes()
    assert made.stat().st_size < MOST_MB * 1e6


def test_python_finds_what_lies_in_the_folder_and_nothing_else(folder: Path) -> None:
    lines = (folder / "python" / "python313._pth").read_text().split("\n")
    assert [line for line in lines if line and not line.startswith("#")] == [
        "python313.zip",
        ".",
        "import site",
    ]
    assert {path.name for path in folder.iterdir()} == {"Lastcard.bat", "README.txt", "python"}
    packages = folder / "python" / "Lib" / "site-packages"
    assert (packages / "tournament" / "_installed" / "templates" / "base.html").is_file()
    assert not list(packages.rglob("direct_url.json")), "nobody's own folders are named"


def test_every_locked_package_is_there_and_made_for_windows(folder: Path) -> None:
    packages = folder / "python" / "Lib" / "site-packages"
    assert not list(packages.rglob("*.so"))
    windows = {"sys_platform": "win32", "platform_machine": "AMD64"}
    windows |= {"python_full_version": "3.13.0", "implementation_name": "cpython"}
    lock = (ROOT / "deploy" / "requirements.lock").read_text()
    locked = [Requirement(line.rstrip("\\ ")) for line in lock.splitlines() if line[:1].isalnum()]
    needed = {
        canonicalize_name(each.name): str(each.specifier).removeprefix("==")
        for each in locked
        if not each.marker or each.marker.evaluate(windows)
    }
    here = dict(path.stem.rsplit("-", 1) for path in packages.glob("*.dist-info"))
    here = {canonicalize_name(name): version for name, version in here.items()}
    assert here.pop("lastcard") == __version__
    assert here == {name: version for name, version in needed.items() if not name.startswith("psycopg")}
    assert {"pywin32", "httptools", "pillow"} <= set(here)


def test_paths_are_short_enough_for_windows(made: Path) -> None:
    with zipfile.ZipFile(made) as opened:
        names = opened.namelist()
    assert max(map(len, names)) <= LONGEST_PATH
    assert len({name.lower() for name in names}) == len(names)


def test_batch_file_starts_it_and_keeps_its_window_open_on_an_error(folder: Path) -> None:
    content = (folder / "Lastcard.bat").read_bytes()
    assert content.startswith(b"@echo off\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")
    lines = content.decode("ascii").splitlines()
    started = lines.index('"python\\python.exe" -m tournament %*')
    assert lines.index("chcp 65001 >nul") < started, "the QR code's blocks are UTF-8"
    assert lines.index('pushd "%~dp0"') < started, "the folder is the batch file's own, wherever that is"
    assert lines[started + 1] == "if errorlevel 1 pause"
    unpacked = lines.index('if not exist "python\\python.exe" (')
    assert "  pause" in lines[unpacked:started], "who starts it inside the zip reads why it cannot"
    assert f"Lastcard {__version__}" in content.decode()


def test_readme_has_ten_lines_in_three_languages(folder: Path) -> None:
    lines = (folder / "README.txt").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 10
    assert [line[:2] for line in lines[1::3]] == ["EN", "FI", "SV"]
    assert __version__ in lines[0]


def test_another_python_is_refused(stand_in: Path, tmp_path: Path) -> None:
    """As pinned, the stand-in is another file; and a missing one is said in a sentence, too."""
    make = [sys.executable, "deploy/windows/make.py", "--out", str(tmp_path), "--python"]
    for file, why in ((stand_in, "is not Python"), (tmp_path / "none.zip", "cannot be read")):
        done = subprocess.run([*make, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


START = """\
import sys
sys.path[:0] = [{pure!r}, {root!r}]
import tests.support.elsewhere as elsewhere
sys.path.remove({root!r})
elsewhere.take_away()
sys.argv = ["tournament", "up", "--no-browser", "--port", {port!r}]
import runpy
runpy.run_module("tournament", run_name="__main__")
"""


def pure(folder: Path, into: Path) -> list[str]:
    """Link the folder's packages without compiled parts into another one; give the names of the others."""
    compiled = []
    for path in sorted((folder / "python" / "Lib" / "site-packages").iterdir()):
        if path.suffix == ".pyd" or (path.is_dir() and any(path.rglob("*.pyd"))):
            compiled.append(path.name)
        else:
            (into / path.name).symlink_to(path)
    return compiled


@pytest.mark.soak
def test_folder_starts_where_nothing_of_unix_is(folder: Path, tmp_path: Path) -> None:
    packages, data, port = tmp_path / "packages", tmp_path / "data", str(free_port())
    packages.mkdir()
    compiled = pure(folder, packages)
    assert not {"tournament", "scoring", "rulesets", "django", "rest_framework", "uvicorn"} & {*compiled}
    program = START.format(pure=str(packages), root=str(ROOT), port=port)
    log = tmp_path / "log"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LASTCARD_DATA": str(data),
        "PYTHONUTF8": "1",
        "PUBLIC_URL": "http://192.0.2.7:8000",  # where the test runs there may be no network to name
    }
    with log.open("w") as out:
        server = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + PATIENCE_S
        while "Stop with Ctrl+C" not in log.read_text():
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)  # seconds
        said = log.read_text()
        [first] = re.findall(rf"Create your account: {environment['PUBLIC_URL']}(\S+)", said)
        for address in (f"http://127.0.0.1:{port}/en/", f"http://127.0.0.1:{port}{first}"):
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                page = answer.read().decode()
            assert "Lastcard" in page
        [sheet] = re.findall(r'href="(/static/[^"]+\.css)"', page)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{sheet}", timeout=PATIENCE_S) as answer:
            assert answer.status == 200
    finally:
        server.terminate()
        server.wait(PATIENCE_S)
    assert (data / "lastcard.sqlite3").is_file(), "data lies in the user's folder, not beside the program"
