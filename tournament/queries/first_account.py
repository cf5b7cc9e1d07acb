"""First account of an installation, by a link that the server prints."""

from uuid import UUID

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from tournament.links import holds, token_for
from tournament.models import User

INSTALLATION = UUID("00000000-0000-0000-0000-000000000001")  # names no row


def somebody_can_sign_in() -> bool:
    """Whether an active account has a password."""
    return User.objects.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).filter(is_active=True).exists()


def first_account_token() -> str:
    """Token of the first-account link."""
    return token_for("first", INSTALLATION)


def is_first_account_token(token: str) -> bool:
    """Whether this is the link's token, even if used."""
    return holds(token, "first", INSTALLATION)
