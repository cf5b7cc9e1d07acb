"""A tournament with its stages from a template: one call that composes the actions, all or nothing.

One id gives the tournament's, its stages' and every command's id, so that a form sent twice makes one tournament.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid5

from tournament.actions._work import Command, Receipt, _writing
from tournament.actions.setup import create_tournament
from tournament.actions.stages import plan_stage


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """A stage as the arguments of `plan_stage`."""

    kind: str
    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


def plan_event(command: Command, details: Mapping[str, Any], stages: Sequence[PlannedStage]) -> Receipt:
    """Create the tournament whose uid is the command's id, and plan its stages. `details` are the arguments of
    `create_tournament`. Raises what `create_tournament` and `plan_stage` raise."""
    tournament = command.id
    with _writing():
        receipt = create_tournament(replace(command, id=uuid5(tournament, "create")), tournament, **details)
        for number, stage in enumerate(stages, 1):
            plan_stage(
                replace(command, id=uuid5(tournament, f"plan {number}")),
                tournament,
                stage=uuid5(tournament, f"stage {number}"),
                kind=stage.kind,
                name=stage.name,
                settings=stage.settings,
            )
    return receipt
