"""Undo of ledger rows, up to a day old."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.deletion import Collector
from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, or_refuse, store, store_moved
from tournament.actions.table.second_look import ask_about_since
from tournament.ledger.undoing import (
    UNDO,
    Change,
    Facts,
    History,
    Key,
    Undoing,
    differing,
    may_undo,
    texts_in,
    undoing_of,
    why_not_undone,
)
from tournament.models import (
    LEDGER_KINDS,
    Announcement,
    Entry,
    Incident,
    PastResult,
    Play,
    Player,
    PublicModel,
    Screen,
    Stage,
    Table,
    Tournament,
)
from tournament.results import (
    Fault,
    Forbidden,
    PlayFacts,
    Refused,
    contests_now,
    given,
    grouped,
    refs_of,
    settle,
    uuid_or_none,
    values_in,
)
from tournament.server.clock import now
from tournament.server.django_private import delete_rows

__all__ = ["undo", "undo_at_table"]


def _undoing(tournament: Tournament, *, row: int, **_reason: str) -> Undoing:
    return or_refuse(
        undoing_of(History(tournament), given.whole(row, "/row"), now()), Fault("unknown_row", "/row")
    )


@action(least="head_referee", says=_("undid"), undo="ledger", ahead=_undoing)
def undo(work: Work, *, row: int, reason: str = "") -> None:
    """Undo this ledger row: delete what it created, recreate (without names) what it deleted, restore the rest except
    names. An undo can be undone. Forbidden without the right to the undone action; Refused as
    ledger/undoing.py, with scoring's faults, `does_not_fit`."""
    _undo(work, row, reason)


@action(least="table_referee", says=_("undid"), undo="at_table")
def undo_at_table(work: Work, *, table: UUID, row: int, reason: str = "") -> None:
    """Undo a row that touched only this table; recorded as `undo`."""
    work.action = UNDO
    _undo(work, row, reason, table)


def _undo(work: Work, row: int, reason: str, table: UUID | None = None) -> None:
    undoing: Undoing = work.ready or _undoing(work.tournament, row=row)
    if why_not_undone(undoing.action) is None and not may_undo(
        work.command.actor, undoing.action, work.tournament, table
    ):
        raise Forbidden(undoing.action)
    touched = [change.now or change.then or {} for change in undoing.changes.values()]
    if table and any(facts.get("table") != str(table) for facts in touched):
        raise Forbidden(undoing.action)
    if undoing.fault:
        raise Refused(undoing.fault)
    work.replaces, work.note = row, reason
    try:
        with transaction.atomic():
            put_back(work, undoing.changes)
    except (IntegrityError, ObjectDoesNotExist):
        raise Refused(Fault("does_not_fit", "/row")) from None
    stages = list(Stage.objects.filter(tournament=work.tournament).select_related("tournament"))
    work.readers_of(*stages)
    for stage in stages:
        if stage.state != Stage.State.PLANNED:
            for contest in contests_now(stage):
                store_moved(work, settle(contest))
        asked = undoing.changes.get(("stage", str(stage.uid)))
        if asked and asked.moves("second_look") and stage.second_look and stage.state == Stage.State.RUNNING:
            ask_about_since(work, stage, row)  # about plays entered in between


# ---- Restore rows from ledger facts ----

NAMED = {target for model in LEDGER_KINDS.values() for target in refs_of(model).values()}
AGAIN = [model for model in LEDGER_KINDS.values() if model.FIELDS.again]
LIGHT = [model for model in AGAIN if model not in NAMED]  # no foreign key points at them
HEAVY = [model for model in AGAIN if model in NAMED]  # in dependency order
GO: list[type[PublicModel]] = [*HEAVY[::-1], PastResult, Entry]  # deletion order, most referenced last
STAY: list[type[PublicModel]] = [Tournament, Entry, *HEAVY]  # updated in place
ASIDE: dict[type[PublicModel], int] = {
    Stage: 20_000,
    Table: 20_000,
    Entry: 2_000_000_000,
}


class Find:
    """Rows by model and uid; those named in `changes` take one query per model."""

    def __init__(self, changes: Iterable[Change]) -> None:
        texts = {text for change in changes for text in texts_in(change.then)}
        self._named = {uid for text in texts if (uid := uuid_or_none(text))}
        self._found: dict[type[Any], dict[UUID, Any]] = {}

    def __call__(self, model: type[Any], uid: UUID | None) -> Any:
        if uid is None:
            return None
        if model not in self._found:
            self._found[model] = {row.uid: row for row in model.objects.filter(uid__in=self._named)}
        found = self._found[model]
        if uid not in found:
            found[uid] = model.objects.get(uid=uid)
        return found[uid]


def put_back(work: Work, changes: Mapping[Key, Change]) -> None:
    """Apply changes. Recreated rows have no names. Raises IntegrityError and ObjectDoesNotExist if the database
    refuses what ledger/undoing.py allowed."""
    find = Find(changes.values())
    by_model: dict[type[PublicModel], dict[str, Change]] = {}
    for (kind, uid), change in changes.items():
        by_model.setdefault(LEDGER_KINDS[kind], {})[uid] = change
    for model in LIGHT:
        _take_away(work, model, by_model.get(model, {}))
    for model, offset in ASIDE.items():
        name = "start_number" if model is Entry else "number"
        moved = by_model.get(model, {}).items()
        away = [uid for uid, change in moved if not change.then or change.moves(name)]
        _rows(model).filter(uid__in=away).update(**{name: F(name) + offset})
    between = []  # placeholders: (tournament, player) is unique
    exchanged = [uid for uid, change in by_model.get(Entry, {}).items() if change.moves("player")]
    for row in Entry.objects.filter(uid__in=exchanged):
        player = Player.objects.create(organiser=work.tournament.organiser)
        Entry.objects.filter(pk=row.pk).update(player=player)
        between.append(player.pk)
    _set_back(work, by_model, find, STAY)
    Player.objects.filter(pk__in=between).delete()
    for model in GO:
        _take_away(
            work, model, {uid: change for uid, change in by_model.get(model, {}).items() if not change.then}
        )
    for model in (*HEAVY, *LIGHT):
        _make_again(work, model, by_model.get(model, {}), find)
    if Announcement in by_model:
        work.readers_of(*work.tournament.stages.all())
    # These may refer to recreated rows. Plays come last: a game follows its ejections' incidents.
    _set_back(work, by_model, find, (Announcement, Screen, Incident, PastResult))
    _set_plays_back(work, by_model.get(Play, {}))


def _take_away(work: Work, model: type[PublicModel], changes: Mapping[str, Change]) -> None:
    rows = list(_rows(model).filter(uid__in=[uid for uid, change in changes.items() if change.now]))
    work.deleted(*rows)
    collector = Collector(using=connection.alias)
    collector.collect(rows)  # as read, unlike a queryset's `delete`
    collector.delete()
    if model is Entry:
        left = [row.player_id for row in rows if isinstance(row, Entry)]
        delete_rows(Player.objects.filter(pk__in=left, entries__isnull=True))


def _set_back(
    work: Work,
    by_model: Mapping[type[PublicModel], Mapping[str, Change]],
    find: Find,
    models: Iterable[type[PublicModel]],
) -> None:
    for model in models:
        changes = {
            uid: change for uid, change in by_model.get(model, {}).items() if change.now and change.then
        }
        found = (
            [work.tournament]
            if model is Tournament and changes
            else _rows(model).filter(uid__in=changes).select_related(*refs_of(model))
        )
        work.update_all((row, _values(model, changes[str(row.uid)].then or {}, find)) for row in found)


def _make_again(work: Work, model: type[PublicModel], changes: Mapping[str, Change], find: Find) -> None:
    wanted = {
        uid: change.then
        for uid, change in changes.items()
        if change.then and (model in LIGHT or not change.now)
    }
    if not wanted:
        return
    own = (
        {"tournament": work.tournament}
        if "tournament" in {each.name for each in model._meta.get_fields()}
        else {}
    )
    rows = [model(uid=uid, **own, **_values(model, facts, find)) for uid, facts in wanted.items()]
    _rows(model).bulk_create(rows)
    work.changed(*rows)


def _set_plays_back(work: Work, changes: Mapping[str, Change]) -> None:
    for uid, change in changes.items():
        play = PlayFacts.from_json(uid, change.then or {})
        if differing(change.now, change.then) <= {"state"}:
            work.wrote(play)
        else:
            store(work, Table.objects.select_related("stage").get(uid=play.table), play)
    states = grouped(((change.then or {})["state"], uid) for uid, change in changes.items())
    for state, uids in states.items():
        Play.objects.filter(uid__in=uids).update(state=state, version=work.sequence)


def _rows(model: type[PublicModel]) -> Any:
    return model._default_manager


def _values(model: type[PublicModel], facts: Facts, find: Find) -> dict[str, Any]:
    """Freezes are never restored; only a finished stage stays revealed."""
    values = values_in(model, facts)
    values |= {name: find(target, values[name]) for name, target in refs_of(model).items()}
    for line in model.FIELDS.ledger:
        if not line.undo:
            del values[line.name]
    if model is Stage and facts["state"] != Stage.State.FINISHED:
        values["revealed"] = None
    return values
