"""Faults of races and chains in organisers' forms, each named at its field, and what waits at the finish."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.at_table import proposed
from tests.support.chains import begun, chained
from tests.support.factories import add_stage, event, running_race
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import User

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Browser:
    browser = Browser()
    browser.force_login(user)
    return browser


def test_a_source_chosen_twice_is_named_at_its_field() -> None:
    made = chained(begun())
    first = made.tournament.stages.order_by("number")[0]
    page = reverse("organise-stage-source", args=[made.stage.uid])
    typed = {f"stage_{index}": str(first.number) for index in (1, 2)} | {"count_1": "2", "count_2": "2"}
    answer = signed_in(made.user).send(page, "/source/", **typed)
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["stage_2"]


def test_fewer_games_allowed_than_a_place_needs_is_said_in_words() -> None:
    made = add_stage(event("mattel-108", 4), "race", start=False, scoring="own_hand")
    page = reverse("organise-stage", args=[made.stage.uid])
    typed = {"scoring": "own_hand", "rank": "total", "min_games": "3", "max_games": "2"}
    answer = signed_in(made.user).send(page, page, **typed)
    assert answer.status_code == 422
    assert "Fewer games than a place needs" in str(answer.context["form"].errors["max_games"])


def test_a_race_is_renamed_without_a_word_on_what_decides() -> None:
    rank = ["wins", "cards", "total"]
    made = add_stage(event("mattel-108", 4), "race", start=False, scoring="own_hand", rank=rank)
    page = reverse("organise-stage", args=[made.stage.uid])
    assert signed_in(made.user).send(page, page, name="Round 1", max_games="2").status_code == 303
    stage = made.refresh().stage
    assert (stage.name, stage.settings["rank"], stage.settings["max_games"]) == ("Round 1", rank, 2)


def test_a_proposal_that_waits_is_named_at_the_finish() -> None:
    made = running_race(3)
    proposed(made)
    page = signed_in(made.user).get(reverse("organise-stage", args=[made.stage.uid])).content.decode()
    assert "1 result that players proposed is not accepted yet" in page


def test_a_phone_reads_what_else_decides_a_race() -> None:
    made = running_race(3, rank=["wins", "total"])
    uids = made.uids
    hands = {str(uid): {"7": 1} for uid in uids[1:]}
    made.act(actions.record_round, table=made.table.uid, play=uuid4(), number=1, winner=uids[0], hands=hands)
    page = Browser().get(reverse("stage", args=[made.tournament.slug, made.stage.uid])).content.decode()
    assert "1 game · 7 points" in page


@pytest.mark.parametrize("kind", ["race", "races"])
def test_a_race_is_added_to_a_chain(kind: str) -> None:
    made = running_race(4)
    page = reverse("organise-stage-add", args=[made.tournament.slug])
    typed = {"kind": kind, "stage_1": str(made.stage.number), "count_1": "2"}
    assert signed_in(made.user).send(page, "/add/", **typed).status_code == 303
    assert made.tournament.stages.get(kind=kind, number=2).settings == {"scoring": "own_hand"}
