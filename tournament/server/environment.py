"""Where Lastcard lies, its environment and compiled translations. Imports no Django: `lastcard score` reads it too."""

import logging
import os
from functools import cache
from hashlib import sha256
from pathlib import Path

logger = logging.getLogger("tournament.server.catalogues")  # as in older logs

CODE_DIR = Path(__file__).resolve().parents[2]
# Wheels bundle the other folders there.
INSTALLED = not (CODE_DIR / "manage.py").is_file()
BASE_DIR = CODE_DIR / "tournament" / "_installed" if INSTALLED else CODE_DIR
SETTINGS_FILE = Path(
    os.environ.get("LASTCARD_SETTINGS", "/etc/lastcard.env" if INSTALLED else str(BASE_DIR / ".env"))
)


def read_settings_file() -> None:
    """Add the settings file's lines to the environment, which outranks them. Raises PermissionError."""
    if SETTINGS_FILE.is_file():
        import environ

        environ.Env.read_env(SETTINGS_FILE)


def compile_catalogues(folder: Path) -> None:
    """Compile each outdated LANGUAGE/LC_MESSAGES/django.po, by atomic replacement. Wheel and image contain .mo
    files."""
    for text in folder.glob("*/LC_MESSAGES/django.po"):
        compiled = text.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime_ns >= text.stat().st_mtime_ns:
            continue
        import polib  # 0.2 s CPU per catalogue

        own = text.with_name(f"django.{os.getpid()}.mo")
        try:
            own.write_bytes(polib.pofile(str(text)).to_binary())
            own.replace(compiled)
        except OSError as error:
            logger.warning("%s cannot be compiled, so its texts may be old or English: %s", text, error)


@cache
def program_digest() -> str:
    """Digest of sources and translations."""
    digest = sha256()
    sources = [
        path for each in ("rulesets", "scoring", "tournament") for path in (CODE_DIR / each).rglob("*.py")
    ]
    for path in sorted([*sources, *(BASE_DIR / "locale").rglob("*.mo")]):
        digest.update(str(path.relative_to(CODE_DIR)).encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()
