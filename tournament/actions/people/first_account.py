"""The first account of a new installation."""

from tournament.actions.kernel import writing
from tournament.models import User
from tournament.queries.first_account import somebody_can_sign_in


def make_first_account(*, username: str, password: str) -> User | None:
    """Make an account that may do everything; None where somebody can sign in already."""
    with writing():
        if somebody_can_sign_in():
            return None
        user = User(username=username, is_staff=True, is_superuser=True)
        user.set_password(password)
        user.save()
    return user
