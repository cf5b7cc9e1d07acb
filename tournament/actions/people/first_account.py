"""The first account of an installation."""

from tournament.actions.kernel import writing
from tournament.models import User
from tournament.queries.first_account import somebody_can_sign_in


def make_first_account(*, username: str, password: str) -> User | None:
    """Create a superuser; return None if there is an account that can sign in."""
    with writing():
        if somebody_can_sign_in():
            return None
        user = User(username=username, is_staff=True, is_superuser=True)
        user.set_password(password)
        user.save()
    return user
