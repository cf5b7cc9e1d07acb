"""An exported archive comes back as it was, on any database."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from tests.actions.event.undo.test_any_evening import STEPS, Evening
from tests.depth import deep
from tests.ledger.test_purge import whole
from tests.support.archives import (
    archived,
    brought,
    comes_back,
    contents,
    forget_everything,
    standings,
)
from tests.support.factories import (
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions.people.roles import own_link_user
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Membership, Tournament, User
from tournament.practice.demo import DEMO_EVENTS

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_an_event_with_every_kind_of_row_comes_back() -> None:
    comes_back(whole().tournament)


def test_a_session_with_a_game_that_runs_comes_back() -> None:
    made = running_session(players=5)
    play = started_game(made, elapsed_s=60)
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=30)
    comes_back(made.tournament)


def test_a_match_with_corrections_and_voids_comes_back() -> None:
    made = running_match(players=4, tables=2)
    first, second = recorded_round(made), recorded_round(made)
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="miscounted “7”")
    made.act(
        actions.correct_round,
        play=second,
        version=made.play(second).version,
        winner=made.at(made.table)[1],
        hands={str(uid): {"wild4": 1} for uid in made.at(made.table) if uid != made.at(made.table)[1]},
        reason="the other way round",
    )
    comes_back(made.tournament)


def test_frozen_standings_come_back_frozen() -> None:
    made = running_match(players=4)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    back = comes_back(made.tournament)
    assert back.stages.get().frozen_after is not None


@pytest.mark.hypothesis  # evenings of chance: `make properties` tries all of them
@pytest.mark.parametrize("seed", range(deep(12)))
@pytest.mark.sweep
def test_any_evening_comes_back(seed: int) -> None:
    evening = Evening(seed)
    for _step in range(STEPS):
        evening.press()
    comes_back(Tournament.objects.get(pk=evening.made.tournament.pk))


@pytest.mark.sweep
def test_the_demo_comes_back_event_by_event() -> None:
    call_command("make_demo", verbosity=0)
    events = list(Tournament.objects.order_by("pk"))
    archives = [archived(each) for each in events]
    before = [standings(each) for each in events]
    forget_everything()
    for archive in archives:
        brought(archive)
    back = [Tournament.objects.get(uid=each.uid) for each in events]
    assert [standings(each) for each in back] == before
    assert [verify(each) for each in back] == [[]] * len(DEMO_EVENTS)
    assert [contents(archived(each)) for each in back] == [contents(archive) for archive in archives]


def test_the_same_event_gives_the_same_bytes() -> None:
    made = whole().tournament
    assert contents(archived(made)) == contents(archived(made))


OF_SCHEMA_1 = Path(__file__).parents[4] / "fixtures" / "archive" / "tite-1.zip"


def test_an_archive_of_the_first_schema_that_sqlite_wrote_is_read_by_every_version_on_every_database() -> (
    None
):
    archive = OF_SCHEMA_1.read_bytes()
    imported = brought(archive)
    back = Tournament.objects.get(uid=imported.tournament)
    assert verify(back) == []
    assert contents(archived(back, version=1)) == contents(archive)
    assert brought(archive).already


def test_what_goes_on_after_the_return_goes_on_in_the_same_ledger() -> None:
    made = running_match(players=4)
    recorded_round(made)
    made.tournament = comes_back(Tournament.objects.get(pk=made.tournament.pk))
    made.user = User.objects.create_superuser("new", password="a password for tests")
    made.stage = made.tournament.stages.get()
    made.refresh()
    recorded_round(made)
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


@pytest.mark.sweep
def test_every_public_page_is_the_same_in_every_byte() -> None:
    back = whole().tournament
    slug = back.slug
    pages = [f"/en/t/{slug}/", f"/fi/t/{slug}/players/", f"/sv/t/{slug}/bracket/", f"/en/t/{slug}/programme/"]
    pages += [f"/en/t/{slug}/stage/{stage.uid}/" for stage in back.stages.all()]
    pages += [f"/en/t/{slug}/player/{entry.uid}/" for entry in back.entries.taking_part()]

    def shown() -> list[bytes]:
        answers = [Client().get(page) for page in pages]
        assert {answer.status_code for answer in answers} == {200}
        return [answer.content for answer in answers]

    before = shown()
    comes_back(back)
    assert shown() == before


# Users that an import makes, and those that it leaves alone


def test_referees_come_back_as_users_who_cannot_sign_in() -> None:
    made = running_match(players=4)
    referee = made.referee()
    referee.first_name, referee.last_name, referee.email = "Rauha", "Salo", "rauha@example.org"
    referee.save()
    archive = archived(made.tournament)
    forget_everything()
    brought(archive)
    back = User.objects.get(uid=referee.uid)
    assert (back.display_name(), back.email, back.is_active, back.is_staff) == (
        "Rauha Salo",
        "",
        False,
        False,
    )
    assert not back.has_usable_password()
    assert Membership.objects.get(user=back).role == "head_referee"


def test_somebody_of_the_same_name_is_not_taken_for_a_referee_of_the_archive() -> None:
    made = running_match(players=4)
    archive = archived(made.tournament)
    names = set(User.objects.values_list("username", flat=True))
    forget_everything()
    strangers = {name: User.objects.create(username=name, first_name="Person") for name in names}
    brought(archive)
    assert not Membership.objects.filter(user__in=strangers.values()).exists()
    assert not LedgerRow.objects.filter(actor__in=strangers.values()).exists()


def test_players_who_wrote_by_their_links_are_still_the_players() -> None:
    made = event("mattel-108")
    made.act(actions.set_registration, opened=True)
    made.act(actions.register, entry=uuid4(), public_name="Aino", terms=True)
    actions.register(
        actions.Command(uuid4(), own_link_user()),
        made.tournament.uid, entry=uuid4(), public_name="Börje", terms=True,
    )  # fmt: skip
    archive = archived(made.tournament)
    forget_everything()
    own = own_link_user()  # this installation's
    brought(archive)
    actors = {row.actor for row in LedgerRow.objects.select_related("actor") if row.actor.writes_by_link}
    assert [actor.display_name() for actor in actors] == ["the player"]
    assert own not in actors
    comes_back(Tournament.objects.get())


# An event that is here already


def test_heats_of_which_one_is_missing_and_one_waits_for_a_second_look_come_back() -> None:
    made = add_stage(event("tite-2022", players=6), "heats", tables=2)
    play = recorded_heat(made, made.tables[1], advance=2)
    made.act(actions.ask_second_look_at, play=play)
    comes_back(made.refresh().tournament)


def test_a_round_comes_back_with_its_last_cards_and_who_drew_for_them() -> None:
    made = running_match(players=2, ruleset="tite-2022", kind="final")
    winner, other = made.uids
    asked = {"winner": winner, "hands": {str(other): {"1": 5}}, "last_cards": {"draw2": 2}, "drew": other}
    made.act(actions.record_round, table=made.table.uid, play=uuid4(), number=1, **asked)
    comes_back(made.refresh().tournament)
