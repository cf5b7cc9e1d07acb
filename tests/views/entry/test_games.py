"""The KPGUT clock: taps are commands of their own, the hour, paper, corrections."""

import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hands, hidden, open_page, text
from tests.support.factories import running_session, started_game
from tests.support.uids import without_uids
from tournament import actions
from tournament.models import Entry, LedgerRow, Play, Seat, Table
from tournament.pages.desk.table import scene_of
from tournament.results.contests import forget
from tournament.views import _access

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return running_session(players=3)


def tap(client, name, play, entry, **more):
    return client.post(reverse(name, args=[play]), {"command": str(uuid4()), "entry": str(entry), **more})


def outcomes(play):
    return {
        result.entry.uid: result.outcome
        for result in Play.objects.get(uid=play).results.select_related("entry")
    }


def test_a_game_starts_with_those_who_are_ticked(session):
    client = as_referee(session)
    start = reverse("table-start", args=[session.table.uid])
    data = hidden(open_page(client, "table", session.table.uid))
    chosen = [str(uid) for uid in session.uids[:2]]
    assert client.post(start, {**data, "player": chosen}).status_code == 303
    assert {result.entry.uid for result in Play.objects.get().results.all()} == set(session.uids[:2])
    assert client.post(start, {**data, "player": chosen}).status_code == 303
    assert Play.objects.count() == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"player": ["x"]},
        {"player": []},
        {"player": [str(uuid4())] * 2},
        {"ago": "60"},
        {"ago": "²"},
        {"play": "x"},
        {"number": "x"},
    ],
)
def test_no_hostile_start_breaks_the_page(session, fields):
    client = as_referee(session)
    data = hidden(open_page(client, "table", session.table.uid))
    everybody = {"player": [str(uid) for uid in session.uids]}
    page = client.post(reverse("table-start", args=[session.table.uid]), {**data, **everybody, **fields})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert not Play.objects.exists()


def test_two_taps_in_a_row_both_count_and_the_last_is_left(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, third = session.uids
    assert tap(client, "play-out", play, first).status_code == 303
    done = tap(client, "play-out", play, second)
    assert done.status_code == 303
    assert outcomes(play) == {first: "out", second: "out", third: "last"}
    page = text(client.get(done.url))
    assert "notice--undo" in page


def test_a_tap_counts_when_it_was_made(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, _third = session.uids
    tap(client, "play-out", play, first, elapsed_s="540")
    tap(client, "play-out", play, second, elapsed_s="9000")
    results = {row.entry.uid: row.elapsed_s for row in Play.objects.get().results.all()}
    assert results[first] == 540
    assert 600 <= results[second] < 700, "a clock that runs ahead is not believed"


def test_a_second_tap_on_a_player_shows_both(session):
    client, other = as_referee(session), as_referee(session)
    play = started_game(session, elapsed_s=600)
    first = session.uids[0]
    tap(other, "play-out", play, first, elapsed_s="500")
    page = tap(client, "play-out", play, first)
    assert page.status_code == 409
    assert "out after 8:20" in text(page)


def test_a_tap_is_taken_back_even_after_the_end(session):
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
    assert "nothing to take back" in text(refused)


@pytest.mark.parametrize("entry", ["", "x", "b4bc0cf3-736f-4f18-8f2b-c1fcdcca4ec2"])
def test_no_hostile_tap_breaks_the_page(session, entry):
    client = as_referee(session)
    play = started_game(session)
    for name in ("play-out", "play-take-back", "play-give-up", "play-join"):
        page = tap(client, name, play, entry)
        assert page.status_code == 422, name
        assert 'class="errors"' in text(page)
    assert tap(client, "play-eject", play, entry, reason="x").status_code == 422


def test_an_ejection_wants_a_reason(session):
    client = as_referee(session)
    play = started_game(session)
    first = session.uids[0]
    assert tap(client, "play-eject", play, first).status_code == 422
    assert tap(client, "play-eject", play, first, reason="After a warning").status_code == 303
    assert outcomes(play)[first] == "ejected"
    assert "After a warning" in text(open_page(client, "play", play))


def test_who_was_ejected_is_not_asked_to_play_on(session):
    client = as_referee(session)
    play = started_game(session)
    first, second, third = session.uids
    tap(client, "play-eject", play, first, reason="After a warning")
    for entry in (second, third):
        tap(client, "play-out", play, entry)
    page = open_page(client, "table", session.table.uid)
    assert f'value="{second}" checked' in text(page)
    assert f'value="{first}"' not in text(page)
    assert f"outcome-{first}" not in text(open_page(client, "table-record", session.table.uid))
    assert f"outcome-{first}" in text(open_page(client, "play-correct", play))


def test_a_latecomer_gets_a_seat(session):
    client = as_referee(session)
    late = uuid4()
    session.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    play = started_game(session)
    assert "Late" in text(open_page(client, "play-join", play))
    assert tap(client, "play-join", play, late).status_code == 303
    assert outcomes(play)[late] == "playing"
    assert Seat.objects.filter(table=session.table, entry__uid=late).exists()


def test_where_nobody_can_join_no_button_offers_it(session):
    client = as_referee(session)
    play = started_game(session)
    assert '<button class="button button--primary">Joins the game' not in text(
        open_page(client, "play-join", play)
    )
    session.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}])
    assert '<button class="button button--primary">Joins the game' in text(
        open_page(client, "play-join", play)
    )
    tap(client, "play-out", play, session.uids[0])
    page = text(open_page(client, "play-join", play))
    assert "Nobody can join this game now." in page
    assert "Joins the game" not in page


def test_at_the_hour_the_hands_are_asked(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=3600)
    Play.objects.update(started_at=Play.objects.get().started_at - timedelta(seconds=1))
    forget()  # this was in no ledger
    first, second, third = session.uids
    page = open_page(client, "table", session.table.uid)
    assert "data-until-limit hidden" in text(page)
    assert tap(client, "play-out", play, first).status_code == 422
    end = reverse("play-end", args=[play])
    form = {"command": str(uuid4()), "version": str(Play.objects.get().version), "how": "time"}
    refused = client.post(end, {**form, **hands((first, "7", 1))})
    assert refused.status_code == 422
    assert f'id="hand-{second}_error"' in text(refused)
    assert f'name="hand-{first}-7" value="1"' in text(refused)
    held = hands((first, "7", 1), (second, "7", 2), (third, "7", 3))
    assert client.post(end, {**form, **held}).status_code == 303
    assert set(outcomes(play).values()) == {"remaining"}


def test_a_game_that_ended_meanwhile_is_a_conflict(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    end = reverse("play-end", args=[play])
    held = hands(*((uid, "7", 1) for uid in session.uids))
    form = {"command": str(uuid4()), "version": str(Play.objects.get().version), "how": "early", **held}
    first, second, _third = session.uids
    tap(client, "play-out", play, first)
    stale = client.post(end, form)
    assert stale.status_code == 409
    assert f'name="hand-{second}-7" value="1"' in text(stale), "still running: the form comes back"
    tap(client, "play-out", play, second)
    conflict = client.post(end, form)
    assert conflict.status_code == 409
    look = client.post(
        reverse("play-correct", args=[play]), {**hidden(conflict), "reason": "Stopped before", "step": "look"}
    )
    assert look.status_code == 200


def paper(session, page, **more):
    first, second, third = session.uids
    return {
        **hidden(page),
        "ended": "last",
        f"outcome-{first}": "out",
        f"time-{first}": "12:30",
        f"outcome-{second}": "out",
        f"time-{second}": "20.05",
        f"outcome-{third}": "last",
        **more,
    }


def test_paper_begins_without_times(session):
    page = text(open_page(as_referee(session), "table-record", session.table.uid))
    assert set(re.findall(r'name="(?:duration|time-[^"]+)" value="([^"]*)"', page)) == {""}


def test_a_whole_game_from_paper(session):
    client = as_referee(session)
    record = reverse("table-record", args=[session.table.uid])
    data = paper(session, open_page(client, "table-record", session.table.uid))
    look = client.post(record, {**data, "step": "look"})
    assert look.status_code == 200
    assert client.post(record, {**hidden(look), "step": "save"}).status_code == 303
    times = {row.entry.uid: row.elapsed_s for row in Play.objects.get().results.all()}
    assert [times[uid] for uid in session.uids[:2]] == [750, 1205]


def test_who_remained_has_a_hand_to_count(session):
    client = as_referee(session)
    record = reverse("table-record", args=[session.table.uid])
    first, second, third = session.uids
    remaining = {f"outcome-{second}": "remaining", f"outcome-{third}": "remaining", "ended": "time"}
    data = paper(session, open_page(client, "table-record", session.table.uid), **remaining)
    asked = client.post(record, {**data, "step": "look"})
    assert asked.status_code == 422
    shown = text(asked).split("<template data-every-hand>")[
        0
    ]  # what a script opens where there is no network
    assert f'id="hand-{second}"' in shown
    assert f'id="hand-{first}"' not in shown
    data |= hands((second, "1", 1), (third, "1", 2))
    for step in ("look", "preview"):
        assert "Behind the one before: more cards" in text(client.post(record, {**data, "step": step}))
    assert client.post(record, {**data, "step": "save"}).status_code == 303
    person = text(client.get(reverse("entry", args=[session.tournament.slug, third])))
    assert ": 2 against 1 cards" in person


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("time", "61:00"),
        ("time", "1:75"),
        ("time", "²:00"),
        ("time", ""),
        ("outcome", "won"),
        ("ended", "x"),
        ("decks", "999"),
        pytest.param("decks", "9" * 5000, id="decks-of-more-digits-than-a-number-has"),
    ],
)
def test_no_hostile_paper_breaks_the_page(session, field, typed):
    client = as_referee(session)
    name = field if field in {"ended", "decks"} else f"{field}-{session.uids[0]}"
    data = paper(session, open_page(client, "table-record", session.table.uid), **{name: typed})
    page = client.post(reverse("table-record", args=[session.table.uid]), {**data, "step": "save"})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert 'class="field__error"' in text(page)
    assert not Play.objects.exists()


@pytest.mark.parametrize("name", ["play-elsewhere", "play-end", "play-void", "play-correct", "play-give-up"])
def test_a_play_that_goes_while_its_page_is_made_is_not_found(session, monkeypatch, name):
    """An undo takes its start back between the two looks at the database."""
    before = scene_of(session.table)
    play = started_game(session)
    monkeypatch.setattr(_access, "get_scene", lambda _table: before)
    page = as_referee(session).get(reverse(name, args=[play]))
    assert page.status_code == 404


def test_a_game_is_corrected(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=1300)
    for uid, elapsed in zip(session.uids[:2], (700, 1200), strict=True):
        tap(client, "play-out", play, uid, elapsed_s=elapsed)
    form = open_page(client, "play-correct", play)
    assert 'value="11:40"' in text(form)
    data = paper(session, form, reason="Written down wrong", step="look")
    look = client.post(reverse("play-correct", args=[play]), data)
    assert look.status_code == 200
    done = client.post(reverse("play-correct", args=[play]), {**hidden(look), "step": "save"})
    assert done.status_code == 303
    assert Play.objects.get().results.get(entry__uid=session.uids[0]).elapsed_s == 750


def test_birth_dates_say_who_is_oldest_and_are_not_shown(session):
    client = as_referee(session)
    for number, entry in enumerate(Entry.objects.select_related("player")):
        entry.player.birth_date = date(1990 + number, 1, 1)
        entry.player.save()
    page = text(open_page(client, "table", session.table.uid))
    assert "Oldest: <strong><bdi>Aino" in page
    assert "Youngest: <strong><bdi>C" in page
    assert "1990" not in without_uids(page)


def test_two_taps_say_who_is_oldest(session):
    client = as_referee(session)
    roles = reverse("table-roles", args=[session.table.uid])
    first, second, _third = (str(uid) for uid in session.uids)
    data = {"command": str(uuid4())}
    same = client.post(roles, {**data, "oldest": first, "youngest": first})
    assert same.status_code == 422
    assert client.post(roles, {**data, "oldest": first, "youngest": second}).status_code == 303
    table = Table.objects.get(uid=session.table.uid)
    assert (str(table.oldest.uid), str(table.youngest.uid)) == (first, second)
    play = started_game(session)
    tap(client, "play-give-up", play, first)
    page = text(open_page(client, "table", session.table.uid))
    assert "hidden>Oldest:" in page, "who gave up has no role any more"
    assert "Say who is oldest" in page


def test_every_tap_names_its_device(session):
    client = as_referee(session)
    play = started_game(session)
    open_page(client, "table", session.table.uid)
    tap(client, "play-out", play, session.uids[0])
    assert LedgerRow.objects.last().device == client.cookies["device"].value


def test_two_referees_a_second_apart_are_told_that_it_is_there(session):
    client, other = as_referee(session), as_referee(session)
    play = started_game(session, elapsed_s=600)
    first = session.uids[0]
    tap(other, "play-out", play, first, elapsed_s="500")
    done = tap(client, "play-out", play, first, elapsed_s="502")
    assert done.status_code == 303
    page = text(client.get(done.url))
    assert "entered the same before you" in page
    assert "Somebody entered" not in page, "it says who"
    assert Play.objects.get().results.get(entry__uid=first).elapsed_s == 500


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ({"ago": "3", "why": "late"}, 420),
        ({"at": "5:30", "why": "told"}, 330),
        ({"ago": "1"}, 540),  # no more than a minute needs no reason
    ],
)
def test_out_some_minutes_ago_keeps_why(session, said, seconds):
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
def test_no_hostile_moment_breaks_the_page(session, said):
    client = as_referee(session)
    play = started_game(session, elapsed_s=700)
    for name in ("play-out", "play-give-up"):
        page = tap(client, name, play, session.uids[0], elapsed_s="600", since="²", **said)
        assert page.status_code == 422
        assert 'class="errors"' in text(page)


def test_a_wrong_start_is_put_right_with_a_reason(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=600)
    first, second, _third = session.uids
    since = str(int(Play.objects.get().started_at.timestamp() * 1000))
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
    done = client.post(address, {**form, "by": "2:00", "way": "earlier", "reason": "Dealt before"})
    assert done.status_code == 303
    tap(client, "play-out", play, second, elapsed_s="550", since=since)
    times = {row.entry.uid: row.elapsed_s for row in Play.objects.get().results.all()}
    assert times[first] == pytest.approx(620, abs=1)
    assert times[second] == pytest.approx(670, abs=1), "by the start that the phone knew"
    assert "Dealt before" in text(open_page(client, "table-history", session.table.uid))


def test_the_order_of_the_remaining_says_what_decided_it(session):
    client = as_referee(session)
    play = started_game(session, elapsed_s=3600)
    first, second, third = session.uids
    held = hands((first, "7", 1), (second, "8", 1), (third, "7", 1))
    form = {"command": str(uuid4()), "remaining": [str(uid) for uid in session.uids], "how": "time"}
    assert client.post(reverse("play-end", args=[play]), {**form, **held}).status_code == 303
    for address in (reverse("table", args=[session.table.uid]), reverse("play", args=[play])):
        page = text(client.get(address))
        assert "they share the place" in page
        assert "fewer cards of 7" in page
