"""Each link lets its holder do what docs/organisers.md says, and nothing else: every action against every link."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.support.arriving import by_link, opened, token_of
from tests.support.factories import Event, add_stage, event, recorded_round, running_match, running_race
from tests.support.shared import shared_rows
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.actions.people.roles import own_link_user
from tournament.links import token_for
from tournament.models import Ask, Entry, LedgerRow, Membership, Play, Proposal
from tournament.permissions import ACTIONS
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db

# The powers of each link (docs/organisers.md, "Reference: what each code may do"). `event` is the address of the
# registration: it holds no secret, and registering asks that it is open. `short` is a table's code to type.
MAY: dict[str, frozenset[str]] = {
    "badge": frozenset(),
    "player": frozenset(
        {
            "check_in_self",
            "come_late",
            "cancel_self",
            "leave_self",
            "come_back_self",
            "change_own_entry",
            "erase_self",
        }
    ),
    "invite": frozenset({"take_role"}),
    "table": frozenset(
        {
            "accept_play_at_table",
            "accept_plays_at_table",
            "contest_play_at_table",
            "call_at_table",
            "propose_result",
            "withdraw_proposal",
            "answer_ask_at_table",
        }
    ),
    "stage": frozenset({"sit_down"}),
    "ask": frozenset(),
    "short": frozenset({"ask_to_join"}),
    "hello": frozenset({"say_hello"}),
    "event": frozenset({"register"}),
}


def invited(made: Event) -> str:
    uid = uuid4()
    until = timezone.now() + timedelta(hours=1)
    made.act(actions.create_invite, invite=uid, role=Membership.Role.TABLE_REFEREE, expires_at=until)
    return token_for("invite", uid)


def asked(made: Event) -> Ask:
    return Ask.objects.create(table=made.table, number=made.table.link_number, at=timezone.now())


def play_of(made: Event) -> dict[str, Any]:
    row = Play.objects.get(table__stage__tournament=made.tournament)
    return {"play": row.uid, "version": row.version}


MORE: dict[str, Callable[[Event], dict[str, Any]]] = {
    "change_own_entry": lambda _made: {"public_name": "Changed"},
    "accept_play_at_table": play_of,
    "accept_plays_at_table": lambda made: {"plays": [play_of(made)]},
    "contest_play_at_table": play_of,
    "propose_result": lambda _made: {"proposal": uuid4(), "play": uuid4(), "number": 2, "fields": {}},
    "answer_ask_at_table": lambda made: {"ask": asked(made).uid, "yes": True},
    "sit_down": lambda made: {"entries": made.uids[:2]},
    "withdraw_proposal": lambda made: {"proposal": Proposal.objects.get(table=made.table).uid},
}


def table_token(made: Event) -> str:
    return token_for("table", made.table.uid)


TOKENS: dict[str, Callable[[Event], str]] = {
    "badge": lambda made: str(made.uids[0]),
    "player": lambda made: token_of(made.uids[0]),
    "hello": lambda made: token_for("hello", made.tournament.uid),
    "invite": invited,
    "table": table_token,
    "ask": lambda made: token_for("ask", asked(made).uid),
    "stage": lambda made: token_for("stage", made.stage.uid),
}
PLAYERS = sorted(MAY["player"])
WITH_TOKEN = sorted(frozenset.union(*(MAY[link] for link in TOKENS)))


def action_of(name: str) -> Callable[..., Receipt]:
    found: Callable[..., Receipt] = getattr(actions, name)
    return found


def seated(**more: Any) -> Event:
    """An event before play, with two players who have seats, whom its links are for."""
    made = add_stage(event("kpgut-2016", 2), "session", start=False)
    return opened(made, check_in_from=timezone.now() - timedelta(hours=1), **more)


def in_play() -> Event:
    """A match with a round that the players may accept or contest, and a result that they propose."""
    made = running_match(players=2)
    opened(made, check_in_from=timezone.now() - timedelta(hours=1))
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    recorded_round(made)
    token = table_token(made)
    by_link(made, actions.propose_result, token=token, proposal=uuid4(), play=uuid4(), number=2, fields={})
    return made


def open_tables() -> Event:
    made = running_race(2)
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"open": True})
    return opened(made)


EVENTS: dict[str, Callable[[], Event]] = {
    "open tables": open_tables,
    "match": lambda: running_match(players=2),
    "seated": seated,
    "in play": in_play,
}


@pytest.fixture(scope="module")
def events(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Event]]:
    """The events that the tests of this module share."""
    with shared_rows(django_db_blocker, lambda: {kind: make() for kind, make in EVENTS.items()}) as made:
        yield made


@pytest.fixture(autouse=True)
def own_view(events: dict[str, Event], db: None) -> dict[str, Event]:
    """This test's own view of them."""
    return deepcopy(events)


def test_every_action_of_a_link_belongs_to_one() -> None:
    allowed = [action for actions in MAY.values() for action in actions]
    assert sorted(allowed) == sorted(name for name, declared in ACTIONS.items() if declared.by_link)


@pytest.mark.parametrize("name", sorted(name for name, declared in ACTIONS.items() if declared.least))
@pytest.mark.sweep
def test_no_link_does_what_a_role_may(name: str, own_view: dict[str, Event]) -> None:
    """A person who comes by a link alone acts as the user of all own links, who never has a role."""
    made = own_view["match"]
    rows = LedgerRow.objects.count()
    for table in ({}, {"table": made.table.uid}):
        with pytest.raises(Forbidden):
            by_link(made, action_of(name), **table)
    assert LedgerRow.objects.count() == rows
    assert not Membership.objects.filter(user=own_link_user()).exists()


@pytest.mark.parametrize("link", sorted(TOKENS))
@pytest.mark.parametrize("name", WITH_TOKEN)
@pytest.mark.sweep
def test_of_all_links_only_the_right_one_does_what_it_may(
    name: str, link: str, own_view: dict[str, Event]
) -> None:
    play = "open tables" if name == "sit_down" else "in play"
    made = own_view[play if name in MAY["table"] | MAY["stage"] else "seated"]
    if name == "leave_self":
        made.act(actions.check_in, entries=made.uids)
    if name == "come_back_self":
        made.act(actions.player_leaves, entry=made.uids[0])
    token = TOKENS[link](made)
    more = MORE[name](made) if name in MORE else {}
    actor = made.referee() if name == "take_role" else own_link_user()
    rows = LedgerRow.objects.count()

    def tried() -> Receipt:
        return action_of(name)(Command(uuid4(), actor), made.tournament.uid, token=token, **more)

    if name in MAY[link]:
        tried()
        assert LedgerRow.objects.count() == rows + 1
    else:
        with pytest.raises(Refused):
            tried()
        assert LedgerRow.objects.count() == rows


def test_an_own_link_is_for_one_player_of_one_event() -> None:
    made, other = seated(), seated()
    for name in PLAYERS:
        with pytest.raises(Forbidden):
            by_link(
                other,
                action_of(name),
                token=token_of(made.uids[0]),
                **(MORE[name](made) if name in MORE else {}),
            )
    by_link(made, actions.come_late, token=token_of(made.uids[0]))
    assert list(Entry.objects.filter(state=Entry.State.LATE).values_list("uid", flat=True)) == [made.uids[0]]


def test_the_address_of_registration_does_nothing_while_it_is_closed() -> None:
    made = event()
    with pytest.raises(Refused):
        by_link(made, actions.register, entry=uuid4(), public_name="Aino", terms=True)


# ---- badges ----


def scanned(uid: UUID, user: Any = None) -> Any:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(f"/b/{uid}/", headers={"accept-language": "en"})


def test_a_badge_leads_everybody_to_the_public_page() -> None:
    made = running_match(players=2)
    public = f"/en/t/{made.tournament.slug}/player/{made.uids[0]}/"
    referee = made.referee(Membership.Role.TABLE_REFEREE)
    stranger = event().user
    stranger.is_staff = False
    stranger.save(update_fields=["is_staff"])
    for user in (None, referee, stranger):
        answer = scanned(made.uids[0], user)
        assert (answer.status_code, answer["Location"]) == (302, public)


def test_a_badge_leads_who_runs_the_event_to_the_check_in() -> None:
    made = running_match(players=2)
    for user in (made.user, made.referee(Membership.Role.HEAD_REFEREE)):
        answer = scanned(made.uids[0], user)
        assert (answer.status_code, answer["Location"]) == (
            302,
            f"/en/organise/player/{made.uids[0]}/arrive/",
        )


def test_a_scan_changes_nothing_and_nothing_can_be_sent_there() -> None:
    made = running_match(players=2)
    rows = LedgerRow.objects.count()
    client = Client()
    client.force_login(made.user)
    assert client.get(f"/b/{made.uids[0]}/", follow=True).status_code == 200
    assert client.post(f"/b/{made.uids[0]}/").status_code == 405
    assert LedgerRow.objects.count() == rows


def test_a_badge_of_nobody_who_takes_part_is_a_404() -> None:
    made = opened(event(rehearsal=True, listed=False, players=2), most=1)
    Entry.objects.filter(uid=made.uids[0]).update(state=Entry.State.WAITING)
    assert scanned(made.uids[0]).status_code == 404
    assert scanned(uuid4()).status_code == 404
    made.act(actions.put_away)
    assert scanned(made.uids[1], made.user).status_code == 404


def test_nobody_signs_in_as_the_user_of_own_links() -> None:
    user = own_link_user()
    assert not user.has_usable_password()
    assert not Client().login(username=user.username, password="")


def test_a_signed_in_organiser_needs_the_token_too() -> None:
    made = seated()
    with pytest.raises(Forbidden):
        actions.come_late(Command(uuid4(), made.user), made.tournament.uid, token=str(made.uids[0]))
