"""Where Lastcard lies, and its environment, which the settings file completes.

Imports no Django: `lastcard score` reads it too.
"""

import os
from functools import cache
from hashlib import sha256
from pathlib import Path

CODE_DIR = Path(__file__).resolve().parents[2]
# Wheels bundle the other folders there (pyproject.toml).
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
