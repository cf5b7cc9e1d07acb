"""What a row of an archive must keep beyond the types of its fields, so that every page can show it: the same rules as
those of the actions that write such rows."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import JSONField

from rulesets import RULESETS
from tournament.files.archive.words import NotImported
from tournament.models import Invite, LedgerRow, Proposal, Result, Screen, Stage, Tournament
from tournament.models.base import PublicModel
from tournament.models.screen import LONGEST, SHORTEST
from tournament.models.stage import LONGEST_CARD_TEXT, MOST_CARD_TEXTS
from tournament.queries.programme import COUNTS, Plan
from tournament.results.faults import Refused
from tournament.results.settle import check_settings
from tournament.results.typed import sound_fields
from tournament.words.zones import ZONES


def check_imported(row: PublicModel, where: str, tournament: Tournament | None) -> None:
    """Hold a row that was read at `where` against its model's rules and those below; NotImported says which it
    breaks. `tournament` is the archive's, None while that itself is the row."""
    exclude = {
        field.name
        for field in type(row)._meta.concrete_fields
        if field.is_relation or isinstance(field, JSONField) or getattr(row, field.attname) is None
    }
    try:
        row.clean_fields(exclude=exclude)
    except ValidationError as error:
        raise NotImported("wrong_value", f"{where} {next(iter(error.error_dict))}") from None
    check = CHECKS.get(type(row))
    try:
        if check and not check(row, tournament):
            raise ValueError(where)
    except (Refused, LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise NotImported("wrong_value", where) from None


def _tournament(row: Tournament, _none: None) -> bool:
    ruleset = RULESETS.get(row.ruleset)
    if ruleset is None or ruleset.revision != row.ruleset_revision:
        raise NotImported("unknown_ruleset", ruleset=row.ruleset, revision=row.ruleset_revision)
    return row.time_zone in ZONES


def _stage(row: Stage, tournament: Tournament) -> bool:
    check_settings(row, whole=row.state != Stage.State.PLANNED)
    texts = row.card_texts
    return (
        row.version <= tournament.version
        and (row.frozen_after is None or 1 <= row.frozen_after <= tournament.version)
        and len(texts) <= MOST_CARD_TEXTS
        and all(isinstance(text, str) and len(text) <= LONGEST_CARD_TEXT for text in texts)
        and all(map(_is_plan, (row.plan, row.first_plan)))
    )


def _is_plan(plan: Mapping[str, Any]) -> bool:
    """Whether this is a part of a programme as it is kept."""
    return (
        all(type(plan[name]) is int and 0 <= plan[name] < 10**6 for name in COUNTS if name in plan)
        and Plan.of(plan).as_json() == plan
    )


def _invite(row: Invite, _tournament: Tournament) -> bool:
    return all(str(UUID(table)) == table for table in row.tables)


def _screen(row: Screen, _tournament: Tournament) -> bool:
    return (
        bool(row.scenes)
        and all(scene in Screen.Scene.values for scene in row.scenes)
        and SHORTEST <= row.seconds <= LONGEST
    )


def _proposal(row: Proposal, _tournament: Tournament) -> bool:
    return bool(sound_fields(row.fields) == row.fields)


def _result(row: Result, _tournament: Tournament) -> bool:
    return all(type(count) is int for count in row.hand.values())


def _ledger_row(row: LedgerRow, _tournament: Tournament) -> bool:
    return all(
        str(UUID(uid)) == uid and (facts is None or isinstance(facts, dict))
        for changed in row.payload.values()
        for uid, facts in changed.items()
    )


CHECKS: dict[type[PublicModel], Callable[[Any, Any], bool]] = {
    Tournament: _tournament,
    Stage: _stage,
    Invite: _invite,
    Screen: _screen,
    Proposal: _proposal,
    Result: _result,
    LedgerRow: _ledger_row,
}
