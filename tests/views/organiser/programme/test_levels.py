"""Plan the evening, and what people decide on the page of a stage that is filled from heats."""

from datetime import date, datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from tests.support.factories import Event, add_stage, event
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.models import Stage, User

pytestmark = pytest.mark.django_db


def page_of(made: Event) -> str:
    return reverse("organise-levels", args=[made.tournament.slug])


def stages(made: Event) -> list[tuple[str, str, dict[str, Any]]]:
    rows = Stage.objects.filter(tournament=made.tournament).order_by("number")
    return [(row.kind, row.name, row.settings) for row in rows]


@pytest.mark.parametrize(
    ("entered", "here", "planned", "prefilled"),
    [(0, 0, 0, 24), (1, 0, 0, 24), (1, 0, 64, 64), (70, 0, 64, 70), (70, 1, 64, 70), (70, 66, 64, 66)],
)
def test_players_are_those_here_or_entered_or_planned_for(
    browser: Browser, organiser: User, *, entered: int, here: int, planned: int, prefilled: int
) -> None:
    made = event("tite-2022", players=entered, user=organiser)
    made.act(actions.plan_stage, stage=(stage := uuid4()), kind="heats")
    if planned:
        made.act(actions.set_programme, stages=[{"stage": stage, "plan": {"players": planned}}])
    made.act(actions.check_in, entries=made.uids[:here])
    answer = browser.get(page_of(made))
    assert answer.context["form"]["players"].value() == prefilled
    assert not answer.context["form"].errors


def test_sixty_four_players_at_tables_of_six(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=64, user=organiser, starts_on=date(2026, 11, 21))
    query = "?most=6&final_most=6&at_once=6&minutes=20&pause=10&starts_at=2026-11-21T18:00&target=250"
    page = browser.get(page_of(made) + query)
    planned = page.context["planned"]
    said = [
        (one.name, one.level.players, one.sizes, one.expected.waves, f"{one.starts_at:%H:%M}")
        for one in planned
    ]
    assert said == [
        ("Heats", 64, [(9, 6), (2, 5)], 2, "16:00"),  # 18:00 in Helsinki
        ("Semi-finals", 11, [(1, 6), (1, 5)], 1, "16:50"),  # two through from each, for a final of four
        ("Final", 4, [(1, 4)], 1, "17:20"),
    ]
    assert not Stage.objects.exists()
    answer = browser.send(page_of(made) + query, "/levels/")
    assert answer.status_code == 303
    assert answer["Location"].startswith(reverse("organise-programme", args=[made.tournament.slug]))
    assert stages(made) == [
        ("heats", "", {"advance": 1}),
        ("heats", "Semi-finals", {"advance": 2}),
        ("final", "", {"target": 250}),
    ]
    first = Stage.objects.get(number=1)
    assert first.plan == {
        "starts_at": "2026-11-21T16:00:00+00:00",
        "minutes": 40,
        "players": 64,
        "tables": 11,
        "most": 6,
    }


@pytest.mark.parametrize(
    ("now", "planned", "start"),
    [
        ("2026-11-21T12:00", None, "2026-11-21T18:00"),
        ("2026-11-20T20:58", None, "2026-11-21T18:00"),
        ("2026-11-21T20:58", None, "2026-11-21T21:00"),
        ("2026-11-21T21:00", None, "2026-11-21T21:15"),
        ("2026-11-21T20:58", "2026-11-21T19:00", "2026-11-21T21:00"),
        ("2026-11-21T20:58", "2026-11-21T22:30", "2026-11-21T22:30"),
        ("2026-11-22T01:00", "2026-11-21T19:00", "2026-11-21T19:00"),
    ],
)
def test_plan_starts_at_the_next_quarter_of_an_hour_where_the_planned_start_is_past_today(
    browser: Browser,
    organiser: User,
    monkeypatch: pytest.MonkeyPatch,
    *,
    now: str,
    planned: str | None,
    start: str,
) -> None:
    """The times are Helsinki's (findings, D6)."""
    helsinki = ZoneInfo("Europe/Helsinki")
    made = event("tite-2022", players=8, user=organiser, starts_on=date(2026, 11, 21))
    made.act(actions.plan_stage, stage=(stage := uuid4()), kind="heats")
    if planned:
        starts_at = datetime.fromisoformat(planned).replace(tzinfo=helsinki).isoformat()
        made.act(actions.set_programme, stages=[{"stage": stage, "plan": {"starts_at": starts_at}}])
    at = datetime.fromisoformat(now).replace(tzinfo=helsinki)
    monkeypatch.setattr("django.utils.timezone.now", lambda: at)
    assert f'name="starts_at" value="{start}"' in browser.get(page_of(made)).content.decode()


def test_what_is_typed_is_the_plan_whatever_was_shown_last(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=34, user=organiser)
    shown = Forms(browser.get(page_of(made)).content.decode()).forms
    (form,) = [form for form in shown if "players" in form["data"]]
    data = {name: value for name, value in form["data"].items() if name != "look"} | {"players": "37"}
    look = browser.post(page_of(made), data | {"look": "1"}, headers={"HX-Request": "true"})
    assert look.status_code == 200
    assert "37 players" in look.content.decode()
    assert not Stage.objects.exists()
    assert browser.post(page_of(made), data).status_code == 303
    assert Stage.objects.get(number=1).plan["players"] == 37


def test_levels_are_planned_anew_with_more_going_through(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=64, user=organiser)
    browser.send(page_of(made) + "?most=6&final_most=10", "/levels/")
    first, second, final = Stage.objects.order_by("number")
    browser.send(page_of(made) + "?players=200&advance-1=2&advance-2=1&final_most=10", "/levels/")
    assert [row[2].get("advance") for row in stages(made)] == [2, 1, 1, None]
    assert [row.uid for row in Stage.objects.order_by("number")][:2] == [first.uid, second.uid]
    assert Stage.objects.get(kind="final").uid == final.uid
    assert [row[1] for row in stages(made)] == ["", "Second heats", "Semi-finals", ""]
    browser.send(page_of(made) + "?players=8&final_most=10", "/levels/")
    assert [(row.uid, row.kind) for row in Stage.objects.all()] == [(final.uid, "final")]


def test_stages_with_seats_stay_and_a_plan_against_them_is_refused(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=12, user=organiser), "heats", tables=2, start=False)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", name="Grande finale")
    query = "?final_most=6&most=6"
    assert browser.send(page_of(made) + query, "/levels/").status_code == 303
    assert stages(made) == [("heats", "", {}), ("final", "Grande finale", {})]
    refused = browser.send(page_of(made) + query + "&advance-1=2", "/levels/")
    assert refused.status_code == 422
    assert "Stage 1 has seats or has begun" in refused.content.decode()
    assert stages(made) == [("heats", "", {}), ("final", "Grande finale", {})]


def test_what_cannot_be_planned_says_why(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=20, user=organiser)
    for query, words in (
        ("?players=x", "Enter a whole number"),
        ("?most=4&advance-1=4&final_most=6", "go through"),
        ("?starts_at=soon", "Choose the day and the time."),
        ("?target=90", "from 250 to 500"),
    ):
        page = browser.get(page_of(made) + query)
        assert page.status_code == 200
        assert words in page.content.decode(), query
        assert browser.post(page_of(made) + query, {"command": str(uuid4())}).status_code in {303, 422}


def test_a_session_has_a_programme_but_no_levels(browser: Browser, organiser: User) -> None:
    made = event("kpgut-2016", players=6, user=organiser)
    page = browser.get(page_of(made))
    assert "These rules have no heats before a final." in page.content.decode()
    assert browser.post(page_of(made), {"command": str(uuid4())}).status_code == 200
    assert not Stage.objects.exists()


# People who go through
