"""What a wheel would replace, packed as wheels, so that `update` can go back offline."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from email.parser import HeaderParser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

NAME = "lastcard"
LOCK = "tournament/_installed/requirements.lock"
EXTRAS = {"postgres": "psycopg", "sqlite": "pysqlite3"}  # each is there if this can be imported
OF_PIP = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}  # added by pip


class CannotInstall(Exception):
    """Installation is impossible; the text is the reason, a sentence without full stop."""


def version_of(wheel: Path) -> str:
    """Version of a Lastcard wheel. Raises CannotInstall for other files."""
    if not wheel.is_file():
        raise CannotInstall(f"There is no file {wheel}")
    try:
        with ZipFile(wheel) as opened:
            [about] = [name for name in opened.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
            said = HeaderParser().parsestr(opened.read(about).decode())
    except (BadZipFile, ValueError, OSError) as error:
        raise CannotInstall(f"{wheel.name} is not a wheel, or is damaged") from error
    if said["Name"] != NAME or wheel.suffix != ".whl":
        raise CannotInstall(f"{wheel.name} is not a wheel of Lastcard")
    return str(said["Version"])


def place() -> Path:
    """Install folder. Raises CannotInstall if pip cannot write there."""
    try:
        folder = Path(str(distribution(NAME).locate_file("")))
    except PackageNotFoundError:
        raise CannotInstall("This Lastcard was not installed by pip") from None
    if find_spec("pip") is None:
        raise CannotInstall(f"This environment has no pip. Install it with `{sys.executable} -m ensurepip`")
    if not os.access(folder, os.W_OK):
        raise CannotInstall(f"You may not write to {folder}: run this as the user who installed Lastcard")
    return folder


def pip(*words: str) -> str:
    """Run pip and return its output. Raises CannotInstall with its last line."""
    done = subprocess.run(  # noqa: S603 - our own words, and a file of the one who runs this
        [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise CannotInstall(last_line(done.stderr) or "pip failed")
    return done.stdout


def last_line(text: str) -> str:
    """Last line with words, without error class and full stop."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return re.sub(r"^[\w.]*(Error|ERROR): ", "", lines[-1]).rstrip(".") if lines else ""


def install(wheel: Path, *options: str) -> str:
    """Install a wheel with the packages that it was tested with. Raises CannotInstall."""
    with ZipFile(wheel) as opened:
        lock = opened.read(LOCK).decode().splitlines()
    extras = ",".join(extra for extra, package in EXTRAS.items() if find_spec(package))
    with TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text("\n".join(line.rstrip("\\ ") for line in lock if line[:1].isalnum()))
        what = f"{NAME}[{extras}] @ {wheel.resolve().as_uri()}"
        return pip("install", "--quiet", *options, "--constraint", str(pins), what)


def changed_by(wheel: Path) -> list[Distribution]:
    """Installed packages that the wheel would replace. Raises CannotInstall."""
    report = json.loads(install(wheel, "--dry-run", "--report", "-"))
    found = []
    for each in report["install"]:
        try:
            found.append(distribution(each["metadata"]["name"]))
        except PackageNotFoundError:
            continue  # new
    return found


def bytes_of(package: Distribution) -> int:
    """Bytes of a package on disk."""
    return sum(each.size or 0 for each in package.files or ())


def pack(package: Distribution, folder: Path) -> Path:
    """Make a wheel of an installed package, without pip's additions. Raises CannotInstall without a file list."""
    about, tags = package.read_text("WHEEL"), set[tuple[str, ...]]()
    if not package.files or about is None:
        raise CannotInstall(f"{package.name} was not installed from a wheel")
    for tag in HeaderParser().parsestr(about).get_all("Tag", []):
        tags.add(tuple(tag.split("-")))
    [info] = {each.parts[0] for each in package.files if each.parts[0].endswith(".dist-info")}
    tag = "-".join(".".join(sorted({tag[at] for tag in tags})) for at in range(3))
    wheel = folder / f"{info.removesuffix('.dist-info')}-{tag}.whl"
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    with ZipFile(wheel, "w", ZIP_DEFLATED) as opened:
        for each in package.files:
            of_pip = each.parts[0] == info and each.name in OF_PIP
            file = Path(str(each.locate()))
            if of_pip or ".." in each.parts or each.suffix == ".pyc" or not file.is_file():
                continue
            content = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            opened.writestr(each.as_posix(), content)
            lines.writerow([each.as_posix(), f"sha256={digest}", len(content)])
        lines.writerow([f"{info}/RECORD", "", ""])
        opened.writestr(f"{info}/RECORD", record.getvalue())
    return wheel


def put_back(folder: Path) -> None:
    """Reinstall the folder's wheels offline. Raises CannotInstall."""
    pip(
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--force-reinstall",
        *sorted(map(str, folder.glob("*.whl"))),
    )
