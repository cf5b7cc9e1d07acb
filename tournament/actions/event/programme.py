"""The programme: stages, their planned times, and publication."""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import check_planned, forget_clock, stage_named
from tournament.actions.kernel import Room, Work, action, refuse, refuse_if, refuse_other_kind
from tournament.models import MOST_LEVELS, Decision, Draw, Screen, Seat, Stage, Tournament
from tournament.queries.programme import COUNTS, Plan, on_event_days
from tournament.results import YEARS, Fault, Refused, kind_of, kinds_in

__all__ = ["publish_programme", "set_levels", "set_programme"]

LIMITS = {"minutes": 10_000, "players": 100_000, "tables": 999, "most": 1000}
_ASIDE = 1000  # offset of stage numbers while reordering


@action(least="organiser", says=_("planned the stages"), undo="ledger", bulk=True)
def set_levels(work: Work, *, levels: Sequence[Mapping[str, Any]]) -> None:
    """Plan all stages in order: `{"stage", "kind", "name", "settings", "plan"}` each; `stage` is an existing or new
    uid, `plan` as `Plan.as_json`. A new final's results need a second person.

    Planned stages without seats are changed, or removed if unnamed; others must keep number, kind and settings.
    Refused `wrong_kind_of_stage`, `stage_exists` (in another event, or twice), `level_stays`, `no_levels`,
    `field_max_length`, scoring's faults.
    """
    refuse_if(not 1 <= len(levels) <= MOST_LEVELS, Fault("no_levels", "/levels", {"most": MOST_LEVELS}))
    there = {
        stage.uid: stage for stage in Stage.objects.filter(tournament=work.tournament).order_by("number")
    }
    for stage in there.values():
        stage.tournament = work.tournament
    seats = Seat.objects.filter(table__stage__in=there.values())
    staying = {uid for uid, stage in there.items() if stage.state != Stage.State.PLANNED}
    staying |= set(seats.values_list("table__stage__uid", flat=True))
    rows = []
    for index, level in enumerate(levels):
        with work.faults.at(f"/levels/{index}"):
            rows.append(_level(work, index, level, there))
    refuse(work.faults.at(""))
    for row in rows:
        if row.uid not in staying:
            row.source = {}
    uids = [row.uid for row in rows]
    refuse_if(
        Stage.objects.exclude(tournament=work.tournament).filter(uid__in=uids).exists()
        or len(set(uids)) < len(uids),
        Fault("stage_exists", "/levels"),
    )
    wanted = {row.uid: (row.number, row.kind, row.settings) for row in rows}
    refuse(
        Fault("level_stays", f"/levels/{stage.number - 1}", {"stage": stage.number})
        for stage in there.values()
        if stage.uid in staying and wanted.get(stage.uid) != (stage.number, stage.kind, stage.settings)
    )
    Stage.objects.filter(tournament=work.tournament).update(number=F("number") + _ASIDE)
    for uid, stage in there.items():
        if uid not in uids:
            remove_stage(work, stage)
    for row in rows:
        work.save(row)


@action(least="organiser", says=_("changed the programme"), undo="ledger")
def set_programme(work: Work, *, stages: Sequence[Mapping[str, Any]]) -> None:
    """Change planned times and sizes: `{"stage", "plan"}` each, where `plan` has the changed fields (None: not
    planned). The first published version stays. Refused `malformed`, `not_on_event_days`."""
    for each in stages:
        with work.faults:
            row = stage_named(work, each["stage"])
            work.update(row, plan=plan_given(each["plan"], f"/stages/{row.uid}", work.tournament, row.plan))


@action(least="organiser", says=_("published the programme"), undo="ledger")
def publish_programme(work: Work) -> None:
    """Publish the programme; later changes are marked. Refused `nothing_to_publish`."""
    rows = [
        row
        for row in Stage.objects.filter(tournament=work.tournament).select_related("tournament")
        if row.plan and not row.first_plan
    ]
    refuse_if(not rows, Fault("nothing_to_publish", "/stages"))
    for row in rows:
        work.update(row, first_plan=row.plan)


def plan_given(
    data: object, path: str, tournament: Tournament, stored: Mapping[str, Any] = {}
) -> dict[str, Any]:
    """A stage's plan, merged into `stored`. Refused `malformed` at a field (time without zone, impossible number),
    `not_on_event_days`."""
    if not isinstance(data, Mapping) or data.keys() - {"starts_at", *COUNTS}:
        raise Refused(Fault("malformed", path))
    faults = [
        Fault("malformed", f"{path}/{name}")
        for name in COUNTS
        if (value := data.get(name)) is not None and not (type(value) is int and 1 <= value <= LIMITS[name])
    ]
    starts_at = data.get("starts_at")
    try:
        moment = None if starts_at is None else datetime.fromisoformat(starts_at)
        if moment is not None and (moment.utcoffset() is None or moment.year not in YEARS):
            raise ValueError
        if moment is not None and not on_event_days(moment, tournament):
            faults.append(Fault("not_on_event_days", f"{path}/starts_at"))
    except (TypeError, ValueError, OverflowError):
        faults.append(Fault("malformed", f"{path}/starts_at"))
    refuse(faults)
    return Plan.of({**stored, **data}).as_json()


def _level(work: Work, index: int, level: Mapping[str, Any], there: Mapping[UUID, Stage]) -> Stage:
    refuse_other_kind(level["kind"], "/kind", kinds_in(work.tournament.ruleset))
    known = there.get(level["stage"])
    row = copy(known or Stage(uid=level["stage"], second_look=kind_of(level["kind"]).all_together))
    row.tournament, row.number, row.kind = work.tournament, index + 1, level["kind"]
    row.settings = dict(level.get("settings", row.settings))
    check_planned(row, work.faults, name=level.get("name", row.name), card_texts=row.card_texts)
    with work.faults:
        row.plan = plan_given(level.get("plan") or {}, "/plan", work.tournament, row.plan)
    return row


def remove_stage(work: Work, stage: Stage) -> None:
    """Delete a stage without plays, with its tables, draws, decisions and clock."""
    room = Room.of(stage)
    room.take_away(work, room.tables.values())
    for row in (*Draw.objects.filter(stage=stage), *Decision.objects.filter(stage=stage)):
        work.delete(row)
    for screen in Screen.objects.filter(stage=stage):
        work.update(screen, stage=None)
    forget_clock(work, stage)
    work.delete(stage)
