"""The frame of every action: one command, one transaction, one ledger row.

`@action(...)` declares and wraps a function that writes facts. It opens the transaction, locks the tournament, answers
a repeated command with its first receipt, checks permission, runs the function, appends one ledger row with the facts
it touched, raises the versions and tells listeners after the commit. When anything is raised, nothing is stored and
the command may be sent again.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from time import perf_counter
from typing import Any, Concatenate, Literal, ParamSpec
from uuid import UUID, uuid5

from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.functional import Promise

from tournament import backup, live
from tournament.actions.kernel.guests import within_limits
from tournament.actions.kernel.refusing import fit, refuse_if
from tournament.ledger.chain import content_digest, digest_of
from tournament.models import (
    Call,
    Entry,
    Incident,
    LedgerNote,
    LedgerRow,
    Play,
    Proposal,
    PublicModel,
    Stage,
    Tournament,
    User,
)
from tournament.permissions import ACTIONS, Undo, admit, may, run_by_account
from tournament.queries.versions import Seen
from tournament.results import CommandReused, Fault, Forbidden, PlayFacts, Refused, Stale, facts_of
from tournament.results.facts import kind_of
from tournament.server import metrics
from tournament.server.clock import now
from tournament.server.database import command
from tournament.words.namesakes import name_suffixes
from tournament.words.text import clean

P = ParamSpec("P")

LONGEST_NOTE = 500  # characters
LONGEST_DEVICE = 64  # characters

# SQLite has one writer, and its own waiting is unfair: writers of one process queue here instead.
_sqlite_writer = threading.Lock()


@dataclass(frozen=True, slots=True)
class Command:
    """A request to act. The device makes the `id`, once for each intention; `device` is an opaque text. `content` is
    the digest of what the device sent, if the action's arguments also depend on something else (how long the request
    was on its way); "" if they depend on nothing else. `part`: of a larger command, which keeps to the limits of
    guests as a whole. `seen`: what has to be as the sender saw it (optimistic lock), compared under the event's lock;
    a repeated command gets its first receipt all the same."""

    id: UUID
    actor: User
    device: str = ""
    content: str = ""
    part: bool = False
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted command: its ledger row's sequence, the server's time, and whether it had
    been accepted before."""

    sequence: int
    at: datetime
    replayed: bool = False


class Work:
    """An open command: an action's function reads from it and reports its changes to it."""

    def __init__(self, command: Command, action: str, content: str, tournament: Tournament | None) -> None:
        self.command, self.action, self.content = command, action, content
        self.at = now()
        self.note = ""
        self.replaces: int | None = None
        self.ready: Any = None
        self._tournament = tournament
        self._changed: dict[tuple[str, str], PublicModel | dict[str, Any]] = {}
        self._deleted: dict[tuple[str, str], None] = {}
        self._stages: dict[int, Stage] = {}

    @property
    def tournament(self) -> Tournament:
        """The tournament, locked until the end of the transaction."""
        assert self._tournament is not None
        return self._tournament

    @property
    def sequence(self) -> int:
        """The sequence of the ledger row that this command will be."""
        return self.tournament.version + 1

    def because(self, reason: str) -> None:
        """Keep the reason beside the ledger row. Raises Refused `missing_reason` for an empty one."""
        refuse_if(not clean(reason), Fault("missing_reason", "/reason"))
        self.note = reason

    def created(self, tournament: Tournament) -> None:
        """Report that this command made the tournament."""
        self._tournament = tournament
        self.changed(tournament)

    def changed(self, *rows: PublicModel) -> None:
        """Report that these rows were written; their facts at the end go into the ledger row. Readers of a stage that
        was written see something new."""
        for row in rows:
            self._changed[kind_of(row), str(row.uid)] = row
        self.readers_of(*(row for row in rows if isinstance(row, Stage)))

    def add(self, row: PublicModel) -> None:
        """Store a new row."""
        row.save(force_insert=True)
        self.changed(row)

    def save(self, row: PublicModel, *fields: str) -> None:
        """Write these fields of a row; all of them if none is named."""
        row.save(update_fields=fields or None)
        self.changed(row)

    def update(self, row: PublicModel, **values: object) -> None:
        """Give a row these values and write only them."""
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
        self.changed(row)

    def update_all(self, changes: Iterable[tuple[PublicModel, Mapping[str, Any]]]) -> None:
        """Give each row its values; in one query those of a model that get the same ones."""
        alike: dict[object, tuple[dict[str, Any], list[PublicModel]]] = {}
        for row, values in changes:
            moved = {name: value for name, value in values.items() if getattr(row, name) != value}
            key = str({name: getattr(value, "pk", value) for name, value in moved.items()})
            alike.setdefault((type(row), key), (moved, []))[1].append(row)
            for name, value in moved.items():
                setattr(row, name, value)
            self.changed(row)
        for moved, rows in alike.values():
            if moved:
                type(rows[0])._default_manager.filter(pk__in=[row.pk for row in rows]).update(**moved)

    def wrote(self, play: PlayFacts) -> None:
        """Report that this play was written with exactly these facts."""
        self._changed["play", str(play.uid)] = play.as_json()

    def deleted(self, *rows: PublicModel) -> None:
        """Report that these rows are gone."""
        for row in rows:
            self._deleted[kind_of(row), str(row.uid)] = None

    def delete(self, row: PublicModel) -> None:
        """Delete a row."""
        self.deleted(row)
        row.delete()

    def readers_of(self, *stages: Stage) -> None:
        """Report that readers of these stages see something new."""
        for stage in stages:
            self._stages[stage.pk] = stage

    def close(self) -> Receipt:
        """Append the ledger row and raise the versions; the last write of the transaction."""
        tournament = self.tournament
        if any(kind == "entry" for kind, _uid in (*self._changed, *self._deleted)):
            self._update_name_suffixes()
        payload: dict[str, dict[str, Any]] = {}
        for kind, uid in self._deleted:
            payload.setdefault(kind, {})[uid] = None
        for (kind, uid), changed in self._changed.items():
            payload.setdefault(kind, {})[uid] = changed if isinstance(changed, dict) else facts_of(changed)
        sequence, previous = self.sequence, tournament.ledger_head
        row = LedgerRow(
            tournament=tournament,
            sequence=sequence,
            at=self.at,
            actor=self.command.actor,
            device=clean(self.command.device)[:LONGEST_DEVICE],
            command=self.command.id,
            action=self.action,
            replaces=self.replaces,
            payload=payload,
            content=self.content,
            previous=previous,
        )
        row.digest = digest_of(row)
        row.save(force_insert=True)
        if self.note and (note := fit(self.note, "/reason", LONGEST_NOTE)):
            LedgerNote.objects.create(row=row, text=note)
        Stage.objects.filter(pk__in=self._stages).update(version=sequence)
        tournament.version, tournament.ledger_head = sequence, row.digest
        tournament.save(update_fields=["version", "ledger_head"])
        transaction.on_commit(self._tell, robust=True)  # a listener's failure does not fail the command
        return Receipt(sequence, self.at)

    def _update_name_suffixes(self) -> None:
        """Update what tells entries apart whose names read the same. Stored, since every page shows names: a page's
        queries stay the same, and the ledger row says which cached contests have other names now."""
        entries = Entry.objects.filter(tournament=self.tournament)
        rows = list(entries.values_list("pk", "public_name", "club", "state", "name_suffix"))
        suffixes = name_suffixes(row[:4] for row in rows)
        moved = [pk for pk, *_about, before in rows if suffixes[pk] != before]
        if moved:
            self.update_all((row, {"name_suffix": suffixes[row.pk]}) for row in entries.filter(pk__in=moved))
            self.readers_of(*self.tournament.stages.all())

    def _tell(self) -> None:
        sequence = self.tournament.version
        versions = {str(stage.uid): sequence for stage in self._stages.values()}
        organiser = self.tournament.organiser
        sums = Tournament.objects.aggregate(
            site=Sum("version"), tour=Sum("version", filter=Q(organiser=organiser))
        )
        own = {str(self.tournament.uid): sequence, str(organiser.uid): sums["tour"], "site": sums["site"]}
        live.announce(versions | own)


def action(
    *,
    least: Literal["table_referee", "head_referee", "organiser"] | None = None,
    by_link: bool = False,
    says: str | Promise = "",
    undo: Undo | None = None,
    bulk: bool = False,
    account: bool = False,
    ahead: Callable[..., object] | None = None,
) -> Callable[[Callable[Concatenate[Work, P], None]], Callable[Concatenate[Command, UUID, P], Receipt]]:
    """Make `function(work, **arguments)` an action `name(command, tournament_uid, **arguments) -> Receipt`, and declare
    it (tournament/permissions.py). A backup is made before a `bulk` action, which enters or moves many at once, in an
    event that somebody with a password runs. An action that needs an `account` is not for guests. `ahead` reads and
    checks before others have to wait: what it gives is `work.ready`, or None where the ledger has grown since.

    The arguments are ids, numbers and texts; they are the command's content. Raises Forbidden, CommandReused,
    Stale, Conflict or Refused, each without storing anything, and Tournament.DoesNotExist.
    """

    def declared(
        function: Callable[Concatenate[Work, P], None],
    ) -> Callable[Concatenate[Command, UUID, P], Receipt]:
        name = function.__name__
        if (least is None) is not by_link:
            raise TypeError(f"{name}: give its decorator least=... or by_link=True")
        ACTIONS.declare(name, least, by_link, says, undo, account=account)

        @wraps(function)
        def run(command: Command, tournament: UUID, /, *arguments: P.args, **named: P.kwargs) -> Receipt:
            content = command.content or content_digest(
                {"action": name, "arguments": named, "tournament": tournament}
            )
            found = _wanted(command, name, tournament) if bulk or ahead else None
            if bulk and found:
                backup.before(name)
            ready = {found.ledger_head: ahead(found, *arguments, **named)} if ahead and found else {}

            def once() -> Receipt:
                locked = Tournament.objects.select_for_update().get(uid=tournament)
                if earlier := _replay(command, content, locked):
                    return earlier
                table = named.get("table")
                limited = admit(
                    command.actor, name, locked, table if isinstance(table, UUID) else _table_of(named)
                )
                if command.seen and command.seen.is_stale(locked):
                    raise Stale
                work = Work(command, name, content, locked)
                work.ready = ready.pop(locked.ledger_head, None)  # for the first try
                bound = limited and not command.part
                with within_limits(command.actor, locked, named) if bound else nullcontext():
                    function(work, *arguments, **named)
                return work.close()

            return _written(once)

        return run

    return declared


def do_within(work: Work, action: Callable[..., Receipt], **arguments: Any) -> None:
    """Do what another action does as a part of this command: in its one ledger row, with its actor's rights."""
    function: Callable[..., None] = action.__wrapped__  # type: ignore[attr-defined]  # what `action` wrapped
    function(work, **arguments)


def do_elsewhere(work: Work, tournament: Tournament, function: Callable[[Work], None]) -> None:
    """Do a part of this command in another event, which is locked already: in a row of that event's ledger, under a
    command of its own derived from this one, with this command's actor and rights."""
    part = replace(work.command, id=uuid5(work.command.id, str(tournament.uid)))
    there = Work(part, work.action, work.content, tournament)
    function(there)
    there.close()


def founding_action(
    *, says: str | Promise = "", undo: Undo | None = None
) -> Callable[[Callable[Concatenate[Work, UUID, P], None]], Callable[Concatenate[Command, UUID, P], Receipt]]:
    """Like `action`, for the command that makes the tournament of that uid; the function checks permission. Newcomers
    have none."""

    def declared(
        function: Callable[Concatenate[Work, UUID, P], None],
    ) -> Callable[Concatenate[Command, UUID, P], Receipt]:
        name = function.__name__
        ACTIONS.declare(name, None, False, says, undo)

        @wraps(function)
        def run(command: Command, tournament: UUID, /, *arguments: P.args, **named: P.kwargs) -> Receipt:
            if command.actor.is_newcomer:
                raise Forbidden(name)
            content = content_digest({"action": name, "arguments": named, "tournament": tournament})

            def once() -> Receipt:
                if made := Tournament.objects.select_for_update().filter(uid=tournament).first():
                    if earlier := _replay(command, content, made):
                        return earlier
                    raise Refused(Fault("tournament_exists"))
                work = Work(command, name, content, None)
                function(work, tournament, *arguments, **named)
                return work.close()

            return _written(once)

        return run

    return declared


def _written(once: Callable[[], Receipt]) -> Receipt:
    """Run it in a transaction of its own, and again if somebody else was quicker to take a value that is unique among
    all tournaments (a public address, an id): the second time it sees what they wrote, and answers or refuses."""
    began = perf_counter()
    try:
        with writing():
            receipt = once()
    except IntegrityError:
        with writing():
            receipt = once()
    metrics.saves.observe(perf_counter() - began)
    return receipt


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction, or join the open one; on SQLite one at a time. Raises OperationalError if the others do not
    end within LOCK_WAIT_S seconds."""
    joins, began = connection.in_atomic_block, 0.0
    alone = connection.vendor == "sqlite" and not joins
    try:
        with _alone() if alone else nullcontext(), transaction.atomic(), command():
            began = perf_counter()
            yield
    finally:
        if began and not joins:
            metrics.holds.observe(perf_counter() - began)


@contextmanager
def _alone() -> Iterator[None]:
    """Be the only writer of this process. Other processes may still make it wait."""
    if not _sqlite_writer.acquire(timeout=settings.LOCK_WAIT_S):
        raise OperationalError("others write for too long")
    try:
        yield
    finally:
        _sqlite_writer.release()


def _wanted(command: Command, name: str, tournament: UUID) -> Tournament | None:
    """Find the tournament if it is worth a backup or reading ahead: the command's actor may do this, somebody with a
    password runs it, and it was not done before."""
    found = Tournament.objects.filter(uid=tournament).first()
    done = LedgerRow.objects.filter(tournament__uid=tournament, command=command.id).exists()
    worth = found and not done and may(command.actor, name, found) and run_by_account(found)
    return found if worth else None


def _replay(command: Command, content: str, tournament: Tournament) -> Receipt | None:
    row = LedgerRow.objects.filter(tournament=tournament, command=command.id).first()
    if row is None:
        return None
    same = row.content == content
    if row.actor_id != command.actor.pk or not same:
        raise CommandReused(sequence=row.sequence, at=row.at, same=same)
    return Receipt(row.sequence, row.at, replayed=True)


def _table_of(named: dict[str, Any]) -> UUID | None:
    """Find the table of what a command names, for a table referee's rights."""
    for name, rows in _AT_TABLES.items():
        if named.get(name):
            return rows.filter(uid=named[name]).values_list("table__uid", flat=True).first()
    return None


_AT_TABLES: dict[str, QuerySet[Any]] = {
    "proposal": Proposal.objects.all(),
    "call": Call.objects.all(),
    "incident": Incident.objects.all(),
    "play": Play.objects.all(),
}
