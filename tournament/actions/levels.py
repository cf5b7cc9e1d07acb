"""From the heats to the final: who sits in a stage that is filled from heats."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from scoring import HeatsAnswer
from tournament.actions._work import Work, action, clean
from tournament.actions.seats import clear_seats, present_in, seat_at, take_away
from tournament.actions.stages import stage_named
from tournament.bridge import contests_of
from tournament.faults import Fault, Refused
from tournament.models import Decision, Entry, Stage, Table
from tournament.settle import settle


@action
def fill_stage(
    work: Work, *, stage: UUID, tables: int = 1, decided: Sequence[UUID] = (), reason: str = ""
) -> None:
    """Seat the stage with those who go through from the heats before it, dealt round the tables heat by heat.

    Who left or was disqualified since does not take the place. `decided` are players whom people let through
    (nobody finished, a reserve), with the `reason`; each is kept as a decision. Raises Refused
    `heats_not_finished`, `nobody_through`, `missing_reason`, `stage_not_planned`, `table_has_begun`.
    """
    row = stage_named(work, stage)
    heats = Stage.objects.filter(
        tournament=work.tournament, number=row.number - 1, kind=Stage.Kind.HEATS
    ).first()
    if heats is None or heats.state != Stage.State.FINISHED:
        raise Refused(Fault("heats_not_finished", "/stage"))
    if row.state != Stage.State.PLANNED:
        raise Refused(Fault("stage_not_planned", "/stage"))
    if decided and not clean(reason):
        raise Refused(Fault("missing_reason", "/reason"))
    present = {entry.uid for entry in present_in(work.tournament)}
    through = [uid for uid in going_through(heats) if uid in present]
    through += [uid for uid in decided if uid not in through]
    if len(through) < 2:
        raise Refused(Fault("nobody_through", "/stage", {"through": len(through)}))
    for decision in Decision.objects.filter(stage=row).select_related("entry", "stage"):
        work.deleted(decision)
        decision.delete()
    work.note = reason
    for uid in dict.fromkeys(decided):
        entry = Entry.objects.filter(tournament=work.tournament, uid=uid).first()
        if entry is None or uid not in present:
            raise Refused(Fault("unknown_player" if entry is None else "already_out", f"/decided/{uid}"))
        work.changed(Decision.objects.create(stage=row, kind=Decision.Kind.ADVANCE, entry=entry))
    count = max(1, min(1 if row.kind == Stage.Kind.FINAL else tables, len(through) // 2))
    existing = {table.number: table for table in Table.objects.filter(stage=row).select_related("stage")}
    for table in existing.values():
        clear_seats(work, table)
    for number in range(1, count + 1):
        uid = existing[number].uid if number in existing else uuid4()
        seat_at(work, row, uid, number, through[number - 1 :: count])
    for number, table in existing.items():
        if number > count:
            take_away(work, table)


def going_through(heats: Stage) -> list[UUID]:
    """Who goes through from a stage of heats, heat by heat in finishing order."""
    through: list[UUID] = []
    for contest in contests_of(heats):
        answer = settle(contest).answer
        if isinstance(answer, HeatsAnswer):
            through += [UUID(player) for player in answer.finalists]
    return through
