"""What must never be is refused by the database itself, whoever writes."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.support.factories import (
    Event,
    UserFactory,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
)
from tests.support.shared import shared_rows
from tournament.models import (
    Apart,
    Decision,
    Draw,
    Entry,
    Invite,
    LedgerRow,
    Membership,
    Play,
    Player,
    Result,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
    WrongTries,
)
from tournament.models.base import PublicModel

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def _match() -> Event:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    recorded_round(made)
    return made


@pytest.fixture(scope="module")
def match(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Event]:
    """The match that the tests of this module share."""
    with shared_rows(django_db_blocker, _match) as made:
        yield made


@pytest.fixture(autouse=True)
def made(match: Event, db: None) -> Event:
    """This test's own view of a match of two rounds at the first of two tables."""
    return deepcopy(match)


def play(made: Event, **more: Any) -> Play:
    return Play.objects.create(**{"table": made.table, "number": 9, "state": "entered", **more})


def result(made: Event, entry: int = 3, **more: Any) -> Result:
    of = more.pop("play", None) or Play.objects.get(table=made.table, number=1)
    return Result.objects.create(play=of, entry=made.entries[entry], **more)


def again(model: type[models.Model], *but: str) -> Callable[[Event], Any]:
    """Another row with the values of one that is there, but for its keys and these fields."""

    def insert(made: Event) -> None:
        row: Any = model.objects.first()  # type: ignore[attr-defined]
        known = {field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields}
        model.objects.create(  # type: ignore[attr-defined]
            **{name: value for name, value in known.items() if name not in {"id", "uid", *but}}
        )

    return insert


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
    "two seats of one player at a table": lambda made: Seat.objects.create(
        table=made.table, entry=made.entries[0], position=9
    ),
    "two players on one seat": lambda made: Seat.objects.create(
        table=made.table, entry=made.entries[1], position=1
    ),
    "out of no play": lambda _: Seat.objects.filter(position=1).update(out_as="removed"),
    "out as nothing": lambda _: Seat.objects.filter(position=1).update(out_from=1),
    "out as something else": lambda _: Seat.objects.filter(position=1).update(out_as="bored", out_from=1),
    "two plays of one number": lambda made: play(made, number=1),
    "two running games at a table": lambda made: [
        play(made, number=number, state="running") for number in (8, 9)
    ],
    "a play in no state": lambda made: play(made, state="lost"),
    "a play that ended otherwise": lambda made: play(made, ended="void"),
    "two tables of one number": again(Table),
    "two stages of one number": again(Stage),
    "a stage of no kind": lambda _: Stage.objects.update(kind="party"),
    "a stage in no state": lambda _: Stage.objects.update(state="lost"),
    "two entries of one player": again(Entry, "start_number"),
    "two entries of one start number": lambda _: Entry.objects.filter(start_number=2).update(start_number=1),
    "an entry in no state": lambda _: Entry.objects.update(state="lost"),
    "a tournament in no state": lambda _: Tournament.objects.update(state="lost"),
    "two tournaments of one address": again(Tournament),
    "one role twice": again(Membership),
    "one role at a table twice": lambda made: [
        Membership.objects.create(
            tournament=made.tournament, user=made.user, role="table_referee", table=made.table
        )
        for _ in range(2)
    ],
    "a head referee of one table": lambda made: Membership.objects.create(
        tournament=made.tournament, user=UserFactory(), role="head_referee", table=made.table
    ),
    "one decision twice": lambda made: [
        Decision.objects.create(stage=made.stage, kind="advance", entry=made.entries[0]) for _ in range(2)
    ],
    "one pair kept apart twice": lambda made: [
        Apart.objects.create(tournament=made.tournament, first=made.entries[0], second=made.entries[1])
        for _ in range(2)
    ],
    "a player kept apart from themselves": lambda made: Apart.objects.create(
        tournament=made.tournament, first=made.entries[0], second=made.entries[0]
    ),
    "an invite to no role": lambda made: Invite.objects.create(
        tournament=made.tournament, role="king", expires_at=timezone.now()
    ),
    "one point ticked twice": lambda made: [
        Tick.objects.create(tournament=made.tournament, item="decks", at=timezone.now(), by=made.user)
        for _ in range(2)
    ],
    "two draws of one number": lambda made: [
        Draw.objects.create(stage=made.stage, number=1, record={}) for _ in range(2)
    ],
    "two ledger rows of one sequence": again(LedgerRow, "command"),
    "two ledger rows of one command": again(LedgerRow, "sequence"),
}


@pytest.mark.parametrize("what", NEVER)
def test_what_must_never_be_is_refused(made: Event, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        NEVER[what](made)


@pytest.mark.parametrize("model", [Player, Entry, Table, Stage, Tournament])
def test_what_was_played_cannot_be_deleted_below_it(made: Event, model: type[models.Model]) -> None:
    with pytest.raises(models.ProtectedError):
        model.objects.first().delete()  # type: ignore[attr-defined]


def test_every_model_is_known_outside_by_a_uid_of_its_own() -> None:
    for model in set(apps.get_app_config("tournament").get_models()) - {WrongTries}:  # which nobody speaks of
        assert model._meta.get_field("uid").unique, model
        assert issubclass(model, PublicModel) or model.__name__ == "User"
    recorded_heat(running_heats(players=4))
    uids: list[UUID] = []
    for one in (Entry, Seat, Result, Play, Table):
        assert one.objects.exists()
        uids += one.objects.values_list("uid", flat=True)
    assert len(uids) == len(set(uids))


def test_rows_read_as_people_would_name_them(made: Event) -> None:
    assert str(made.stage) == "Match"
    assert str(made.table) == "Match 1"
    assert str(Play.objects.first()) == "Match 1 / 1"
    assert str(Seat.objects.first()) == "Match 1 1: Aino"
    assert str(event(name="Spring").tournament) == "Spring"
    assert str(LedgerRow.objects.first()) == "1 create_tournament"
