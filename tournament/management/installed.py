"""Lastcard as it is installed: the version of a wheel, what a wheel would change in this environment, and wheels made
of what is installed now, so that `update` can put it back without a network."""

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
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

NAME = "lastcard"
OF_PIP = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}  # what pip adds when it installs


class CannotInstall(Exception):
    """Something stands in the way; the text says what, in a sentence without its full stop."""


def version_of(wheel: Path) -> str:
    """Read the version of a wheel of Lastcard. Raises CannotInstall for any other file."""
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


def in_order(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare by."""
    return tuple(map(int, re.findall(r"\d+", version)))


def place() -> Path:
    """The folder that Lastcard is installed in, which pip may change. Raises CannotInstall where it may not."""
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
    """Run pip in this environment; gives what it printed. Raises CannotInstall with pip's last word."""
    done = subprocess.run(  # noqa: S603 - our own words, and a file of whoever runs this
        [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--no-input", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise CannotInstall(last_line(done.stderr) or "pip failed")
    return done.stdout


def last_line(text: str) -> str:
    """The last line with words on it, without what is before the sentence, and without its full stop."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return re.sub(r"^[\w.]*(Error|ERROR): ", "", lines[-1]).rstrip(".") if lines else ""


def changed_by(wheel: Path) -> list[Distribution]:
    """List the installed packages that installing the wheel would replace, Lastcard among them. Raises CannotInstall,
    also where a package that it needs cannot be had."""
    report = json.loads(pip("install", "--quiet", "--dry-run", "--report", "-", str(wheel)))
    found = []
    for each in report["install"]:
        try:
            found.append(distribution(each["metadata"]["name"]))
        except PackageNotFoundError:
            continue  # a new one
    return found


def bytes_of(package: Distribution) -> int:
    """The room that a package takes on the disk, in bytes."""
    return sum(each.size or 0 for each in package.files or ())


def pack(package: Distribution, folder: Path) -> Path:
    """Make a wheel of an installed package in the folder: its files as they are now, without what pip added. Scripts
    are made by pip from the entry points, as at the first time. Raises CannotInstall where pip kept no list of the
    files."""
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
    """Install the wheels of the folder in the place of what is there, without a network. Raises CannotInstall."""
    wheels = sorted(map(str, folder.glob("*.whl")))
    pip("install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", *wheels)
