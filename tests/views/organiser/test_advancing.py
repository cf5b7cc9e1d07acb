"""Decisions on the page of a stage that is filled from heats."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.factories import Event, add_stage, event, recorded_heat
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Decision, Entry, Play, Seat, Stage, Table, User
from tournament.queries.advancing import level_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(organiser: User) -> Event:
    """Three heats of three, each won by the player who sits first, over; and a final."""
    made = add_stage(event("tite-2022", players=9, user=organiser), "heats", tables=3)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.stage = Stage.objects.get(uid=final)
    return made


def stage_page(made: Event) -> str:
    return reverse("organise-stage", args=[made.stage.uid])


def seats(made: Event) -> list[str]:
    rows = Seat.objects.filter(table__stage=made.stage).order_by("position")
    return list(rows.values_list("entry__public_name", flat=True))


def test_one_tap_draws_the_seats(browser: Browser, cup: Event) -> None:
    answer = browser.send(stage_page(cup), "/fill/", seed="4711")
    assert answer.status_code == 303
    assert sorted(seats(cup)) == ["Aino", "Börje", "Cécile"]
    assert cup.stage.draw["seed"] == "4711"


def test_an_open_place_is_a_question_with_its_candidates(browser: Browser, cup: Event) -> None:
    cup.act(actions.player_leaves, entry=cup.uids[0])
    page = browser.get(stage_page(cup))
    assert "Aino (heat 1) went through but is not here. Who takes the place?" in page.content.decode()
    (question,) = page.context["fill"].questions
    assert [name for _uid, name in question.of_heat] == ["Dima", "Göran"]
    refused = browser.send(stage_page(cup), "/fill/", reason="I did not choose")
    assert refused.status_code == 422
    said = refused.content.decode()
    assert "Decide who goes through from heat 1, or leave the place open." in said
    assert "I did not choose" in said
    no_reason = browser.send(stage_page(cup), "/fill/", **{"place-1-1-1": str(cup.uids[3])})
    assert no_reason.status_code == 422
    assert no_reason.context["fill"].questions[0].chosen == str(cup.uids[3])
    chosen = {"place-1-1-1": str(cup.uids[3]), "reason": "second out"}
    assert browser.send(stage_page(cup), "/fill/", **chosen).status_code == 303
    assert sorted(seats(cup)) == ["Börje", "Cécile", "Dima"]
    assert "second out" in browser.get(stage_page(cup)).content.decode()


def test_an_open_place_is_left_open(browser: Browser, cup: Event) -> None:
    cup.act(actions.player_leaves, entry=cup.uids[0])
    answer = browser.send(stage_page(cup), "/fill/", **{"place-1-1-1": "open", "reason": "two are enough"})
    assert answer.status_code == 303
    assert sorted(seats(cup)) == ["Börje", "Cécile"]


def correct(made: Event) -> None:
    """The second of the first heat was the first one out after all."""
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.reopen_stage, stage=heats.uid, reason="misread")
    play = Play.objects.get(table__stage=heats, table__number=1)
    made.act(
        actions.correct_heat,
        play=play.uid,
        version=play.version,
        reason="misread",
        finish_order=[made.uids[3]],
    )
    made.act(actions.finish_stage, stage=heats.uid)


@pytest.mark.parametrize("begun", [False, True])
def test_heats_opened_again_after_their_final_say_so_and_close_by_one_tap(
    browser: Browser, cup: Event, begun: bool
) -> None:
    cup.act(actions.fill_stage, stage=cup.stage.uid)
    if begun:
        cup.act(actions.start_stage, stage=cup.stage.uid)
    heats = Stage.objects.get(tournament=cup.tournament, number=1)
    own = reverse("organise-stage", args=[heats.uid])
    assert "Reopened" not in browser.get(own).content.decode()
    before = seats(cup)
    assert browser.send(own, "/reopen/", reason="misread").status_code == 303
    page = browser.get(own).content.decode()
    assert ("Reopened after Final began" if begun else "Reopened after seats were assigned in Final") in page
    assert "seats in the next stage can be given out" not in page
    assert "open for corrections" in browser.get(stage_page(cup)).content.decode()
    refused = browser.send(stage_page(cup), "/finish/" if begun else "/start/")
    assert refused.status_code == 422
    assert "Finish Heats first. Who plays here depends on the result." in refused.content.decode()
    assert browser.send(own, "/finish/").status_code == 303
    page = browser.get(own).content.decode()
    assert "Reopened after" not in page
    assert "open for corrections" not in browser.get(stage_page(cup)).content.decode()
    assert seats(cup) == before
    assert verify(cup.refresh().tournament) == []


def test_a_corrected_heat_asks_and_keeps_everybody(browser: Browser, cup: Event) -> None:
    cup.act(actions.fill_stage, stage=cup.stage.uid)
    correct(cup)
    assert "Final: Dima comes in for Aino." in browser.get(stage_page(cup)).content.decode()
    refused = browser.send(stage_page(cup), "/choose/", choice="keep")
    assert refused.status_code == 422
    assert "Write a reason." in refused.content.decode()
    assert browser.send(stage_page(cup), "/choose/", choice="keep", reason="agreed").status_code == 303
    assert seats(cup) == ["Aino", "Börje", "Cécile"]
    assert "comes in for Aino" not in browser.get(stage_page(cup)).content.decode()


def test_a_corrected_heat_swaps_or_plays_the_table_anew(browser: Browser, cup: Event) -> None:
    cup.act(actions.fill_stage, stage=cup.stage.uid)
    cup.act(actions.start_stage, stage=cup.stage.uid)
    table = Table.objects.get(stage=cup.stage)
    aino, borje, cecile, dima = cup.uids[:4]
    cup.act(
        actions.record_round,
        table=table.uid,
        play=uuid4(),
        number=1,
        winner=aino,
        hands={str(uid): {"5": 1} for uid in (borje, cecile)},
    )
    correct(cup)
    page = browser.get(stage_page(cup)).content.decode()
    assert "Play at table 1 has begun." in page
    assert "1 round or heat at table 1 no longer counts for anyone" in page
    swap = {"choice": f"swap:{aino}:{dima}", "reason": "misread"}
    assert browser.send(stage_page(cup), "/choose/", **swap).status_code == 422
    anew = {"choice": f"anew:{aino}:{dima}", "reason": "misread"}
    assert browser.send(stage_page(cup), "/choose/", **anew).status_code == 303
    assert seats(cup) == ["Dima", "Börje", "Cécile"]
    for name in ("stage", "tournament"):
        slug = [cup.tournament.slug, *([cup.stage.uid] if name == "stage" else [])]
        assert browser.get(reverse(name, args=slug)).status_code == 200
    for uid in (aino, dima):
        assert browser.get(reverse("entry", args=[cup.tournament.slug, uid])).status_code == 200
    for address in (reverse("table", args=[table.uid]), reverse("table-history", args=[table.uid])):
        assert browser.get(address).status_code == 200
    assert browser.get(reverse("play", args=[Play.objects.get(table=table).uid])).status_code == 200


def test_reserves_are_named_and_called(browser: Browser, cup: Event) -> None:
    cup.act(actions.fill_stage, stage=cup.stage.uid)
    ranks = {f"rank-{cup.uids[4]}": "2", f"rank-{cup.uids[5]}": "1"}
    assert browser.send(stage_page(cup), "/reserves/", **ranks, reason="").status_code == 422
    assert browser.send(stage_page(cup), "/reserves/", **ranks, reason="by lot").status_code == 303
    level = level_of(cup.stage)
    assert level is not None
    assert [one.entry.public_name for one in level.reserves] == ["Fatima", "Eeva"]
    public = browser.get(reverse("stage", args=[cup.tournament.slug, cup.stage.uid])).content.decode()
    assert "Reserves, in this order:" in public
    cup.act(actions.player_leaves, entry=cup.uids[0])
    page = browser.get(stage_page(cup)).content.decode()
    assert "Aino (heat 1) is not here." in page
    assert browser.send(stage_page(cup), "/call/").status_code == 303
    assert sorted(seats(cup)) == ["Börje", "Cécile", "Fatima"]
    assert set(Decision.objects.values_list("kind", "entry__public_name")) == {
        ("advance", "Fatima"),
        ("reserve", "Eeva"),
    }


@pytest.mark.parametrize("text", ["", "x", "swap", "swap:x:y", "anew:::", "keep:x", "\x00", "swap::"])
@pytest.mark.sweep
def test_forged_choices_are_answered(browser: Browser, cup: Event, text: str) -> None:
    cup.act(actions.fill_stage, stage=cup.stage.uid)
    own = stage_page(cup)
    answers = [
        browser.post(own + "choose/", {"choice": text, "reason": "x", "command": str(uuid4())}),
        browser.post(own + "call/", {"entry": text, "reason": "x", "command": str(uuid4())}),
        browser.post(own + "reserves/", {f"rank-{cup.uids[4]}": text, "reason": "", "command": str(uuid4())}),
        browser.post(own + "fill/", {"order": text, "seed": text, "tables": text, "command": text}),
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert seats(cup) == ["Aino", "Börje", "Cécile"]


def test_strangers_and_head_referees_do_not_decide(browser: Browser, cup: Event) -> None:
    head = Browser()
    head.force_login(cup.referee())
    stranger = Browser()
    stranger.force_login(User.objects.create_user("stranger"))
    own = [stage_page(cup) + what for what in ("fill/", "choose/", "call/", "reserves/")]
    slug = [cup.tournament.slug]
    own += [reverse(name, args=slug) for name in ("organise-levels", "organise-programme")]
    own.append(reverse("organise-programme-publish", args=slug))
    for address in own:
        assert stranger.post(address, {"command": str(uuid4())}).status_code == 404
        assert head.post(address, {"command": str(uuid4())}).status_code == 403
        assert browser.get(address).status_code in {200, 302}
    assert not Decision.objects.exists()


def test_the_stage_asks_as_often_for_many_heats_as_for_few(
    browser: Browser, organiser: User, django_assert_max_num_queries: Any
) -> None:
    for tables in (2, 6):
        made = add_stage(event("tite-2022", players=3 * tables, user=organiser), "heats", tables=tables)
        for table in made.tables:
            recorded_heat(made, table)
        made.act(actions.finish_stage, stage=made.stage.uid)
        made.act(actions.plan_stage, stage=uuid4(), kind="final")
        made.stage = Stage.objects.get(tournament=made.tournament, kind="final")
        with django_assert_max_num_queries(29):
            assert browser.get(stage_page(made)).status_code == 200
    assert Entry.objects.count() == 24
