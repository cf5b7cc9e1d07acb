"""A newcomer tries Lastcard without an account: in events of their own where nothing counts, for an hour."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.ledger.test_purge import everything
from tests.support.asking_actions import refusal
from tests.support.factories import StaffFactory, UserFactory, event, running_match
from tests.support.shared import shared_rows
from tournament import actions
from tournament.actions import Command
from tournament.actions.kernel.work import writing
from tournament.actions.people.tokens import make_token
from tournament.actions.upkeep import checks, practice as practising
from tournament.actions.upkeep.practice import PracticeFull, begin_practice
from tournament.jobs.upkeep import delete_practice_of, end_practice
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Invite, Membership, Play, Table, Tournament, User
from tournament.models.people import LASTS, MOST, NEWCOMER
from tournament.pages.calls import headed_by
from tournament.permissions import ACTIONS, may
from tournament.practice import events
from tournament.queries.practice_times import ends_at, events_of, until
from tournament.results.answer import stage_results
from tournament.results.faults import Forbidden
from tournament.views._access import PRACTISED_COOKIE
from tournament.views.desk.my_tables import tables_of

pytestmark = pytest.mark.django_db
TRY, END = "/en/try/", "/en/try/end/"


@dataclass
class Practice:
    """A newcomer and what was in the database before they came."""

    newcomer: User
    before: dict[str, list[dict[str, object]]]

    @property
    def match(self) -> Tournament:
        return events_of(self.newcomer)[0]

    @property
    def player(self) -> str:
        """The address of the player's own page."""
        return reverse("own", args=[token_for("player", events.player_in(self.newcomer.uid))])


@pytest.fixture(scope="module")
def practice(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Practice]:
    def make() -> Practice:
        running_match()
        begin_practice(uuid4(), no_events)  # whoever came first made the host
        end_practice(timezone.now() + LASTS)
        return Practice(before=everything(), newcomer=begin_practice(uuid4(), events.make))

    with shared_rows(django_db_blocker, make) as made:
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


def no_events(_visit: UUID, _host: User) -> list[UUID]:
    """Enough for tests that look at the newcomer alone."""
    return []


def newcomer() -> User:
    return begin_practice(uuid4(), no_events)


# ---- the events ----


def test_each_event_is_made_in_a_transaction_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's entry waits until all of them are there; what is interrupted is deleted in its time."""
    said: list[str] = []

    @contextmanager
    def told() -> Iterator[None]:
        said.append("begin")
        with writing():
            yield
        said.append("end")

    def make(visit: UUID, host: User) -> Iterator[UUID]:
        yield next(iter(events.make(visit, host)))
        said.append("second event")
        raise InterruptedError

    monkeypatch.setattr(practising, "writing", told)
    before = set(Tournament.objects.values_list("uid", flat=True))
    with pytest.raises(InterruptedError):
        begin_practice(visit := uuid4(), make)
    assert said == ["begin", "end", "begin", "end", "begin", "second event"]
    assert not User.objects.filter(uid=visit).exists()
    made = Tournament.objects.exclude(uid__in=before)
    assert made.count() == 1
    end_practice(timezone.now() + LASTS)
    assert not made.exists()


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
    _row, secret = make_token(
        staff, name="P", scope="read", tournament=None, expires_at=timezone.now() + LASTS
    )
    read = client.get("/api/v1/tournaments", headers={"Authorization": f"Bearer {secret}"}).json()
    assert read["results"]
    said = [client.get(address).content.decode() for address in ("/en/", "/en/organise/", "/en/desk/")]
    assert not [slug for slug in slugs if slug in "".join(said) + str(read)]
    administered = client.get(reverse("admin:tournament_tournament_changelist")).context["cl"].queryset
    assert not [row for row in administered if row.slug in slugs]
    assert not [row for row in headed_by(staff) if row.slug in slugs]
    assert not {table.stage.tournament.slug for table in tables_of(staff)} & slugs
    assert not [row for row in checks.to_check(timezone.now()) if row.slug in slugs]
    page = client.get(reverse("tournament", args=[practice.match.slug])).content.decode()
    assert "<strong>Practice</strong>" in page
    assert f'href="{TRY}"' in page


def test_two_servers_end_it_at_once(practice: Practice, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one has read, the other puts away and deletes before the first comes to it."""
    put_away, others = practising.put_away, iter([actions.put_away, lambda *_: delete_practice_of(events)])
    events = events_of(practice.newcomer)

    def late(command: Command, tournament: UUID) -> None:
        next(others, put_away)(command, tournament)
        put_away(command, tournament)

    monkeypatch.setattr(practising, "put_away", late)
    delete_practice_of(events)
    assert everything() == practice.before


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


def test_what_is_no_practice_never_ends(practice: Practice) -> None:
    rehearsal = event("tite-2022", players=3, rehearsal=True)
    rehearsal.act(
        actions.edit_tournament, name="Practice", starts_on=rehearsal.tournament.starts_on, listed=False,
        slug="practice-0123456789ab",
    )  # fmt: skip
    others = set(Tournament.objects.without_practice())
    end_practice(timezone.now() + timedelta(days=9))
    assert set(Tournament.objects.all()) == others
    assert until(rehearsal.tournament) is None


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
    with pytest.raises(Forbidden):
        make_token(who, name="P", scope="read", tournament=None, expires_at=timezone.now() + LASTS)
    made = running_match()
    role = {"membership": uuid4(), "user": who.uid, "role": "table_referee"}
    assert refusal(made, actions.grant_role, **role) == [("unknown_user", "/user")]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/en/organise/", 403), ("/en/organise/new/", 403), ("/en/organise/tokens/", 403), ("/en/admin/", 302),
     ("/en/organise/import-archive/", 403), ("/en/desk/", 200)],
    ids=["my events", "new event", "tokens", "admin", "archives", "desk"],
)  # fmt: skip
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
        for name in ("organise-board", "organise-roles", "organise-edit", "organise-archive")
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


def test_as_many_as_there_may_be(client: Client, practice: Practice) -> None:
    newcomers = [
        User(username=f"guest-newcomer-{number}", date_joined=practice.newcomer.date_joined)
        for number in range(MOST - 1)
    ]
    User.objects.bulk_create(newcomers)
    with pytest.raises(PracticeFull) as full:
        newcomer()
    assert 0 < full.value.seconds <= LASTS.total_seconds()
    answer = client.post(TRY, {"as": "player"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= full.value.seconds  # the clock goes on between the two
    assert "Watch an event meanwhile" in answer.content.decode()


def test_who_does_not_practise_now_takes_no_place(practice: Practice) -> None:
    over = practice.newcomer.date_joined - LASTS
    people = [User(username=f"{NEWCOMER}{uuid4()}", date_joined=over) for _ in range(MOST)]
    people += [User(username=f"person-of-today-{number}") for number in range(MOST)]
    User.objects.bulk_create(people)
    assert newcomer().is_newcomer


def test_what_is_full_makes_no_events_and_says_when_the_first_ends(practice: Practice) -> None:
    began = timezone.now()
    there = User.objects.filter(username__startswith=NEWCOMER)
    times = [began - timedelta(minutes=30), *[began] * (MOST - 1 - there.count())]

    def join() -> None:
        newcomers = [User(username=f"{NEWCOMER}{uuid4()}", date_joined=time) for time in times]
        User.objects.bulk_create(newcomers)

    def meanwhile(_visit: UUID, _host: User) -> list[UUID]:
        join()
        return []

    there.update(date_joined=began)
    for make in (meanwhile, events.make):  # others were quicker; they were here before
        tournaments = Tournament.objects.count()
        with pytest.raises(PracticeFull) as full:
            begin_practice(uuid4(), make)
        assert full.value.seconds <= LASTS.total_seconds() - 30 * 60
        assert Tournament.objects.count() == tournaments


def test_newcomer_is_a_guest_from_the_moment_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    came = timezone.now() - timedelta(minutes=5)
    monkeypatch.setattr("django.utils.timezone.now", lambda: came)
    who = User.objects.get(pk=newcomer().pk)
    assert (who.first_name, who.date_joined, who.has_usable_password()) == ("Guest", came, False)


def test_host_is_lastcard_and_nobody_signs_in_as_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practising, "HOST", uid := uuid4())

    def make(_visit: UUID, _host: User) -> list[UUID]:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        begin_practice(uuid4(), make)
    host = User.objects.get(uid=uid)
    assert (host.first_name, host.has_usable_password()) == ("Lastcard", False)


def test_sessions_that_are_over_go_and_others_stay() -> None:
    now = timezone.now()
    for key, ends in (("over", now), ("holds", now + timedelta(seconds=1))):
        Session.objects.create(session_key=key, expire_date=ends)
    practising.sessions_over(now)
    assert list(Session.objects.values_list("session_key", flat=True)) == ["holds"]


def test_one_address_begins_so_often(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.server.rate_limits.PracticeThrottle.rate", "1/hour")
    monkeypatch.setattr("tournament.views.public.practice.make", no_events)
    assert client.post(TRY, {"as": "referee"}).status_code == 302
    answer = Client().post(TRY, {"as": "referee"})
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 3000) == (429, True)
    assert Client(REMOTE_ADDR="192.0.2.7").post(TRY, {"as": "referee"}).status_code == 302
