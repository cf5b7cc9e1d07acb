"""Rules for the models together: rows stay while they are named, uids, how rows read."""

from uuid import UUID

import pytest
from django.db import models

from tests.support.factories import (
    Event,
    event,
    recorded_heat,
    running_heats,
)
from tests.support.models import stored_models
from tournament.models import (
    Entry,
    LedgerRow,
    Play,
    Player,
    Result,
    Seat,
    Stage,
    Table,
    Tournament,
    WrongTries,
)
from tournament.models.base import PublicModel

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.usefixtures("made")]


@pytest.mark.parametrize("model", [Player, Entry, Table, Stage, Tournament])
def test_what_was_played_cannot_be_deleted_below_it(made: Event, model: type[PublicModel]) -> None:
    with pytest.raises(models.ProtectedError):
        model._default_manager.all()[0].delete()


def test_every_model_is_known_outside_by_a_uid_of_its_own() -> None:
    for model in set(stored_models()) - {WrongTries}:  # which nobody speaks of
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
    named = f"{made.tournament}: Match 1"  # the admin lists many events
    assert str(made.table) == named
    assert str(Play.objects.first()) == f"{named} / 1"
    assert str(Seat.objects.first()) == f"{named} 1: Aino"
    assert str(event(name="Spring").tournament) == "Spring"
    assert str(LedgerRow.objects.first()) == "1 create_tournament"
