"""Frame of every action: one command, one transaction, one ledger row. Errors store nothing, so retries are safe."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum
from functools import wraps
from time import perf_counter
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeVar
from uuid import UUID, uuid5

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Max, Model, Q, QuerySet, Sum
from django.utils.functional import Promise

from tournament import backup, live
from tournament.ledger.chain import content_digest, digest_of
from tournament.links import holds, uid_in
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
    Table,
    Tournament,
    User,
)
from tournament.permissions import ACTIONS, Undo, admit, may, run_by_account
from tournament.queries.visible import Seen
from tournament.results import (
    YEARS,
    CommandReused,
    Fault,
    Forbidden,
    PlayFacts,
    Refused,
    Stale,
    facts_of,
    grouped,
    refuse,
    refuse_if,
    whole,
)
from tournament.results.facts import kind_of
from tournament.server import metrics
from tournament.server.clock import now
from tournament.server.database import command
from tournament.server.rate_limits import GuestsThrottle, GuestThrottle, PageThrottle
from tournament.words.text import clean, is_seen, looks_private, name_suffixes

T = TypeVar("T")
Row = TypeVar("Row", bound=PublicModel)


def refuse_other_kind(kind: str, path: str, allowed: Sequence[str]) -> None:
    """Refused `wrong_kind_of_stage`, naming the allowed kinds, unless this is one."""
    refuse_if(
        kind not in allowed,
        Fault("wrong_kind_of_stage", path, {"kind": kind, "allowed": ", ".join(allowed)}),
    )


def first_wrong(**codes: object) -> str:
    """First code whose condition is true, or ""."""
    return next((code for code, wrong in codes.items() if wrong), "")


class Faults(list[Fault]):
    """Faults for one refusal: a `with` block adds those raised in it, also as a model's field errors, except where a
    path has one already. Forbidden, conflicts and rate limits are raised at once."""

    path = ""

    def at(self, path: str) -> "Faults":
        """These; paths that follow are below `path`."""
        self.path = path
        return self

    def add_if(self, wrong: object, fault: Fault) -> None:
        with self:
            refuse_if(wrong, fault)

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, raised: BaseException | None, _trace: object) -> bool:
        found: Iterable[Fault]
        match raised:
            case ValidationError(error_dict=_):
                found = faults_of(raised)
            case Refused() if type(raised) is Refused and not raised.wait:
                found = raised.faults
            case _:
                return False
        known, paths = [*self], {fault.path for fault in self}  # an inner action may have added it
        self += (
            replace(each, path=self.path + each.path)
            for each in found
            if each not in known and self.path + each.path not in paths
        )
        return True


def check(row: Model, path: str = "", *, unique: bool = True) -> None:
    """Validate a row by its model; Refused with faults at `path/<field>`."""
    try:
        row.full_clean(validate_unique=unique)
    except ValidationError as error:
        raise Refused(*faults_of(error, path)) from None


def check_public(row: Entry, faults: Faults, *, right: bool = False, was: Sequence[str] = ("", "")) -> None:
    """Public name and club must be visible and, unless `right`, hold nothing private (telephone number, address,
    link). The values `was` pass."""
    for field, before in zip(("public_name", "club"), was, strict=True):
        text, path = getattr(row, field), f"/{field}"
        new = text and text != before
        faults.add_if(new and not any(map(is_seen, text)), Fault("field_blank", path))
        faults.add_if(
            new and not right and looks_private(text), Fault("field_private", path, {"value": text})
        )


def faults_of(error: ValidationError, path: str = "") -> list[Fault]:
    """Django's field errors as faults."""
    return [
        Fault(
            f"field_{one.code or 'invalid'}",
            # of a joint uniqueness error the last field; the others name the tournament
            f"{path}/{(one.params or {}).get('unique_check', (name,))[-1]}",
            {key: value for key, value in (one.params or {}).items() if isinstance(value, str | int)},
        )
        for name, errors in error.error_dict.items()
        for one in errors
    ]


def fit(text: str, path: str, longest: int, clean: Callable[[str], str] = clean) -> str:
    """Clean a text; Refused `field_max_length` if it is longer than `longest` characters."""
    text = clean(text)
    refuse_if(
        len(text) > longest,
        Fault("field_max_length", path, {"limit_value": longest, "show_value": len(text)}),
    )
    return text


def between(value: object, path: str, least: int, most: int) -> int:
    """The whole number; Refused `malformed`, `field_min_value` or `field_max_value`."""
    number = whole(value, path)
    refuse_if(number < least, Fault("field_min_value", path, {"limit_value": least}))
    refuse_if(number > most, Fault("field_max_value", path, {"limit_value": most}))
    return number


def planned_for(day: date | None, path: str) -> None:
    """Refused `field_invalid` outside YEARS, where a time zone could overflow the calendar."""
    refuse_if(day is not None and day.year not in YEARS, Fault("field_invalid", path))


# ---- Limits of guests (users without an account) in events without an account ----

MOST_ROWS = 3_000  # ledger rows of an event
# players of an event, plays of a table
GUEST_MAXIMA = {"guest_players": 60, "guest_plays": 100}


def count(code: str, *throttles: PageThrottle) -> None:
    """Count one use; Refused with this code and the seconds to wait if too often."""
    for throttle in throttles:
        if not throttle.allows():
            raise Refused(Fault(code, parameters={"seconds": (wait := throttle.seconds())}), wait=wait)


@contextmanager
def within_limits(user: User, tournament: Tournament, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Limit a guest's command. Refused `guest_writes`, `guest_rows`, GUEST_MAXIMA."""
    count("guest_writes", GuestThrottle(f"{user.pk} {tournament.pk}"), GuestsThrottle())
    refuse_if(tournament.version >= MOST_ROWS, Fault("guest_rows"))
    had = _held(tournament)
    refuse_more({"guest_players": len(arguments.get("players", ()))}, had)
    yield
    refuse_more(_held(tournament), had)


def _held(tournament: Tournament) -> dict[str, int]:
    plays = Play.objects.filter(table__stage__tournament=tournament)
    return {
        "guest_players": Entry.objects.filter(tournament=tournament).count(),
        "guest_plays": plays.aggregate(most=Max("number"))["most"] or 0,
    }


def refuse_more(now: Mapping[str, int], had: Mapping[str, int] = {}) -> None:
    """Refuse more than GUEST_MAXIMA, or than the event `had` if that is more."""
    for code, number in now.items():
        refuse_if(
            number > max(had.get(code, 0), GUEST_MAXIMA[code]),
            Fault(code, parameters={"most": GUEST_MAXIMA[code]}),
        )


# ---- Commands ----


P = ParamSpec("P")

LONGEST_NOTE = 500  # characters
LONGEST_DEVICE = 64  # characters

# SQLite has one writer and waits unfairly; writers of a process queue here.
_sqlite_writer = threading.Lock()


@dataclass(frozen=True, slots=True)
class Command:
    """A request to act. `id`: idempotency key; `content`: digest of the request, if the arguments depend on more than
    it. `part`: of a larger command, which meets guest limits as a whole. `seen`: optimistic lock. `table`: read with
    its event before the lock."""

    id: UUID
    actor: User
    device: str = ""
    content: str = ""
    part: bool = False
    seen: Seen | None = None
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """Answer to an accepted command: ledger sequence, server time, whether accepted before."""

    sequence: int
    at: datetime
    replayed: bool = False


class Work:
    """An open command, to which its action reports changes. `faults` refuse it before it writes."""

    again = False  # a unique value was taken at the first try

    def __init__(self, command: Command, action: str, content: str, tournament: Tournament | None) -> None:
        self.command, self.action, self.content = command, action, content
        self.at = now()
        self.note = ""
        self.replaces: int | None = None
        self.ready: Any = None
        self.faults = Faults()
        if tournament is not None:
            self._stand_on(tournament)
        self._changed: dict[tuple[str, str], PublicModel | dict[str, Any]] = {}
        self._deleted: dict[tuple[str, str], None] = {}
        self._stages: dict[int, Stage] = {}

    def _stand_on(self, tournament: Tournament) -> None:
        self.tournament = tournament  # locked until commit
        self.sequence = tournament.version + 1

    def because(self, reason: str) -> None:
        """Set the note, which may not be empty."""
        self.faults.add_if(not clean(reason), Fault("missing_reason", "/reason"))
        self.note = reason

    def created(self, tournament: Tournament) -> None:
        self._stand_on(tournament)
        self.changed(tournament)

    def changed(self, *rows: PublicModel) -> None:
        """Report written rows, whose facts go into the ledger row; raise the versions of stages."""
        self._changed |= {(kind_of(row), str(row.uid)): row for row in rows}
        self.readers_of(*(row for row in rows if isinstance(row, Stage)))

    def add(self, row: PublicModel) -> None:
        refuse(self.faults)
        row.save(force_insert=True)
        self.changed(row)

    def save(self, row: PublicModel, *fields: str) -> None:
        """Write these fields of a row (default: all)."""
        refuse(self.faults)
        row.save(update_fields=fields or None)
        self.changed(row)

    def update(self, row: PublicModel, **values: object) -> None:
        """Set and write these values of a row."""
        for name, value in values.items():
            setattr(row, name, value)
        self.save(row, *values)

    def update_all(self, changes: Iterable[tuple[PublicModel, Mapping[str, Any]]]) -> None:
        """Update rows with one query per model and set of values."""
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

    def wrote(self, play: PlayFacts, *stages: Stage) -> None:
        """Report a play written with these facts, shown on the pages of these stages."""
        self._changed["play", str(play.uid)] = play.as_json()
        self.readers_of(*stages)

    def deleted(self, *rows: PublicModel) -> None:
        self._deleted |= {(kind_of(row), str(row.uid)): None for row in rows}

    def delete(self, row: PublicModel) -> None:
        self.deleted(row)
        row.delete()

    def readers_of(self, *stages: Stage) -> None:
        """Raise these stages' versions, so that pages and streams refresh."""
        self._stages |= {stage.pk: stage for stage in stages}

    def close(self) -> Receipt:
        """Append the ledger row and raise the versions, as the last write."""
        refuse(self.faults)
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
        transaction.on_commit(self._tell, robust=True)  # its failure must not fail the command
        return Receipt(sequence, self.at)

    def _update_name_suffixes(self) -> None:
        """Stored, so that pages need no query and cached contests see a change."""
        entries = Entry.objects.filter(tournament=self.tournament)
        rows = list(entries.values_list("pk", "public_name", "club", "state", "name_suffix"))
        suffixes = name_suffixes(row[:4] for row in rows)
        moved = [pk for pk, *_about, before in rows if suffixes[pk] != before]
        if moved:
            self.update_all((row, {"name_suffix": suffixes[row.pk]}) for row in entries.filter(pk__in=moved))
            self.readers_of(*self.tournament.stages.all())

    def _tell(self) -> None:
        versions = {str(row.uid): self.sequence for row in (self.tournament, *self._stages.values())}
        kinds = {kind for kind, _uid in (*self._changed, *self._deleted)}
        if kinds != {"play"}:  # lists of events poll for results
            sums = Tournament.objects.aggregate(
                site=Sum("version"), tour=Sum("version", filter=Q(organiser=self.tournament.organiser_id))
            )
            versions |= {str(self.tournament.organiser.uid): sums["tour"], "site": sums["site"]}
        live.announce(versions)


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
    """Declare `function(work, **arguments)` as action `name(command, tournament_uid, **arguments) -> Receipt`
    (permissions.py).

    `bulk`: backup first, if an account runs the event. `account`: not for guests. `ahead` reads and checks before the
    lock; its result is `work.ready`, None if the ledger grew. The arguments (ids, numbers, texts) are the command's
    content. Raises Forbidden, CommandReused, Stale, Conflict, Refused, Tournament.DoesNotExist.
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

            def once(again: bool) -> Receipt:
                locked = Tournament.objects.select_for_update().get(uid=tournament)
                if earlier := _replay(command, content, locked):
                    return earlier
                table = named.get("table")
                bound = (
                    admit(command.actor, name, locked, table if isinstance(table, UUID) else table_of(named))
                    and not command.part
                )
                if command.seen and command.seen.is_stale(locked):
                    raise Stale
                work = Work(command, name, content, locked)
                work.again, work.ready = again, ready.pop(locked.ledger_head, None)
                with work.faults, within_limits(command.actor, locked, named) if bound else nullcontext():
                    function(work, *arguments, **named)
                return work.close()

            return _written(once)

        return run

    return declared


def do_within(work: Work, action: Callable[..., Receipt], **arguments: Any) -> None:
    """Run another action in this command: in its ledger row, with its rights."""
    function: Callable[..., None] = action.__wrapped__  # type: ignore[attr-defined] # wraps
    function(work, **arguments)


def do_everywhere(
    work: Work, entries: Iterable[Entry], function: Callable[[Work, list[Entry]], None]
) -> None:
    """Call `function` with the entries of each event. Other events get ledger rows of their own, by commands derived
    from this one with the same rights."""
    by_event = grouped((entry.tournament_id, entry) for entry in entries)
    if here := by_event.pop(work.tournament.pk, None):
        function(work, here)
    for tournament in Tournament.objects.select_for_update().filter(pk__in=by_event).order_by("pk"):
        part = replace(work.command, id=uuid5(work.command.id, str(tournament.uid)))
        there = Work(part, work.action, work.content, tournament)
        function(there, by_event[tournament.pk])
        there.close()


def founding_action(
    *, says: str | Promise = "", undo: Undo | None = None
) -> Callable[[Callable[Concatenate[Work, UUID, P], None]], Callable[Concatenate[Command, UUID, P], Receipt]]:
    """Like `action`, to create the tournament of that uid. The function checks permission; newcomers are refused."""

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

            def once(_again: bool) -> Receipt:
                if made := Tournament.objects.select_for_update().filter(uid=tournament).first():
                    if earlier := _replay(command, content, made):
                        return earlier
                    raise Refused(Fault("tournament_exists"))
                work = Work(command, name, content, None)
                with work.faults:
                    function(work, tournament, *arguments, **named)
                return work.close()

            return _written(once)

        return run

    return declared


def _written(once: Callable[[bool], Receipt]) -> Receipt:
    """Retry once after a race for a unique value: the retry sees the winner."""
    began = perf_counter()
    try:
        with writing():
            receipt = once(False)
    except IntegrityError:
        with writing():
            receipt = once(True)
    metrics.saves.observe(perf_counter() - began)
    return receipt


@contextmanager
def writing() -> Iterator[None]:
    """Open or join a transaction; on SQLite one at a time. OperationalError after LOCK_WAIT_S seconds."""
    joins, began = connection.in_atomic_block, 0.0
    alone = connection.vendor == "sqlite" and not joins  # other processes may still block
    if alone and not _sqlite_writer.acquire(timeout=settings.LOCK_WAIT_S):
        raise OperationalError("others write for too long")
    try:
        with transaction.atomic(), command():
            began = perf_counter()
            yield
    finally:
        if alone:
            _sqlite_writer.release()
        if began and not joins:
            metrics.holds.observe(perf_counter() - began)


def _wanted(command: Command, name: str, tournament: UUID) -> Tournament | None:
    """None if no backup or reading ahead is needed."""
    found = Tournament.objects.filter(uid=tournament).first()
    done = LedgerRow.objects.filter(tournament__uid=tournament, command=command.id).exists()
    worth = found and not done and may(command.actor, name, found) and run_by_account(found)
    return found if worth else None


def _replay(command: Command, content: str, tournament: Tournament) -> Receipt | None:
    row = LedgerRow.objects.filter(tournament=tournament, command=command.id).first()
    if row is None:
        return None
    if (row.actor_id, row.content) != (command.actor.pk, content):
        raise CommandReused(sequence=row.sequence, at=row.at, same=row.content == content)
    return Receipt(row.sequence, row.at, replayed=True)


def table_of(named: Mapping[str, Any]) -> UUID | None:
    """The table of the named play, proposal, call or incident."""
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


def row_of_link(work: Work, rows: QuerySet[Row], token: str, purpose: str) -> Row:
    """The row whose link has the token; Forbidden if invalid, or in a hidden event."""
    uid = uid_in(token)
    row = rows.filter(uid=uid).first() if uid else None
    number = getattr(row, "link_number", 0)
    if row is None or work.tournament.put_away or not holds(token, purpose, row.uid, number):
        raise Forbidden(work.action)
    return row


# ---- Default for arguments of edits ----


class Unchanged(Enum):
    """Type of `UNCHANGED`; an enum, so that `is` narrows types."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


def chosen(value: T | Unchanged, stored: T) -> T:
    """The command's value, else the stored one."""
    return stored if value is UNCHANGED else value
