"""Which program this is: its version, and a digest that every change of its code changes."""

import tomllib
from functools import cache
from hashlib import sha256

from django.conf import settings

CODE = ("rulesets", "scoring", "tournament")  # packages
DIGITS = 12  # of the digest


@cache
def version() -> str:
    """The version that pyproject.toml names."""
    text = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


@cache
def digest() -> str:
    """A digest of the version and of all code: who keeps an answer under it keeps none that another program gave."""
    found = sha256(version().encode())
    for package in CODE:
        for file in sorted((settings.BASE_DIR / package).rglob("*.py")):
            found.update(f"\n{file.relative_to(settings.BASE_DIR)}\n".encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:DIGITS]
