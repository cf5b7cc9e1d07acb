"""Custom rulesets: Python files in the folder HOUSE_RULES. Events pin the revision, which ends in fingerprint
digits."""

from dataclasses import replace
from pathlib import Path
from runpy import run_path
from typing import Any

from django.core.checks import CheckMessage, Error, register

from rulesets import Ruleset, take_in
from rulesets.sound import faults_of

DIGITS = 12  # fingerprint digits

_problems: list[str] = []


class Unplayable(Exception):
    """The file holds no playable ruleset; the message says why."""


def take_in_all(folder: Path) -> list[Ruleset]:
    """Register the folder's rulesets; faulty files become system check errors."""
    taken = []
    _problems.clear()
    if not folder.is_dir():
        _problems.append(f"HOUSE_RULES names {folder}, which is not a folder.")
    for path in sorted(folder.glob("*.py")):
        try:
            ruleset = read(path)
            take_in(ruleset)
            taken.append(ruleset)
        except Unplayable as why:
            _problems.append(f"{path}: {why}")
        except ValueError:
            _problems.append(f"{path}: another ruleset already has the id {ruleset.id}.")
    return taken


def read(path: Path) -> Ruleset:
    """A file's ruleset with pinned revision. Raises Unplayable."""
    try:
        ruleset = run_path(str(path)).get("RULESET")
        faults = faults_of(ruleset) if isinstance(ruleset, Ruleset) else []
    except (
        Exception,
        SystemExit,
    ) as error:  # such files may raise anything
        raise Unplayable(f"{type(error).__name__}: {error}") from error
    if not isinstance(ruleset, Ruleset):
        raise Unplayable("it must define RULESET as a Ruleset.")
    if faults:
        raise Unplayable(" ".join(faults))
    return replace(ruleset, revision=f"{ruleset.revision} {ruleset.fingerprint()[:DIGITS]}")


@register
def files_can_be_played(**_: Any) -> list[CheckMessage]:
    """System check of HOUSE_RULES files."""
    return [
        Error(problem, hint="docs/adding.md has an example.", id="lastcard.E001") for problem in _problems
    ]
