"""Where things are in this checkout, found by what a file defines: files move between two records."""

import importlib
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]


@cache
def module(pattern: str, folder: str = "tests") -> ModuleType:
    """The one module below the folder in which a line begins with this pattern. LookupError unless there is exactly
    one."""
    line = re.compile(f"^{pattern}", re.MULTILINE)
    files = [path for path in sorted((ROOT / folder).rglob("*.py")) if line.search(path.read_text())]
    if len(files) != 1:
        raise LookupError(f"{pattern!r} stands in {len(files)} files of {folder}/: {files}")
    return importlib.import_module(".".join(files[0].relative_to(ROOT).with_suffix("").parts))


def forget() -> None:
    """Empty what this process remembers between requests."""
    for name in ("contests", "wholes", "event_cache"):
        for known, loaded in list(sys.modules.items()):
            if known.startswith("tournament.") and known.endswith(f".{name}") and hasattr(loaded, "forget"):
                loaded.forget()
