"""Translated stage settings left open by the ruleset, with author and times, from the ledger.

The ledger lacks Customizable card texts: with texts, the last row that could set them counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import OWN_HAND, RULESETS, WINNER_TAKES
from tournament.models import LedgerRow, Play, Stage, Tournament, User
from tournament.permissions import ACTIONS, Role
from tournament.results import kind_of

SETS_TEXTS = frozenset({"plan_stage", "set_stage_settings"})

WORDS: dict[str, str | Promise] = {
    "target": _("Target"),
    "scoring": _("Scoring method"),
    "custom_cards": _("Customizable cards in each deck"),
    "decks": _("Decks per table"),
    "min_games": _("Games needed to be ranked"),
    "advance": _("Through from each heat"),
}
COUNTS: dict[str, str | Promise] = {WINNER_TAKES: _("standard scoring"), OWN_HAND: _("alternative scoring")}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, translated."""

    name: str | Promise
    value: str | Promise


@dataclass(frozen=True, slots=True)
class RulesSet:
    """A stage's settings, set `by` and `at`, locked since `locked_at`.

    None if unknown, and where the first round locks the target.
    """

    settings: Sequence[Setting]
    card_texts: Sequence[str]
    by: str
    at: datetime | None
    locked_at: datetime | None

    def __bool__(self) -> bool:
        return bool(self.settings or self.card_texts)


@dataclass(slots=True)
class _Seen:
    settings: Mapping[str, Any] | None = None
    state: str = Stage.State.PLANNED
    changed: tuple[int, datetime] | None = None
    texts: tuple[int, datetime] | None = None
    locked_at: datetime | None = None


def chooses_target(stage: Stage) -> bool:
    """Whether referees choose the target: a match whose ruleset fixes none."""
    return kind_of(stage.kind).sheet_each_table and RULESETS[stage.tournament.ruleset].default_target is None


def target_open(stage: Stage) -> bool:
    """Whether the target can still change: no play yet, even void."""
    return (
        chooses_target(stage)
        and stage.state != Stage.State.FINISHED
        and not Play.objects.filter(table__stage=stage).exists()
    )


def settings_in_words(stage: Stage) -> list[Setting]:
    """Translated settings in form order, with a match's default target."""
    values = dict(stage.settings)
    if kind_of(stage.kind).sheet_each_table:
        values.setdefault("target", RULESETS[stage.tournament.ruleset].default_target)
    return [
        Setting(word, COUNTS.get(value, str(value)) if isinstance(value, str) else str(value))
        for name, word in WORDS.items()
        for value in [values.get(name)]
        if value is not None
    ]


def rules_set(tournament: Tournament, stages: Sequence[Stage]) -> dict[UUID, RulesSet]:
    """Settings by stage uid, in two queries."""
    seen = {str(stage.uid): _Seen() for stage in stages}
    at_a_table = [name for name, declared in ACTIONS.items() if declared.least == Role.TABLE_REFEREE]
    rows = (
        LedgerRow.objects.filter(tournament=tournament)
        .exclude(action__in=at_a_table)  # most rows; never set rules
        .filter(payload__has_key="stage")  # last: reads the payload
        .order_by("sequence")
    )
    for at, actor, action, written in rows.values_list("at", "actor", "action", "payload__stage"):
        for uid, facts in written.items():
            if facts and uid in seen:
                _read(seen[uid], facts, action, (actor, at))
    last = {
        stage.uid: (said.texts or said.changed) if stage.card_texts else said.changed
        for stage in stages
        for said in [seen[str(stage.uid)]]
    }
    users = User.objects.in_bulk({actor for actor, _ in filter(None, last.values())})
    return {
        stage.uid: RulesSet(
            settings=settings_in_words(stage),
            card_texts=stage.card_texts,
            by=users[found[0]].display_name() if found else "",
            at=found[1] if found else None,
            locked_at=None if chooses_target(stage) else seen[str(stage.uid)].locked_at,
        )
        for stage in stages
        for found in [last[stage.uid]]
    }


def _read(seen: _Seen, facts: Mapping[str, Any], action: str, who: tuple[int, datetime]) -> None:
    if facts["settings"] != seen.settings:
        seen.settings, seen.changed = facts["settings"], who
    planned = facts["state"] == Stage.State.PLANNED
    if planned and action in SETS_TEXTS:
        seen.texts = who
    if planned:
        seen.locked_at = None
    elif seen.state == Stage.State.PLANNED:
        seen.locked_at = who[1]
    seen.state = facts["state"]
