"""The table of friends: each kind from names to totals, errors where they happened, and the way to an event."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from scoring import score
from tests.extras.friends.browser import ADDRESS, Page, start
from tests.support.factories import UserFactory, event
from tests.support.house_rules import HOUSE, place
from tests.support.pages import folded
from tests.support.sheets import anonymous
from tournament.extras.friends import actions as founding, views as friends
from tournament.extras.friends.pages import score as starting
from tournament.extras.friends.pages.sheets import MOST_PLAYERS
from tournament.models import Membership, Play, Tournament, User
from tournament.results.answer import stage_results
from tournament.results.faults import Fault, Refused
from tournament.server.rate_limits import EventThrottle, ScoreThrottle


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


# ---- setting up ----


def test_answers_are_never_cached(client: Client) -> None:
    assert "no-store" in client.get(ADDRESS)["Cache-Control"]


# ---- a match ----


def test_sending_a_form_twice_adds_one_round(client: Client) -> None:
    page = start(client, "mattel-108.match")
    fields = {"row": 0, "winner": "p1", "hand-p2-wild": 1, "hand-p3-7": "2"}
    assert page.send("save", **fields).sheet == page.send("save", **fields).sheet


def test_a_house_ruleset_is_offered_with_its_only_scoring(client: Client, folder: Path) -> None:
    place(folder, **{"scorings=(OWN_HAND,),": 'scorings=(OWN_HAND, "winner_takes"),'})
    assert 'value="own_hand" checked' in folded(client.get(ADDRESS, {"play": f"{HOUSE}.match"}))


# ---- sheets from elsewhere ----


def test_download_gives_the_sheet_that_the_command_scores(client: Client) -> None:
    page = start(client, "mattel-108.match").send(
        "save", row=0, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1}
    )
    response = client.post(ADDRESS, {"do": "download", "sheet": json.dumps(page.sheet)})
    assert response["Content-Type"] == "application/json"
    assert "attachment" in response["Content-Disposition"]
    assert score(json.loads(response.content)).as_json()["standings"]


# ---- an event ----


def played(client: Client, kind: str) -> Page:
    """A game of each kind with everything in it that an event must take over."""
    if kind == "match":
        page = start(client, "mattel-112.match", "A\nB\nC\nD\n" + "E" * 100, target="400", custom_cards="2")
        page = page.send(
            "save",
            row=0,
            winner="p1",
            **{
                "hand-p2-7": 3,
                "hand-p3-7": 1,
                "hand-p4-wild": 1,
                "out-p5": "removed",
                "last": "draw2",
                "drew": "p2",
            },
        )
        page = page.send(
            "save", row=1, winner="p2", **{"hand-p1-7": 3, "emptied-p3": "1", "out-p4": "withdrawn"}
        )
        return page.send("stop")
    if kind == "session":
        page = start(client, "kpgut-2016.session", "A\nB\nC\nD")
        fields = {
            "outcome-p1": "out",
            "time-p1": "12:30",
            "outcome-p2": "ejected",
            "outcome-p3": "gave_up",
            "outcome-p4": "last",
        }
        page = page.send("save", row=0, ended="last", duration="15:00", **fields)
        fields = {
            "outcome-p1": "out",
            "time-p1": "12:30",
            "outcome-p3": "remaining",
            "outcome-p4": "remaining",
            "hand-p3-7": "2",
            "hand-p4-0": "1",
        }
        return page.send("save", row=1, ended="early", **fields)
    page = start(client, "tite-2022.heats", "A\nB\nC\nD\nE", advance="1")
    page = page.send("save", row=0, **{"sat-p1": "1", "sat-p2": "2", "sat-p3": "removed", "advance": "2"})
    return page.send("save", row=1, **{"sat-p4": "sat", "sat-p5": "1"})


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["match", "session", "heats"])
def test_event_has_the_same_standings_as_the_sheet(client: Client, kind: str) -> None:
    page = played(client, kind)
    assert page.status == 200
    response = client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(page.sheet), "event": str(uuid4()), "name": "Ours"}
    )
    made = Tournament.objects.get()
    share = f"/en/organise/t/{made.slug}/share/"
    assert (response.status_code, response["Location"]) == (302, share)
    shown = client.get(share).content.decode()
    assert f"http://testserver/en/t/{made.slug}/" in shown
    assert "<svg" in shown
    assert "Your event is ready." in shown
    state = "finished" if kind == "match" else "running"
    assert (made.name, made.listed, made.state) == ("Ours", False, state)
    (results,) = stage_results(made.stages.get())
    names = {player["id"]: player["name"] for player in page.sheet["players"]}
    assert anonymous(results.answer, results.names) == anonymous(score(page.sheet), names)
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    assert not guest.has_usable_password()
    assert Membership.objects.get(tournament=made).user == guest
    assert client.get(f"/en/t/{made.slug}/").status_code == 200


@pytest.mark.django_db
def test_pressing_twice_makes_one_event(client: Client) -> None:
    page = played(client, "match")
    form = {"do": "event", "sheet": json.dumps(page.sheet), "event": str(uuid4())}
    for browser in (client, client, Client()):
        assert browser.post(ADDRESS, form).status_code == 302
    assert Tournament.objects.count() == 1
    assert User.objects.count() == 1
    stranger = Client()
    stranger.force_login(event(user=UserFactory(), listed=False).user)  # who runs another one
    assert stranger.post(ADDRESS, form).status_code == 422


@pytest.mark.django_db
def test_guest_username_does_not_tell_the_forms_secret(client: Client) -> None:
    secret = uuid4()
    client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(played(client, "match").sheet), "event": str(secret)}
    )
    assert str(secret) not in User.objects.get().username
    assert Tournament.objects.get().uid != secret


@pytest.mark.django_db
def test_signed_in_visitor_runs_the_event_themselves(client: Client) -> None:
    user = UserFactory()
    client.force_login(user)
    client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(played(client, "heats").sheet), "event": str(uuid4())}
    )
    assert Membership.objects.get().user == user
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_event_without_rounds_is_ready_to_play(client: Client) -> None:
    sheet = start(client, "mattel-108.match").sheet
    client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": str(uuid4())})
    assert Tournament.objects.get().state == "running"
    assert not Play.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"rounds": [{"number": 1}]}, {"settings": {"target": 0}}])
def test_sheet_with_faults_makes_no_event(client: Client, change: dict[str, Any]) -> None:
    sheet = start(client, "mattel-108.match").sheet | change
    response = client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": "x"})
    assert response.status_code == 422
    assert not Tournament.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_event_that_fails_half_way_leaves_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any, **_named: Any) -> None:
        raise Refused(Fault("no_tables"))

    monkeypatch.setattr(founding, "start_stage", fail)
    sheet = start(client, "mattel-108.match").sheet
    response = client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": str(uuid4())})
    assert response.status_code == 422
    assert not Tournament.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_events_from_one_address_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever way they are made; who has an account is not counted."""
    monkeypatch.setattr(EventThrottle, "rate", "3/day")
    form = {"do": "event", "sheet": json.dumps(start(client, "mattel-108.match").sheet)}
    new = {"name": "Club night", "starts_on": "2026-05-09", "language": "en", "time_zone": "Europe/Helsinki"}

    def by_page(client: Client) -> int:
        return client.post(ADDRESS, form | {"event": str(uuid4())}).status_code

    def by_form(client: Client) -> int:
        sent = new | {"template": "session", "shown": "session", "command": str(uuid4())}
        return client.post("/en/organise/new/?template=session", sent).status_code

    def by_api(client: Client) -> int:
        body = {"name": "Club night", "starts_on": "2026-05-09", "ruleset": "mattel-108", "listed": False}
        key = {"Idempotency-Key": str(uuid4())}
        return client.post("/api/v1/tournaments", body, "application/json", headers=key).status_code

    assert [by_page(client), by_form(client), by_api(client)] == [302, 303, 201]
    assert [by_page(client), by_form(client), by_api(client)] == [429, 429, 429]
    assert by_page(Client()) == 429, "another browser there"
    client.force_login(UserFactory())
    assert [by_page(client), by_form(client), by_api(client)] == [302, 303, 201]


def test_form_without_token_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert (
        strict.post(ADDRESS, {"do": "start", "play": "mattel-108.match", "names": "A\nB"}).status_code == 403
    )


# ---- limits ----


def test_sheets_from_one_address_are_limited_and_can_be_sent_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = start(client, "mattel-108.match")
    monkeypatch.setattr(ScoreThrottle, "rate", "1/min")
    cache.clear()
    typed = {"row": 0, "winner": "p1", "hand-p2-7": 1}
    assert page.send("save", **typed).status == 422  # a hand is missing
    answer = client.post(ADDRESS, {"do": "save", "sheet": json.dumps(page.sheet), **typed})
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    again = Page(client, answer)
    assert "Nothing is lost" in again.text
    assert again.sheet == page.sheet
    for name, value in {"do": "save", **typed}.items():
        assert f'name="{name}" value="{value}"' in again.text
    assert client.get(ADDRESS).status_code == 200


def test_page_says_early_how_much_an_event_takes_over(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (founding, friends):
        monkeypatch.setattr(module, "MOST_ROWS", 1)
    page = start(client, "mattel-108.match")
    form = {"do": "event", "event": str(uuid4())}
    rounds = [{"number": n, "winner": "p1", "hands": {"p2": {"7": 1}, "p3": {"7": 1}}} for n in (1, 2)]
    within = page.send("show", {**page.sheet, "rounds": rounds[:1]})
    assert "At most 1 games, rounds or heats are carried over." in " ".join(within.text.split())
    assert 'value="event"' in within.text
    long = page.send("show", {**page.sheet, "rounds": rounds})
    assert (
        "at most 1 games, rounds or heats. This sheet has 2. Shorten it, or keep it as a file." in long.text
    )
    assert 'value="event"' not in long.text
    refused = client.post(ADDRESS, {**form, "sheet": json.dumps(long.sheet)})
    assert refused.status_code == 422
    assert Page(client, refused).sheet == long.sheet


def test_names_beyond_the_limit_are_not_even_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def clean(text: str) -> str:
        read.append(text)
        return text

    monkeypatch.setattr(starting, "public_text", clean)
    page = start(client, "mattel-108.match", "\n".join(f"Player {number}" for number in range(20_000)))
    assert (page.status, len(read)) == (422, MOST_PLAYERS + 1)
    assert "Too many names. At most 100 players fit here." in page.text
