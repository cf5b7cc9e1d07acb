"""`lastcard --help`, read from the command files without Django."""

import ast
from pathlib import Path

from tournament import __version__

HERE = Path(__file__).parent
FOLDERS = ("management/commands", "extras/*/management/commands")  # in tournament/
ALSO = "changepassword, check, createsuperuser, help and other Django commands"


def listing() -> str:
    """Commands, with the first sentence of each one's help."""
    said = {}
    files = (file for folder in FOLDERS for file in HERE.parent.glob(f"{folder}/[a-z]*.py"))
    for file in sorted(files, key=lambda file: file.stem):
        if text := _text(file, "help") or _text(file.parents[1] / file.name, "HELP"):
            said[file.stem] = text.partition(". ")[0].rstrip(".") + "."
    widest = max(map(len, said))
    return "\n".join(
        [
            f"Lastcard {__version__}. `lastcard` serves and opens the browser, `lastcard demo` with events to try.",
            "",
            *(f"  {name:{widest}}  {words}" for name, words in said.items()),
            "",
            f"Also {ALSO}. `lastcard COMMAND --help` explains a command.",
        ]
    )


def _text(file: Path, name: str) -> str:
    if not file.is_file():
        return ""
    for node in ast.walk(ast.parse(file.read_bytes())):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Constant(value=str(text))) if (
                found == name
            ):
                return text
    return ""
