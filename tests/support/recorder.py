"""What the program answers and stores, written down so that two checkouts of it can be compared.

    python -m tests.support.recorder record DIR
    python -m tests.support.recorder compare DIR_BEFORE DIR_AFTER

`record` keeps, with clock, ids, chance and secret fixed: the answer of every GET address for every role in every
language, the answers and ledger rows of every action and of the forms of every page, and `verify`, archives and
workbooks of each demo database. `compare` ends with 1 and names every difference that
tests/support/wanted_differences.toml does not list.

Both take `--part` act, get, post or stored, which may be repeated, for less than all. To record an earlier revision,
copy tests/support/ into a clone of it and record there.
"""

import argparse
import logging
import os
import sys
import tomllib
from pathlib import Path
from time import perf_counter

from tests.support.recording import comparing, kept
from tests.support.recording.found import ROOT

WANTED = Path(__file__).with_name("wanted_differences.toml")
PARTS = ("act", "get", "post", "stored")
SAME = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}


def record(folder: Path, parts: list[str]) -> int:
    """Write a record into the folder, which is new or empty."""
    if any(os.environ.get(name) != value for name, value in SAME.items()):
        os.execve(
            sys.executable, [sys.executable, "-m", "tests.support.recorder", *sys.argv[1:]], os.environ | SAME
        )
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty.")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    os.environ["DJANGO_SETTINGS_MODULE"] = settings["DJANGO_SETTINGS_MODULE"]
    from tests.support.recording import fixed

    fixed.install()
    import django

    django.setup()
    logging.disable(logging.CRITICAL)  # what is refused on purpose
    from tests.support.recording.parts import record_parts

    began = perf_counter()
    keys = record_parts(folder, parts)
    print(f"{keys} keys in {perf_counter() - began:.0f} s: {folder}")
    return 0


def compare(before: Path, after: Path, parts: list[str]) -> int:
    """Print what differs and is not wanted."""
    wanted = comparing.wanted_in(WANTED)
    texts = [
        {key: text for key, text in kept.read(folder).items() if not parts or key.partition(" ")[0] in parts}
        for folder in (before, after)
    ]
    found = comparing.compare(texts[0], texts[1], wanted)
    for difference in found:
        print(f"{difference}\n")
    for row in wanted:
        if not row.used and not parts:
            print(f"Nothing differs as wanted: {row.key} ({row.why})")
    print(f"{len(found)} differences that are not wanted.")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("folder", type=Path)
    comparison = commands.add_parser("compare")
    comparison.add_argument("before", type=Path)
    comparison.add_argument("after", type=Path)
    for each in (recording, comparison):
        each.add_argument("--part", action="append", choices=PARTS, default=[], help="all when none is named")
    asked = parser.parse_args()
    if asked.command == "record":
        return record(asked.folder.absolute(), asked.part)
    return compare(asked.before, asked.after, asked.part)


if __name__ == "__main__":
    sys.exit(main())
