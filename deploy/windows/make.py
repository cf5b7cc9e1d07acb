"""`make windows`: a folder that a double click starts, as var/windows/Lastcard-for-Windows-VERSION.zip.

    python deploy/windows/make.py [--python FILE] [--out FOLDER]

In the zip: Python for Windows as python.org ships it for use by other programs, the packages of
deploy/requirements.lock for Windows, Lastcard's own wheel, `Lastcard.bat` and `README.txt`. Nothing is installed on the
computer, and no data lies in the folder: a new version is a new folder. The same commit and the same packages give the
same bytes.
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "var" / "windows"

# The newest 3.13 for whose zip python.org gives this checksum; the two change together.
PYTHON_VERSION = "3.13.14"
PYTHON_SHA256 = "90b4e5b9898b72d744650524bff92377c367f44bd5fbd09e3148656c080ad907"
PYTHON_URL = f"https://www.python.org/ftp/python/{PYTHON_VERSION}/python-{PYTHON_VERSION}-embed-amd64.zip"
PATIENCE_S = 60

# Never imported by an evening on a laptop: PostgreSQL's driver, and of pywin32 all but what locks files.
LEFT_OUT = (
    *("psycopg*", "bin", "share", "*.chm", "pythonwin", "win32com", "win32comext", "adodbapi", "isapi"),
    *("win32/Demos", "win32/test", "win32/scripts", "win32/include", "win32/libs"),
)
WHEN = (2020, 1, 1, 0, 0, 0)  # of each file in the zip


def main(words: Sequence[str] | None = None, *, sha256: str = PYTHON_SHA256) -> None:
    """Make the zip and print its name and size; exit with 1 and a sentence where Python cannot be had."""
    parser = argparse.ArgumentParser(description="Make Lastcard for Windows.")
    parser.add_argument(
        "--python", type=Path, metavar="FILE", help=f"{Path(PYTHON_URL).name}, fetched before"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=OUT)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "folder"
        unpack_python(python_zip(options.python, Path(work), sha256), folder / "python")
        version = install(folder / "python" / "Lib" / "site-packages", Path(work))
        for name in ("Lastcard.bat", "README.txt"):
            text = (HERE / name).read_text(encoding="utf-8").replace("VERSION", version)
            # Notepad knows by the mark which letters these are; a batch file must not begin with one.
            encoding = "utf-8-sig" if name.endswith(".txt") else "ascii"
            (folder / name).write_text(text, encoding=encoding, newline="\r\n")
        made = packed(folder, options.out / f"Lastcard-for-Windows-{version}.zip")
    print(f"{made} ({made.stat().st_size / 1e6:.0f} MB)")


def python_zip(given: Path | None, work: Path, sha256: str) -> Path:
    """Give the zip of Python, fetched or given; exit with a sentence if it is missing or another one."""
    found = given or work / "python.zip"
    try:
        if given is None:
            with urllib.request.urlopen(PYTHON_URL, timeout=PATIENCE_S) as answer, found.open("wb") as out:
                shutil.copyfileobj(answer, out)
        digest = hashlib.sha256(found.read_bytes()).hexdigest()
    except (urllib.error.URLError, OSError) as error:
        why = getattr(error, "reason", None) or error
        sys.exit(
            f"{given or PYTHON_URL} cannot be read ({why}): fetch it elsewhere and name the file with --python FILE."
        )
    if digest != sha256:
        sys.exit(
            f"{given or PYTHON_URL} is not Python {PYTHON_VERSION} as pinned here: its SHA-256 is {digest}."
        )
    return found


def unpack_python(archive: Path, folder: Path) -> None:
    """Unpack Python, and let it find Lib/site-packages, as the file that rules its paths leaves open."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    [paths] = folder.glob("python3*._pth")
    text = paths.read_text(encoding="utf-8")
    paths.write_text(text.replace("#import site", "import site"), encoding="utf-8", newline="\r\n")


def install(packages: Path, work: Path) -> str:
    """Unpack the locked packages for Windows and Lastcard's wheel into this folder; give Lastcard's version."""
    uv = Path(sys.executable).with_name("uv")
    target = ["--target", str(packages), "--python-platform", "x86_64-pc-windows-msvc"]
    which = ["--python-version", PYTHON_VERSION.rpartition(".")[0], "--only-binary", ":all:"]
    lock = ["--require-hashes", "-r", str(ROOT / "deploy" / "requirements.lock")]
    subprocess.run([str(uv), "pip", "install", "--quiet", *target, *which, *lock], check=True)
    for pattern in LEFT_OUT:
        for path in packages.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(work)]
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    [wheel] = work.glob("lastcard-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(packages)
    return wheel.name.split("-")[1]


def packed(folder: Path, archive: Path) -> Path:
    """Pack the folder's files, in order and of one time, so that two runs give the same bytes."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in files(folder):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), WHEN)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            out.writestr(entry, path.read_bytes())
    return archive


def files(folder: Path) -> Iterator[Path]:
    """The files of a folder in the order of their names, but for what installers note about a run of their own."""
    notes = {"INSTALLER", "REQUESTED", "uv_cache.json", ".lock", "CACHEDIR.TAG"}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in notes and "__pycache__" not in path.parts:
            yield path


if __name__ == "__main__":
    main()
