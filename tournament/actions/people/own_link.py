"""The user in whose name stands what a player wrote with their own link, so that every ledger row has an actor."""

from django.db import transaction

from tournament.models import User
from tournament.models.people import OWN_LINK


def own_link_user() -> User:
    """That user; made when it is needed first. Nobody can sign in as it."""
    with transaction.atomic():
        user, created = User.objects.get_or_create(username=OWN_LINK)
        if created:
            user.set_unusable_password()
            user.save(update_fields=["password"])
    return user
