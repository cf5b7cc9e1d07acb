"""Where Lastcard lies, and its environment, which the settings file completes.

Imports no Django: `lastcard score` reads it too.
"""

import os
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
