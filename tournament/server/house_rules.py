"""A house's own rulesets: Python files as those in rulesets/, in the folder that the setting HOUSE_RULES names.

They are read once, when the program starts, and run with it: only who runs the computer places them there. An event's
ruleset is pinned: the revision of a house's ruleset ends with the first digits of its fingerprint, and each event keeps
its revision. A file that is changed is another revision. Where an event's revision is not there, nothing is served: the
system check names the event.
"""

from dataclasses import replace
from pathlib import Path
from runpy import run_path
from typing import Any

from django.core.checks import CheckMessage, Error, register

from rulesets import Ruleset, take_in
from rulesets.sound import faults_of

DIGITS = 12  # of the fingerprint: nobody's two files share so many

_problems: list[str] = []


class Unplayable(Exception):
    """A file gives no ruleset. The text says why."""


def take_in_all(folder: Path) -> list[Ruleset]:
    """Add the rulesets in the files of a folder. A file that cannot be read is left out, and the system check says
    why."""
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
    """The ruleset of a file, its revision pinned to what it says. Raises Unplayable."""
    try:
        ruleset = run_path(str(path)).get("RULESET")
        faults = faults_of(ruleset) if isinstance(ruleset, Ruleset) else []
    except (
        Exception,
        SystemExit,
    ) as error:  # whatever such a file does wrong: a field may hold and raise anything
        raise Unplayable(f"{type(error).__name__}: {error}") from error
    if not isinstance(ruleset, Ruleset):
        raise Unplayable("it must define RULESET as a Ruleset.")
    if faults:
        raise Unplayable(" ".join(faults))
    return replace(ruleset, revision=f"{ruleset.revision} {ruleset.fingerprint()[:DIGITS]}")


@register
def files_can_be_played(**_: Any) -> list[CheckMessage]:
    """Report each file of HOUSE_RULES that gives no ruleset."""
    return [
        Error(problem, hint="docs/contributors.md has an example.", id="lastcard.E001")
        for problem in _problems
    ]
