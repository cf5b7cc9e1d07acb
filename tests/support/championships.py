"""Heats that are over and the final after them, for the tests of levels."""

from typing import Any
from uuid import UUID, uuid4

from tests.support.asking_actions import version
from tests.support.factories import Event, recorded_heat, running_heats
from tournament import actions
from tournament.models import Decision, Play, Seat, Stage, Table
from tournament.queries.advancing import differences


def championship(players: int = 6, tables: int = 2, *, filled: bool = True, **settings: Any) -> Event:
    """Heats that are over, each won by the player who sits first, and a final; the event's stage is the final."""
    made = running_heats(players=players, tables=tables, **settings)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 250})
    made.stage = Stage.objects.get(uid=final)
    if filled:
        made.act(actions.fill_stage, stage=final)
    return made.refresh()


def heats_of(made: Event) -> Stage:
    return Stage.objects.get(tournament=made.tournament, number=made.stage.number - 1)


def heat(made: Event, number: int) -> list[UUID]:
    """List the players at a heat's table."""
    return made.at(Table.objects.get(stage=heats_of(made), number=number))


def corrected(made: Event, number: int, *order: int, finish: bool = True, **more: Any) -> None:
    """Open the heats again and correct one: the players who went out, by their places at the table from 0."""
    heats = heats_of(made)
    made.act(actions.reopen_stage, stage=heats.uid, reason="misread")
    play = Play.objects.get(table__stage=heats, table__number=number)
    seats = heat(made, number)
    made.act(
        actions.correct_heat,
        play=play.uid,
        version=version(made, play.uid),
        reason="misread",
        finish_order=[seats[place] for place in order],
        **more,
    )
    if finish:
        made.act(actions.finish_stage, stage=heats.uid)


def seats_of(made: Event) -> list[str]:
    seats = Seat.objects.filter(table__stage=made.stage).order_by("table__number", "position")
    return list(seats.values_list("entry__public_name", flat=True))


def decisions(made: Event) -> set[tuple[str, str]]:
    rows = Decision.objects.filter(stage=made.stage)
    return set(rows.values_list("kind", "entry__public_name"))


def started(made: Event, rounds: int = 0) -> Event:
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()
    for number in range(1, rounds + 1):
        first, *others = made.at(made.table)
        made.act(
            actions.record_round,
            table=made.table.uid,
            play=uuid4(),
            number=number,
            winner=first,
            hands={str(uid): {"9": 1} for uid in others},
        )
    return made


def lines(made: Event) -> list[str]:
    return [line for one in differences(made.tournament) for line in one.lines]


# Open places
