"""Users without an account, whom nobody can sign in as: guests, who hold a link and gave a name, and the one user in
whose name stands what players write with their own links."""

from uuid import UUID, uuid5

from django.db import transaction

from tournament.models import User
from tournament.models.people import OWN_LINK

LONGEST = 150  # characters of a guest's name


def guest(secret: UUID, name: str) -> User:
    """The guest of this secret (a form's, a command's id); the same secret gives the same guest. The username tells
    nothing of the secret."""
    return _without_account(f"guest-{uuid5(secret, 'guest')}", name[:LONGEST])


def own_link_user() -> User:
    """The user for players' own links; made when it is needed first."""
    with transaction.atomic():
        return _without_account(OWN_LINK)


def _without_account(username: str, first_name: str = "") -> User:
    user, created = User.objects.get_or_create(username=username, defaults={"first_name": first_name})
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user
