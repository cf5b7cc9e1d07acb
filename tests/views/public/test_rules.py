"""The rules at hand: a page for each ruleset, whole without the database, a script or a network."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from rulesets import RULESETS, penalties_of
from rulesets.sound import WORDINGS
from tests.support.factories import event
from tournament.views.public.rules import SECTIONS
from tournament.words.penalties import penalty_texts


def page(ruleset: str, language: str = "en") -> str:
    answer = Client().get(f"/{language}/rules/{ruleset}/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_ruleset_has_its_page_with_an_anchor_for_each_section(ruleset: str, language: str) -> None:
    text = page(ruleset, language)

    for anchor, _title, _template in SECTIONS[RULESETS[ruleset].wording]:
        assert text.count(f'id="{anchor}"') == 1
        assert f'href="#{anchor}"' in text
    for anchor in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{anchor}"' in text


@pytest.mark.parametrize("ruleset", RULESETS)
def test_page_names_its_source_the_trademark_and_every_penalty(ruleset: str) -> None:
    text = page(ruleset)

    assert RULESETS[ruleset].source in text
    assert "UNO is a trademark of Mattel, Inc." in text
    for penalty in penalties_of(ruleset):
        for words in penalty_texts(ruleset, penalty.code):
            assert words in text


def test_every_wording_has_sections() -> None:
    assert set(SECTIONS) == set(WORDINGS) - {""} == {ruleset.wording for ruleset in RULESETS.values()}


@pytest.mark.parametrize(
    ("ruleset", "cards", "kinds"),
    [
        ("kpgut-2016", 108, ["Wild", "Wild Draw 4"]),
        ("mattel-108", 108, ["Wild", "Wild Draw 4"]),
        ("mattel-112", 112, ["Shuffle Hands", "Customizable"]),
        ("tite-2022", 104, ["Wild Draw 4"]),
    ],
)
def test_deck_is_that_of_the_ruleset(ruleset: str, cards: int, kinds: list[str]) -> None:
    text = page(ruleset)

    assert f"A deck holds {cards} cards." in text
    for kind in kinds:
        assert f"<b>{kind}</b>" in text


@pytest.mark.parametrize(("language", "finnish"), [("en", False), ("fi", True), ("sv", False)])
def test_language_of_the_page_chooses_between_the_sheets(language: str, finnish: bool) -> None:
    answer = Client().get(f"/{language}/rules/kpgut-2016/")

    assert answer.context["finnish_sheet"] is finnish


def test_page_says_which_sheet_it_follows() -> None:
    text = page("kpgut-2016")

    assert "This page follows the English one; in Finnish it follows the Finnish one." in text
    assert "Then it is shuffled into the draw pile." in text


def test_page_can_be_searched_by_script_and_is_whole_without() -> None:
    text = page("mattel-108")

    assert re.search(r'<div class="rules__find[^>]* hidden>', text)
    assert 'type="search"' in text
    assert re.search(r'data-asked="/static/lastcard/js/watch/asked/en[.0-9a-f]*[.]js"', text)
    assert "js/watch/rules.js" in text
    assert 'aria-labelledby="contents-title"' in text


def test_page_asks_no_database_and_opens_again_for_a_day(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        answer = Client().get("/en/rules/mattel-108/")

    assert answer["Cache-Control"] == "public, max-age=86400"
    assert "ETag" in answer
    assert not answer.cookies
    assert "data-live" not in answer.content.decode()


def test_unknown_ruleset_has_no_page() -> None:
    assert Client().get("/en/rules/house/").status_code == 404


def test_list_leads_to_each_page() -> None:
    text = Client().get("/en/rules/").content.decode()
    assert all(f'href="/en/rules/{ruleset}/"' in text for ruleset in RULESETS)


def test_event_and_footer_lead_to_the_rules(db: None) -> None:
    made = event("tite-2022")
    text = Client().get(reverse("tournament", args=[made.tournament.slug])).content.decode()
    assert 'href="/en/rules/tite-2022/"' in text
    assert 'href="/en/rules/"' in text
