"""Permanent deletion of rehearsals (`manage.py purge`), never of real events, and cleanup of a refused founding. The
triggers are dropped and recreated in one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, QuerySet

from tournament.ledger import triggers
from tournament.models import (
    GUEST,
    NAMING_USERS,
    ROWS,
    Entry,
    LedgerRow,
    Membership,
    Organiser,
    Player,
    Season,
    Tournament,
    User,
)
from tournament.server.django_private import delete_rows


@dataclass(frozen=True, slots=True)
class Purged:
    """A rehearsal to delete: numbers of ledger `rows` and `entries`, time of its last row."""

    tournament: UUID
    name: str
    organiser: str
    last: datetime | None
    rows: int
    entries: int


def rehearsals_to_purge(*, before: datetime | None = None, all_rehearsals: bool = False) -> list[Purged]:
    """Hidden rehearsals (with `all_rehearsals`, all) whose last ledger row is older than `before`, oldest first."""
    rows = (
        _rehearsals(all_rehearsals=all_rehearsals)
        .annotate(last=Max("ledger__at"))
        .select_related("organiser")
    )
    if before is not None:
        rows = rows.filter(last__lt=before)
    return [
        Purged(
            tournament=row.uid,
            name=row.name,
            organiser=row.organiser.name,
            last=row.last,
            rows=row.ledger.count(),
            entries=row.entries.count(),
        )
        for row in rows.order_by("last", "pk")
    ]


def purge(tournaments: Iterable[UUID], *, all_rehearsals: bool = False) -> list[UUID]:
    """Delete rehearsals, all or nothing, with players, organisers and guests that no other event has. Return the uids
    deleted; other events are skipped."""
    with transaction.atomic():
        return _delete(_rehearsals(all_rehearsals=all_rehearsals).filter(uid__in=list(tournaments)))


def take_back(tournament: UUID, *, keep: User | None) -> None:
    """Delete an event whose founding was refused, but for user `keep`."""
    with transaction.atomic():
        _delete(Tournament.objects.filter(uid=tournament), keep)


def _delete(found: QuerySet[Tournament], keep: User | None = None) -> list[UUID]:
    rows = list(found.select_for_update().order_by("pk"))
    if rows:
        players, organisers, users = _left_by(rows)
        triggers.drop(connection)
        keys = [row.pk for row in rows]
        for model in reversed(ROWS):  # those that refer to others first
            if model not in (Organiser, Player, Season):
                delete_rows(model._default_manager.filter(**{f"{model.FIELDS.of}__in": keys}))
        _forget(players=players, organisers=organisers, users=users - {keep.pk} if keep else users)
        if connection.vendor == "postgresql":  # deferred checks come before altering the table
            connection.check_constraints()
        triggers.create(connection)
    return [row.uid for row in rows]


def _rehearsals(*, all_rehearsals: bool) -> QuerySet[Tournament]:
    rows = Tournament.objects.filter(rehearsal=True)
    return rows if all_rehearsals else rows.filter(put_away=True)


def _left_by(rows: Sequence[Tournament]) -> tuple[set[int], set[int], set[int]]:
    users = set(Membership.objects.filter(tournament__in=rows).values_list("user", flat=True))
    users |= set(LedgerRow.objects.filter(tournament__in=rows).values_list("actor", flat=True))
    named, roles = _named_in(LedgerRow.objects.filter(tournament__in=rows))
    players = set(Entry.objects.filter(tournament__in=rows).values_list("player", flat=True))
    players |= set(Player.objects.filter(uid__in=named).values_list("pk", flat=True))
    users |= set(User.objects.filter(uid__in=roles).values_list("pk", flat=True))
    return players, {row.organiser_id for row in rows}, users


def _named_in(rows: QuerySet[LedgerRow]) -> tuple[set[str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {("entry", "player"): set(), ("membership", "user"): set()}
    for (kind, whom), uids in found.items():
        for facts in rows.filter(payload__has_key=kind).values_list(f"payload__{kind}", flat=True).iterator():
            uids |= {str(row[whom]) for row in facts.values() if row}
    return found["entry", "player"], found["membership", "user"]


def _forget(*, players: set[int], organisers: set[int], users: set[int]) -> None:
    """A player named in another event's ledger stays: an undo may restore them."""
    alone = Player.objects.filter(pk__in=players, entries=None)
    if alone.exists():
        named, _roles = _named_in(LedgerRow.objects.filter(tournament__organiser__in=organisers))
        delete_rows(Player.objects.filter(pk__in=[row.pk for row in alone if str(row.uid) not in named]))
    Organiser.objects.filter(pk__in=organisers, tournaments=None, players=None).delete()
    guests = User.objects.filter(
        pk__in=users,
        username__startswith=GUEST,
        password__startswith="!",  # noqa: S106 - Django's mark for no password
        is_staff=False,
    )
    unknown = guests
    for model, name in NAMING_USERS:
        naming = model._default_manager.filter(**{f"{name}__in": guests})
        unknown = unknown.exclude(pk__in=naming.values(name))
    unknown.delete()
