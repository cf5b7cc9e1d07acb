"""Delete rehearsals for good: the only way out of the ledger, by `manage.py purge`, and never for a real event. What
was made of an event whose founding is refused goes the same way.

The ledger's triggers are dropped and made again inside the transaction that deletes, which both databases roll back as
a whole: if it is killed in the middle everything is as it was, the triggers too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
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
    Tournament,
    User,
)


@dataclass(frozen=True, slots=True)
class Purged:
    """A rehearsal to delete: the number of `rows` in its ledger and of `entries`, and the time of its last row."""

    tournament: UUID
    name: str
    organiser: str
    last: datetime | None
    rows: int
    entries: int


def rehearsals_to_purge(*, before: datetime | None = None, all_rehearsals: bool = False) -> list[Purged]:
    """List the rehearsals that were put away (all with `all_rehearsals`) and whose last ledger row is older than
    `before`, the oldest first."""
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
    """Delete these rehearsals with everything in them, and players, organisers and guests without another event.
    Give the uids of those deleted. Events that are no rehearsals, or are not (or no longer) put away, are left alone.
    All or nothing."""
    with transaction.atomic():
        return _delete(_rehearsals(all_rehearsals=all_rehearsals).filter(uid__in=list(tournaments)))


def take_back(tournament: UUID, *, keep: User | None) -> None:
    """Delete an event whose founding was refused halfway, as `purge` does; the user to `keep` was there before it."""
    with transaction.atomic():
        _delete(Tournament.objects.filter(uid=tournament), keep)


def _delete(found: QuerySet[Tournament], keep: User | None = None) -> list[UUID]:
    rows = list(found.select_for_update().order_by("pk"))
    if rows:
        players, organisers, users = _left_by(rows)
        triggers.drop(connection)
        for kind in _in_order(rows):
            kind._raw_delete(connection.alias)  # nothing is left that refers to them
        _forget(players, organisers, users - {keep.pk} if keep else users)
        if connection.vendor == "postgresql":  # its deferred checks, before its table is changed again
            connection.check_constraints()
        triggers.create(connection)
    return [row.uid for row in rows]


def _rehearsals(*, all_rehearsals: bool) -> QuerySet[Tournament]:
    rows = Tournament.objects.filter(rehearsal=True)
    return rows if all_rehearsals else rows.filter(put_away=True)


def _in_order(rows: Sequence[Tournament]) -> Iterator[QuerySet[Any]]:
    """List everything of these tournaments, rows that point at others first."""
    keys = [row.pk for row in rows]
    for model in reversed(ROWS):
        if model not in (Organiser, Player):
            yield model._default_manager.filter(**{f"{model.FIELDS.of}__in": keys})


def _left_by(rows: Sequence[Tournament]) -> tuple[set[int], set[int], set[int]]:
    """List the keys of the players, organisers and users whom these tournaments know, also of those who were removed
    from them again."""
    users = set(Membership.objects.filter(tournament__in=rows).values_list("user", flat=True))
    users |= set(LedgerRow.objects.filter(tournament__in=rows).values_list("actor", flat=True))
    named, roles = _named_in(LedgerRow.objects.filter(tournament__in=rows))
    players = set(Entry.objects.filter(tournament__in=rows).values_list("player", flat=True))
    players |= set(Player.objects.filter(uid__in=named).values_list("pk", flat=True))
    users |= set(User.objects.filter(uid__in=roles).values_list("pk", flat=True))
    return players, {row.organiser_id for row in rows}, users


def _named_in(rows: QuerySet[LedgerRow]) -> tuple[set[str], set[str]]:
    """List the uids of the players and of the users with a role that these ledger rows name."""
    found: dict[tuple[str, str], set[str]] = {("entry", "player"): set(), ("membership", "user"): set()}
    for (kind, whom), uids in found.items():
        for facts in rows.filter(payload__has_key=kind).values_list(f"payload__{kind}", flat=True).iterator():
            uids |= {str(row[whom]) for row in facts.values() if row}
    return found["entry", "player"], found["membership", "user"]


def _forget(players: set[int], organisers: set[int], users: set[int]) -> None:
    """Delete those of them to whom nothing else refers. Another event's ledger may refer to a player who was removed
    there and can be put back."""
    alone = Player.objects.filter(pk__in=players, entries=None)
    if alone.exists():
        named, _roles = _named_in(LedgerRow.objects.filter(tournament__organiser__in=organisers))
        Player.objects.filter(pk__in=[row.pk for row in alone if str(row.uid) not in named])._raw_delete(
            connection.alias
        )
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
