"""`make release`: what is attached to a release, in var/release.

    python -m deploy.release [--python FILE] [--out FOLDER]

| file | holds |
| --- | --- |
| `lastcard-VERSION-py3-none-any.whl` | the package |
| `laptop.lock`, `server.lock` | for pip: that wheel and what it was tested with; a server's with pysqlite3, psycopg |
| `deploy.tar.gz` | deploy/ and docs/operators.md, of the last commit |
| `Lastcard-for-Windows-VERSION.zip` | only with Python's zip for it (`--python`), see windows/make.py |
| `third-party.txt`, `sbom.cdx.json` | the licences of what is installed; the packages themselves, as CycloneDX |
| `notes.md` | CHANGELOG.md of this version, the steps from earlier ones, how to install it |
| `SHA256SUMS` | of all of them |

The same commit gives the same bytes.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from tournament import __version__

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "deploy" / "requirements.lock"
VENDORED = ROOT / "tournament" / "static" / "lastcard" / "vendor"
SERVERS_ONLY = ("psycopg", "pysqlite3")  # the extras `postgres` and `sqlite`
LICENCE = re.compile(r"(?i)(licen[cs]es?|copying|notice|copyright)\b")
HEAD = """\
# Lastcard {version} and what it was tested with: pip install -r {name}, in the folder with the wheel.
--require-hashes
--only-binary :all:
./{wheel} --hash=sha256:{digest}
"""


def main(words: Sequence[str] | None = None) -> None:
    """Make the folder and print what is in it; exit with a sentence where CHANGELOG.md has nothing on this version."""
    parser = argparse.ArgumentParser(description="Make the files of a release.")
    parser.add_argument("--python", metavar="FILE", help="Python's zip for the Windows folder")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=ROOT / "var" / "release")
    options = parser.parse_args(words)
    text = notes((ROOT / "CHANGELOG.md").read_text(), (ROOT / "docs" / "release.md").read_text(), __version__)
    out: Path = options.out
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "notes.md").write_text(text)
    write_locks(build(out))
    archive = ["git", "archive", "--format=tar.gz", "--output", str(out / "deploy.tar.gz"), "HEAD"]
    subprocess.run([*archive, "deploy", "docs/operators.md"], cwd=ROOT, check=True)
    if options.python:
        make = [sys.executable, "deploy/windows/make.py", "--python", options.python, "--out", str(out)]
        subprocess.run(make, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    else:
        print('Left out: the folder for Windows. Give Python\'s zip for it: ARGS="--python FILE"')
    write_packages(out)
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())}
    (out / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    for name in sums:
        print(f"{out / name} ({(out / name).stat().st_size / 1e6:.1f} MB)")


def build(folder: Path) -> Path:
    """Build the wheel in this folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    [wheel] = folder.glob("*.whl")
    return wheel


def write_locks(wheel: Path) -> None:
    """Write both locks next to the wheel."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    packages = re.split(r"^(?=\w)", LOCK.read_text(), flags=re.MULTILINE)
    for name, left_out in (("laptop.lock", SERVERS_ONLY), ("server.lock", ())):
        head = HEAD.format(version=__version__, name=name, wheel=wheel.name, digest=digest)
        (wheel.parent / name).write_text(
            head + "".join(one for one in packages if not one.startswith(left_out))
        )


def notes(changelog: str, page: str, version: str) -> str:
    """The page of a release: installation, changes, and upgrades from each earlier version, newest first.

    Lines of an unfinished version (`.dev`) stand under *Unreleased*.
    """
    wanted = "Unreleased" if ".dev" in version else version
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    found = [each.partition("\n")[2] for each in sections if each.split(maxsplit=1)[0] == wanted]
    if not found:
        sys.exit(f"CHANGELOG.md says nothing of {wanted}. Nothing was made.")
    steps = re.findall(r"^### Upgrading (from .+?)\n(.*?)(?=^##|\Z)", changelog, re.MULTILINE | re.DOTALL)
    changes = re.split(r"^### Upgrading", found[0], flags=re.MULTILINE)[0].strip()
    upgrading = "\n\n".join(f"### {which.capitalize()}\n\n{how.strip()}" for which, how in steps)
    install = re.sub(r"^#", "##", page.partition("\n## How it was checked")[0].strip(), flags=re.MULTILINE)
    text = (
        f"# Lastcard {version}\n\n{install}\n\n## What is new\n\n{changes}\n\n## Upgrading\n\n{upgrading}\n"
    )
    return re.sub(
        r"\[([^]]+)\]\((?!https:)[^)]*\)", r"\1", text
    )  # such links lead nowhere from a release's page


def write_packages(out: Path) -> None:
    """Write the licences and the list of packages."""
    with tempfile.TemporaryDirectory() as work:
        packages = locked(Path(work))
        texts = [f"{one.name} {one.version}: {licence(one)}\n\n{licence_texts(one)}" for one in packages]
        components = [
            {
                "name": one.name,
                "version": one.version,
                "purl": f"pkg:pypi/{canonicalize_name(one.name)}@{one.version}",
            }
            | {"licenses": [{"license": {"name": licence(one)}}]}
            for one in packages
        ]
    for folder in sorted(path for path in VENDORED.iterdir() if path.is_dir()):
        name, _, version = folder.name.rpartition("-")
        texts.append(f"{name} {version}\n\n{(folder / 'LICENSE').read_text()}")
        components.append({"name": name, "version": version})
    (out / "third-party.txt").write_text(f"\n{'=' * 80}\n".join(texts))
    bom: dict[str, Any] = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    bom["metadata"] = {"component": {"type": "application", "name": "lastcard", "version": __version__}}
    bom["components"] = [{"type": "library"} | each for each in components]
    (out / "sbom.cdx.json").write_text(json.dumps(bom, indent=1) + "\n")


def locked(work: Path) -> list[Distribution]:
    """The packages of the lock in its order; what is not installed here, such as Windows', is unpacked in `work`."""
    lines = re.findall(r"^(\S+?)==(\S+)(.*?)^    # via", LOCK.read_text(), re.MULTILINE | re.DOTALL)
    here = {(canonicalize_name(one.name), one.version): one for one in distributions()}
    absent = [f"{name}=={version}{rest}" for name, version, rest in lines if (name, version) not in here]
    if absent:
        (work / "absent.txt").write_text(re.sub(r" ;.*?\\\n", " \\\\\n", "".join(absent)))
        where = ["--target", str(work / "packages"), "--python-platform", "x86_64-pc-windows-msvc"]
        what = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(work / "absent.txt")]
        uv = Path(sys.executable).with_name("uv")
        subprocess.run([str(uv), "pip", "install", "--quiet", *where, *what], check=True)
        found = distributions(path=[str(work / "packages")])
        here |= {(canonicalize_name(one.name), one.version): one for one in found}
    return [here[canonicalize_name(name), version] for name, version, _ in lines]


def licence(package: Distribution) -> str:
    """Its name, as the package itself says it."""
    about = package.metadata
    named = [
        each.rpartition(" :: ")[2]
        for each in about.get_all("Classifier", [])
        if each.startswith("License ::")
    ]
    short = [each for each in [about["License-Expression"], about["License"]] if each and "\n" not in each]
    return str((short or [", ".join(named) or "see below"])[0])


def licence_texts(package: Distribution) -> str:
    files = [
        each for each in package.files or () if ".dist-info" in each.parts[0] and LICENCE.match(each.name)
    ]
    return "\n".join(Path(str(each.locate())).read_text(errors="replace") for each in sorted(files))


if __name__ == "__main__":
    main()
