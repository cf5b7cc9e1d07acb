"""A tournament from a template: one id gives the tournament's, its stages' and every command's id, so that a form
sent twice makes one tournament, and one that was interrupted is completed when it is sent again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid5

from tournament import actions
from tournament.actions import Command, Receipt
from tournament.actions.stages import check_settings
from tournament.forms.events import PlannedStage


def found(command: Command, details: dict[str, Any], stages: Sequence[PlannedStage]) -> Receipt:
    """Create the tournament whose uid is the command's id, and plan its stages.

    Raises what `create_tournament` and `plan_stage` raise; settings are checked before anything is stored.
    """
    tournament = command.id
    for stage in stages:
        check_settings(details["ruleset"], stage.kind, stage.settings)
    receipt = actions.create_tournament(
        replace(command, id=uuid5(tournament, "create")), tournament, **details
    )
    for number, stage in enumerate(stages, 1):
        actions.plan_stage(
            replace(command, id=uuid5(tournament, f"plan {number}")),
            tournament,
            stage=uuid5(tournament, f"stage {number}"),
            kind=stage.kind,
            name=stage.name,
            settings=stage.settings,
        )
    return receipt
