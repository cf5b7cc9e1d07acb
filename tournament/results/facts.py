"""Facts as ids and numbers: what the ledger keeps, what `verify` compares and what the bridge builds sheets
from.

A play is a frozen dataclass, since actions compute with plays before they write them; everything else is a
small dict. No names and no free text are in here. Since a play never changes, what was made of it is kept with it
(`kept`); `replace` gives a play with nothing kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tournament.models import (
    Apart,
    Call,
    Decision,
    Draw,
    Entry,
    Incident,
    Invite,
    Membership,
    Play,
    Proposal,
    Registration,
    Result,
    Screen,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
)
from tournament.models.base import PublicModel

Hand = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """One player's row of a play; see `tournament.models.Result`."""

    uid: UUID
    entry: UUID
    outcome: str = Result.Outcome.PLAYING
    elapsed_s: int | None = None
    hand: Hand = field(default_factory=dict)
    finish: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "uid": str(self.uid),
            "entry": str(self.entry),
            "outcome": str(self.outcome),
            "elapsed_s": self.elapsed_s,
            "hand": dict(self.hand),
            "finish": self.finish,
        }


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """One play with its results, in the order in which they are listed; see `tournament.models.Play`."""

    uid: UUID
    table: UUID
    number: int
    state: str
    results: tuple[ResultFacts, ...] = ()
    started_at: datetime | None = None
    ended: str = ""
    duration_s: int | None = None
    decks: int | None = None
    last_cards: Hand = field(default_factory=dict)
    drew: UUID | None = None
    advance: int | None = None
    second_look: str = ""
    version: int = field(
        default=0, compare=False
    )  # the ledger sequence that wrote it; not a fact of the table
    kept: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def ejected(self) -> tuple[UUID, ...]:
        """Who was ejected in it."""
        if "ejected" not in self.kept:
            rows = self.with_outcome(Result.Outcome.EJECTED)
            self.kept["ejected"] = tuple(row.entry for row in rows)
        ejected: tuple[UUID, ...] = self.kept["ejected"]
        return ejected

    def result_of(self, entry: UUID) -> ResultFacts | None:
        """The row of this player, or None for somebody who is not in the play."""
        return next((result for result in self.results if result.entry == entry), None)

    def with_outcome(self, outcome: str) -> tuple[ResultFacts, ...]:
        return tuple(result for result in self.results if result.outcome == outcome)

    def as_json(self) -> dict[str, Any]:
        return _known({"second_look": str(self.second_look)}) | {
            "table": str(self.table),
            "number": self.number,
            "state": str(self.state),
            "started_at": self.started_at.isoformat() if self.started_at else None,
            "ended": str(self.ended),
            "duration_s": self.duration_s,
            "decks": self.decks,
            "last_cards": dict(self.last_cards),
            "drew": text(self.drew),
            "advance": self.advance,
            "results": [result.as_json() for result in self.results],
        }

    @classmethod
    def from_json(cls, uid: str, data: Mapping[str, Any]) -> "PlayFacts":
        """The play that `as_json` wrote, as the ledger keeps it."""
        return cls(
            uid=UUID(uid),
            table=UUID(data["table"]),
            number=data["number"],
            state=data["state"],
            started_at=datetime.fromisoformat(data["started_at"]) if data["started_at"] else None,
            ended=data["ended"],
            duration_s=data["duration_s"],
            decks=data["decks"],
            last_cards=data["last_cards"],
            drew=UUID(data["drew"]) if data["drew"] else None,
            advance=data["advance"],
            second_look=data.get("second_look", ""),
            results=tuple(
                ResultFacts(
                    uid=UUID(row["uid"]),
                    entry=UUID(row["entry"]),
                    outcome=row["outcome"],
                    elapsed_s=row["elapsed_s"],
                    hand=row["hand"],
                    finish=row["finish"],
                )
                for row in data["results"]
            ),
        )


def text(uid: UUID | None) -> str | None:
    return str(uid) if uid else None


def plays_in(plays: QuerySet[Play]) -> list[PlayFacts]:
    """The facts of these plays by number, in two queries however many there are."""
    results: dict[int, list[ResultFacts]] = {}
    entries: dict[UUID, UUID] = {}  # one object for each player, however many results they have
    rows = Result.objects.filter(play__in=plays.order_by().values("pk")).order_by("pk")
    for play, uid, entry, *row in rows.values_list(
        "play_id", "uid", "entry__uid", "outcome", "elapsed_s", "hand", "finish"
    ):
        facts = ResultFacts(uid, entries.setdefault(entry, entry), *row)
        results.setdefault(play, []).append(facts)
    return [
        PlayFacts(
            uid=row.uid,
            table=row.table__uid,
            number=row.number,
            state=row.state,
            results=tuple(results.get(row.pk, ())),
            started_at=row.started_at,
            ended=row.ended,
            duration_s=row.duration_s,
            decks=row.decks,
            last_cards=row.last_cards,
            drew=row.drew__uid,
            advance=row.advance,
            second_look=row.second_look,
            version=row.version,
        )
        for row in plays.order_by("number", "pk").values_list(
            "pk",
            "uid",
            "table__uid",
            "number",
            "state",
            "started_at",
            "ended",
            "duration_s",
            "decks",
            "last_cards",
            "drew__uid",
            "advance",
            "second_look",
            "version",
            named=True,
        )
    ]


def _tournament(row: Tournament) -> dict[str, Any]:
    since = {"rehearsal": row.rehearsal, "put_away": row.put_away, "decks": row.decks}
    return _known(since) | {
        "organiser": str(row.organiser.uid),
        "starts_on": row.starts_on.isoformat(),
        "time_zone": row.time_zone,
        "language": str(row.language),
        "ruleset": row.ruleset,
        "revision": row.ruleset_revision,
        "state": str(row.state),
        "listed": row.listed,
    }


def _entry(row: Entry) -> dict[str, Any]:
    since = {
        "guardian": row.guardian,
        "accepted_at": _moment(row.accepted_at),
        "link_number": row.link_number,
    }
    return _known(since) | {
        "player": str(row.player.uid),
        "start_number": row.start_number,
        "state": str(row.state),
    }


def _membership(row: Membership) -> dict[str, Any]:
    return _known({"invite": text(row.invite.uid if row.invite else None)}) | {
        "user": str(row.user.uid),
        "role": str(row.role),
        "table": text(row.table.uid if row.table else None),
    }


def _stage(row: Stage) -> dict[str, Any]:
    since = {"plan": row.plan, "first_plan": row.first_plan, "second_look": row.second_look}
    frozen = {} if row.frozen_after is None else {"frozen_after": row.frozen_after, "revealed": row.revealed}
    return (
        _known(since)
        | frozen
        | {
            "number": row.number,
            "kind": str(row.kind),
            "settings": dict(row.settings),
            "state": str(row.state),
        }
    )


def _table(row: Table) -> dict[str, Any]:
    return _known({"link_number": row.link_number}) | {
        "stage": str(row.stage.uid),
        "number": row.number,
        "stopped": row.stopped,
        "oldest": text(row.oldest.uid if row.oldest else None),
        "youngest": text(row.youngest.uid if row.youngest else None),
        "starter": text(row.starter.uid if row.starter else None),
    }


def _seat(row: Seat) -> dict[str, Any]:
    return {
        "table": str(row.table.uid),
        "entry": str(row.entry.uid),
        "position": row.position,
        "out_as": str(row.out_as),
        "out_from": row.out_from,
    }


def _play(row: Play) -> dict[str, Any]:
    return plays_in(Play.objects.filter(pk=row.pk))[0].as_json()


def _decision(row: Decision) -> dict[str, Any]:
    return _known({"rank": row.rank}) | {
        "stage": str(row.stage.uid),
        "kind": str(row.kind),
        "entry": str(row.entry.uid),
    }


def _draw(row: Draw) -> dict[str, Any]:
    return {"stage": str(row.stage.uid), "number": row.number, "record": row.record}


def _apart(row: Apart) -> dict[str, Any]:
    return {"first": str(row.first.uid), "second": str(row.second.uid)}


def _registration(row: Registration) -> dict[str, Any]:
    return {
        "opened": row.opened,
        "closes_at": _moment(row.closes_at),
        "approval": row.approval,
        "most": row.most,
        "check_in_from": _moment(row.check_in_from),
        "check_in_until": _moment(row.check_in_until),
    }


def _invite(row: Invite) -> dict[str, Any]:
    return {
        "role": str(row.role),
        "tables": list(row.tables),
        "most": row.most,
        "expires_at": _moment(row.expires_at),
        "revoked_at": _moment(row.revoked_at),
    }


def _tick(row: Tick) -> dict[str, Any]:
    return {"item": str(row.item), "at": _moment(row.at), "by": str(row.by.uid)}


def _proposal(row: Proposal) -> dict[str, Any]:
    return {
        "table": str(row.table.uid),
        "number": row.number,
        "of_play": str(row.play),
        "fields": dict(row.fields),
        "state": str(row.state),
        "at": _moment(row.at),
    }


def _call(row: Call) -> dict[str, Any]:
    return {
        "table": str(row.table.uid),
        "kind": str(row.kind),
        "of_play": text(row.play.uid if row.play else None),
        "at": _moment(row.at),
        "answered_at": _moment(row.answered_at),
        "answered_by": text(row.answered_by.uid if row.answered_by else None),
    }


def _incident(row: Incident) -> dict[str, Any]:
    return {
        "table": text(row.table.uid if row.table else None),
        "of_play": text(row.play.uid if row.play else None),
        "entry": text(row.entry.uid if row.entry else None),
        "kind": str(row.kind),
        "code": row.code,
        "cards": row.cards,
        "at": _moment(row.at),
        "by": str(row.by.uid),
        "decided": str(row.decided),
        "yes": row.yes,
        "votes_yes": row.votes_yes,
        "votes_no": row.votes_no,
        "withdrawn": row.withdrawn,
    }


def _screen(row: Screen) -> dict[str, Any]:
    return {
        "scenes": list(row.scenes),
        "stage": text(row.stage.uid if row.stage else None),
        "seconds": row.seconds,
    }


def _moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts that came with a later version, but for those that nobody set: so rows from before are what they were."""
    return {name: value for name, value in facts.items() if value}


KINDS: dict[type[PublicModel], tuple[str, Any]] = {
    Tournament: ("tournament", _tournament),
    Entry: ("entry", _entry),
    Membership: ("membership", _membership),
    Stage: ("stage", _stage),
    Table: ("table", _table),
    Seat: ("seat", _seat),
    Play: ("play", _play),
    Decision: ("decision", _decision),
    Draw: ("draw", _draw),
    Apart: ("apart", _apart),
    Registration: ("registration", _registration),
    Invite: ("invite", _invite),
    Tick: ("tick", _tick),
    Proposal: ("proposal", _proposal),
    Call: ("call", _call),
    Incident: ("incident", _incident),
    Screen: ("screen", _screen),
}


def kind_of(row: PublicModel) -> str:
    """The name under which the ledger keeps rows of this model."""
    return KINDS[type(row)][0]


def facts_of(row: PublicModel) -> dict[str, Any]:
    """The facts of a stored row as JSON: ids and numbers only."""
    facts: dict[str, Any] = KINDS[type(row)][1](row)
    return facts
