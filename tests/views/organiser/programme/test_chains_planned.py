"""Chains of stages that fit in the hours, and one tap that creates one."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from tests.support.desk import text
from tests.support.factories import Event, event, recorded_round, running_match
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Stage, User

pytestmark = pytest.mark.django_db

QUERY = "?players=24&most=4&at_once=6&pause=10&hours=3&starts_at=2026-11-21T18:00"


def page_of(made: Event, query: str = QUERY) -> str:
    return reverse("organise-levels", args=[made.tournament.slug]) + query


def stages(made: Event) -> list[tuple[str, dict[str, Any], Any]]:
    rows = Stage.objects.filter(tournament=made.tournament).order_by("number")
    return [
        (row.kind, row.source, row.settings.get("max_games") or row.settings.get("target")) for row in rows
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "race",
            [
                ("race", {}, 19),
                ("final", {"parts": [{"stage": 1, "take": "first", "count": 6}]}, 400),
            ],
        ),
        (
            "chances",
            [
                ("races", {}, 2),
                ("races", {"parts": [{"stage": 1, "take": "first", "count": 2}]}, 2),
                ("races", {"parts": [{"stage": 1, "take": "out"}]}, 2),
                (
                    "final",
                    {
                        "parts": [
                            {"stage": 2, "take": "first", "count": 2},
                            {"stage": 3, "take": "first", "count": 1},
                        ]
                    },
                    500,
                ),
            ],
        ),
        (
            "matches",
            [
                ("match", {}, 500),
                ("race", {"parts": [{"stage": 1, "take": "first", "count": 1}]}, 1),
            ],
        ),
    ],
)
def test_a_tap_creates_the_stages(
    browser: Browser, organiser: User, name: str, expected: list[tuple[str, dict[str, Any], Any]]
) -> None:
    made = event("mattel-108", players=24, user=organiser, starts_on=date(2026, 11, 21))
    made.act(actions.plan_stage, stage=made.tournament.uid, kind="match")
    page = text(browser.get(page_of(made)))
    assert page.count("Use these stages") == 3
    assert "6 tables of 4, 19 games" in page
    assert "Players: the first 2 of each table of Race at each table" in page
    answer = browser.send(page_of(made), "/levels/", use=name)
    assert answer.status_code == 303
    assert stages(made) == expected


def test_hours_in_which_nothing_fits_and_tables_that_cannot_be(browser: Browser, organiser: User) -> None:
    made = event("mattel-108", players=6, user=organiser)
    short = text(browser.get(page_of(made, "?players=300&most=4&at_once=75&hours=1&pause=60")))
    assert "Nothing fits in so few hours." in short
    many = text(browser.get(page_of(made, "?players=6&most=4&at_once=4&hours=3")))
    assert "4 tables are too many for 6 players with at least 2 at each." in many
    assert 'value="6"' in many


def test_rules_without_races_and_events_that_were_played_offer_none(
    browser: Browser, organiser: User
) -> None:
    heats = event("tite-2022", players=24, user=organiser)
    assert "Hours in all" not in text(browser.get(page_of(heats)))
    played = running_match(players=4)
    recorded_round(played)
    browser.force_login(played.user)
    assert "Use these stages" not in text(browser.get(page_of(played)))
    answer = browser.send(page_of(played), "/levels/", use="race")
    assert answer.status_code == 422
