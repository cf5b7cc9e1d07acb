"""Pages of a chain: add a stage, say whose players come, see why, and have a tie-break hand played."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.chains import begun, chained, corrected, filled, first, named, next_of_heats, played
from tests.support.desk import text
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Stage, User
from tournament.queries.advancing import level_of

pytestmark = pytest.mark.django_db


def test_stage_is_added_with_whose_players_come(browser: Browser, organiser: User) -> None:
    made = played(begun(user=organiser))
    add = reverse("organise-stage-add", args=[made.tournament.slug])
    typed = {"kind": "match", "name": "Second round", "stage_1": "1", "take_1": "first", "count_1": "2"}
    refused = browser.send(add, "/add/", **typed | {"count_1": "5"})
    assert refused.status_code == 422
    assert "5 cannot go through from Match: only 4 play for these places." in text(refused)
    assert 'value="Second round"' in refused.content.decode()
    twice = browser.send(add, "/add/", **typed, stage_2="1", take_2="first", count_2="1")
    assert "These players of Match are chosen twice." in text(twice)
    more = {"stage_2": "1", "take_2": "out", "lives": ""}
    answer = browser.send(add, "/add/", **typed, **more)
    assert answer.status_code == 303
    stage = Stage.objects.get(name="Second round")
    assert stage.source == {"parts": [first(1, 2), {"stage": 1, "take": "out"}]}
    assert answer.url.startswith(reverse("organise-stage", args=[stage.uid]))
    said = "Players: the first 2 of each table of Match and who is out of Match"
    assert said in text(browser.get(answer.url))
    assert said in text(browser.get(reverse("organise-board", args=[made.tournament.slug])))


def test_source_is_changed_until_the_stage_starts(browser: Browser, organiser: User) -> None:
    made = chained(played(begun(user=organiser)), first(1, 2), division="Juniors")
    page = reverse("organise-stage-source", args=[made.stage.uid])
    assert browser.send(page, "/source/").status_code == 303
    assert made.refresh().stage.source == {"parts": [first(1, 2)], "division": "Juniors"}
    usual = {"stage_1": "usual", "division": ""}
    refused = browser.send(page, "/source/", **usual)
    assert "This goes only with a stage. Choose the stage above, or leave this empty." in text(refused)
    assert browser.send(page, "/source/", **usual, count_1="").status_code == 303
    assert made.refresh().stage.source == {}
    assert browser.send(page, "/source/", stage_1="registered", lives="2").status_code == 303
    assert made.refresh().stage.source == {"parts": [], "lives": 2}
    itself = browser.send(page, "/source/", stage_1="2")
    assert (itself.status_code, "Select a valid choice" in text(itself)) == (422, True)


def test_tie_at_the_cut_is_asked_about_and_played_out(browser: Browser, organiser: User) -> None:
    made = begun(players=4, tables=1, user=organiser)
    shared = named(made, "Börje", "Cécile", "Dima")
    chained(played(made, level=shared), first(1, 2), kind="final")
    page = reverse("organise-stage", args=[made.stage.uid])
    assert "Match, place 2: Börje, Cécile, Dima are level. Who goes through?" in text(browser.get(page))
    answer = browser.send(page, "/tie-break/")
    hand = Stage.objects.get(tournament=made.tournament, number=3)
    assert answer.url.startswith(reverse("organise-stage", args=[hand.uid]))
    assert "Players: who shares the place at the cut of Match" in text(browser.get(answer.url))
    nothing = browser.post(page + "tie-break/", {"command": uuid4()})
    assert nothing.status_code == 422
    assert "Finish the stages first from which players come here." in text(nothing)


def test_correction_says_on_its_page_who_comes_and_who_already_sits_further_on(
    browser: Browser, organiser: User
) -> None:
    made = chained(played(begun(user=organiser)), first(1, 2))
    played(filled(made, tables=2))
    filled(chained(made, first(2, 1), kind="final"))
    corrected(made, 1, *named(made, "Eeva", "Cécile", "Aino", "Göran"), finish=False)
    board = text(browser.get(reverse("organise-board", args=[made.tournament.slug])))
    line = "Match: Eeva comes in for Aino. Play at table 1 has begun. Aino also plays in Final."
    assert line in board
    second = Stage.objects.get(tournament=made.tournament, number=2)
    assert "Match is open for corrections" in text(browser.get(reverse("organise-stage", args=[second.uid])))


def test_lives_stand_where_the_name_stands(browser: Browser, organiser: User) -> None:
    made = begun(user=organiser, lives=2)
    played(made)
    chained(made, first(1, 2), {"stage": 1, "take": "out"})
    made.act(actions.fill_stage, stage=made.stage.uid, tables=2)
    public = text(browser.get(reverse("stage", args=[made.tournament.slug, made.stage.uid])))
    assert (public.count("1 life left"), public.count("2 lives left")) == (4, 4)
    seats = text(browser.get(reverse("organise-seats", args=[made.stage.uid])))
    assert (seats.count("1 life left"), seats.count("2 lives left")) == (4, 4)
    made.act(actions.start_stage, stage=made.stage.uid)
    played(made.refresh(), finish=False)
    desk = text(browser.get(reverse("table", args=[made.refresh().table.uid])))
    assert "life left" in desk


def test_heats_without_further_places_ask_who_plays(browser: Browser, organiser: User) -> None:
    made = next_of_heats(1, user=organiser)
    page = reverse("organise-stage", args=[made.stage.uid])
    assert "Heat 1 has no further places. Who plays?" in text(browser.get(page))
    level = level_of(made.stage)
    assert level
    one, two = level.open_places
    chosen = one.candidates[0]
    board = text(browser.get(reverse("organise-board", args=[made.tournament.slug])))
    assert ("2 places are open. Decide who plays." in board, "need attention" in board) == (True, False)
    both = {f"place-{place.key}": str(chosen.uid) for place in (one, two)}
    refused = browser.send(page, "/fill/", **both, reason="agreed")
    assert refused.status_code == 422
    assert f"{chosen.shown_name} is named twice." in text(refused)
