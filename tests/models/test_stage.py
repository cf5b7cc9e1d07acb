"""The database itself refuses impossible stages, tables, seats and draws, whoever writes them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils.translation import override

from tests.models.conftest import again
from tests.support.factories import Event
from tournament.models import (
    Draw,
    Seat,
    Stage,
    Table,
    level_names,
    planned_names,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


NEVER: dict[str, Callable[[Event], Any]] = {
    "two seats of one player at a table": lambda made: Seat.objects.create(
        table=made.table, entry=made.entries[0], position=9
    ),
    "two players on one seat": lambda made: Seat.objects.create(
        table=made.table, entry=made.entries[1], position=1
    ),
    "out of no play": lambda _: Seat.objects.filter(position=1).update(out_as="removed"),
    "out as nothing": lambda _: Seat.objects.filter(position=1).update(out_from=1),
    "out as something else": lambda _: Seat.objects.filter(position=1).update(out_as="bored", out_from=1),
    "two tables of one number": again(Table),
    "two stages of one number": again(Stage),
    "a stage of no kind": lambda _: Stage.objects.update(kind="party"),
    "a stage in no state": lambda _: Stage.objects.update(state="lost"),
    "two draws of one number": lambda made: [
        Draw.objects.create(stage=made.stage, number=1, record={}) for _ in range(2)
    ],
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)


@pytest.mark.parametrize(
    ("name", "language", "title"),
    [
        ("Semi-finals", "fi", "Välierät"),
        ("Välierät", "sv", "Semifinaler"),
        ("Semifinaler", "en", "Semi-finals"),
        ("Heats, round 7", "fi", "7. eräpelit"),
        ("Guild cup", "fi", "Guild cup"),
        ("", "fi", "Ottelu"),
    ],
)
def test_name_that_a_plan_gave_is_in_the_readers_language(name: str, language: str, title: str) -> None:
    with override(language):
        assert str(Stage(name=name, kind="match")) == title


def test_no_name_of_a_plan_is_another_ones_in_another_language() -> None:
    for language in ("en", "fi", "sv"):
        with override(language):
            assert [planned_names()[name] for name in level_names()] == list(range(len(level_names())))
