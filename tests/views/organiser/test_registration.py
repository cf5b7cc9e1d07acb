"""Registration as an organiser runs it: set it up, say yes and no, give links out again, print badges."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.arriving import opened, own, registered, token_of
from tests.support.asking_actions import state_of
from tests.support.factories import Event, event
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.models import Entry, LedgerNote, LedgerRow, Registration, User
from tournament.views.organiser import registration as views

pytestmark = pytest.mark.django_db

State = Entry.State


def address(made: Event, name: str = "organise-registration") -> str:
    return reverse(name, args=[made.tournament.slug])


def shown(browser: Client, made: Event, name: str = "organise-registration") -> str:
    answer = browser.get(address(made, name))
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def made(organiser: User) -> Event:
    return event("tite-2022", user=organiser)


def test_one_press_opens_it_with_texts_to_start_from(browser: Browser, made: Event) -> None:
    answer = browser.send(address(made), "registration/", opened="1")
    assert answer.status_code == 303
    row = Registration.objects.get()
    assert row.opened
    assert "The referees may remove a player who disturbs the event." in row.terms
    assert "Everyone is welcome" in row.safer_space
    assert row.contact_person == "Outi Organiser"
    assert "Players can register" in shown(browser, made)
    browser.send(address(made), "registration/", opened="0")
    row.refresh_from_db()
    assert not row.opened


def test_texts_that_were_emptied_stay_empty(browser: Browser, made: Event) -> None:
    browser.send(address(made), "registration/", opened="0", terms="", contact_person="")
    form = Forms(shown(browser, made)).forms
    data = next(form["data"] for form in form if form["action"] == address(made))
    assert (data["terms"].strip(), data["contact_person"]) == ("", "")
    assert "welcome" in data["safer_space"]


def test_times_are_read_and_shown_in_the_zone_of_the_event(browser: Browser, organiser: User) -> None:
    made = event(user=organiser, time_zone="Pacific/Kiritimati")
    times = {
        "closes_at": "2099-01-02T10:00",
        "check_in_from": "2.1.2099 9.00",
        "check_in_until": "2099-01-02T11:30",
    }
    assert browser.send(address(made), "registration/", opened="1", **times).status_code == 303
    row = Registration.objects.get()
    assert row.closes_at is not None
    assert row.closes_at.isoformat() == "2099-01-01T20:00:00+00:00"
    page = shown(browser, made)
    for value in ("2099-01-02T10:00", "2099-01-02T09:00", "2099-01-02T11:30"):
        assert f'value="{value}"' in page


def test_a_time_that_occurs_twice_is_asked_about_and_its_answer_kept(browser: Browser, made: Event) -> None:
    night, choice = {"closes_at": "2026-10-25T03:30"}, "2026-10-25T01:30:00+00:00"
    answer = browser.send(address(made), "registration/", opened="1", **night)
    assert answer.status_code == 422
    assert f'name="clock-closes_at" value="{choice}">3:30, winter time (UTC+02:00)' in answer.content.decode()
    chosen = {**night, "clock-closes_at": choice}
    assert browser.send(address(made), "registration/", opened="1", **chosen).status_code == 303
    assert browser.send(address(made), "registration/", opened="1", most="9").status_code == 303
    row = Registration.objects.get()
    assert (row.closes_at and row.closes_at.isoformat(), row.most) == (choice, 9)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"most": "0"}, "most"),
        ({"most": "many"}, "most"),
        ({"closes_at": "soon"}, "closes_at"),
        ({"check_in_from": "2099-01-02T10:00", "check_in_until": "2099-01-02T09:00"}, "check_in_until"),
        ({"terms": "x" * 5001}, "terms"),
        ({"contact_person": "x" * 201}, "contact_person"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_nothing_typed_is_lost(
    browser: Browser, made: Event, typed: dict[str, str], field: str
) -> None:
    answer = browser.send(address(made), "registration/", opened="1", safer_space="Be kind", **typed)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'id="id_{field}_error"' in page
    assert "Be kind" in page
    assert not Registration.objects.exists()


def test_organiser_says_yes_and_no(browser: Browser, made: Event) -> None:
    opened(made, approval=True, most=3)
    first, second, third, fourth = (registered(made, name) for name in "ABCD")
    assert "Places taken: 3 of 3." in shown(browser, made)
    approve = address(made, "organise-approve")
    command = {"command": str(uuid4())}
    assert browser.post(approve, {**command, "entry": str(first)}).status_code == 303
    declined = browser.send(address(made), f"{second}/decline/", reason="Full of teams already")
    assert declined.status_code == 303
    assert [state_of(uid) for uid in (first, second, third, fourth)] == [
        "registered",
        "cancelled",
        "applied",
        "applied",
    ]
    assert LedgerNote.objects.get().text == "Full of teams already"
    browser.send(address(made), "approve/", entry=[str(third), str(fourth)])
    assert (state_of(third), state_of(fourth)) == ("registered", "registered")


def test_the_waiting_list_is_shown_in_order_and_one_can_be_taken_out_of_turn(
    browser: Browser, made: Event
) -> None:
    opened(made, most=1)
    first, second, third = (registered(made, name) for name in ("Aino", "Börje", "Cécile"))
    page = shown(browser, made)
    assert page.index("Börje") < page.index("Cécile")
    assert browser.send(address(made), f"{third}/take/").status_code == 303
    assert [state_of(uid) for uid in (first, second, third)] == ["registered", "waiting", "registered"]
    own(made, actions.cancel_self, first)
    assert "Cancelled or declined" in shown(browser, made)


def test_somebody_who_cancelled_meanwhile_is_no_error(browser: Browser, made: Event) -> None:
    opened(made, approval=True)
    uid = registered(made, "Aino")
    own(made, actions.cancel_self, uid)
    answer = browser.post(address(made, "organise-approve"), {"command": str(uuid4()), "entry": str(uid)})
    assert answer.status_code == 422
    assert "Aino is no longer asking to take part." in answer.content.decode()
    answer = browser.post(address(made, "organise-approve"), {"command": str(uuid4()), "entry": "nobody"})
    assert answer.status_code == 422


def test_head_referees_approve_and_see_no_settings(made: Event) -> None:
    opened(made, approval=True)
    uid = registered(made, "Aino")
    client = Client()
    client.force_login(made.referee())
    page = shown(client, made)
    assert "How players register" not in page
    assert "Decline" not in page
    answer = client.post(address(made, "organise-approve"), {"command": str(uuid4()), "entry": str(uid)})
    assert answer.status_code == 303
    assert client.post(address(made), {"opened": "0"}).status_code == 403
    for name in ("organise-decline", "organise-take", "organise-renew-link"):
        assert client.post(reverse(name, args=[uid])).status_code == 403


@pytest.mark.parametrize(
    "name", ["organise-registration", "organise-poster", "organise-badges", "organise-approve"]
)
def test_pages_are_for_the_people_who_run_the_event(made: Event, name: str) -> None:
    assert Client().get(address(made, name)).status_code == 302
    stranger = Client()
    stranger.force_login(event().referee())
    assert stranger.get(address(made, name)).status_code == 404


def test_poster_holds_the_short_address_and_its_code(browser: Browser, made: Event, settings: Any) -> None:
    settings.PUBLIC_URL = "https://uno.example.org"
    page = shown(browser, made, "organise-poster")
    assert f"uno.example.org/<wbr>j/<wbr>{made.tournament.slug}<" in page
    assert "<svg" in page
    assert "Registration is closed." in page
    opened(made)
    assert "Registration is closed." not in shown(browser, made, "organise-poster")


def test_badges_are_for_those_who_take_part_and_carry_the_public_id_alone(
    browser: Browser, made: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(made, most=3)
    aino, waits_not, left, waits = (registered(made, name) for name in ("Aino", "B" * 60, "Gone", "Waits"))
    made.act(actions.check_in, entries=[left])
    made.act(actions.set_registration, opened=True, most=3)
    Entry.objects.filter(uid=waits).update(state=State.WAITING)
    Entry.objects.filter(uid=left).update(state=State.LEFT)
    codes: list[str] = []

    def coded(address: str) -> str:
        codes.append(address)
        return "code"

    monkeypatch.setattr(views, "qr_svg", coded)
    page = shown(browser, made, "organise-badges")
    assert codes == [f"http://testserver/b/{uid}/" for uid in (aino, waits_not)]
    assert page.count('class="badge"') == 2
    assert "Gone" not in page
    assert token_of(aino) not in page
    made.act(actions.erase_person, entry=waits_not)
    page = shown(browser, made, "organise-badges")
    assert page.count('class="badge"') == 2
    assert "Player 2" not in page
    assert "Waits" in page  # moved up


def test_the_players_page_gives_the_own_link_out_again_and_ends_the_old_ones(
    browser: Browser, made: Event
) -> None:
    opened(made)
    uid = registered(made, "Aino")
    old = token_of(uid)
    player = reverse("organise-player", args=[uid])
    assert f"http://testserver/p/{old}/" in browser.get(player).content.decode()
    answer = browser.send(player, "renew-link/")
    assert answer.status_code == 303
    page = browser.get(answer["Location"]).content.decode()
    assert old not in page
    assert f"http://testserver/p/{token_of(uid)}/" in page
    assert Client().get(f"/en/p/{old}/").status_code == 404
    assert Client().get(f"/en/p/{token_of(uid)}/").status_code == 200


def test_looking_changes_nothing(browser: Browser, made: Event) -> None:
    opened(made, approval=True)
    uid = registered(made, "Aino")
    rows = LedgerRow.objects.count()
    for name in ("organise-decline", "organise-take", "organise-renew-link"):
        assert browser.get(reverse(name, args=[uid])).status_code == 302
    for name in ("organise-registration", "organise-poster", "organise-badges", "organise-approve"):
        assert browser.get(address(made, name)).status_code in {200, 302}
    assert LedgerRow.objects.count() == rows


def test_board_leads_to_registration_and_badges(browser: Browser, made: Event) -> None:
    page = shown(browser, made, "organise-board")
    assert address(made) in page
    assert address(made, "organise-badges") in page


@pytest.mark.parametrize("name", ["organise-registration", "organise-badges"])
def test_lists_ask_as_often_for_many_as_for_few(browser: Browser, made: Event, name: str) -> None:
    opened(made, approval=True, most=4)
    asked = []
    for step in range(3):
        for number in range(3):
            registered(made, f"Player {step} {number}")
        with CaptureQueriesContext(connection) as queries:
            shown(browser, made, name)
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert asked[0] <= 12


@pytest.mark.parametrize("text", ["\x00", "\u202e", "<b>x</b>", "%s", "{{ x }}", "x" * 6000])
@pytest.mark.sweep
def test_hostile_texts_are_answered(browser: Browser, made: Event, text: str) -> None:
    opened(made, approval=True)
    uid = registered(made, "Aino")
    fields = ("most", "closes_at", "check_in_from", "terms", "safer_space", "contact_person", "command")
    answers = [browser.send(address(made), "registration/", opened="1", **{name: text}) for name in fields]
    answers.append(browser.post(address(made, "organise-approve"), {"command": text, "entry": text}))
    answers.append(
        browser.post(reverse("organise-decline", args=[uid]), {"command": str(uuid4()), "reason": text})
    )
    assert {answer.status_code for answer in answers} <= {303, 422}
    assert not any("<b>x" in answer.content.decode() for answer in answers)


def test_closing_by_itself_is_said(browser: Browser, made: Event) -> None:
    opened(made, closes_at=timezone.now() - timedelta(minutes=1))
    assert "Closed automatically" in shown(browser, made)


def test_check_in_that_is_not_on_the_day_of_the_event_warns(browser: Browser, planned: Event) -> None:
    page = reverse("organise-registration", args=[planned.tournament.slug])
    assert "check themselves in before the day" not in browser.get(page).content.decode()
    early = datetime.combine(planned.tournament.starts_on - timedelta(days=7), time(9), UTC)
    opened(planned, check_in_from=early)
    assert "Players can check themselves in before the day of the event" in browser.get(page).content.decode()
    opened(planned, check_in_from=None, check_in_until=early)
    assert "Players cannot check themselves in on the day of the event" in browser.get(page).content.decode()
