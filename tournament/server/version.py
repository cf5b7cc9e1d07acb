"""Which program this is: a digest that every change of its code changes."""

from functools import cache
from hashlib import sha256

from django.conf import settings

CODE = ("rulesets", "scoring", "tournament")  # packages
DIGITS = 12  # of the digest


@cache
def digest() -> str:
    """A digest of all code, the version included: a cache keyed by it never holds an answer of another program."""
    found = sha256()
    for package in CODE:
        for file in sorted((settings.BASE_DIR / package).rglob("*.py")):
            found.update(f"\n{file.relative_to(settings.BASE_DIR)}\n".encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:DIGITS]
