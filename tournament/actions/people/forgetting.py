"""Contacts that nobody needs any more: erased by time. They are no facts, so no ledger holds them."""

from datetime import datetime, timedelta

from tournament.actions.kernel.work import writing
from tournament.models import Player, Tournament

KEPT_FOR = timedelta(days=90)  # after the last event of a player


def old_contacts(now: datetime) -> list[int]:
    """The keys of the players whose contacts are no longer needed: every event that they are in was held more than 90
    days ago, on its date and by the last row of its ledger while it is not finished."""
    limit = now - KEPT_FOR
    coming = Tournament.objects.filter(starts_on__gte=limit.date())
    going_on = Tournament.objects.exclude(state=Tournament.State.FINISHED).filter(ledger__at__gte=limit)
    players = Player.objects.exclude(contact="").exclude(entries__tournament__in=coming)
    return list(players.exclude(entries__tournament__in=going_on).order_by("pk").values_list("pk", flat=True))


def erase_old_contacts(now: datetime) -> int:
    """Erase them; gives how many there were."""
    if not old_contacts(now):
        return 0
    with writing():
        return Player.objects.filter(pk__in=old_contacts(now)).update(contact="")
