"""Change the ruleset and stages of an event in which nothing was played."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid5

from django.utils.translation import gettext_lazy as _

from rulesets import RULESETS
from tournament.actions.event.programme import set_programme
from tournament.actions.event.stages import plan_stage
from tournament.actions.kernel import Room, Work, action, do_within, refuse_if
from tournament.models import Decision, Draw, Incident, Invite, Membership, Screen, Stage, Table, Tournament
from tournament.results import Fault
from tournament.server.clock import now

__all__ = ["replan_event"]


@action(least="organiser", says=_("changed what is played"), undo="again", bulk=True)
def replan_event(work: Work, *, ruleset: str, stages: Sequence[Mapping[str, Any]]) -> None:
    """Replace ruleset and stages (fields of `PlannedStage`), as if newly created.

    Existing stages, even begun, are deleted with seats, draws, decisions and programme. Players, registration,
    screens and referees stay. Refused `unknown_ruleset`, `played_already` (a play or incident), faults of
    `plan_stage`.
    """
    event = work.tournament
    refuse_if(ruleset not in RULESETS, Fault("unknown_ruleset", "/ruleset", {"ruleset": ruleset}))
    ruled = Incident.objects.filter(tournament=event).exists()
    refuse_if(event.was_played() or ruled, Fault("played_already"))
    _free_referees(work)
    for screen in Screen.objects.filter(tournament=event).exclude(stage=None):
        work.update(screen, stage=None)
    for stage in Stage.objects.filter(tournament=event):
        _take_away(work, stage)
    work.update(
        event,
        ruleset=ruleset,
        ruleset_revision=RULESETS[ruleset].revision,
        state=Tournament.State.PLANNED,
    )
    plans = []
    for number, planned in enumerate(stages, 1):
        uid = uuid5(work.command.id, f"stage {number}")
        given = {name: value for name, value in planned.items() if name != "plan"}
        do_within(work, plan_stage, stage=uid, **given)
        if planned.get("plan"):
            plans.append({"stage": uid, "plan": planned["plan"]})
    if plans:
        do_within(work, set_programme, stages=plans)


def _take_away(work: Work, stage: Stage) -> None:
    room = Room.of(stage)
    room.take_away(work, room.tables.values())
    for row in (*Decision.objects.filter(stage=stage), *Draw.objects.filter(stage=stage)):
        work.delete(row)
    work.delete(stage)


def _free_referees(work: Work) -> None:
    """Let table referees and open table invites cover all tables, without duplicates."""
    event = work.tournament
    free = Membership.objects.filter(tournament=event, table=None)
    whole = set(free.values_list("user", "role"))
    for membership in Membership.objects.filter(tournament=event).exclude(table=None).order_by("pk"):
        if (key := (membership.user_id, membership.role)) in whole:
            work.delete(membership)
        else:
            whole.add(key)
            work.update(membership, table=None)
    tables = {str(uid) for uid in Table.objects.filter(stage__tournament=event).values_list("uid", flat=True)}
    for invite in Invite.objects.filter(tournament=event, revoked_at=None, expires_at__gt=now()):
        if tables & set(invite.tables):
            work.update(invite, tables=[])
