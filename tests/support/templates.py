"""The product's templates: of the core and of every extra."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "templates", *sorted(ROOT.glob("tournament/extras/*/templates"))]


def named_templates() -> Iterator[tuple[str, Path]]:
    """Each template's name, as `{% include %}` has it, and its file."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.html")):
            yield path.relative_to(folder).as_posix(), path


def template_files() -> list[Path]:
    return [path for _, path in named_templates()]
