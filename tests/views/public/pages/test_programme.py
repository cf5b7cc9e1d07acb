"""The programme as everybody sees it: only once it is published, with every change marked in words."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, add_stage, event
from tournament import actions
from tournament.models import Stage
from tournament.queries.programme import Plan

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 16, 30, tzinfo=UTC)  # 18:30 in Helsinki


def planned(tables: int = 11, starts_at: datetime = EVENING) -> dict[str, object]:
    return Plan(starts_at, 40, 64, tables, 6).as_json()


@pytest.fixture
def evening(db: None) -> Event:
    made = add_stage(event("tite-2022", players=4, starts_on=EVENING.date()), "heats", tables=2, start=False)
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": planned()}])
    return made


def said(made: Event, language: str = "en") -> str:
    address = reverse("programme", args=[made.tournament.slug]).replace("/en/", f"/{language}/")
    page = Client().get(address)
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


def test_nothing_is_shown_before_it_is_published(evening: Event) -> None:
    assert "The programme has not been published yet." in said(evening)
    tournament = reverse("tournament", args=[evening.tournament.slug])
    link = f'href="{reverse("programme", args=[evening.tournament.slug])}"'
    assert link not in Client().get(tournament).content.decode()
    evening.act(actions.publish_programme)
    assert link in Client().get(tournament).content.decode()
    page = said(evening)
    assert ">18:30</time>" in page
    assert "64 players, 11 heats, about 40 minutes" in page
    assert "The first player out in each heat goes through." in page
    assert "changed" not in page


def test_changes_are_marked_in_words(evening: Event) -> None:
    evening.act(actions.publish_programme)
    later = EVENING + timedelta(minutes=20)
    evening.act(actions.set_programme, stages=[{"stage": evening.stage.uid, "plan": planned(9, later)}])
    page = said(evening)
    assert ">18:50</time>" in page
    assert "changed from <s><time" in page
    assert ">18:30</time></s>" in page
    assert "9 heats" in page
    assert "changed from 11 heats" in page


def test_a_part_that_is_added_or_not_played_is_marked(evening: Event) -> None:
    evening.act(actions.publish_programme)
    made = add_stage(evening, "final", tables=0, start=False, target=300)
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": {"tables": 1}}])
    page = said(made)
    assert "added later" in page
    assert "Played to 300 points." in page
    made.act(actions.publish_programme)
    assert "added later" not in said(made)
    heats = Stage.objects.get(kind="heats")
    level = {"stage": heats.uid, "kind": "heats", "settings": heats.settings, "plan": heats.plan}
    made.act(actions.set_levels, levels=[level])
    assert "will not be played" in said(made)


def test_a_part_of_which_only_the_time_is_known_begins_without_a_comma(evening: Event) -> None:
    only = dict.fromkeys(planned()) | {"minutes": 60}
    evening.act(actions.set_programme, stages=[{"stage": evening.stage.uid, "plan": only}])
    evening.act(actions.publish_programme)
    assert re.search(r"<p>\s*about 60 minutes</p>", said(evening))


def test_the_state_says_since_when(evening: Event) -> None:
    evening.act(actions.publish_programme)
    evening.act(actions.start_stage, stage=evening.stage.uid)
    assert "running since <time" in said(evening)


def test_a_rehearsal_that_was_put_away_has_no_programme(evening: Event) -> None:
    evening.tournament.put_away = True
    evening.tournament.save()
    assert Client().get(reverse("programme", args=[evening.tournament.slug])).status_code == 404
