"""Secrets that nobody may guess: the key that signs sessions and links, made at the first start, how passwords are
hashed, and a check of them beside Django's own for their length and for the 20,000 commonest."""

import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

# The first that somebody would try here; docs/operators.md names them.
WORDS = (
    *("lastcard", "uno", "mattel", "tournament", "turnaus", "turnering", "referee", "tuomari", "domare"),
    *("organiser", "player", "pelaaja", "spelare", "cards", "kortti", "kortit", "kort", "peli", "spel"),
)
LEFT = 5  # letters that must be left without these words
SHORTEST = 3  # letters of a name that counts as such a word

_REST = re.compile(r"[\W\d_]+")


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id as OWASP's cheat sheet of password storage has it: 19 MiB, which a guesser needs for each try at once,
    two passes and one thread. A tenth of PBKDF2's time keeps the processor free for saves."""

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1


class NotOurWords:
    """Refuses a password made of words that stand on every page here, or of the person's own name, with digits and
    signs around them."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError `password_our_words` for a password made of such words."""
        fields = (str(getattr(user, field, "")) for field in ("username", "first_name", "last_name"))
        names = (name for field in fields for name in _REST.split(field) if len(name) >= SHORTEST)
        words = re.compile("|".join(map(re.escape, (*names, *WORDS))), re.IGNORECASE)
        if words.search(password) and len(_REST.sub("", words.sub("", password))) < LEFT:
            raise ValidationError(self.get_help_text(), code="password_our_words")

    def get_help_text(self) -> str:
        return gettext(
            "Your password cannot be your own name or a word that anyone would try here, such as "
            "Lastcard or referee."
        )


def kept_key(path: Path) -> str:
    """Read the key in the file, which its owner alone can read, or make one. If several processes start at once, all
    use the key of the first, and none reads half of it. Raises OSError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    with tempfile.NamedTemporaryFile("w", prefix=f"{path.name}-", dir=path.parent, delete=False) as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
    own = Path(file.name)
    try:
        path.hardlink_to(own)
    except FileExistsError:
        pass  # another process was first
    except OSError:
        own.replace(path)  # a disk that has no hard links
    finally:
        own.unlink(missing_ok=True)
