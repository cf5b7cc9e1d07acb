"""Events whose stages lead to each other, for the tests of chains."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.models import Entry, Play, Seat, Stage, Table
from tournament.queries.advancing import Level, differences, level_of


def first(stage: int, count: int, take: str = "first") -> dict[str, Any]:
    """A part of a source."""
    return {"stage": stage, "take": take, "count": count}


def begun(players: int = 8, tables: int = 2, *, lives: int | None = None, **more: Any) -> Event:
    """Matches in which everybody collects their own hand, one round long, running at these tables; `more` are
    arguments of the event."""
    made = event("mattel-108", players, **more)
    counted: dict[str, Any] = {"lives": lives} if lives else {}
    chained(made, **counted)
    return started(made, *(made.uids[number::tables] for number in range(tables)))


def chained(made: Event, *parts: dict[str, Any], kind: str = "match", **source: Any) -> Event:
    """Plan the next stage, whose players come from these parts; without any, as usual."""
    stage = uuid4()
    scoring = {"scoring": "own_hand"}
    settings = {"heats": {}, "race": scoring}.get(kind, scoring | {"target": 50})
    made.act(
        actions.plan_stage,
        stage=stage,
        kind=kind,
        settings=settings,
        source=source | ({"parts": list(parts)} if parts else {}),
    )
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


def next_of_heats(advance: int, **more: Any) -> Event:
    """A final of the next of two heats that each give `advance` places, below a final of their first."""
    made = add_stage(event("tite-2022", 8, **more), "heats", tables=2)
    for table in made.tables:
        recorded_heat(made, table, advance)
    made.act(actions.finish_stage, stage=made.stage.uid)
    for take in ("first", "next"):
        stage, source = uuid4(), {"parts": [first(1, 1, take)]}
        made.act(
            actions.plan_stage, stage=stage, kind="final", name=take, settings={"target": 300}, source=source
        )
    made.stage = Stage.objects.get(uid=stage)
    return made.refresh()


def started(made: Event, *tables: Sequence[UUID]) -> Event:
    """Seat these players and start."""
    seats = [{"number": number, "entries": list(each)} for number, each in enumerate(tables, 1)]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seats)
    made.act(actions.start_stage, stage=made.stage.uid)
    return made.refresh()


def filled(made: Event, **more: Any) -> Event:
    """Seat who goes through, and start."""
    made.act(actions.fill_stage, stage=made.stage.uid, **more)
    made.act(actions.start_stage, stage=made.stage.uid)
    return made.refresh()


def hands(order: Sequence[UUID], level: Sequence[UUID] = ()) -> dict[str, Any]:
    """A round that ends the match with these places; who is `level` holds as much as the first of them."""
    rank = {uid: order.index(level[0]) if uid in level else place for place, uid in enumerate(order)}
    held = {str(uid): {"wild": 1, str(rank[uid]): 1} for uid in order[1:]}
    return {"winner": order[0], "hands": held}


def played(made: Event, *, level: Sequence[UUID] = (), finish: bool = True) -> Event:
    """Play each table's match: places as they sit, but `level` share theirs."""
    for table in Table.objects.filter(stage=made.stage).order_by("number"):
        order = list(table.seats.playing_on().order_by("position").values_list("entry__uid", flat=True))
        round_ = hands(order, [uid for uid in level if uid in order])
        made.act(actions.record_round, table=table.uid, play=uuid4(), number=1, **round_)
    if finish:
        made.act(actions.finish_stage, stage=made.stage.uid)
    return made.refresh()


def corrected(made: Event, number: int, *order: UUID, table: int = 1, finish: bool = True) -> None:
    """Open a stage again and correct the round at a table to these places."""
    stage = Stage.objects.get(tournament=made.tournament, number=number)
    made.act(actions.reopen_stage, stage=stage.uid, reason="misread")
    play = Play.objects.get(table__stage=stage, table__number=table, number=1)
    made.act(actions.correct_round, play=play.uid, version=play.version, reason="misread", **hands(order))
    if finish:
        made.act(actions.finish_stage, stage=stage.uid)


def level(made: Event) -> Level:
    """How the event's last stage is filled."""
    found = level_of(made.stage)
    assert found is not None
    return found


def comes(made: Event) -> list[str]:
    """Names of those who go through to the event's last stage."""
    return [comer.entry.public_name for comer in level(made).comes]


def sits(made: Event, number: int) -> list[str]:
    """Names in a stage, by table and seat."""
    rows = Seat.objects.filter(table__stage__tournament=made.tournament, table__stage__number=number)
    return list(rows.order_by("table__number", "position").values_list("entry__public_name", flat=True))


def named(made: Event, *names: str) -> list[UUID]:
    """Uids of the entries with these names."""
    by_name = dict(Entry.objects.filter(tournament=made.tournament).values_list("public_name", "uid"))
    return [by_name[name] for name in names]


def lines(made: Event) -> list[str]:
    """What differs, in words, all through the event."""
    return [line for one in differences(made.tournament) for line in one.lines]
