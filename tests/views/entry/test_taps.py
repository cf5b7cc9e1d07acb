"""The taps of a running game: who is out, ejected or late, a tap taken back, the start of the clock put right."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hidden, open_page, outcomes, tap, text
from tests.support.factories import Event, started_game
from tournament import actions
from tournament.models import Entry, LedgerRow, Membership, Play, Seat

pytestmark = pytest.mark.django_db


def test_two_taps_in_a_row_both_count_and_the_last_is_left(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, third = session.uids
    assert tap(client, "play-out", play, first).status_code == 303
    done = tap(client, "play-out", play, second)
    assert done.status_code == 303
    assert outcomes(play) == {first: "out", second: "out", third: "last"}
    page = text(client.get(done.url))
    assert "notice--undo" in page


def test_a_tap_counts_when_it_was_made(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, _third = session.uids
    tap(client, "play-out", play, first, elapsed_s="540")
    tap(client, "play-out", play, second, elapsed_s="9000")
    results = {row.entry.uid: row.elapsed_s or 0 for row in Play.objects.get().results.all()}
    assert results[first] == 540
    assert 600 <= results[second] < 700, "a clock that runs ahead is not believed"


def test_a_second_tap_on_a_player_shows_both(session: Event) -> None:
    client, other = as_referee(session), as_referee(session)
    play = started_game(session, elapsed_s=600)
    first = session.uids[0]
    tap(other, "play-out", play, first, elapsed_s="500")
    page = tap(client, "play-out", play, first)
    assert page.status_code == 409
    assert "out after 8 min 20 s" in text(page)


def test_a_tap_is_taken_back_even_after_the_end(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=60)
    first, second, _third = session.uids
    tap(client, "play-out", play, first)
    tap(client, "play-out", play, second)
    assert Play.objects.get().state == "entered"
    assert tap(client, "play-take-back", play, second).status_code == 303
    assert Play.objects.get().state == "running"
    assert outcomes(play)[second] == "playing"
    refused = tap(client, "play-take-back", play, second)
    assert refused.status_code == 422
    assert "There is nothing to undo here." in text(refused)


@pytest.mark.parametrize("entry", ["", "x", "b4bc0cf3-736f-4f18-8f2b-c1fcdcca4ec2"])
def test_no_hostile_tap_breaks_the_page(session: Event, entry: str) -> None:
    client = as_referee(session)
    play = started_game(session)
    for name in ("play-out", "play-take-back", "play-give-up", "play-join"):
        page = tap(client, name, play, entry)
        assert page.status_code == 422, name
        assert 'class="errors"' in text(page)
    assert tap(client, "play-eject", play, entry, reason="x").status_code == 422


def test_an_ejection_without_a_warning_is_asked_about(session: Event) -> None:
    """The sheet removes nobody without a warning; it may have been given without being noted."""
    client = as_referee(session)
    play = started_game(session)
    first, second, _third = session.uids
    asked = tap(client, "play-eject", play, first, reason="mocked Börje")
    assert asked.status_code == 422
    page = text(asked)
    assert "Aino has not been warned." in page
    warn = reverse("table-incident", args=[session.table.uid, "warning"])
    assert f'href="{warn}?entry={first}&amp;text=mocked%20B%C3%B6rje"' in page
    assert outcomes(play)[first] == "playing"
    form = client.get(warn, {"entry": str(first), "text": "mocked Börje"})
    assert f'value="{first}" checked' in text(form)
    assert 'value="mocked Börje"' in text(form)
    done = tap(client, "play-eject", play, first, reason="mocked Börje", warned="on")
    assert (done.status_code, outcomes(play)[first]) == (303, "ejected")
    session.act(actions.warn_player, table=session.table.uid, incident=uuid4(), entry=second, text="mocks")
    assert tap(client, "play-eject", play, second, reason="mocks again").status_code == 303


def test_an_ejection_wants_a_reason(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    first = session.uids[0]
    assert tap(client, "play-eject", play, first).status_code == 422
    warned = tap(client, "play-eject", play, first, reason="After a warning", warned="on")
    assert warned.status_code == 303
    assert outcomes(play)[first] == "ejected"
    assert "After a warning" in text(open_page(client, "play", play))


def test_a_latecomer_gets_a_seat(session: Event) -> None:
    client = as_referee(session)
    late = uuid4()
    session.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    play = started_game(session)
    assert "Late" in text(open_page(client, "play-join", play))
    assert tap(client, "play-join", play, late).status_code == 303
    assert outcomes(play)[late] == "playing"
    assert Seat.objects.filter(table=session.table, entry__uid=late).exists()


def test_a_table_referee_lets_somebody_from_outside_join(session: Event) -> None:
    client = as_referee(session, role=Membership.Role.TABLE_REFEREE, table=session.table)
    play, new, command = started_game(session), uuid4(), str(uuid4())
    assert "The oldest player agrees" in text(open_page(client, "table", session.table.uid))
    for _press in range(2):
        done = tap(client, "play-join", play, new, name="Outi", command=command)
        assert done.status_code == 303
    entry = Entry.objects.get(public_name="Outi")
    assert (entry.uid, entry.state) == (new, Entry.State.CHECKED_IN)
    assert outcomes(play)[new] == "playing"
    assert session.at(session.table)[-1] == new
    assert LedgerRow.objects.filter(command=command).count() == 1


def test_a_name_that_is_in_the_event_is_picked_from_the_list(session: Event) -> None:
    client = as_referee(session, role=Membership.Role.TABLE_REFEREE, table=session.table)
    session.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Outi Mäki"}])
    play, new = started_game(session), uuid4()
    refused = tap(client, "play-join", play, new, name=" outi  MÄKI")
    assert refused.status_code == 422
    page = text(refused)
    assert "Choose them from the list" in page
    assert 'name="name" maxlength="100" value=" outi MÄKI"' in page
    assert f'value="{new}" checked' in page
    assert Entry.objects.count() == len(session.uids) + 1


def test_a_name_from_outside_that_looks_private_is_asked_about(session: Event) -> None:
    client = as_referee(session, role=Membership.Role.TABLE_REFEREE, table=session.table)
    play, new = started_game(session), uuid4()
    asked = tap(client, "play-join", play, new, name="0401234567")
    assert "Everyone will see “0401234567”." in text(asked)
    assert 'name="public_name_is_right"' in text(asked)
    assert (
        tap(client, "play-join", play, new, name="0401234567", public_name_is_right="on").status_code == 303
    )
    assert outcomes(play)[new] == "playing"


@pytest.mark.parametrize("name", ["", " ", "x" * 101])
def test_no_hostile_name_joins(session: Event, name: str) -> None:
    client = as_referee(session)
    play = started_game(session)
    assert tap(client, "play-join", play, uuid4(), name=name).status_code == 422
    assert Entry.objects.count() == len(session.uids)


def test_who_helped_as_a_spectator_is_told_where_to_sit_and_how_many_cards_to_draw(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    asked = client.get(reverse("play-join", args=[play]), {"helped": str(session.uids[0])})
    assert "opposite the player they helped" in text(asked)
    assert "eleven cards" in text(asked)
    assert "nine cards, and" not in text(asked)
    refused = client.post(reverse("play-join", args=[play]), {**hidden(asked), "name": "Aino"})
    assert "eleven cards" in text(refused)


def test_every_tap_names_its_device(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    open_page(client, "table", session.table.uid)
    tap(client, "play-out", play, session.uids[0])
    assert LedgerRow.objects.latest("sequence").device == client.cookies["device"].value


def test_two_referees_a_second_apart_are_told_that_it_is_there(session: Event) -> None:
    client, other = as_referee(session), as_referee(session)
    play = started_game(session, elapsed_s=600)
    first = session.uids[0]
    tap(other, "play-out", play, first, elapsed_s="500")
    done = tap(client, "play-out", play, first, elapsed_s="502")
    assert done.status_code == 303
    page = text(client.get(done.url))
    assert "entered the same result before you" in page
    assert "Someone entered" not in page, "it says who"
    assert Play.objects.get().results.get(entry__uid=first).elapsed_s == 500


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ({"ago": "3", "why": "late"}, 420),
        ({"at": "5:30", "why": "told"}, 330),
        ({"ago": "1"}, 540),  # no more than a minute needs no reason
    ],
)
def test_out_some_minutes_ago_keeps_why(session: Event, said: dict[str, str], seconds: int) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=700)
    assert tap(client, "play-out", play, session.uids[0], elapsed_s="600", **said).status_code == 303
    assert Play.objects.get().results.get(entry__uid=session.uids[0]).elapsed_s == seconds
    history = text(open_page(client, "table-history", session.table.uid))
    words = {"late": "Tapped late", "told": "The table said so afterwards"}
    assert all(words[code] in history for name, code in said.items() if name == "why")


@pytest.mark.parametrize(
    "said",
    [{"ago": "3"}, {"at": "x"}, {"at": "5:30", "why": "x"}, {"ago": "99"}, {"at": "61:00", "why": "late"}],
)
def test_no_hostile_moment_breaks_the_page(session: Event, said: dict[str, str]) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=700)
    for name in ("play-out", "play-give-up"):
        page = tap(client, name, play, session.uids[0], elapsed_s="600", since="²", **said)
        assert page.status_code == 422
        assert 'class="errors"' in text(page)


def test_a_wrong_start_is_put_right_with_a_reason(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, _third = session.uids
    began = Play.objects.get().started_at
    assert began
    since = str(int(began.timestamp() * 1000))
    tap(client, "play-out", play, first, elapsed_s="500")
    address = reverse("play-start-time", args=[play])
    form = hidden(client.get(address))
    for wrong in (
        {"by": "2:00"},
        {"by": "x", "reason": "late"},
        {"by": "9:00", "way": "later", "reason": "x"},
    ):
        page = client.post(address, {**form, **wrong})
        assert page.status_code == 422
        assert 'class="errors"' in text(page)
    over = text(client.post(address, {**form, "by": "55:07", "way": "earlier", "reason": "x"}))
    said = r"The clock would show 65:[0-5]\d\. It can only show 0:00 to 60:00\. Enter a shorter time\."
    assert re.search(said, over)
    assert 'value="55:07"' in over
    done = client.post(address, {**form, "by": "2:00", "way": "earlier", "reason": "Dealt before"})
    assert done.status_code == 303
    tap(client, "play-out", play, second, elapsed_s="550", since=since)
    times = {row.entry.uid: row.elapsed_s for row in Play.objects.get().results.all()}
    assert times[first] == pytest.approx(620, abs=1)
    assert times[second] == pytest.approx(670, abs=1), "by the start that the phone knew"
    assert "Dealt before" in text(open_page(client, "table-history", session.table.uid))
