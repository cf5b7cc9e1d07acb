"""A newcomer tries Lastcard without an account: in events of their own where nothing counts, for an hour."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.ledger.test_purge import everything
from tests.support.asking_actions import refusal
from tests.support.factories import StaffFactory, UserFactory, running_match
from tests.support.practising import END, TRY, Practice, no_events, practised
from tests.support.shared import shared_rows
from tournament import actions
from tournament.actions import Command
from tournament.actions.upkeep import to_check
from tournament.jobs.upkeep import end_practice
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Invite, Membership, Play, Table, Tournament, User
from tournament.models.people import LASTS
from tournament.pages.calls import headed_by
from tournament.permissions import ACTIONS, may
from tournament.practice.events import ends_at, events_of, until
from tournament.results.answer import stage_results
from tournament.results.faults import Forbidden
from tournament.views._answer import PRACTISED_COOKIE
from tournament.views.desk.my_tables import tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def practice(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Practice]:
    with shared_rows(django_db_blocker, practised) as made:
        yield made


@pytest.fixture(autouse=True)
def _shared(practice: Practice, db: None, settings: Any, tmp_path: Path) -> Iterator[None]:
    """Every test here sees the shared rows, on a server that offers practice and has counted nobody yet."""
    settings.TRY = True
    settings.DATA_DIR = tmp_path
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def guest(practice: Practice, client: Client) -> Client:
    """The newcomer's browser."""
    client.force_login(practice.newcomer)
    client.cookies[PRACTISED_COOKIE] = "1"
    return client


# ---- the events ----


def test_newcomer_referees_one_event_of_each_kind_in_the_middle_of_play(practice: Practice) -> None:
    rows = events_of(practice.newcomer)
    assert [row.ruleset for row in rows] == ["mattel-112", "kpgut-2016", "tite-2022"]
    roles = Membership.objects.filter(user=practice.newcomer)
    assert {(role.tournament_id, role.role, role.table_id) for role in roles} == {
        (row.pk, "table_referee", None) for row in rows
    }
    assert {table.stage.tournament_id for table in tables_of(practice.newcomer)} == {row.pk for row in rows}
    for row in rows:
        stage = row.stages.order_by("number")[0]
        assert stage.state == "running"
        assert Play.objects.filter(table__stage=stage).exists()
        assert stage_results(stage)
        assert verify(row) == []


def test_newcomer_enters_a_round_through_the_one_way_to_write(practice: Practice) -> None:
    table = Table.objects.get(stage__tournament=practice.match)
    seats = [seat.entry for seat in table.seats.order_by("position")]
    hands = {str(entry.uid): {"9": 1} for entry in seats[1:]}
    actions.record_round(
        Command(uuid4(), practice.newcomer),
        practice.match.uid,
        table=table.uid,
        play=uuid4(),
        number=4,
        winner=seats[0].uid,
        hands=hands,
    )
    assert Play.objects.filter(table=table, number=4).exists()
    assert verify(practice.match) == []


def test_practice_is_marked_and_kept_from_everybody_elses_lists(practice: Practice) -> None:
    staff, admin = StaffFactory(), StaffFactory(is_superuser=True)
    slugs = {row.slug for row in events_of(practice.newcomer)}
    assert all(row.rehearsal and not row.listed for row in events_of(practice.newcomer))
    client = Client()
    client.force_login(admin)
    said = [client.get(address).content.decode() for address in ("/en/", "/en/organise/", "/en/desk/")]
    assert not [slug for slug in slugs if slug in "".join(said)]
    assert not [row for row in headed_by(staff) if row.slug in slugs]
    assert not {table.stage.tournament.slug for table in tables_of(staff)} & slugs
    assert not [row for row in to_check(timezone.now()) if row.slug in slugs]
    page = client.get(reverse("tournament", args=[practice.match.slug])).content.decode()
    assert "<strong>Practice</strong>" in page
    assert f'href="{TRY}"' in page


@pytest.mark.parametrize("late", [False, True], ids=["before", "at the end"])
def test_practice_ends_after_an_hour_and_leaves_nothing(practice: Practice, late: bool) -> None:
    ends = [until(row) for row in events_of(practice.newcomer)]
    assert all(end and end >= ends_at(practice.newcomer) for end in ends)
    last = max(end for end in ends if end)
    end_practice(last if late else ends_at(practice.newcomer) - timedelta(seconds=1))
    if late:
        assert everything() == practice.before
    else:
        assert len(events_of(practice.newcomer)) == 3


# ---- the newcomer ----


def test_newcomer_does_nothing_outside_of_their_practice(practice: Practice) -> None:
    who = practice.newcomer
    other = Tournament.objects.without_practice().get()
    assert not who.has_usable_password()
    roles = {name: declared.least for name, declared in ACTIONS.items() if declared.least}
    assert not [action for action in roles if may(who, action, other)]
    allowed = {action for action in roles if may(who, action, practice.match)}
    assert allowed == {action for action, role in roles.items() if role == "table_referee"}
    with pytest.raises(Forbidden):
        actions.create_tournament(
            Command(uuid4(), who), uuid4(), name="Mine", starts_on=other.starts_on, ruleset="kpgut-2016"
        )
    made = running_match()
    role = {"membership": uuid4(), "user": who.uid, "role": "table_referee"}
    assert refusal(made, actions.grant_role, **role) == [("unknown_user", "/user")]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/en/organise/", 403), ("/en/organise/new/", 403), ("/en/desk/", 200)],
    ids=["my events", "new event", "desk"],
)
def test_newcomer_has_the_desk_and_no_page_of_an_account(guest: Client, address: str, status: int) -> None:
    assert guest.get(address).status_code == status


def test_newcomer_organises_nothing_and_sees_nobodys_desk(guest: Client, practice: Practice) -> None:
    other = Tournament.objects.without_practice().get()
    table = Table.objects.get(stage__tournament=other)
    found = [
        *(reverse(name, args=[other.slug]) for name in ("organise-board", "organise-roles", "rulings")),
        *(reverse(name, args=[table.uid]) for name in ("table", "table-record", "table-code")),
    ]
    assert {guest.get(address).status_code for address in found} == {404}
    own = [
        reverse(name, args=[practice.match.slug])
        for name in ("organise-board", "organise-roles", "organise-edit")
    ]
    assert {guest.get(address).status_code for address in own} == {403}


def test_newcomer_takes_an_invite_as_somebody_new(guest: Client, practice: Practice) -> None:
    made = running_match()
    made.act(actions.create_invite, invite=uuid4(), role="table_referee", expires_at=timezone.now() + LASTS)
    address = f"/en/i/{token_for('invite', Invite.objects.get().uid)}/"
    guest.post(address, {"command": str(uuid4()), "name": "Rauha"})
    member = Membership.objects.exclude(user=made.user).get(tournament=made.tournament)
    assert (member.user.display_name(), member.user.is_newcomer) == ("Rauha", False)
    assert guest.session["_auth_user_id"] == str(member.user.pk)


# ---- the pages ----


def test_without_the_switch_there_is_no_trace(client: Client, settings: Any) -> None:
    settings.TRY = None
    client.cookies[PRACTISED_COOKIE] = "1"
    assert {client.get(address).status_code for address in (TRY, END)} == {404}
    assert client.post(TRY, {"as": "referee"}).status_code == 404
    assert TRY not in client.get("/en/").content.decode()
    assert client.get("/en/desk/").headers["Location"].startswith("/en/sign-in/")


def test_front_page_leads_there_and_one_tap_begins(client: Client) -> None:
    assert f'href="{TRY}"' in client.get("/en/").content.decode()
    others = set(User.objects.values_list("pk", flat=True))
    answer = client.post(TRY, {"as": "referee"})
    assert answer.headers["Location"] == "/en/desk/"
    who = User.objects.exclude(pk__in=others).get()
    assert who.is_newcomer
    assert Session.objects.get(pk=client.session.session_key).expire_date == ends_at(who)
    page = client.get("/en/desk/").content.decode()
    assert "<strong>Practice</strong>" in page
    assert all(title in page for title in ("Match, table 1", "Session, table 1", "Heats, table 2"))
    answer = client.post(TRY, {"as": "player"})  # the same practice, in another tab
    assert User.objects.exclude(pk__in=others).get() == who
    assert "Table 1, seat 1" in client.get(answer.headers["Location"]).content.decode()


def test_begin_without_our_form_is_refused() -> None:
    assert Client(enforce_csrf_checks=True).post(TRY, {"as": "referee"}).status_code == 403


def test_time_is_up_then_every_page_of_it_says_so_and_offers_another(
    guest: Client, practice: Practice
) -> None:
    pages = [practice.player, reverse("tournament", args=[practice.match.slug])]
    assert {guest.get(page).status_code for page in pages} == {200}
    end_practice(timezone.now() + LASTS)
    answer = guest.get("/en/desk/")
    assert answer.headers["Location"] == TRY
    said = [guest.get(page) for page in pages]
    assert {page.status_code for page in said} == {404}
    for page in [*said, guest.get(TRY), guest.get("/en/sign-in/")]:
        assert "Your practice is over" in page.content.decode()
        assert "Start again" in page.content.decode()
    stranger = Client()
    assert "Your practice is over" not in stranger.get(pages[0]).content.decode()


def test_newcomer_ends_it_themselves(guest: Client, practice: Practice) -> None:
    assert "End practice now" in guest.get(TRY).content.decode()
    assert guest.get(END).headers["Location"] == TRY  # looking ends nothing
    assert len(events_of(practice.newcomer)) == 3
    guest.post(END)
    assert everything() == practice.before
    assert "_auth_user_id" not in guest.session


def test_who_signs_in_is_told_no_more_of_a_practice(client: Client) -> None:
    UserFactory(username="kim")
    client.cookies[PRACTISED_COOKIE] = "1"
    client.post("/en/sign-in/", {"username": "kim", "password": "a password for tests"})
    assert client.cookies[PRACTISED_COOKIE]["max-age"] == 0


def test_who_has_an_account_keeps_their_session(client: Client) -> None:
    staff = StaffFactory()
    client.force_login(staff)
    page = client.post(TRY, {"as": "referee"}).content.decode()
    assert "You are signed in as" in page
    client.post(END)
    assert client.session["_auth_user_id"] == str(staff.pk)


def test_one_address_begins_so_often(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.server.rate_limits.PracticeThrottle.rate", "1/hour")
    monkeypatch.setattr("tournament.views.public.practice.make", no_events)
    assert client.post(TRY, {"as": "referee"}).status_code == 302
    answer = Client().post(TRY, {"as": "referee"})
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 3000) == (429, True)
    assert Client(REMOTE_ADDR="192.0.2.7").post(TRY, {"as": "referee"}).status_code == 302
