"""A tournament with every kind of row, a superuser's browser, and all facts at a glance."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.forms.models import model_to_dict
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.support.factories import (
    Event,
    UserFactory,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_match,
    running_race,
    running_session,
    webhook_of,
)
from tests.support.shared import shared_rows
from tournament import actions
from tournament.extras.season.actions import start_season
from tournament.models import (
    LEDGER_KINDS,
    Announcement,
    Apart,
    ApiToken,
    Call,
    Different,
    Draw,
    Entry,
    HallClock,
    Incident,
    Invite,
    LedgerCheck,
    Organiser,
    PastResult,
    Player,
    Proposal,
    Registration,
    Result,
    Screen,
    Stage,
    Tick,
    User,
)
from tournament.models.base import PublicModel
from tournament.results.facts import facts_of


@pytest.fixture
def superuser(db: None) -> User:
    return UserFactory(is_staff=True, is_superuser=True)


@pytest.fixture
def browser(superuser: User) -> Client:
    client = Client()
    client.force_login(superuser)
    return client


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Event]:
    """The championship that the tests of a module share."""
    with shared_rows(django_db_blocker, made_championship) as made:
        yield made


@pytest.fixture(autouse=True)
def championship(made: Event, db: None) -> Event:
    """This test's own view of the championship."""
    return deepcopy(made)


def made_championship() -> Event:
    """Heats with a decision, a final being played, referees, a void round, an entry without a seat; beside it a match
    and a session, and races."""
    running_match()
    running_session()
    for kind in ("race", "races"):
        running_race(kind=kind)
    made = event("tite-2022", players=6)
    add_stage(made, "heats", tables=2)
    heats = made.stage
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=heats.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final, decided=[made.uids[5]], reason="A reserve")
    made.act(actions.start_stage, stage=final)
    made.stage = Stage.objects.get(uid=final)
    made.refresh()
    made.referee("table_referee", made.table)
    play = made.play(recorded_round(made))
    made.act(actions.void_play, play=play.uid, version=play.version, reason="Wrong deck")
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Seatless"}])
    made.refresh()
    _before_the_event(made)
    _beside_the_cards(made)
    return made


def _before_the_event(made: Event) -> None:
    """Add one row of each kind that comes before play."""
    now, first, second = timezone.now(), *made.entries[:2]
    Draw.objects.create(stage=made.stage, number=1, record={"seed": "1"})
    Apart.objects.create(tournament=made.tournament, first=first, second=second)
    known = [str(entry.player.uid) for entry in (first, second)]
    Different.objects.create(tournament=made.tournament, players=known)
    Registration.objects.create(tournament=made.tournament, opened=True)
    Invite.objects.create(tournament=made.tournament, role="table_referee", label="Kim", expires_at=now)
    Tick.objects.create(tournament=made.tournament, item="decks", at=now, by=made.user)


def _beside_the_cards(made: Event) -> None:
    """Add one row of each kind that referees and players make: questions, rulings and what belongs to them."""
    now = timezone.now()
    Proposal.objects.create(table=made.table, number=9, play=uuid4(), at=now)
    Call.objects.create(table=made.table, at=now)
    ApiToken.objects.create(
        user=made.user,
        name="Results board",
        digest=uuid4().hex * 2,
        scopes=["read"],
        made_at=now,
        expires_at=now,
    )
    LedgerCheck.objects.create(tournament=made.tournament, taken_at=now)
    webhook_of(made)
    HallClock.objects.create(tournament=made.tournament, started_at=now, held_at=now)
    Announcement.objects.create(tournament=made.tournament, words={"en": "Food is served"}, at=now)
    PastResult.objects.create(entry=event(players=1).entries[0], place=1)  # nothing is played there
    Screen.objects.create(tournament=made.tournament, name="Hall", scenes=["standings"])
    made.act(start_season, season=uuid4(), name="The year")
    Incident.objects.create(tournament=made.tournament, kind="ruling", text="Stacked?", at=now, by=made.user)


@pytest.fixture
def all_facts() -> Callable[[], dict[Any, Any]]:
    """Everything that tournaments consist of, names and free texts included."""

    def read() -> dict[Any, Any]:
        facts: dict[Any, Any] = {}
        models: list[type[PublicModel]] = [*LEDGER_KINDS.values(), Organiser, Player, Entry, Result]
        for model in models:
            for row in model._default_manager.all():
                facts[model.__name__, str(row.uid)] = (
                    facts_of(row) if model in LEDGER_KINDS.values() else None,
                    model_to_dict(row),
                )
        return facts

    return read


def models_of_tournaments() -> list[Any]:
    """Every model of ours that the admin shows, except users."""
    from django.contrib import admin

    admin.autodiscover()
    ours = set(apps.get_app_config("tournament").get_models()) - {User}
    return sorted(
        (model for model in admin.site._registry if model in ours), key=lambda model: model.__name__
    )
