"""Tournaments, players, entries and roles are changed by their actions, and their refusals are shown in the form."""

import pytest
from django.test import Client

from tests.support.admin_forms import added, address, changed, form_data, last
from tests.support.factories import Event, StaffFactory, UserFactory, event
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, Membership, Player, Tournament

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


def test_player_is_added_by_the_action_of_the_organisers_page(browser: Client) -> None:
    """With a nickname that everybody sees; a club may stand behind a comma, as in a list."""
    tournament = event("tite-2022").tournament
    for name, nickname, club, shown in (
        ("Maija Meri", "Myrsky", "Noppa", ("Myrsky", "Maija Meri", "Noppa")),
        ("Olli, Kerho", "", "", ("Olli", "Olli", "Kerho")),
    ):
        answer = added(browser, Player, tournament=tournament.pk, name=name, nickname=nickname, club=club)
        assert answer.status_code == 302
        entry = Entry.objects.select_related("player").latest("pk")
        assert (entry.public_name, entry.player.name, entry.club) == shown
        assert (entry.tournament, last(tournament)) == (tournament, "enter_players")
        assert browser.get(address(Player, "change", entry.player.pk)).status_code == 200
    tournament.refresh_from_db()
    assert verify(tournament) == []


def test_a_name_that_looks_private_is_asked_about(browser: Client) -> None:
    tournament = event("tite-2022").tournament
    for model, field, more in ((Entry, "public_name", {}), (Player, "nickname", {"name": "Aino"})):
        name = f"040 123456 {field}"
        typed = {"tournament": tournament.pk, field: name, **more}
        asked = added(browser, model, **typed)
        assert f"Everyone will see “{name}”." in asked.content.decode()
        assert 'type="checkbox" name="public_name_is_right"' in asked.content.decode()
        assert added(browser, model, **typed, public_name_is_right="on").status_code == 302
        row = Entry.objects.get(public_name=name)
        assert 'name="public_name_is_right"' in changed(browser, row, public_name="a@b.fi").content.decode()
        assert (
            changed(browser, row, public_name=f"a@{field}.fi", public_name_is_right="on").status_code == 302
        )


def test_a_player_of_the_same_name_is_asked_about(browser: Client, championship: Event) -> None:
    typed = {"tournament": championship.tournament.pk, "name": "AINO"}
    asked = added(browser, Player, **typed)
    assert "AINO is already in the event." in asked.content.decode()
    assert 'type="checkbox" name="namesake"' in asked.content.decode()
    assert added(browser, Player, **typed, namesake="on").status_code == 302


def test_a_minor_is_shown_as_a_number_and_the_page_says_so(browser: Client) -> None:
    """In the reader's language; the name comes back when the birth date is corrected."""
    entry = event("tite-2022", players=1, language="fi").entries[0]
    page = address(Entry, "change", entry.pk)
    for birth_date, shown, said in (("2015-01-31", "Pelaaja 1", ["Aino"]), ("1995-01-31", "Aino", [])):
        data = form_data(browser.get(page)) | {"birth_date": birth_date}
        answer = browser.post(page, data, follow=True)
        entry.refresh_from_db()
        messages = [str(message) for message in answer.context["messages"]]
        assert entry.public_name == shown
        assert [
            name for name in said if f"everyone sees “{shown}” instead of “{name}”" in messages[0]
        ] == said
        assert len(messages) == len(said) + 1


def test_player_sent_twice_is_added_once(browser: Client, championship: Event) -> None:
    page = browser.get(address(Player, "add"), {"tournament": championship.tournament.pk})
    data = form_data(page) | {"name": "Once"}
    assert int(data["tournament"]) == championship.tournament.pk
    for _time in range(2):
        assert browser.post(address(Player, "add"), data).status_code == 302
    assert Player.objects.filter(name="Once").count() == 1


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("name", "x" * 101), ("nickname", "x" * 101), ("club", "x" * 101)]
)
def test_player_that_cannot_be_added_is_said_at_the_field_and_stays_typed(
    browser: Client, championship: Event, field: str, value: str
) -> None:
    typed = {"tournament": championship.tournament.pk, "name": "Maija", "club": "Noppa", field: value}
    answer = added(browser, Player, **typed)
    assert answer.status_code == 200
    form = answer.context["adminform"].form
    assert list(form.errors) == [field]
    assert {name: form[name].value() for name in typed} == {name: str(each) for name, each in typed.items()}


def test_only_those_who_organise_an_event_may_add_to_it(championship: Event) -> None:
    """Nobody adds to an event that was put away, nor staff to others' events."""
    other = event("tite-2022", players=1)
    away = event("tite-2022", user=championship.user, name="Away")
    away.act(actions.put_away)
    staff = Client()
    staff.force_login(championship.user)
    form = staff.get(address(Player, "add")).context["adminform"].form
    assert list(form.fields["tournament"].queryset) == [championship.tournament]
    answer = added(staff, Player, tournament=other.tournament.pk, name="Maija")
    assert list(answer.context["adminform"].form.errors) == ["tournament"]
    without = Client()
    without.force_login(StaffFactory())
    assert without.get(address(Player, "add")).status_code == 403


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
    asked = browser.get(address(Entry, "delete", entry.pk))
    assert (asked.status_code, "permission" in asked.content.decode()) == (200, False)
    answer = browser.post(address(Entry, "delete", entry.pk), {"post": "yes"}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        f"{entry.public_name} has a seat or has played. Mark them as left instead."
    ]
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
    role = Membership.objects.get(tournament=championship.tournament, role="organiser")
    answer = browser.post(address(Membership, "delete", role.pk), {"post": "yes"}, follow=True)
    assert "at least one organiser" in answer.content.decode()
    assert Membership.objects.filter(pk=role.pk).exists()
