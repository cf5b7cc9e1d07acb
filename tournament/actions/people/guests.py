"""Users without an account: somebody who holds a link and gave a name."""

from uuid import UUID, uuid5

from tournament.models import User

LONGEST = 150  # characters of a guest's name


def guest(secret: UUID, name: str) -> User:
    """The guest of this secret (a form's, a command's id), who has no password; the same secret gives the same guest.
    The username tells nothing of the secret."""
    user, created = User.objects.get_or_create(
        username=f"guest-{uuid5(secret, 'guest')}", defaults={"first_name": name[:LONGEST]}
    )
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user
