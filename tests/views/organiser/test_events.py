"""Creating events from the organiser's pages, and what was set for a stage."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.support.factories import Event, UserFactory
from tests.views.organiser.conftest import Browser, form_of, shown
from tournament.models import Stage, Tournament
from tournament.words.text import home_today

pytestmark = pytest.mark.django_db

NEW = "/en/organise/new/"


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


# ---- a new event


@pytest.mark.parametrize(
    ("template", "ruleset", "stages"),
    [
        ("session", "kpgut-2016", [("session", {})]),
        (
            "match",
            "mattel-112",
            [("match", {"target": 500, "scoring": "winner_takes", "custom_cards": 3})],
        ),
        (
            "race",
            "mattel-112",
            [("race", {"scoring": "own_hand", "rank": ["average"], "custom_cards": 3})],
        ),
        ("championship", "tite-2022", [("heats", {"advance": 1}), ("final", {})]),
    ],
)
def test_name_and_template_are_enough(
    browser: Browser, template: str, ruleset: str, stages: list[tuple[str, dict[str, Any]]]
) -> None:
    sent = form_of(browser, f"{NEW}?template={template}") | {"name": "Evening"}
    assert sent["template"] == template
    assert browser.post(NEW, sent).status_code == 303
    made = Tournament.objects.get()
    assert (made.ruleset, made.language, made.starts_on) == (ruleset, "en", home_today())
    assert [(stage.kind, stage.settings) for stage in made.stages.all()] == stages


def test_another_template_keeps_what_was_typed(browser: Browser) -> None:
    sent = form_of(browser, NEW) | {
        "name": "Cup",
        "place": "Tampere",
        "starts_on": "2027-05-08",
        "min_games": "3",
        "template": "championship",
        "look": "1",
    }
    del sent["listed"]
    answer = browser.post(NEW, sent)
    assert answer.status_code == 200
    assert not Tournament.objects.exists()
    again = shown(answer)
    assert (again["name"], again["place"], again["starts_on"]) == ("Cup", "Tampere", "2027-05-08")
    assert (again["template"], again["expected"], again["command"]) == ("championship", "24", sent["command"])
    assert "listed" not in again
    assert "min_games" not in again
    assert not re.search('class="field__error"', answer.content.decode())


def test_rules_of_the_template_before_are_not_taken_over(browser: Browser) -> None:
    sent = form_of(browser, f"{NEW}?template=match") | {"template": "championship", "look": "1"}
    assert sent["target"] == "500"
    assert shown(browser.post(NEW, sent))["target"] == ""
    kept = shown(browser.post(NEW, sent | {"template": "match", "target": "300"}))
    assert kept["target"] == "300"


@pytest.mark.parametrize(
    ("expected", "most", "advance", "levels"),
    [
        (24, 6, 1, [(24, 4), (4, 1)]),
        (60, 6, 1, [(60, 10), (10, 1)]),
        (64, 6, 1, [(64, 11), (11, 3), (3, 1)]),
        (64, 6, "", [(64, 11), (11, 2), (4, 1)]),
        (8, 6, 1, [(8, 1)]),
        (8, 6, "", [(8, 2), (4, 1)]),
        (30, 6, 2, [(30, 5), (10, 1)]),
        (3, 6, 1, [(3, 1)]),
    ],
)
def test_levels_follow_from_the_players_expected(
    browser: Browser, expected: int, most: int, advance: int | str, levels: list[tuple[int, int]]
) -> None:
    typed = {"expected": expected, "most_at_table": most, "advance": advance, "name": "Cup"}
    sent = form_of(browser, f"{NEW}?template=championship") | typed
    looked = browser.post(NEW, sent | {"look": "1"})
    assert len(looked.context["levels"]) == len(levels)
    assert browser.post(NEW, sent).status_code == 303
    plans = [stage.plan for stage in Stage.objects.order_by("number")]
    assert [(plan["players"], plan["tables"]) for plan in plans] == levels
    assert [plan.get("most") for plan in plans] == [most] * (len(levels) - 1) + [None]


def test_levels_are_named_and_shown(browser: Browser) -> None:
    sent = form_of(browser, f"{NEW}?template=championship") | {"expected": "64", "look": "1"}
    text = text_of(browser.post(NEW, sent))
    assert "Heats 64 players, 11 tables of 5 or 6, 11 through" in text
    assert "Semi-finals 11 players, 2 tables of 5 or 6, 4 through" in text
    assert "Final 4 players at one table" in text


@pytest.mark.parametrize(
    ("template", "typed", "field", "words"),
    [
        ("championship", {"expected": "1"}, "expected", "greater than or equal to 2"),
        ("championship", {"expected": "many"}, "expected", "whole number"),
        ("championship", {"advance": "6"}, "advance", "fewer than 6 can go through"),
        ("championship", {"most_at_table": "1"}, "most_at_table", "greater than or equal to 2"),
        ("championship", {"target": "90"}, "target", "from 250 to 500"),
        ("match", {"custom_cards": "4"}, "custom_cards", "less than or equal to 3"),
        (
            "match",
            {"custom_cards": "1", "card_text_1": "Hop", "card_text_2": "Sing"},
            "card_text_2",
            "has only 1 Customizable card",
        ),
        ("match", {"card_text_3": "x" * 101}, "card_text_3", "100"),
        (
            "match",
            {"ruleset": "mattel-108", "card_text_1": "Sing"},
            "card_text_1",
            "has only 0 Customizable cards",
        ),
        ("session", {"min_games": "0"}, "min_games", "greater than or equal to 1"),
        ("session", {"starts_on": "tomorrow"}, "starts_on", "valid date"),
    ],
)
def test_bad_input_is_said_at_the_field_and_nothing_typed_is_lost(
    browser: Browser, template: str, typed: dict[str, str], field: str, words: str
) -> None:
    sent = form_of(browser, f"{NEW}?template={template}") | {"name": "Cup", "place": "Tampere"} | typed
    answer = browser.post(NEW, sent)
    assert answer.status_code == 422
    assert not Tournament.objects.exists()
    again = shown(answer)
    assert {name: again[name] for name in ("name", "place", *typed)} == {
        "name": "Cup",
        "place": "Tampere",
        **typed,
    }
    error = re.search(rf'id="id_{field}_error">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert error, answer.content.decode()
    assert re.search(words, error[1])


def test_card_texts_are_kept_with_the_match(browser: Browser) -> None:
    sent = form_of(browser, f"{NEW}?template=match")
    typed = {"name": "Match", "custom_cards": "2", "card_text_1": "Sing", "card_text_3": "Hop"}
    assert browser.post(NEW, sent | typed).status_code == 303
    assert Stage.objects.get().card_texts == ["Sing", "Hop"]


# ---- what was set, by whom, since when it is locked


def test_the_name_of_an_organiser_is_asked_only_of_a_new_one(browser: Browser, planned: Event) -> None:
    first = Client()
    first.force_login(UserFactory())
    assert "A club or a group of friends. Leave empty to use your own name." in text_of(first.get(NEW))
    assert "Only for a new organiser, such as a club or a group of friends." in text_of(browser.get(NEW))


def test_template_chosen_a_moment_before_has_its_defaults(browser: Browser) -> None:
    """Created before the fields of the championship have arrived."""
    sent = form_of(browser, f"{NEW}?template=session") | {"template": "championship", "name": "Cup"}
    sent.pop("expected", None)
    assert browser.post(NEW, sent).status_code == 303
    assert Tournament.objects.get().stages.get(number=1).plan == {"players": 24, "tables": 4, "most": 6}
