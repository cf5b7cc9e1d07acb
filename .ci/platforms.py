"""Check that each package of the lock file has a wheel for every platform that the documents name.

    .ci/platforms.py

The Makefile builds nothing from source, so one missing wheel stops `make setup` there. Exit code 1 for a missing wheel;
a package index that cannot be reached is only reported.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = ROOT / ".venv" / "bin" / "uv"
PLATFORMS = (
    *("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"),
    *("aarch64-apple-darwin", "x86_64-apple-darwin", "x86_64-pc-windows-msvc"),
)
VERSIONS = ("3.11", "3.13")  # of Python
UNREACHABLE = ("error sending request", "Failed to fetch", "Request failed after")
PATIENCE_S = 120


def main() -> int:
    """Print a line for each platform and return the exit code."""
    failed = False
    for platform in PLATFORMS:
        for version in VERSIONS:
            fault = ask(platform, version)
            print(f"{platform}, Python {version}: {fault or 'complete'}")
            failed |= is_missing(fault)
    return int(failed)


def is_missing(fault: str) -> bool:
    return bool(fault) and not any(words in fault for words in UNREACHABLE)


def ask(platform: str, version: str) -> str:
    """What uv says against installing the lock file there; "" if it would."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(str(UV), "pip", "install", "--dry-run", "--quiet", "--target", folder),
            *("--python-platform", platform, "--python-version", version),
            *("--only-binary", ":all:", "--require-hashes", "-r", str(ROOT / "requirements.lock")),
        ]
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{UNREACHABLE[-1]} {PATIENCE_S} s"
    return done.stderr.strip() if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main())
