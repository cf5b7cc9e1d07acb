"""Secret key, password hashing, and a password validator."""

import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

# Listed in docs/operators.md.
SECRET_WORDS = (
    *("lastcard", "uno", "mattel", "tournament", "turnaus", "turnering", "referee", "tuomari", "domare"),
    *("organiser", "player", "pelaaja", "spelare", "cards", "kortti", "kortit", "kort", "peli", "spel"),
)
LEFT = 5  # letters required besides
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
    if path.exists():
        return path.read_text().strip()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
    return path.read_text().strip()
