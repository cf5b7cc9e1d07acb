"""My tables, who may open what, players who leave."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.desk import as_referee, open_page, text
from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event as new_event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.ledger.past import ENTRIES
from tournament.models import Call, Incident, Membership, Proposal
from tournament.permissions import ACTIONS
from tournament.views.desk.urls import urlpatterns

pytestmark = pytest.mark.django_db
TABLE_REFEREE = Membership.Role.TABLE_REFEREE


def queries(client: Client) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        page = client.get(reverse("desk"))
    assert page.status_code == 200
    return len(captured)


def test_the_desk_asks_the_database_as_often_for_three_tables_as_for_one() -> None:
    counts = []
    for tables in (1, 3):
        event = running_match(players=4 * tables, tables=tables)
        client = as_referee(event)
        recorded_round(event)
        counts.append(queries(client))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(("role", "links"), [("table_referee", False), ("head_referee", True)])
def test_head_referees_come_from_their_tables_to_all_tables(role: str, links: bool) -> None:
    made = running_match(players=4)
    board = reverse("organise-board", args=[made.tournament.slug])
    assert (f'href="{board}">All tables' in text(open_page(as_referee(made, role=role), "desk"))) is links


def test_each_event_has_its_rulings_and_its_results_in_excel() -> None:
    event = running_match(players=4)
    page = text(open_page(as_referee(event, role=TABLE_REFEREE), "desk"))
    for name in ("rulings", "workbook"):
        assert f'href="{reverse(name, args=[event.tournament.slug])}"' in page


def test_it_stays_true_by_itself_for_a_table_referee_too() -> None:
    event = running_match(players=4)
    page = open_page(as_referee(event, role=TABLE_REFEREE), "desk")
    assert f'data-live="{event.tournament.uid}"' in text(page)
    assert "data-live=" not in text(open_page(as_referee_of_nothing(), "desk"))


def test_who_may_organise_is_led_there_from_an_empty_desk() -> None:
    link = f'href="{reverse("organise")}">My events</a> </section>'
    assert link in text(open_page(as_referee_of_nothing(), "desk"))


def as_referee_of_nothing() -> Client:
    client = Client()
    client.force_login(UserFactory())
    return client


def test_what_is_played_comes_first_across_events_and_is_called_as_on_the_board() -> None:
    over, going, heats = (
        running_match(players=2, target=1),
        running_match(players=2),
        running_heats(players=4),
    )
    recorded_round(over)
    client = Client()
    client.force_login(StaffFactory())
    events = open_page(client, "desk").context["events"]
    states = {event.slug: {tile.state for tile in event.tiles} for event in events}
    assert states == {
        going.tournament.slug: {"running"},
        heats.tournament.slug: {"running"},
        over.tournament.slug: {"finished"},
    }
    assert events[-1].slug == over.tournament.slug


def test_what_is_over_stands_below_what_is_played_at_other_events() -> None:
    both, going = running_match(players=4, tables=2, target=1), running_match(players=2)
    recorded_round(both)
    client = Client()
    client.force_login(StaffFactory())
    page = open_page(client, "desk")
    events = page.context["events"]
    shown = [(event.slug, event.again, [tile.state for tile in event.tiles]) for event in events]
    assert shown[-1] == (both.tournament.slug, True, ["finished"])
    assert sorted(shown[:-1]) == sorted(
        [(both.tournament.slug, False, ["running"]), (going.tournament.slug, False, ["running"])]
    )
    assert text(page).count(reverse("rulings", args=[both.tournament.slug])) == 1


def test_an_entry_is_whatever_a_table_referee_does_to_a_play() -> None:
    not_plays = {
        "name_roles",
        "remove_player",
        "player_leaves",
        "readmit_player",
        "stop_match",
        "resume_match",
        "accept_play",
        "accept_plays",
        "contest_play",
        "decline_proposal",
        "record_penalty",
        "warn_player",
        "record_dispute",
        "record_ruling",
        "withdraw_incident",
        "call_referee",
        "take_back_call",
        "answer_call",
        "answer_ask",
        "undo_at_table",
        "give_table_minutes",
    }
    assert {
        name for name, declared in ACTIONS.items() if declared.least == TABLE_REFEREE
    } - not_plays == ENTRIES


def test_a_table_referee_sees_their_own_table_only() -> None:
    event = running_heats(players=8, tables=2)
    client = as_referee(event, role=TABLE_REFEREE, table=event.tables[1])
    page = text(client.get(reverse("desk")))
    assert str(event.tables[1].uid) in page
    assert str(event.tables[0].uid) not in page
    assert client.get(reverse("table", args=[event.tables[1].uid])).status_code == 200
    assert client.get(reverse("table", args=[event.tables[0].uid])).status_code == 404


@pytest.mark.parametrize(
    ("role", "board"), [("table_referee", False), ("head_referee", True), ("organiser", True)]
)
def test_an_event_without_seats_is_named_and_waited_for(role: str, board: bool) -> None:
    made = new_event(players=4)
    client = as_referee(made, role=role)
    page = text(client.get(reverse("desk")))
    assert made.tournament.name in page
    assert "Tables show here once seats are drawn." in page
    assert "No tables yet" not in page
    assert 'http-equiv="refresh"' in page
    for name in ("organise-board", "organise-players"):
        address = reverse(name, args=[made.tournament.slug])
        assert (f'href="{address}"' in page) == board
        assert (client.get(address).status_code == 200) == board
    add_stage(made, "match", start=False)
    page = text(client.get(reverse("desk")))
    assert str(made.table.uid) in page
    assert "once seats are drawn" not in page
    assert 'http-equiv="refresh"' not in page


def test_an_event_that_is_put_away_is_not_waited_for() -> None:
    made = new_event(rehearsal=True)
    client = as_referee(made)
    made.act(actions.put_away)
    page = text(client.get(reverse("desk")))
    assert made.tournament.name not in page
    assert "No tables yet" in page


def test_the_desk_asks_as_often_for_many_events_without_seats_as_for_one() -> None:
    counts = []
    referee = UserFactory()
    client = Client()
    client.force_login(referee)
    for _event in range(3):
        new_event().act(actions.grant_role, membership=uuid4(), user=referee.uid, role="head_referee")
        counts.append(queries(client))
    assert counts == [counts[0]] * 3


def test_staff_see_every_running_event_and_strangers_none() -> None:
    event = running_match()
    staff, stranger = Client(), Client()
    staff.force_login(StaffFactory())
    stranger.force_login(UserFactory())
    assert str(event.table.uid) in text(staff.get(reverse("desk")))
    assert "No tables yet" in text(stranger.get(reverse("desk")))


@pytest.mark.parametrize(
    ("players", "ruleset", "kind"), [(4, "tite-2022", "final"), (1, "mattel-108", "match")]
)
def test_a_table_that_cannot_be_scored_before_the_start_can_be_opened(
    players: int, ruleset: str, kind: str
) -> None:
    made = add_stage(new_event(ruleset, players), kind, start=False)
    client = as_referee(made)
    seat = {"table": made.table.uid, "entry": made.entries[0].uid, "what": "dispute", "row": 1}
    for pattern in urlpatterns:
        if "<uuid:table>" in str(pattern.pattern):
            wanted = {name: seat[name] for name in pattern.pattern.converters}
            assert client.get(reverse(pattern.name, kwargs=wanted)).status_code in {200, 302}, pattern.name
    assert "Aino" in text(open_page(client, "table", made.table.uid))


def test_the_running_game_stands_on_top() -> None:
    event = running_session(players=6, tables=3)
    event.act(
        actions.start_game,
        table=event.tables[2].uid,
        play=uuid4(),
        number=1,
        elapsed_s=1200,
    )
    page = text(as_referee(event).get(reverse("desk")))
    assert page.index(str(event.tables[2].uid)) < page.index(str(event.tables[0].uid))
    assert "20 min" in page


@pytest.mark.parametrize("searched", ["Aino", "3", "\x00", "%", "x" * 500])
def test_searching_the_desk(searched: str) -> None:
    event = running_heats(players=16, tables=8)
    page = as_referee(event).get(reverse("desk"), {"q": searched})
    assert page.status_code == 200
    if searched == "Aino":
        assert text(page).count('class="tile"') == 1


def test_search_finds_a_player_as_they_are_shown_beside_a_namesake() -> None:
    event = running_heats(players=16, tables=8)
    for entry, name in zip(event.entries, ("Åke", "Åke", "ÅKE B"), strict=False):
        event.act(actions.edit_entry, entry=entry.uid, public_name=name)
    referee = as_referee(event)
    found = {
        searched: text(referee.get(reverse("desk"), {"q": searched})).count('class="tile"')
        for searched in ("åke", "Åke #2", "åke b")
    }
    assert found == {"åke": 3, "Åke #2": 1, "åke b": 1}


OF_NO_EVENT = {"desk", "desk-send", "desk-outbox", "desk-accept", "desk-hand-over"}


def every_address(event: Event, play: UUID) -> Iterator[str]:
    now = {"table": event.table, "at": timezone.now()}
    note = {"tournament": event.tournament, "at": now["at"], "by": event.user, "kind": "penalty"}
    found = {
        "table": event.table.uid,
        "play": play,
        "entry": event.uids[0],
        "proposal": Proposal.objects.create(number=9, play=uuid4(), **now).uid,
        "call": Call.objects.create(**now).uid,
        "incident": Incident.objects.create(**note).uid,
        "slug": event.tournament.slug,
        "what": "dispute",
        "row": event.tournament.version,
    }
    for pattern in urlpatterns:
        if pattern.name in OF_NO_EVENT:
            continue
        wanted = {name: found[name] for name in pattern.pattern.converters}
        yield reverse(pattern.name, kwargs={**wanted, **pattern.default_args})


@pytest.mark.sweep
def test_strangers_get_404_everywhere_and_nobody_gets_in_without_signing_in() -> None:
    event = running_match()
    play = recorded_round(event)
    stranger = Client()
    stranger.force_login(UserFactory())
    for address in every_address(event, play):
        assert stranger.get(address).status_code == 404, address
        assert stranger.post(address, {"command": str(uuid4())}).status_code in {404, 405}, address
        answer = Client().get(address)
        assert answer.status_code == 302, address
        assert "/sign-in/" in answer["Location"]


@pytest.mark.sweep
def test_every_address_of_a_post_can_be_opened() -> None:
    for event, make in (
        (running_match(), recorded_round),
        (running_heats(), recorded_heat),
        (running_session(), started_game),
    ):
        play = make(event)
        client = as_referee(event)
        for address in every_address(event, play):
            assert client.get(address).status_code in {200, 302}, address


def test_pages_are_not_kept_and_the_device_has_a_name() -> None:
    event = running_match()
    page = as_referee(event).get(reverse("table", args=[event.table.uid]))
    assert "no-store" in page["Cache-Control"] or "private" in page["Cache-Control"]
    assert page.cookies["device"]["httponly"]


def test_names_are_shown_as_text() -> None:
    event = running_match(players=2)
    name = '<script>alert("x")</script> أهلا 🃏'
    event.act(actions.edit_entry, entry=event.uids[0], public_name=name, start_number=1)
    page = text(open_page(as_referee(event), "table", event.table.uid))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_form_without_its_token_says_what_to_do() -> None:
    event = running_match()
    client = Client(enforce_csrf_checks=True)
    client.force_login(event.referee())
    page = client.post(reverse("table-record", args=[event.table.uid]), {"command": str(uuid4())})
    assert page.status_code == 403
    assert "This form has expired" in text(page)
