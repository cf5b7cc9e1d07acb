"""Tournaments, entries, roles and stages are changed by their actions, and their refusals are shown in the form."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.support.admin_forms import added, address, changed, last
from tests.support.factories import Event, UserFactory, recorded_round
from tournament import actions
from tournament.models import Entry, Membership, Stage, Tournament

pytestmark = pytest.mark.django_db


def test_tournament_is_edited_by_its_action(browser: Client, championship: Event) -> None:
    answer = changed(browser, championship.tournament, name="New name", place="Oulu")
    assert answer.status_code == 302
    championship.refresh()
    assert (championship.tournament.name, championship.tournament.place) == ("New name", "Oulu")
    assert last(championship.tournament) == "edit_tournament"


def test_tournament_is_added_by_its_action(browser: Client) -> None:
    answer = added(
        browser,
        Tournament,
        name="Spring",
        starts_on="2027-05-01",
        ruleset="kpgut-2016",
        organiser_name="Club",
        listed="on",
    )
    assert answer.status_code == 302
    made = Tournament.objects.get(slug="spring-2027")
    assert last(made) == "create_tournament"


@pytest.mark.parametrize(
    "settings",
    ["[]", "1", "{", '{"target": NaN}', '{"target": [[[1]]]}', "[" * 400, "9" * 450, "x" * 5000, '{"x": 1}'],
)
def test_hostile_settings_are_an_error_in_the_form(
    browser: Client, championship: Event, settings: str
) -> None:
    planned = uuid4()
    championship.act(actions.plan_stage, stage=planned, kind="final")
    answer = changed(browser, Stage.objects.get(uid=planned), settings=settings)
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors


def test_settings_of_a_started_stage_stay(browser: Client, championship: Event) -> None:
    answer = changed(browser, championship.stage, settings='{"target": 400}')
    assert answer.status_code == 200
    assert championship.refresh().stage.settings == {"target": 300}


def test_stage_finishes_from_the_list(browser: Client, championship: Event) -> None:
    """A refusal is shown for the stage it belongs to; then the action is carried out."""
    selected = {"_selected_action": [championship.stage.pk], "action": "finish"}
    refused = browser.post(address(Stage, "changelist"), selected, follow=True)
    assert "The match is not over" in refused.content.decode()
    assert championship.refresh().stage.state == "running"
    recorded_round(championship)
    championship.act(actions.stop_match, table=championship.table.uid)
    browser.post(address(Stage, "changelist"), selected)
    assert championship.refresh().stage.state == "finished"
    assert last(championship.tournament) == "finish_stage"


def test_stage_is_planned_by_its_action(browser: Client, championship: Event) -> None:
    answer = added(
        browser,
        Stage,
        tournament=championship.tournament.pk,
        kind="final",
        name="",
        settings='{"target": 250}',
    )
    assert answer.status_code == 302
    assert last(championship.tournament) == "plan_stage"


def test_entry_is_added_changed_and_deleted_by_actions(browser: Client, championship: Event) -> None:
    tournament = championship.tournament
    assert (
        added(browser, Entry, tournament=tournament.pk, public_name="Late", club="Noppa").status_code == 302
    )
    entry = Entry.objects.get(public_name="Late")
    assert last(tournament) == "enter_players"
    assert changed(browser, entry, public_name="Later", birth_date="1990-01-31").status_code == 302
    entry.refresh_from_db()
    assert (entry.public_name, str(entry.player.birth_date)) == ("Later", "1990-01-31")
    assert last(tournament) == "edit_entry"
    assert browser.post(address(Entry, "delete", entry.pk), {"post": "yes"}).status_code == 302
    assert not Entry.objects.filter(pk=entry.pk).exists()
    assert last(tournament) == "withdraw_entry"


def test_entry_that_sits_is_not_deleted_and_the_page_says_why(browser: Client, championship: Event) -> None:
    entry = championship.entries[0]
    answer = browser.post(address(Entry, "delete", entry.pk), {"post": "yes"}, follow=True)
    assert answer.status_code == 200
    assert Entry.objects.filter(pk=entry.pk).exists()


def test_start_number_that_is_taken_is_said_at_its_field(browser: Client, championship: Event) -> None:
    answer = changed(browser, championship.entries[0], start_number=championship.entries[1].start_number)
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors


def test_role_is_given_and_taken_by_actions(browser: Client, championship: Event) -> None:
    person = UserFactory()
    tournament = championship.tournament
    answer = added(browser, Membership, tournament=tournament.pk, user=person.pk, role="head_referee")
    assert answer.status_code == 302
    role = Membership.objects.get(user=person)
    assert last(tournament) == "grant_role"
    again = added(browser, Membership, tournament=tournament.pk, user=person.pk, role="head_referee")
    assert again.status_code == 200
    assert browser.post(address(Membership, "delete", role.pk), {"post": "yes"}).status_code == 302
    assert last(tournament) == "revoke_role"


def test_last_organiser_stays(browser: Client, championship: Event) -> None:
    role = Membership.objects.get(role="organiser")
    answer = browser.post(address(Membership, "delete", role.pk), {"post": "yes"}, follow=True)
    assert "at least one organiser" in answer.content.decode()
    assert Membership.objects.filter(pk=role.pk).exists()
