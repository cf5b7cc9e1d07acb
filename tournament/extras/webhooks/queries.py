"""Webhook messages from ledger rows: what changed, with API links.

| kind | about | when |
| --- | --- | --- |
| results | stage | visible results or qualifiers changed |
| stages | stage | planned, changed, started, finished, reopened, frozen, revealed, deleted |
| incidents | incident | entered, withdrawn, deleted |
| players | entry | entered, changed, deleted |
| calls | call | made, answered, withdrawn |
| event | event | changed, begun, ended |

Messages hold no names, points or places. Results hidden by a freeze send nothing; each reveal step sends `results`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.template import Context
from django.urls import reverse

from tournament.models import Delivery, LedgerRow, Stage, Table, Tournament, Webhook
from tournament.queries.visible import freezing, shown

MOST_PLAYS = 100  # per message; its `plays` link returns all
REVEALS = {"begin_reveal", "reveal_next", "lift_freeze"}
STOPS = {"stop_match", "resume_match"}

Kind = Webhook.Kind
TYPES = {
    Kind.RESULTS: "results.changed",
    Kind.STAGES: "stage.changed",
    Kind.INCIDENTS: "incident.changed",
    Kind.PLAYERS: "entry.changed",
    Kind.CALLS: "call.changed",
    Kind.EVENT: "tournament.changed",
    Delivery.TEST: "test",
}

# By kind: the object's name, and the facts sent (null once deleted).
THINGS: Mapping[Kind, tuple[str, Sequence[str]]] = {
    Kind.INCIDENTS: ("incident", ("kind", "table", "at", "withdrawn")),
    Kind.PLAYERS: ("entry", ()),
    Kind.CALLS: ("call", ("kind", "table", "at", "answered_at")),
    Kind.EVENT: ("tournament", ("state",)),
}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message. `sequence` (ledger row) and `subject` (uid) are None for a test; `body` is JSON."""

    kind: str
    sequence: int | None
    subject: UUID | None
    body: str


def notices_since(webhook: Webhook, most: int) -> tuple[int, list[Notice]]:
    """Read at most `most` ledger rows. Returns (last sequence read, messages). Call within `snapshot()`."""
    rows = LedgerRow.objects.filter(tournament=webhook.tournament, sequence__gt=webhook.cursor)
    told = _Event(webhook.tournament)
    notices: list[Notice] = []
    last = webhook.cursor
    for row in rows.order_by("sequence")[:most]:
        notices += told.by(row, webhook.kinds)
        last = row.sequence
    return last, notices


def test_notice(tournament: Tournament, at: datetime) -> Notice:
    """A webhook's test message."""
    links = {"tournament": _link("tournament", tournament.uid)}
    return Notice(
        Delivery.TEST, None, None, _body(Delivery.TEST, at, {"tournament": str(tournament.uid)}, links)
    )


@dataclass(frozen=True)
class _Event:
    tournament: Tournament

    def by(self, row: LedgerRow, kinds: Sequence[str]) -> Iterator[Notice]:
        for kind, notices in ((Kind.RESULTS, self._results), (Kind.STAGES, self._stage_rows)):
            if kind in kinds:
                yield from notices(row)
        for kind, (thing, names) in THINGS.items():
            changed = row.payload.get(thing, {}) if kind in kinds else {}
            for uid, facts in changed.items():
                more = {thing: uid, **{name: facts and facts[name] for name in names}}
                linked = facts is not None and kind != Kind.CALLS
                links = {thing: _link(thing, UUID(uid))} if linked else {}
                yield self._notice(kind, row, UUID(uid), more, links)

    def _results(self, row: LedgerRow) -> Iterator[Notice]:
        for uid, plays in self._touched(row).items():
            stage = self._stages.get(uid)
            if stage is None or stage.state == Stage.State.PLANNED:
                continue
            frozen_by = freezing(stage, self._stages.values())
            reveals = row.action in REVEALS and frozen_by == stage
            if frozen_by and not reveals and row.sequence > (frozen_by.frozen_after or 0):
                continue
            more = {"stage": uid, "plays": plays[:MOST_PLAYS], "more_plays": len(plays) > MOST_PLAYS}
            links = {
                "stage": _link("stage", stage.uid),
                "standings": _link("standings", stage.uid),
                "plays": f"{_link('plays', stage.uid)}?after={row.sequence - 1}",
            }
            yield self._notice(Kind.RESULTS, row, stage.uid, more, links)

    def _touched(self, row: LedgerRow) -> dict[str, list[str]]:
        """Stages with possibly changed results: {stage uid: uids of written plays}."""
        found: dict[str, list[str]] = {}
        if row.action in REVEALS:  # also results of later stages
            first = min(stage.number for uid, stage in self._stages.items() if uid in row.payload["stage"])
            found |= {uid: [] for uid, stage in self._stages.items() if stage.number >= first}
        for kind in ("decision", "table") if row.action in STOPS else ("decision",):
            found |= {facts["stage"]: found.get(facts["stage"], []) for facts in _facts(row, kind)}
        for facts in _facts(row, "seat"):
            found.setdefault(self._tables.get(facts["table"], ""), [])
        for uid, facts in row.payload.get("play", {}).items():
            if facts is not None:
                found.setdefault(self._tables.get(facts["table"], ""), []).append(uid)
        return found

    def _stage_rows(self, row: LedgerRow) -> Iterator[Notice]:
        for uid, facts in row.payload.get("stage", {}).items():
            stage = self._stages.get(uid)
            gone = facts is None or stage is None
            more = {
                "stage": uid,
                "number": None if stage is None else stage.number,
                "kind": None if stage is None else stage.kind,
                "state": None if gone else self._state(stage, facts),
            }
            yield self._notice(
                Kind.STAGES, row, UUID(uid), more, {} if gone else {"stage": _link("stage", UUID(uid))}
            )

    def _state(self, stage: Stage | None, facts: Mapping[str, Any]) -> str:
        """State after the row; during a freeze the public one."""
        if stage is None or freezing(stage, self._stages.values()) is None:
            return str(facts["state"])
        return shown(stage, self._stages.values()).state

    def _notice(
        self, kind: Kind, row: LedgerRow, subject: UUID, more: Mapping[str, Any], links: Mapping[str, str]
    ) -> Notice:
        uid = self.tournament.uid
        data = {"tournament": str(uid), "sequence": row.sequence, **more}
        links = {"tournament": _link("tournament", uid), **links}
        return Notice(str(kind), row.sequence, subject, _body(kind, row.at, data, links))

    @cached_property
    def _stages(self) -> dict[str, Stage]:
        return {
            str(stage.uid): stage
            for stage in Stage.objects.filter(tournament=self.tournament).select_related("tournament")
        }

    @cached_property
    def _tables(self) -> dict[str, str]:
        rows = Table.objects.filter(stage__tournament=self.tournament).values_list("uid", "stage__uid")
        return {str(table): str(stage) for table, stage in rows}


def _facts(row: LedgerRow, kind: str) -> Iterable[Mapping[str, Any]]:
    return (facts for facts in row.payload.get(kind, {}).values() if facts is not None)


def _link(name: str, uid: UUID) -> str:
    """API URL; without PUBLIC_URL the path, without the API ""."""
    installed = apps.is_installed("tournament.extras.programs")
    return f"{settings.PUBLIC_URL}{reverse(f'v1:{name}', args=[uid])}" if installed else ""


def _body(kind: str, at: datetime, data: Json, links: Mapping[str, str]) -> str:
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    said = {"type": TYPES[kind], "timestamp": moment, "data": data | {"links": links}}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def on_board(context: Context) -> dict[str, object]:
    """For the board's link: how many webhooks of the event fail."""
    return {"failing": context["tournament"].webhooks.filter(failing_since__isnull=False).count()}
