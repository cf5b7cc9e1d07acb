"""The KPGUT clock: taps are commands of their own, the hour, paper, corrections."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hands, hidden, open_page, paper, tap, text
from tests.support.factories import Event, started_game
from tests.support.uids import without_uids
from tournament.models import Entry, Play, Table

pytestmark = pytest.mark.django_db


def test_a_game_starts_with_those_who_are_ticked(session: Event) -> None:
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
@pytest.mark.sweep
def test_no_hostile_start_breaks_the_page(session: Event, fields: dict[str, Any]) -> None:
    client = as_referee(session)
    data = hidden(open_page(client, "table", session.table.uid))
    everybody = {"player": [str(uid) for uid in session.uids]}
    page = client.post(reverse("table-start", args=[session.table.uid]), {**data, **everybody, **fields})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert not Play.objects.exists()


def test_hands_that_name_no_version_are_compared_with_those_of_whoever_ended_the_game(session: Event) -> None:
    """The page was made without network, so its form knows no version, only who remained."""
    client, (first, *others) = as_referee(session), session.uids
    play = started_game(session, elapsed_s=3600)
    end, form = reverse("play-end", args=[play]), {"version": "0", "how": "time", "remaining": session.uids}
    held = hands(*((uid, "7", 1) for uid in session.uids))
    assert client.post(end, {**form, **held, "command": str(uuid4())}).status_code == 303
    other = hands((first, "9", 2), *((uid, "7", 1) for uid in others))
    page = client.post(end, {**form, **other, "command": str(uuid4())})
    assert page.status_code == 409
    assert f'name="hand-{first}-9" value="2"' in text(page)


def test_a_game_that_ended_meanwhile_is_a_conflict(session: Event) -> None:
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


def test_paper_begins_without_times(session: Event) -> None:
    page = text(open_page(as_referee(session), "table-record", session.table.uid))
    assert set(re.findall(r'name="(?:duration|time-[^"]+)" value="([^"]*)"', page)) == {""}


def test_a_whole_game_from_paper(session: Event) -> None:
    client = as_referee(session)
    record = reverse("table-record", args=[session.table.uid])
    data = paper(session, open_page(client, "table-record", session.table.uid))
    look = client.post(record, {**data, "step": "look"})
    assert look.status_code == 200
    assert client.post(record, {**hidden(look), "step": "save"}).status_code == 303
    times = {row.entry.uid: row.elapsed_s for row in Play.objects.get().results.all()}
    assert [times[uid] for uid in session.uids[:2]] == [750, 1205]


def test_who_remained_has_a_hand_to_count(session: Event) -> None:
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
        assert ": more cards" in text(client.post(record, {**data, "step": step}))
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
        ("began", "yesterday"),
        ("began", "2001-13-01T10:00"),
        ("began", "2001-01-01T10:00"),
        ("began", "2099-01-01T10:00"),
        ("began", "2026-10-25T03:30"),
        pytest.param("decks", "9" * 5000, id="decks-of-more-digits-than-a-number-has"),
    ],
)
@pytest.mark.sweep
def test_no_hostile_paper_breaks_the_page(session: Event, field: str, typed: str) -> None:
    client = as_referee(session)
    name = field if field in {"ended", "decks", "began"} else f"{field}-{session.uids[0]}"
    data = paper(session, open_page(client, "table-record", session.table.uid), **{name: typed})
    page = client.post(reverse("table-record", args=[session.table.uid]), {**data, "step": "save"})
    assert page.status_code == 422
    assert 'class="errors"' in text(page)
    assert 'class="field__error"' in text(page)
    assert text(page).count('name="clock-began"') == 2 * (typed == "2026-10-25T03:30")
    assert not Play.objects.exists()


def test_birth_dates_say_who_is_oldest_and_are_not_shown(session: Event) -> None:
    client = as_referee(session)
    for number, entry in enumerate(Entry.objects.select_related("player")):
        entry.player.birth_date = date(1990 + number, 1, 1)
        entry.player.save()
    page = text(open_page(client, "table", session.table.uid))
    assert "Oldest: <strong><bdi>Aino" in page
    assert "Youngest: <strong><bdi>C" in page
    assert "1990" not in without_uids(page)


def test_two_taps_say_who_is_oldest(session: Event) -> None:
    client = as_referee(session)
    roles = reverse("table-roles", args=[session.table.uid])
    first, second, _third = (str(uid) for uid in session.uids)
    data = {"command": str(uuid4())}
    same = client.post(roles, {**data, "oldest": first, "youngest": first})
    assert same.status_code == 422
    assert client.post(roles, {**data, "oldest": first, "youngest": second}).status_code == 303
    table = Table.objects.get(uid=session.table.uid)
    assert table.oldest
    assert table.youngest
    assert (str(table.oldest.uid), str(table.youngest.uid)) == (first, second)
    play = started_game(session)
    tap(client, "play-give-up", play, first)
    page = text(open_page(client, "table", session.table.uid))
    assert "hidden>Oldest:" in page, "who gave up has no role any more"
    assert "Name the oldest and youngest" in page


def test_the_order_of_the_remaining_says_what_decided_it(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session, elapsed_s=3600)
    first, second, third = session.uids
    held = hands((first, "7", 1), (second, "8", 1), (third, "7", 1))
    form = {"command": str(uuid4()), "remaining": [str(uid) for uid in session.uids], "how": "time"}
    assert client.post(reverse("play-end", args=[play]), {**form, **held}).status_code == 303
    for address in (reverse("table", args=[session.table.uid]), reverse("play", args=[play])):
        page = text(client.get(address))
        assert ": shared place" in page
        assert "same number of cards, fewer 7s" in page
