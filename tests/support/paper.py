"""A game of a session or a round of a match entered whole, as from paper."""

from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import (
    Event,
)
from tournament import actions

Json = dict[str, Any]


def paper(*outcomes: tuple[UUID, str, int | None]) -> list[Json]:
    return [{"entry": uid, "outcome": how, "elapsed_s": at} for uid, how, at in outcomes]


def recorded_game(made: Event, *outcomes: tuple[UUID, str, int | None], **more: Any) -> UUID:
    play = uuid4()
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=play,
        number=1,
        ended="last",
        results=paper(*outcomes),
        **more,
    )
    return play


def sound(made: Event, number: int = 1, **more: Any) -> dict[str, Any]:
    """The arguments of a round at the first table that is as it should be."""
    winner, *others = made.at(made.table)
    hands = {str(uid): {"7": 1} for uid in others}
    return {"table": made.table.uid, "number": number, "winner": winner, "hands": hands, **more}
