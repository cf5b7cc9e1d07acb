"""Where Lastcard lies, its environment and compiled translations. Imports no Django: `lastcard score` reads it too."""

import logging
import os
import re
import secrets
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

logger = logging.getLogger("tournament.server.catalogues")  # as in older logs

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


# ---- Secret key, password hashing, and a password validator ----


# Obvious guesses; listed in docs/operators.md.
SECRET_WORDS = (
    *("lastcard", "uno", "mattel", "tournament", "turnaus", "turnering", "referee", "tuomari", "domare"),
    *("organiser", "player", "pelaaja", "spelare", "cards", "kortti", "kortit", "kort", "peli", "spel"),
)
LEFT = 5  # letters required besides these words
SHORTEST = 3

_REST = re.compile(r"[\W\d_]+")


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB, two passes, one thread."""

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1


class NotOurWords:
    """Rejects site words and the user's names plus digits and signs."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError `password_our_words` for such a password."""
        fields = (str(getattr(user, field, "")) for field in ("username", "first_name", "last_name"))
        names = (name for field in fields for name in _REST.split(field) if len(name) >= SHORTEST)
        words = re.compile("|".join(map(re.escape, (*names, *SECRET_WORDS))), re.IGNORECASE)
        if words.search(password) and len(_REST.sub("", words.sub("", password))) < LEFT:
            raise ValidationError(self.get_help_text(), code="password_our_words")

    def get_help_text(self) -> str:
        return gettext(
            "Your password cannot be your own name or a word that anyone would try here, such as "
            "Lastcard or referee."
        )


def kept_key(path: Path) -> str:
    """Read or create the owner-only key file; processes starting at once share a key. Raises OSError."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path)
    return path.read_text().strip()


def replace_key(path: Path, key: str) -> None:
    """Keep this key in the owner-only file. Raises OSError."""
    new = path.with_name(f"{path.name}-new")
    new.touch(mode=0o600)
    new.write_text(key)
    new.replace(path)


def _make(path: Path) -> None:
    with tempfile.NamedTemporaryFile("w", prefix=f"{path.name}-", dir=path.parent, delete=False) as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
    own = Path(file.name)
    try:
        path.hardlink_to(own)
    except FileExistsError:
        pass  # another process won
    except OSError:
        own.replace(path)  # no hard links here
    finally:
        own.unlink(missing_ok=True)
