"""Who is entering something at a table now: expires by itself, not in the ledger."""

from datetime import timedelta

from django.utils import timezone

from tournament.actions.kernel import writing
from tournament.models import Table, Typing, User

WARN_FOR = timedelta(seconds=30)  # since the last sign
KEEP_FOR = timedelta(minutes=10)


def say_entering(user: User, device: str, table: Table) -> None:
    """Note that this device is entering something at the table."""
    now = timezone.now()
    with writing():
        Typing.objects.filter(at__lt=now - KEEP_FOR).delete()
        Typing.objects.update_or_create(table=table, device=device, defaults={"user": user, "at": now})


def say_done(device: str, table: Table) -> None:
    """Note that this device sent or closed its form."""
    with writing():
        Typing.objects.filter(table=table, device=device).delete()


def entering_elsewhere(device: str, table: Table) -> list[Typing]:
    """Other devices that are entering, with their users, latest first."""
    others = Typing.objects.filter(table=table, at__gte=timezone.now() - WARN_FOR).exclude(device=device)
    return list(others.select_related("user").order_by("-at"))
