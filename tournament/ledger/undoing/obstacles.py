"""Obstacles to an undo of facts that nothing changed since."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db.models import UniqueConstraint

from tournament.ledger.undoing.history import Change, Facts, History, Key, differing, texts_in
from tournament.models import LEDGER_KINDS, Entry, Membership, Stage, Tournament
from tournament.permissions import Undo
from tournament.results import Fault, grouped, kind_of

# Kinds with names or texts that the ledger lacks: not restorable
NAMED = {kind for kind, model in LEDGER_KINDS.items() if not model.FIELDS.again}

# Unique fields by kind, within a tournament.
UNIQUE: dict[str, list[tuple[str, ...]]] = {
    kind: [
        tuple(name for name in constraint.fields if name != "tournament")
        for constraint in model._meta.constraints
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None
    ]
    for kind, model in LEDGER_KINDS.items()
}
NOTHING = Change(None, None)

# Later rows that block putting back a player's state, by that state.
IN_THE_WAY_OF: dict[str, frozenset[str]] = {
    **dict.fromkeys(map(str, Entry.EXPECTED), frozenset({"play"})),
    **dict.fromkeys(map(str, Entry.ASKING), frozenset({"play", "seat"})),
    **dict.fromkeys(map(str, Entry.OUT), frozenset({"seat"})),
}


class Obstacles:
    """Obstacles to the `changes` that undo ledger row `sequence`."""

    def __init__(self, history: History, changes: Mapping[Key, Change], sequence: int) -> None:
        self.history = history
        self.changes = changes
        self.sequence = sequence

    def faults(self) -> Iterator[Fault]:
        """Yield all obstacles; none if the undo is possible."""
        for (kind, _uid), change in self.changes.items():
            if change.now is None and kind in NAMED:
                yield cannot("names_gone")
            if change.then is None and kind in NAMED - {"entry", "pastresult"}:
                yield cannot("at_table" if kind == "play" else "again")
        yield from self._references()
        yield from self._seen()
        yield from self._stages()
        yield from self._doubles()
        yield from self._whole()

    def _references(self) -> Iterator[Fault]:
        """A row that goes must not be named by one that stays, nor a row that comes name one that is gone."""
        for (_kind, uid), change in self.changes.items():
            for key in self.history.naming.get(uid, ()) if change.then is None else ():
                other = self.changes.get(key)
                if other is None or uid in texts_in(other.then):
                    yield self._since("in_use_since", key)
        for change in self.changes.values():
            for uid in texts_in(change.then):
                if kind := self.history.kinds.get(uid):
                    key = (kind, uid)
                    then = self.changes[key].then if key in self.changes else self.history.at_present(key)
                    if then is None:
                        yield self._since("changed_since", key)

    def _seen(self) -> Iterator[Fault]:
        for (kind, uid), change in self.changes.items():
            if kind != "entry" or not change.moves("state"):
                continue
            stands_in = IN_THE_WAY_OF.get((change.then or {})["state"], frozenset())
            for key in self.history.naming.get(uid, ()):
                since = self.history.after(key, self.sequence) != self.history.at_present(key)
                if since and key[0] in stands_in and key not in self.changes:
                    yield self._since("in_use_since", key)

    def _stages(self) -> Iterator[Fault]:
        for stage in self._concerned():
            key = ("stage", stage)
            was, now = self.history.after(key, self.sequence), self.history.at_present(key)
            if was and now and was["state"] != now["state"]:
                yield self._since("changed_since", key, "state")
            if any(map(self.changes.get(key, NOTHING).moves, ("state", "settings"))):
                yield from self._moves(key)
        yield from self._played(
            {
                facts["table"]
                for (kind, _uid), change in self.changes.items()
                if kind == "seat"
                for facts in (change.now, change.then)
                if facts
            }
        )

    def _moves(self, key: Key) -> Iterator[Fault]:
        tables = {uid for uid, facts in self.history.now("table").items() if facts["stage"] == key[1]}
        yield from self._played(tables)
        for uid, facts in self.history.now("seat").items():
            before = self.history.after(("seat", uid), self.sequence)
            if facts["table"] in tables and before and facts["out_as"] != before["out_as"]:
                yield self._since("changed_since", ("seat", uid))
        then = self.changes[key].then or {}
        if kind_of(then["kind"]).one_play and then["state"] == Stage.State.RUNNING:
            later = [facts for _uid, facts in self._rows_then("stage") if facts["number"] > then["number"]]
            if any(facts["state"] != Stage.State.PLANNED for facts in later):
                yield Fault("next_stage_began", "/row")

    def _played(self, tables: set[str]) -> Iterator[Fault]:
        for uid, facts in self.history.now("play").items():
            if facts["table"] in tables and self.history.after(("play", uid), self.sequence) != facts:
                yield self._since("in_use_since", ("play", uid))

    def _doubles(self) -> Iterator[Fault]:
        for kind in {kind for kind, _uid in self.changes}:
            for names in UNIQUE[kind]:
                rows = self._rows_then(kind)
                yield from self._twice(
                    kind, ((uid, tuple(facts.get(name) for name in names)) for uid, facts in rows)
                )
        if self._touches("seat"):
            stages = {uid: facts["stage"] for uid, facts in self._rows_then("table")}
            seats = [(uid, facts) for uid, facts in self._rows_then("seat") if not facts["out_as"]]
            yield from self._twice(
                "seat", ((uid, (stages.get(facts["table"]), facts["entry"])) for uid, facts in seats)
            )

    def _twice(self, kind: str, values: Iterable[tuple[str, object]]) -> Iterator[Fault]:
        taken: dict[object, str] = {}
        for uid, value in values:
            if (other := taken.setdefault(value, uid)) != uid:
                yield self._since("changed_since", (kind, other))

    def _whole(self) -> Iterator[Fault]:
        stages = [facts for _uid, facts in self._rows_then("stage")]
        states = {facts["state"] for facts in stages}
        for (kind, _uid), change in self.changes.items():
            if kind == "tournament" and change.moves("state"):
                then = (change.then or {})["state"]
                if then != Tournament.State.RUNNING and not states <= {then}:
                    yield self._moved_on()
        if self._touches("stage") and not _in_row(stages):
            yield self._moved_on()
        if self._touches("draw"):
            of_stage = grouped((facts["stage"], (uid, facts)) for uid, facts in self._rows_then("draw"))
            for draws in of_stage.values():
                if not _in_row([facts for _uid, facts in draws]):
                    last, _facts = max(draws, key=lambda draw: int(draw[1]["number"]))
                    yield self._since("changed_since", ("draw", last))
        roles = {facts["role"] for _uid, facts in self._rows_then("membership")}
        if self._touches("membership") and Membership.Role.ORGANISER not in roles:
            yield Fault("last_organiser", "/row")

    def _touches(self, kind: str) -> bool:
        return any(each == kind for each, _uid in self.changes)

    def _moved_on(self) -> Fault:
        return self.history.by("changed_since", self.history.who_moved_on(self.sequence))

    def _concerned(self) -> set[str]:
        stages: set[str] = set()
        for (kind, uid), change in self.changes.items():
            stays = change.now and change.then and differing(change.now, change.then)
            if kind == "stage" and stays and stays <= {"plan", "first_plan"}:
                continue  # programme times may always change
            for facts in filter(None, (change.now, change.then)):
                if kind == "stage":
                    stages.add(uid)
                elif kind in {"seat", "play"}:
                    stages.add((self.history.last(("table", facts["table"])) or {})["stage"])
                elif kind in {"table", "decision", "draw"}:
                    stages.add(facts["stage"])
        return stages

    def _rows_then(self, kind: str) -> Iterable[tuple[str, Facts]]:
        for uid, facts in self.history.now(kind).items():
            if (kind, uid) not in self.changes:
                yield uid, facts
        for (each, uid), change in self.changes.items():
            if each == kind and change.then is not None:
                yield uid, change.then

    def _since(self, code: str, key: Key, fact: str = "") -> Fault:
        return self.history.by(code, self.history.who_wrote(key, self.sequence, fact))


def cannot(why: Undo) -> Fault:
    """Fault `cannot_be_undone`; tournament/words/faults.py words the reason `why`."""
    return Fault("cannot_be_undone", "/row", {"why": why})


def _in_row(rows: Sequence[Facts]) -> bool:
    """Numbers must be 1, 2, 3 ...: the next one is the count plus 1."""
    return sorted(facts["number"] for facts in rows) == list(range(1, len(rows) + 1))
