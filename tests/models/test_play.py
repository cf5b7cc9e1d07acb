"""The database itself refuses impossible plays, results and decisions, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.support.factories import Event
from tournament.models import (
    Decision,
    Play,
    Result,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def play(made: Event, **more: Any) -> Play:
    return Play.objects.create(**{"table": made.table, "number": 9, "state": "entered", **more})


def result(made: Event, entry: int = 3, **more: Any) -> Result:
    of = more.pop("play", None) or Play.objects.get(table=made.table, number=1)
    return Result.objects.create(play=of, entry=made.entries[entry], **more)


NEVER: dict[str, Callable[[Event], Any]] = {
    "two results of one player in a play": lambda made: result(made, 0, outcome="holds"),
    "two winners of a round": lambda made: result(made, outcome="won"),
    "two who are last": lambda made: [
        result(made, entry, play=Play.objects.first(), outcome="last") for entry in (1, 3)
    ],
    "two first ones out": lambda made: [
        result(made, entry, outcome="finished", finish=1) for entry in (1, 3)
    ],
    "out after the hour": lambda made: result(made, outcome="out", elapsed_s=3601),
    "out before the start": lambda made: result(made, outcome="out", elapsed_s=-1),
    "finished without a place in the order": lambda made: result(made, outcome="finished"),
    "a place in the order without finishing": lambda made: result(made, outcome="playing", finish=1),
    "two plays of one number": lambda made: play(made, number=1),
    "two running games at a table": lambda made: [
        play(made, number=number, state="running") for number in (8, 9)
    ],
    "a play in no state": lambda made: play(made, state="lost"),
    "a play that ended otherwise": lambda made: play(made, ended="void"),
    "one decision twice": lambda made: [
        Decision.objects.create(stage=made.stage, kind="advance", entry=made.entries[0]) for _ in range(2)
    ],
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)
