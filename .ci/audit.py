"""Check dependencies for known vulnerabilities with pip-audit; if no source of advisories is reachable, check the age
of the lock file.

    .ci/audit.py [requirements.lock]

Exit code 1 for a known vulnerability. A lock file older than MOST_DAYS is only reported: the calendar alone must not
fail a run.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
UV = ROOT / ".venv" / "bin" / "uv"
AUDIT = "pip-audit==2.10.1"
PATIENCE = 180  # seconds for all of it
MOST_DAYS = 90
DAY = 24 * 3600  # seconds


def main(lock: Path) -> int:
    """Print the verdict and return the exit code."""
    code, words = verdict(ask(lock), days_of(lock))
    print(words)
    return code


def verdict(answer: dict[str, Any] | None, days: float) -> tuple[int, str]:
    """The exit code and the words, from pip-audit's answer (None: it gave none) and the age of the lock."""
    packages = answer["dependencies"] if answer else []
    asked = [package for package in packages if "vulns" in package]
    unsafe = [
        f"{package['name']} {package['version']}: {found['id']}, fixed in {', '.join(found['fix_versions']) or 'none'}"
        for package in asked
        for found in package["vulns"]
    ]
    if unsafe:
        return 1, "\n".join(["Known vulnerabilities:", *unsafe])
    if asked:
        return 0, f"{len(asked)} of {len(packages)} packages checked: no known vulnerabilities."
    said = f"No source of advisories could be reached; the lock file is {days:.0f} days old"
    return 0, f"{said}. Renew it with `make lock ARGS=--upgrade`." if days > MOST_DAYS else f"{said}."


def ask(lock: Path) -> dict[str, Any] | None:
    """Run pip-audit on the lock file and give its report; None where it cannot be had or reaches nobody."""
    options = [
        "--disable-pip",
        "--require-hashes",
        "--format",
        "json",
        "--progress-spinner",
        "off",
        "--timeout",
        "8",
    ]
    command = [str(UV), "tool", "run", "--from", AUDIT, "pip-audit", "-r", str(lock), *options]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer if isinstance(answer.get("dependencies"), list) else None
    except (OSError, subprocess.TimeoutExpired, ValueError, AttributeError):
        return None


def days_of(lock: Path) -> float:
    """The days since the lock file was last committed."""
    asked = ["git", "log", "-1", "--format=%ct", "--", str(lock)]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    committed = float(done.stdout.strip() or lock.stat().st_mtime)
    return max(0.0, time.time() - committed) / DAY


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "requirements.lock")))
