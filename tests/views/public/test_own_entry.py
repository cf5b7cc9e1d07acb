"""A player's own page: how one stands, in words, and what one can do there; nothing for anybody without the link."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.arriving import opened, own, registered, token_of
from tests.support.asking_actions import refusal, state_of
from tests.support.factories import (
    add_stage,
    event,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.links import token_for
from tournament.live.pages import store
from tournament.models import Entry, LedgerRow
from tournament.server.rate_limits import LinkThrottle

pytestmark = pytest.mark.django_db

State = Entry.State


def address(uid: UUID, rest: str = "") -> str:
    return f"/en/p/{token_of(uid)}/{rest}"


def page(uid: UUID, rest: str = "") -> str:
    answer = Client().get(address(uid, rest))
    assert answer.status_code == 200
    return str(answer.content.decode())


def tap(uid: UUID, ending: str, rest: str = "", **typed: Any) -> Any:
    """Send the form of the own page whose address ends with this."""
    return Browser().send(address(uid, rest), ending, **typed)


def test_page_is_for_nobody_else() -> None:
    made = event(players=1)
    answer = Client().get(address(made.uids[0]))
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "strict-origin"  # never the address, not even to ourselves
    assert "noindex" in answer["X-Robots-Tag"]
    assert store.last(address(made.uids[0])) is None


@pytest.mark.parametrize("rest", ["", "data/", "leave/", "late/", "check-in/", "anything/"])
def test_a_token_that_does_not_hold_is_a_friendly_404(rest: str) -> None:
    made = event(players=1)
    uid = made.uids[0]
    old = token_of(uid)
    made.act(actions.renew_link, entry=uid)
    for token in (old, token_for("invite", uid), str(uid), "x" * 43, "ä%00"):
        answer = Client().get(f"/en/p/{token}/{rest}")
        assert answer.status_code == 404
        assert "This link no longer works" in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]


def test_short_address_leads_to_the_page_in_the_language_of_the_phone() -> None:
    token = token_of(event(players=1).uids[0])
    answer = Client().get(f"/p/{token}/", headers={"accept-language": "fi"})
    assert (answer.status_code, answer["Location"]) == (302, f"/fi/p/{token}/")
    assert answer["Referrer-Policy"] == "strict-origin"


def test_page_says_how_one_stands() -> None:
    made = opened(most=1, approval=True)
    first, second, third = (registered(made, name) for name in "ABC")
    assert "You have asked to take part" in page(first)
    assert "Number 1 on the waiting list" in page(second)
    assert "Number 2 on the waiting list" in page(third)
    made.act(actions.approve_entries, entries=[first])
    assert "You are registered" in page(first)
    own(made, actions.cancel_self, first)
    assert "You are not taking part" in page(first)
    assert "You have asked to take part" in page(second)
    assert "Number 1 on the waiting list" in page(third)


@pytest.mark.parametrize("state", State.values)
def test_every_way_of_standing_has_its_words(state: str) -> None:
    made = event(players=1)
    Entry.objects.update(state=state)
    assert "own__state" in page(made.uids[0])


def test_page_shows_table_seat_and_who_sits_there_clockwise() -> None:
    made = running_match(players=4)
    shown = page(made.uids[1])
    assert "Table 1, seat 2" in shown
    names = [entry.public_name for entry in made.entries]
    places = [shown.index(f"<bdi>{names[index]}</bdi>", shown.index("clockwise")) for index in (2, 3, 0)]
    assert places == sorted(places)


def test_players_check_themselves_in_while_it_is_time() -> None:
    made = event(players=1)
    uid = made.uids[0]
    assert "Check in at the desk" in page(uid)
    start = timezone.now() + timedelta(hours=1)
    opened(made, check_in_from=start, check_in_until=start + timedelta(hours=1))
    assert "You can check in here from" in page(uid)
    assert "I am here" not in page(uid)
    opened(made, check_in_from=timezone.now() - timedelta(hours=1))
    assert tap(uid, "check-in/").status_code == 303
    assert state_of(uid) == State.CHECKED_IN
    assert "You are checked in" in page(uid)
    assert "I am here" not in page(uid)


def test_check_in_times_are_in_the_zone_of_the_event() -> None:
    made = opened(
        event(players=1, time_zone="Pacific/Kiritimati"),
        check_in_from=datetime(2099, 1, 1, 4, 0, tzinfo=UTC),
    )
    assert "1 Jan 2099 18:00" in page(made.uids[0])


def test_check_in_that_ended_meanwhile_says_so() -> None:
    made = event(players=1)
    uid = made.uids[0]
    answer = Client().post(address(uid, "check-in/"), {"command": str(uuid4())})
    assert answer.status_code == 422
    assert "Self check-in is closed." in answer.content.decode()


def test_i_come_late_and_i_cannot_come() -> None:
    made = opened(event(players=2), most=2)
    uid = made.uids[0]
    assert tap(uid, "late/").status_code == 303
    assert "Running late" in page(uid)
    done = Client().get(f"{address(uid)}?saved={LedgerRow.objects.latest('sequence').sequence}")
    assert "Saved on the server" in done.content.decode()
    assert "Saved on the server" not in page(uid)
    spelled_out = page(uid, "leave/")
    assert "You are no longer on the list of players." in spelled_out
    assert "Your place goes to the first" not in spelled_out  # nobody waits
    assert state_of(uid) == State.LATE
    assert tap(uid, "", "leave/").status_code == 303
    assert state_of(uid) == State.CANCELLED
    assert Client().get(address(uid, "leave/")).status_code == 302  # nothing left to leave
    assert tap(uid, "back/").status_code == 303
    assert state_of(uid) == State.REGISTERED


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: running_match(players=3), "You are out from round 1 on and listed last as “left”"),
        (lambda: running_session(players=3), "The games you have played count"),
        (lambda: running_heats(players=4), "You cannot go through from this heat"),
        (
            lambda: add_stage(event("kpgut-2016", 3), "session", start=False),
            "Your seat is free for someone else.",
        ),
    ],
)
def test_what_leaving_means_at_the_table_is_spelled_out_first(made: Any, words: str) -> None:
    uid = made().uids[0]
    rows = LedgerRow.objects.count()
    assert words in page(uid, "leave/")
    assert LedgerRow.objects.count() == rows
    tap(uid, "", "leave/")
    assert state_of(uid) in {State.LEFT, State.CANCELLED}


def test_who_is_in_a_game_is_told_whom_to_tell() -> None:
    made = running_session(players=3)
    started_game(made)
    uid = made.uids[0]
    shown = page(uid, "leave/")
    assert "First tell the referee there" in shown
    assert "I am leaving now" not in shown
    answer = Client().post(address(uid, "leave/"), {"command": str(uuid4())})
    assert answer.status_code == 422
    assert "Tell the referee at your table" in answer.content.decode()


def test_own_data_are_shown_and_changed() -> None:
    made = opened()
    uid = registered(made, "Aino", real_name="Aino Mäkelä", contact="040")
    shown = page(uid, "data/")
    assert "Aino Mäkelä" in shown
    assert "040" in shown
    assert tap(uid, "", "data/", public_name="Äinö", club="Korpi", birth_date="1.2.1990").status_code == 303
    entry = Entry.objects.select_related("player").get(uid=uid)
    assert (entry.public_name, entry.club, str(entry.player.birth_date)) == ("Äinö", "Korpi", "1990-02-01")
    public = Client().get(f"/en/t/{made.tournament.slug}/player/{uid}/").content.decode()
    assert "Äinö" in public
    assert not any(word in public for word in ("Mäkelä", "040", "1990"))


def test_a_nickname_that_looks_private_is_asked_about() -> None:
    uid = registered(opened(), "Aino")
    typed = {"public_name": "040 123 4567", "club": "Korpi"}
    asked = tap(uid, "", "data/", **typed).content.decode()
    assert 'type="checkbox" name="public_name_is_right"' in asked
    assert tap(uid, "", "data/", **typed, public_name_is_right="on").status_code == 303
    assert Entry.objects.get(uid=uid).public_name == "040 123 4567"


def test_a_minor_reads_why_others_see_a_number_and_chooses_a_nickname_until_play_begins() -> None:
    made = opened()
    uid = registered(made, "Aino", real_name="Aino", birth_date=date(2015, 5, 5), guardian=True)
    assert "Others see Player 1" in page(uid)
    assert "You are under 18 and your nickname was your real name, so it is not shown." in page(uid)
    assert f'href="{address(uid, "data/")}">Choose a nickname' in page(uid)
    assert (
        tap(uid, "", "data/", public_name="Nick", real_name="Aino", birth_date="2015-05-05").status_code
        == 303
    )
    assert "Others see" not in page(uid)


def test_own_data_that_do_not_fit_are_said_at_the_field() -> None:
    made = opened()
    registered(made, "Taken")
    uid = registered(made, "Aino")
    answer = tap(uid, "", "data/", public_name="taken", club="Korpi", birth_date="2015-05-05")
    assert answer.status_code == 422
    said = answer.content.decode()
    assert 'id="id_public_name_error"' in said
    assert 'id="id_guardian_error"' in said
    assert 'value="Korpi"' in said
    assert Entry.objects.get(uid=uid).public_name == "Aino"


def test_the_nickname_cannot_be_typed_once_play_began() -> None:
    made = running_match(players=2)
    uid, name = made.uids[0], made.entries[0].public_name
    assert "This cannot change now that play has begun." in page(uid, "data/")
    Client().post(address(uid, "data/"), {"command": str(uuid4()), "public_name": "Other", "club": "Korpi"})
    entry = Entry.objects.get(uid=uid)
    assert (entry.public_name, entry.club) == (name, "Korpi")


def test_the_link_of_an_entry_that_was_merged_away_leads_to_the_one_that_stays() -> None:
    made = opened(event(players=2))
    twice, keep = registered(made, "Aino M"), made.uids[0]
    undone = made.act(actions.merge_entries, keep=keep, other=twice)
    answer = Client().get(address(twice), follow=True)
    assert answer.redirect_chain == [(f"/en/t/{made.tournament.slug}/player/{keep}/", 302)]
    assert answer.status_code == 200
    late = Client().post(address(twice, "back/"), {"command": str(uuid4())})
    assert (late.status_code, Entry.objects.get(uid=twice).state) == (422, "cancelled")
    assert refusal(made, actions.take_from_waiting, entry=twice)[0][0] == "not_waiting"
    made.act(actions.undo, row=undone.sequence)
    assert "You are registered" in page(twice)
    own(made, actions.cancel_self, twice)
    assert "You are not taking part" in page(twice)


def test_looking_changes_nothing() -> None:
    made = running_match(players=2)
    rows = LedgerRow.objects.count()
    for rest in ("", "data/", "leave/", "check-in/", "late/", "back/"):
        assert Client().get(address(made.uids[0], rest)).status_code in {200, 302}
    assert LedgerRow.objects.count() == rows


def test_page_asks_the_database_as_often_for_many_at_the_table_as_for_few() -> None:
    asked = []
    for players in (2, 8):
        uid = running_match(players=players).uids[0]
        url = address(uid)
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(url).status_code == 200
        asked.append(len(queries))
    assert (
        asked[0] == asked[1] <= 8
    )  # three: the hall's clock, what is said to everybody, whether an account organises


def test_one_link_can_do_so_much_a_minute_and_keeps_no_other_phone_behind_the_address_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LinkThrottle, "rate", "2/min")
    made = event(players=3)
    phones = [address(uid, "late/") for uid in made.uids]
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}

    def sends(phone: str, **headers: Any) -> Any:
        return Client().post(phone, {"command": str(uuid4())}, **headers)

    assert [sends(phones[0]).status_code for _ in range(3)][2] == 429
    refused = sends(phones[0])
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert "noindex" in refused["X-Robots-Tag"]
    assert f"Wait {refused['Retry-After']} seconds" in refused.content.decode()
    assert Client().get(address(made.uids[0])).status_code == 200, "looking is never refused"
    assert [sends(phone).status_code for phone in phones[1:]] == [303, 303]
    assert sends(phones[0], **elsewhere).status_code != 429, "another address"
