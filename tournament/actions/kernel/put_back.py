"""Facts from the ledger back into rows: the inverse of tournament/results/facts.py.

What is unique must stay so between two writes: rows that only name others (seats, roles, decisions ...) all go before
the first of them comes back, and numbers step aside before they are given anew.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from tournament.actions.kernel.plays import store
from tournament.actions.kernel.work import Work
from tournament.ledger.undoing.change import Change, Facts, Key, differing, texts_in
from tournament.models import (
    Apart,
    Decision,
    Draw,
    Entry,
    Invite,
    Membership,
    Play,
    Player,
    Screen,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
    User,
)
from tournament.models.base import PublicModel
from tournament.results.facts import KINDS, PlayFacts

MODELS: dict[str, type[PublicModel]] = {kind: model for model, (kind, _facts) in KINDS.items()}
LIGHT: tuple[type[PublicModel], ...] = (
    Seat,
    Membership,
    Decision,
    Draw,
    Apart,
    Tick,
)  # they name others, and nothing names them
HEAVY: tuple[type[PublicModel], ...] = (Stage, Table, Invite)  # in the order in which they name each other
GO: tuple[type[PublicModel], ...] = (*HEAVY[::-1], Entry)  # whoever is named last
STAY: tuple[type[PublicModel], ...] = (Tournament, Entry, *HEAVY)  # in whose place none comes
ASIDE: dict[type[PublicModel], int] = {
    Stage: 20_000,
    Table: 20_000,
    Entry: 2_000_000_000,
}  # beyond every number that is given

Values = dict[str, Any]


class Find:
    """The rows that facts name, by model and uid: those named in the `changes` are read in one query a model."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._named = {uid for change in changes for text in texts_in(change.then) if (uid := _uid_in(text))}
        self._found: dict[type[Any], dict[str, Any]] = {}

    def __call__(self, model: type[Any], uid: str | None) -> Any:
        """The row; None for none."""
        if uid is None:
            return None
        if model not in self._found:
            self._found[model] = {str(row.uid): row for row in model.objects.filter(uid__in=self._named)}
        found = self._found[model]
        if uid not in found:  # made again by now
            found[uid] = model.objects.get(uid=uid)
        return found[uid]


def put_back(work: Work, changes: Mapping[Key, Change]) -> None:
    """Make the changes: what is gone then is deleted, what was gone is made again, the rest is set back.

    Rows that are made again have no name but their kind's. Raises IntegrityError and ObjectDoesNotExist where the
    database knows better than tournament/ledger/undoing.
    """
    find = Find(changes.values())
    by_model: dict[type[PublicModel], dict[str, Change]] = {}
    for (kind, uid), change in changes.items():
        by_model.setdefault(MODELS[kind], {})[uid] = change
    for model in LIGHT:
        _take_away(work, model, by_model.get(model, {}))
    for model in ASIDE:
        _step_aside(model, list(by_model.get(model, ())))
    between = _players_step_aside(work, by_model.get(Entry, {}))
    _set_back(work, by_model, find, STAY)
    Player.objects.filter(pk__in=between).delete()
    for model in GO:
        gone = {uid: change for uid, change in by_model.get(model, {}).items() if not change.then}
        _take_away(work, model, gone)
    for model in (*HEAVY, *LIGHT):
        _make_again(work, model, by_model.get(model, {}), find)
    _set_back(work, by_model, find, (Screen,))  # a screen may name a stage that was made again
    _set_plays_back(work, by_model.get(Play, {}))


def _take_away(work: Work, model: type[PublicModel], changes: Mapping[str, Change]) -> None:
    rows = list(_rows(model).filter(uid__in=[uid for uid, change in changes.items() if change.now]))
    for row in rows:
        work.deleted(row)
    _rows(model).filter(pk__in=[row.pk for row in rows]).delete()
    if model is Entry:
        # Whom only these entries made a player is none: nobody plays under that name anywhere.
        players = [row.player_id for row in rows if isinstance(row, Entry)]
        Player.objects.filter(pk__in=players, entries__isnull=True).delete()


def _step_aside(model: type[PublicModel], uids: list[str]) -> None:
    name = "start_number" if model is Entry else "number"
    for away, key in enumerate(_rows(model).filter(uid__in=uids).order_by("pk").values_list("pk", flat=True)):
        _rows(model).filter(pk=key).update(**{name: ASIDE[model] + away})


def _players_step_aside(work: Work, changes: Mapping[str, Change]) -> list[int]:
    """Give entries whose player changes one between, as a player has one entry in a tournament at every moment; gives
    the keys of those players."""
    between = []
    for row in Entry.objects.filter(
        uid__in=[uid for uid, change in changes.items() if change.moves("player")]
    ):
        player = Player.objects.create(organiser=work.tournament.organiser)
        Entry.objects.filter(pk=row.pk).update(player=player)
        between.append(player.pk)
    return between


def _set_back(
    work: Work,
    by_model: Mapping[type[PublicModel], Mapping[str, Change]],
    find: Find,
    models: Iterable[type[PublicModel]],
) -> None:
    """Set the rows back that stay. A table may name entries, a stage names nothing: entries first."""
    for model in models:
        changes = {
            uid: change for uid, change in by_model.get(model, {}).items() if change.now and change.then
        }
        for found in _rows(model).filter(uid__in=changes).order_by("pk"):
            row = work.tournament if model is Tournament else found
            values = _values(model, changes[str(row.uid)].then or {}, find)
            for name, value in values.items():
                setattr(row, name, value)
            row.save(update_fields=list(values))
            work.changed(row)


def _make_again(work: Work, model: type[PublicModel], changes: Mapping[str, Change], find: Find) -> None:
    light = model in LIGHT
    wanted = {
        uid: change.then for uid, change in changes.items() if change.then and (light or not change.now)
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
            Play.objects.filter(uid=uid).update(state=play.state, version=work.sequence)
            work.wrote(play)
        else:
            store(work, Table.objects.select_related("stage").get(uid=play.table), play)


def _rows(model: type[PublicModel]) -> Any:
    return model._default_manager


def _uid_in(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _tournament(facts: Facts, _: Find) -> Values:
    return {
        "starts_on": date.fromisoformat(facts["starts_on"]),
        "time_zone": facts["time_zone"],
        "language": facts["language"],
        "state": facts["state"],
        "listed": facts["listed"],
        "rehearsal": facts.get("rehearsal", False),
        "put_away": facts.get("put_away", False),
        "decks": facts.get("decks"),
    }


def _entry(facts: Facts, find: Find) -> Values:
    return {
        "player": find(Player, facts["player"]),
        "start_number": facts["start_number"],
        "state": facts["state"],
        "guardian": facts.get("guardian", False),
        "accepted_at": _moment(facts.get("accepted_at")),
        "link_number": facts.get("link_number", 0),
    }


def _membership(facts: Facts, find: Find) -> Values:
    return {
        "user": find(User, facts["user"]),
        "role": facts["role"],
        "table": find(Table, facts["table"]),
        "invite": find(Invite, facts.get("invite")),
    }


def _stage(facts: Facts, _: Find) -> Values:
    """What freezes the standings is never put back, and only a finished stage is revealed."""
    revealed = {} if facts["state"] == Stage.State.FINISHED else {"revealed": None}
    return revealed | {
        "number": facts["number"],
        "kind": facts["kind"],
        "settings": facts["settings"],
        "state": facts["state"],
        "plan": facts.get("plan", {}),
        "first_plan": facts.get("first_plan", {}),
        "second_look": facts.get("second_look", False),
    }


def _table(facts: Facts, find: Find) -> Values:
    roles = {role: find(Entry, facts[role]) for role in Table.ROLES}
    return roles | {
        "stage": find(Stage, facts["stage"]),
        "number": facts["number"],
        "stopped": facts["stopped"],
        "link_number": facts.get("link_number", 0),
    }


def _seat(facts: Facts, find: Find) -> Values:
    return {
        "table": find(Table, facts["table"]),
        "entry": find(Entry, facts["entry"]),
        "position": facts["position"],
        "out_as": facts["out_as"],
        "out_from": facts["out_from"],
    }


def _decision(facts: Facts, find: Find) -> Values:
    return {
        "stage": find(Stage, facts["stage"]),
        "kind": facts["kind"],
        "entry": find(Entry, facts["entry"]),
        "rank": facts.get("rank"),
    }


def _draw(facts: Facts, find: Find) -> Values:
    return {"stage": find(Stage, facts["stage"]), "number": facts["number"], "record": facts["record"]}


def _apart(facts: Facts, find: Find) -> Values:
    return {"first": find(Entry, facts["first"]), "second": find(Entry, facts["second"])}


def _invite(facts: Facts, _: Find) -> Values:
    return {
        "role": facts["role"],
        "tables": facts["tables"],
        "most": facts["most"],
        "expires_at": _moment(facts["expires_at"]),
        "revoked_at": _moment(facts["revoked_at"]),
    }


def _screen(facts: Facts, find: Find) -> Values:
    return {"scenes": facts["scenes"], "stage": find(Stage, facts["stage"]), "seconds": facts["seconds"]}


def _tick(facts: Facts, find: Find) -> Values:
    return {"item": facts["item"], "at": _moment(facts["at"]), "by": find(User, facts["by"])}


VALUES: dict[type[PublicModel], Callable[[Facts, Find], Values]] = {
    Tournament: _tournament,
    Entry: _entry,
    Membership: _membership,
    Stage: _stage,
    Table: _table,
    Seat: _seat,
    Decision: _decision,
    Draw: _draw,
    Apart: _apart,
    Invite: _invite,
    Tick: _tick,
    Screen: _screen,
}


def _values(model: type[PublicModel], facts: Facts, find: Find) -> Values:
    return VALUES[model](facts, find)
