"""Check that each package of both lock files has a wheel for every platform and Python that the documents name.

    .ci/platforms.py

Nothing is built from source, so one missing wheel stops `make setup`, or an installation, there. Prints a table; exit
code 1 if it differs from EXCEPTIONS. A package index that cannot be reached is only reported.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.pylock import Package, Pylock
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parents[1]
UV = ROOT / ".venv" / "bin" / "uv"
LOCKS = ("deploy/requirements.lock", "requirements.lock")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")  # of Python
UNREACHABLE = ("error sending request", "Failed to fetch", "Request failed after")
PATIENCE_S = 120

GLIBC = [f"manylinux_2_{minor}" for minor in range(5, 29)] + ["manylinux2014", "manylinux2010", "manylinux1"]
MUSL = ["musllinux_1_1", "musllinux_1_2"]

# Of each: what markers ask (system, processor), and the tags of wheels that are installed there.
PLATFORMS = {
    "Linux x86_64, glibc": ("linux", "x86_64", [f"{tag}_x86_64" for tag in GLIBC]),
    "Linux aarch64, glibc": ("linux", "aarch64", [f"{tag}_aarch64" for tag in GLIBC]),
    "Linux x86_64, musl": ("linux", "x86_64", [f"{tag}_x86_64" for tag in MUSL]),
    "Linux aarch64, musl": ("linux", "aarch64", [f"{tag}_aarch64" for tag in MUSL]),
    "macOS arm64": ("darwin", "arm64", [*mac_platforms((13, 0), "arm64")]),
    "macOS x86_64": ("darwin", "x86_64", [*mac_platforms((13, 0), "x86_64")]),
    "Windows x64": ("win32", "AMD64", ["win_amd64"]),
    "Windows arm64": ("win32", "ARM64", ["win_arm64"]),
}
# What the documents do not name, since no marker tells glibc from musl, and since PyYAML begins with 3.12 there. Tests
# need all of the second lock; Lastcard runs with the first.
NO_TESTS = {"playwright": VERSIONS, "watchdog": VERSIONS, "zxing-cpp": VERSIONS}
EXCEPTIONS = {
    (LOCKS[1], "Linux x86_64, musl"): NO_TESTS,
    (LOCKS[1], "Linux aarch64, musl"): NO_TESTS,
    (LOCKS[0], "Windows arm64"): {"pyyaml": ("3.11",)},
    (LOCKS[1], "Windows arm64"): {"pyyaml": ("3.11",)},
}


def main() -> int:
    """Print the table and return the exit code."""
    failed = False
    for lock in LOCKS:
        packages = read(lock)
        if not packages:
            print(f"{lock}: the package index cannot be reached")
            continue
        for platform in PLATFORMS:
            lacking = missing(packages, platform)
            said = "; ".join(f"no {name} for {', '.join(versions)}" for name, versions in lacking.items())
            known = EXCEPTIONS.get((lock, platform), {})
            print(
                f"{lock:25} {platform:21} {said or 'complete'}{' (not named)' if said and lacking == known else ''}"
            )
            failed |= lacking != known
    return int(failed)


def read(lock: str) -> list[Package]:
    """The packages of a lock file with their wheels, as the index lists them; none where it cannot be reached. Exits
    with what uv says against the lock, such as a package without any wheel."""
    command = [
        *(str(UV), "pip", "compile", "--quiet", "--universal", "--no-deps", "--python-version", VERSIONS[0]),
        *("--only-binary", ":all:", "--format", "pylock.toml", str(ROOT / lock)),
    ]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
    except subprocess.TimeoutExpired:
        return []
    except subprocess.CalledProcessError as error:
        if any(words in error.stderr for words in UNREACHABLE):
            return []
        sys.exit(f"{lock}: {error.stderr}")
    return [*Pylock.from_dict(tomllib.loads(done.stdout)).packages]


def missing(packages: list[Package], platform: str) -> dict[str, tuple[str, ...]]:
    """The packages that are needed on this platform and have no wheel for it, each with these versions of Python."""
    found: dict[str, tuple[str, ...]] = {}
    for version in VERSIONS:
        asked, fitting = environment(platform, version), tags_of(platform, version)
        for package in packages:
            needed = package.marker is None or package.marker.evaluate(asked)
            if needed and not any(
                fitting & parse_wheel_filename(one.filename)[3] for one in package.wheels or ()
            ):
                found[package.name] = (*found.get(package.name, ()), version)
    return found


def environment(platform: str, version: str) -> dict[str, str]:
    """What markers ask."""
    system, machine, _ = PLATFORMS[platform]
    named = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[system]
    return {
        "sys_platform": system,
        "platform_system": named,
        "platform_machine": machine,
        "python_version": version,
        "python_full_version": f"{version}.0",
    }


def tags_of(platform: str, version: str) -> set[Tag]:
    """The tags of wheels that are installed there."""
    tags, python = PLATFORMS[platform][2], tuple(map(int, version.split(".")))
    return {
        *cpython_tags(python, platforms=tags),
        *compatible_tags(python, "cp" + version.replace(".", ""), tags),
    }


if __name__ == "__main__":
    sys.exit(main())
