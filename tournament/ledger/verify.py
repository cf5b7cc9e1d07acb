"""Integrity check (`manage.py verify`): finds changes made outside the actions, e.g. in SQL. Compares the chain with
the tournament's head, the folded facts with the rows, and their score sheets with those of results/bridge.py."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet

from tournament.ledger.chain import canonical, digest_of
from tournament.ledger.past import Facts, contests_in, fold
from tournament.models import LEDGER_KINDS, LedgerRow, Play, PublicModel, Stage, Tournament
from tournament.results import Contest, Refused, contests_of, facts_of, plays_in, refs_of, settle, sheet_of

BROKEN = (AttributeError, LookupError, TypeError, ValueError)  # by wrong types in the database


@dataclass(frozen=True, slots=True)
class Finding:
    """A disagreement: a code and place, the ledger's value (`expected`) and the database's (`found`)."""

    code: str
    where: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        sides = (
            f": the ledger says {self.expected}, the database {self.found}"
            if self.expected or self.found
            else ""
        )
        return f"{self.code} {self.where}{sides}"


def verify(tournament: Tournament) -> list[Finding]:
    """Disagreements with the ledger. Reads every row; call it in a snapshot."""
    rows = list(LedgerRow.objects.filter(tournament=tournament).select_related("actor", "tournament"))
    plays = Play.objects.filter(table__stage__tournament=tournament).values_list("uid", "version")
    ledger, findings = compared(
        tournament, rows, stored_facts(tournament), {str(uid): version for uid, version in plays}
    )
    return [*findings, *_sheets(tournament, ledger)]


def compared(
    tournament: Tournament, rows: Sequence[LedgerRow], stored: Facts, versions: Mapping[str, int]
) -> tuple[Facts, list[Finding]]:
    """Folded facts, and disagreements of chain, `stored` facts and play `versions`, without queries."""
    ledger: Facts = {}
    findings = list(_chain(tournament, rows))
    written: dict[str, int] = {}  # play -> sequence
    for row in rows:
        try:
            fold(ledger, row.payload)
            written |= dict.fromkeys(row.payload.get("play", {}), row.sequence)
        except BROKEN:
            findings.append(Finding("payload_broken", f"ledger row {row.sequence}"))
    findings += differences(ledger, stored)
    findings += other_versions(versions, written)
    return ledger, findings


def stored_facts(tournament: Tournament) -> Facts:
    """Facts of all rows, as the ledger has them."""
    plays = plays_in(Play.objects.filter(table__stage__tournament=tournament))
    return {
        "play": {str(play.uid): read_facts(play.as_json) for play in plays},
        **{kind: facts_in(rows) for kind, rows in rows_by_kind(tournament).items()},
    }


def facts_in(rows: Iterable[PublicModel]) -> dict[str, dict[str, Any]]:
    """Facts of these rows by uid."""
    return {str(row.uid): read_facts(partial(facts_of, row)) for row in rows}


def rows_by_kind(tournament: Tournament) -> dict[str, QuerySet[Any]]:
    """All rows except plays, by kind."""
    return {
        kind: rows_of(model).filter(**{model.FIELDS.of: tournament.pk})
        for kind, model in LEDGER_KINDS.items()
        if model is not Play
    }


def rows_of(model: type[PublicModel]) -> QuerySet[Any]:
    """The rows of all events with foreign keys, unordered for speed."""
    return model._default_manager.select_related(*refs_of(model)).order_by()


def read_facts(facts: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A row's facts, or `unreadable` for values of a wrong type."""
    try:
        return facts()
    except BROKEN as error:
        return {"unreadable": str(error)}


def _chain(tournament: Tournament, rows: Sequence[LedgerRow]) -> Iterator[Finding]:
    previous = ""
    for expected, row in enumerate(rows, 1):
        if row.sequence != expected:
            yield Finding("sequence_broken", f"ledger row {row.sequence}", str(expected), str(row.sequence))
            return
        if row.previous != previous or row.digest != digest_of(row):
            yield Finding("chain_broken", f"ledger row {row.sequence}")
        previous = row.digest
    if len(rows) != tournament.version or previous != tournament.ledger_head:
        yield Finding("ledger_cut", "the ledger's end", f"row {len(rows)}", f"row {tournament.version}")


def differences(ledger: Facts, stored: Facts) -> Iterator[Finding]:
    """Stored facts that differ from the ledger's."""
    for kind in sorted(ledger.keys() | stored.keys()):
        said, there = ledger.get(kind, {}), stored.get(kind, {})
        for uid in sorted(said.keys() - there.keys()):
            yield Finding("row_missing", f"{kind} {uid}", canonical(said[uid]), "nothing")
        for uid in sorted(there.keys() - said.keys()):
            yield Finding("row_added", f"{kind} {uid}", "nothing", canonical(there[uid]))
        for uid in sorted(said.keys() & there.keys()):
            fields = [
                name
                for name in sorted(said[uid].keys() | there[uid].keys())
                if canonical(said[uid].get(name)) != canonical(there[uid].get(name))
            ]
            if fields:
                sides = (
                    canonical({name: side.get(name) for name in fields}) for side in (said[uid], there[uid])
                )
                yield Finding("row_altered", f"{kind} {uid}, {', '.join(fields)}", *sides)


def other_versions(versions: Mapping[str, int], written: Mapping[str, int]) -> Iterator[Finding]:
    """Plays whose version is not that of their last ledger row."""
    for uid, version in versions.items():
        if written.get(uid) != version:
            yield Finding("version_altered", f"play {uid}", str(written.get(uid)), str(version))


def _sheets(tournament: Tournament, ledger: Facts) -> Iterator[Finding]:
    for stage in Stage.objects.filter(tournament=tournament).select_related("tournament"):
        if str(stage.uid) not in ledger.get("stage", {}):
            continue  # reported as row_added
        try:
            said = [_nameless(contest) for contest in contests_in(ledger, str(stage.uid))]
            contests = contests_of(stage)
            there = [_nameless(contest) for contest in contests]
            played = stage.state != Stage.State.PLANNED  # else it may lack a target or players
            settled = [settle(contest) for contest in contests if contest.table_numbers and played]
        except (Refused, *BROKEN) as error:
            yield Finding("sheet_broken", f"stage {stage.uid}", found=str(error))
            continue
        if said != there:
            yield Finding("sheet_differs", f"stage {stage.uid}")
        moved = [str(play.uid) for one in settled for play in one.moved]
        if moved:
            yield Finding("state_altered", f"plays {', '.join(moved)}")


def _nameless(contest: Contest) -> str:
    data = sheet_of(contest).data
    return canonical({**data, "players": [{**player, "name": ""} for player in data["players"]]})
