"""Whole evenings from the organiser's pages: from nothing to the winner."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.views.organiser.conftest import Browser, Forms, enter as enter_players
from tournament import actions
from tournament.actions import Command
from tournament.models import Entry, LedgerRow, Membership, Play, Stage, Table, Tournament, User
from tournament.results.answer import stage_results

pytestmark = pytest.mark.django_db


def create(browser: Browser, template: str, **typed: Any) -> Tournament:
    page = reverse("organise-new") + f"?template={template}"
    answer = browser.send(page, f"template={template}", name="Evening", **typed)
    assert answer.status_code == 303, answer.content.decode()
    return Tournament.objects.latest("id")


def enter(browser: Browser, tournament: Tournament, count: int) -> None:
    page = reverse("organise-players", args=[tournament.slug])
    names = "\n".join(f"Player {number}, Club {number % 3}" for number in range(1, count + 1))
    enter_players(browser, tournament, names)
    assert browser.send(page, "/check-in/").status_code == 303


def seat(browser: Browser, stage: Stage, tables: int, **query: str) -> None:
    page = reverse("organise-seats", args=[stage.uid])
    words = "&".join(
        f"{key}={value}" for key, value in {"tables": tables, "order": "numbers", **query}.items()
    )
    answer = browser.send(f"{page}?{words}", "/seats/")
    assert answer.status_code == 303, answer.content.decode()


def press(browser: Browser, stage: Stage, what: str, **typed: Any) -> Any:
    return browser.send(reverse("organise-stage", args=[stage.uid]), f"/{what}/", **typed)


def next_step(browser: Browser, tournament: Tournament) -> str:
    page = browser.get(reverse("organise-board", args=[tournament.slug]))
    step = page.context["next"]
    return str(step.action) if step else ""


def act(organiser: User, tournament: Tournament, action: Any, **arguments: Any) -> None:
    """Act as the referees at the tables do on their desk."""
    action(Command(uuid4(), organiser), tournament.uid, **arguments)


@pytest.mark.sweep
def test_championship_from_creation_to_winner(browser: Browser, organiser: User) -> None:
    tournament = create(browser, "championship", advance="2", target="")
    assert [stage.kind for stage in tournament.stages.all()] == ["heats", "final"]
    heats, final = tournament.stages.order_by("number")
    assert next_step(browser, tournament) == "Add players"
    enter(browser, tournament, 11)
    assert next_step(browser, tournament) == "Seat the players"
    seat(browser, heats, 2, order="drawn", seed="0042")
    assert LedgerRow.objects.get(action="seat_stage").note.text == "0042"
    assert next_step(browser, tournament) == "Check and start"
    assert press(browser, heats, "start").status_code == 303
    refused = press(browser, heats, "finish")
    assert refused.status_code == 422
    assert "Table 1 has no result yet." in refused.content.decode()
    for table in Table.objects.filter(stage=heats):
        order = list(table.seats.values_list("entry__uid", flat=True))[:2]
        act(
            organiser,
            tournament,
            actions.record_heat,
            table=table.uid,
            play=uuid4(),
            number=1,
            finish_order=order,
        )
    assert next_step(browser, tournament) == "Finish the stage"
    assert press(browser, heats, "finish").status_code == 303
    assert next_step(browser, tournament) == "See who goes through"
    page = browser.get(reverse("organise-stage", args=[final.uid]))
    assert len(page.context["level"].comes) == 4
    assert press(browser, final, "fill").status_code == 303
    no_target = press(browser, final, "start")
    assert no_target.status_code == 422
    assert '<a href="#id_target">Choose the target first.</a>' in no_target.content.decode()
    own = reverse("organise-stage", args=[final.uid])
    assert browser.send(own, own, target="90").status_code == 422
    assert browser.send(own, own, target="250").status_code == 303
    assert press(browser, final, "start").status_code == 303
    table = Table.objects.get(stage=final)
    seated = list(table.seats.values_list("entry__uid", flat=True))
    hands = {str(uid): {"wild4": 1, "draw2": 2} for uid in seated[1:]}
    act(
        organiser,
        tournament,
        actions.record_round,
        table=table.uid,
        play=uuid4(),
        number=1,
        winner=seated[0],
        hands=hands,
    )
    assert next_step(browser, tournament) == "Check these"
    waits = press(browser, final, "finish")
    assert waits.status_code == 422
    assert (
        "round 1 is not confirmed yet. Another referee or the players must confirm it."
        in waits.content.decode()
    )
    no_reason = browser.send(own, "second-look/")
    assert "Write a reason." in no_reason.content.decode()
    assert browser.send(own, "second-look/", reason="one referee tonight").status_code == 303
    assert press(browser, final, "finish").status_code == 303
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    final.refresh_from_db()
    assert stage_results(final)[0].answer.winners == (str(seated[0]),)
    assert next_step(browser, tournament) == "Show on a big screen"
    won = Entry.objects.get(uid=seated[0]).public_name
    board = browser.get(reverse("organise-board", args=[tournament.slug])).content.decode()
    assert f"<strong><bdi>{won}</bdi></strong>" in board


def test_session_from_creation_to_winner(browser: Browser, organiser: User) -> None:
    tournament = create(browser, "session", min_games="1")
    stage = tournament.stages.get()
    assert stage.settings == {"min_games": 1}
    enter(browser, tournament, 3)
    seat(browser, stage, 1)
    assert press(browser, stage, "start").status_code == 303
    table = Table.objects.get(stage=stage)
    first, second, third = table.seats.values_list("entry__uid", flat=True)
    results = [
        {"entry": first, "outcome": "out", "elapsed_s": 600},
        {"entry": second, "outcome": "out", "elapsed_s": 1200},
        {"entry": third, "outcome": "last"},
    ]
    act(
        organiser,
        tournament,
        actions.record_game,
        table=table.uid,
        play=uuid4(),
        number=1,
        ended="last",
        results=results,
    )
    assert press(browser, stage, "finish").status_code == 303
    stage.refresh_from_db()
    assert stage_results(stage)[0].answer.winners == (str(first),)
    assert Play.objects.get().state == "official"
    assert press(browser, stage, "reopen", reason="").status_code == 422
    assert press(browser, stage, "reopen", reason="A slip").status_code == 303
    assert Play.objects.get().state == "entered"


def test_match_by_the_older_deck_has_no_customizable_cards(browser: Browser) -> None:
    tournament = create(
        browser, "match", ruleset="mattel-108", custom_cards="2", scoring="own_hand", target=""
    )
    assert tournament.ruleset == "mattel-108"
    assert tournament.stages.get().settings == {"target": 500, "scoring": "own_hand"}


def test_championship_with_semi_finals(browser: Browser) -> None:
    tournament = create(browser, "championship", expected="64", language="fi")
    kinds = [(stage.kind, stage.name, stage.settings) for stage in tournament.stages.order_by("number")]
    assert kinds == [("heats", "", {"advance": 1}), ("heats", "Välierät", {"advance": 2}), ("final", "", {})]


def test_create_sent_twice_makes_one(browser: Browser) -> None:
    page = reverse("organise-new") + "?template=championship"
    (form,) = (form for form in Forms(browser.get(page).content.decode()).forms if "name" in form["data"])
    for _time in range(2):
        assert browser.post(page, form["data"] | {"name": "Once"}).status_code == 303
    tournament = Tournament.objects.get()
    assert tournament.stages.count() == 2
    assert LedgerRow.objects.count() == 4


def test_create_refused_makes_nothing(browser: Browser) -> None:
    page = reverse("organise-new") + "?template=championship"
    answer = browser.send(page, "championship", name="Cup", target="90")
    assert answer.status_code == 422
    assert "from 250 to 500" in answer.content.decode()
    assert not Tournament.objects.exists()
    assert browser.send(page, "championship", name="").status_code == 422
    assert browser.send(page, "championship", name="x" * 101).status_code == 422


def test_create_by_somebody_who_is_not_staff(db: None) -> None:
    """A group of friends gets an event of its own at once, which the list does not show."""
    person = User.objects.create_user("friend", password="x")
    client = Browser()
    client.force_login(person)
    tournament = create(client, "session", listed="on")
    assert not tournament.listed
    assert tournament.organiser.name == "friend"
    assert client.get(reverse("organise")).context["now"] == [tournament]


@pytest.mark.sweep
def test_pages_tell_nothing_to_strangers(browser: Browser, planned: Any) -> None:
    stranger = Browser()
    stranger.force_login(User.objects.create_user("stranger"))
    planned.act(actions.plan_stage, stage=uuid4(), kind="heats")
    stage = Stage.objects.get()
    role = Membership.objects.get()
    slug = planned.tournament.slug
    addresses = [
        *(
            reverse(f"organise-{name}", args=[slug])
            for name in ("board", "edit", "players", "roles", "ledger", "check-in")
        ),
        *(
            reverse(f"organise-stage{name}", args=[stage.uid])
            for name in ("", "-start", "-finish", "-reopen", "-fill")
        ),
        reverse("organise-seats", args=[stage.uid]),
        reverse("organise-player", args=[planned.entries[0].uid]),
        reverse("organise-player-move", args=[planned.entries[0].uid, "leave"]),
        reverse("organise-role-revoke", args=[role.uid]),
    ]
    for address in addresses:
        assert stranger.get(address).status_code == 404, address
        assert stranger.post(address, {"command": str(uuid4())}).status_code in {404, 405}, address
        assert Browser().get(address).status_code == 302, address
        assert browser.get(address).status_code in {200, 302}, address


def test_head_referee_sees_the_board_and_checks_in_but_does_not_seat(planned: Any) -> None:
    client = Browser()
    client.force_login(planned.referee("head_referee"))
    slug = planned.tournament.slug
    board = client.get(reverse("organise-board", args=[slug]))
    assert board.status_code == 200
    assert "organise-edit" not in board.content.decode()
    assert client.send(reverse("organise-players", args=[slug]), "/check-in/").status_code == 303
    assert set(Entry.objects.values_list("state", flat=True)) == {"checked_in"}
    planned.act(actions.plan_stage, stage=uuid4(), kind="heats")
    stage = Stage.objects.get()
    assert client.get(reverse("organise-seats", args=[stage.uid])).status_code == 403
    assert not re.search("/organise/stage/", board.content.decode())
