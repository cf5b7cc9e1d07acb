"""An archive without personal data holds none, and still comes back with a ledger that verifies."""

import json
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.archives import (
    archived,
    brought,
    comes_back,
    forget_everything,
    rows_in,
    standings,
    taken_apart,
)
from tests.support.factories import Event, add_stage, event, recorded_round
from tournament import actions
from tournament.extras.archive.files.schema import People
from tournament.ledger.verify import verify
from tournament.models import Entry, Incident, Organiser, Player, Tournament

pytestmark = pytest.mark.django_db

SECRETS = {
    "real name": "Aino-Realname",
    "contact": "aino@canary.example",
    "birth date": "1987-06-05",
    "reason": "canary reason",
    "incident": "canary incident",
    "ruling": "canary ruling",
    "label": "canary label",
    "contact person": "canary person",
    "referee": "Canaryreferee",
}
PUBLIC = {"public name": "Publicname", "club": "Canaryclub", "organiser": "Canaryorganiser"}


@pytest.fixture
def told() -> Event:
    """A match with something personal in every place that can hold it."""
    made = event("mattel-108")
    made.user.first_name, made.user.last_name = "Outi", SECRETS["referee"]
    made.user.username = f"user-{SECRETS['referee']}"
    made.user.save()
    Organiser.objects.filter(pk=made.tournament.organiser_id).update(name=PUBLIC["organiser"])
    rows = [
        {
            "entry": uuid4(),
            "name": f"{PUBLIC['public name']} {number}",
            "real_name": f"{SECRETS['real name']} {number}",
            "club": PUBLIC["club"],
            "birth_date": date.fromisoformat(SECRETS["birth date"]),
            "contact": SECRETS["contact"],
        }
        for number in range(3)
    ]
    made.act(actions.enter_players, players=rows)
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    made.act(actions.set_registration, opened=True, contact_person=SECRETS["contact person"])
    made.act(
        actions.create_invite,
        invite=uuid4(),
        role="table_referee",
        label=SECRETS["label"],
        expires_at=timezone.now() + timedelta(hours=1),
    )
    add_stage(made, "match")
    recorded_round(made)
    made.act(actions.record_ruling, incident=uuid4(), text=SECRETS["incident"], ruling=SECRETS["ruling"])
    made.act(actions.remove_player, entry=made.uids[2], reason=SECRETS["reason"])
    return made


def found(archive: bytes, words: dict[str, str]) -> set[str]:
    """Which of the words are anywhere in the archive."""
    everything = b"".join(taken_apart(archive).values()).decode()
    return {what for what, word in words.items() if word in everything}


def test_an_archive_with_everything_holds_what_was_planted(told: Event) -> None:
    archive = archived(told.tournament)
    assert found(archive, SECRETS | PUBLIC) == SECRETS.keys() | PUBLIC.keys()


def test_without_personal_data_only_public_names_and_clubs_are_told(told: Event) -> None:
    archive = archived(told.tournament, People.PUBLIC_NAMES)
    assert found(archive, SECRETS) == set()
    assert found(archive, PUBLIC) == PUBLIC.keys()


def test_anonymous_tells_nobody(told: Event) -> None:
    archive = archived(told.tournament, People.ANONYMOUS)
    assert found(archive, SECRETS | PUBLIC) == set()
    names = [row["public_name"] for row in rows_in(taken_apart(archive), "entry")]
    assert names == ["Player 1", "Player 2", "Player 3"]


@pytest.mark.parametrize("people", [People.PUBLIC_NAMES, People.ANONYMOUS], ids=["public", "anonymous"])
def test_it_comes_back_with_the_same_standings_and_a_ledger_that_verifies(
    told: Event, people: People
) -> None:
    archive, before = archived(told.tournament, people), standings(told.tournament)
    forget_everything()
    brought(archive)
    back = Tournament.objects.get(uid=told.tournament.uid)
    assert verify(back) == []
    assert standings(back) == before
    assert set(Player.objects.values_list("birth_date", "contact")) == {(None, "")}
    assert set(Incident.objects.values_list("text", "ruling")) == {("", "")}
    assert brought(archive).already


def test_the_same_event_with_everything_is_known_for_the_one_that_is_here(told: Event) -> None:
    anonymous = archived(told.tournament, People.ANONYMOUS)
    assert brought(anonymous).already
    assert Player.objects.filter(contact=SECRETS["contact"]).count() == 3


def test_an_event_with_everything_comes_back_with_it(told: Event) -> None:
    comes_back(told.tournament)
    assert Player.objects.filter(contact=SECRETS["contact"]).count() == 3


def test_the_score_sheets_of_an_anonymous_archive_name_nobody(told: Event) -> None:
    files = taken_apart(archived(told.tournament, People.ANONYMOUS))
    sheet = json.loads(files["sheets/stage-1-table-1.json"])
    assert {player["name"] for player in sheet["players"]} == {"Player 1", "Player 2", "Player 3"}
