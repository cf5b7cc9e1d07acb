"""How much waits to be accepted at which table."""

from collections.abc import Sequence

from tournament.models import Play, Proposal, Stage, Table


def waiting_tables(tables: Sequence[Table]) -> dict[int, int]:
    """How much waits at each of these tables of running stages, by their keys; two queries."""
    running = [table.pk for table in tables if table.stage.state == Stage.State.RUNNING]
    counts: dict[int, int] = {}
    looks = [Play.SecondLook.WANTED, Play.SecondLook.CONTESTED]
    plays = Play.objects.filter(table__in=running, state=Play.State.ENTERED, second_look__in=looks)
    proposals = Proposal.objects.filter(table__in=running, state=Proposal.State.WAITING)
    for rows in (plays, proposals):
        for key in rows.order_by().values_list("table_id", flat=True):
            counts[key] = counts.get(key, 0) + 1
    return counts
