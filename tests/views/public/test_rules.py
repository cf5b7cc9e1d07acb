"""The rules at hand: a page for each ruleset, whole without the database, a script or a network."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from rulesets import RULESETS, penalties_of
from rulesets.sound import WORDINGS
from tests.support.factories import event
from tournament.models.stage import LONGEST_CARD_TEXT
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


def test_kpgut_has_the_special_situations_in_the_order_of_its_sheet() -> None:
    numbers = re.findall(r"<h3[^>]*>§([0-9.]+): ", page("kpgut-2016"))

    assert numbers == ["1", "2", "3.1", "3.2", *(str(number) for number in range(4, 16))]


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
        ("kpgut-2016", 108, ["Wild", "Wild+Draw 4"]),
        ("mattel-108", 108, ["Wild", "Wild Draw 4"]),
        ("mattel-112", 112, ["Shuffle Hands", "Customizable"]),
        ("tite-2022", 104, ["Draw 4"]),
    ],
)
def test_deck_is_that_of_the_ruleset(ruleset: str, cards: int, kinds: list[str]) -> None:
    text = page(ruleset)

    assert f"A deck has {cards} cards." in text
    for kind in kinds:
        assert re.search(rf"<(?:b|h3 [^>]*)>{re.escape(kind)}</", text)


@pytest.mark.parametrize(("language", "finnish"), [("en", False), ("fi", True), ("sv", False)])
def test_language_of_the_page_chooses_between_the_sheets(language: str, finnish: bool) -> None:
    answer = Client().get(f"/{language}/rules/kpgut-2016/")

    assert answer.context["finnish_sheet"] is finnish


def test_page_says_which_sheet_it_follows() -> None:
    text = page("kpgut-2016")

    assert 'Language of the sheet used here: <b lang="en">English</b>' in text
    assert "The player who shuffles in §4 then shuffles it into the draw pile." in text


def test_kpgut_in_finnish_calls_the_side_slide_by_the_sheets_name() -> None:
    text = page("kpgut-2016", "fi")

    assert "Välilyönti" in text
    assert "ivuliuku" not in text


def test_kpgut_in_finnish_has_the_words_of_its_own_sheet() -> None:
    text = page("kpgut-2016", "fi").partition('id="sections"')[2].partition('class="row rules__others')[0]

    for own in (
        ">Villi</h3>",
        "Villi+Nosta 4",
        "pelipino",
        "nostopino",
        "huomautu",
        "epäil",
        "neuvo",
        "Tuntokortit",
    ):
        assert own in text
    for other in ("joker", "poistopa", "haast", "varoit", "autta", "erkitty kortti", "erimiel"):
        assert other not in text.lower()


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


def test_event_and_list_of_events_lead_to_the_rules(db: None) -> None:
    made = event("tite-2022")
    text = Client().get(reverse("tournament", args=[made.tournament.slug])).content.decode()
    assert 'href="/en/rules/tite-2022/"' in text
    assert 'href="/en/rules/"' in Client().get("/en/").content.decode()


@pytest.mark.parametrize(
    ("language", "said", "gone"),
    [
        ("en", "equality plan of TREY", "university"),
        ("fi", "TREYn yhdenvertaisuussuunnitelma", "tasa-arvosuunnitelma"),
        ("sv", "TREY:s likabehandlingsplan", "jämlikhetsplan"),
    ],
)
def test_tite_follows_the_equality_plan_of_the_student_union(language: str, said: str, gone: str) -> None:
    text = page("tite-2022", language)

    assert said in text
    assert gone not in text


@pytest.mark.parametrize(
    ("language", "said", "gone"),
    [
        ("en", "A player whose only card left is black draws", "only black cards"),
        ("fi", "enää yksi kortti ja se on musta", "vain mustia kortteja"),
        ("sv", "Den som bara har ett svart kort kvar drar", "bara har svarta kort"),
    ],
)
def test_tite_lets_one_of_two_black_cards_be_played(language: str, said: str, gone: str) -> None:
    text = page("tite-2022", language)

    assert said in text
    assert gone not in text


def test_tite_puts_no_condition_on_a_black_card_and_has_no_challenge() -> None:
    text = page("tite-2022")

    assert 'id="wild4-no-condition" class="ruling"' in text
    assert "by a player who holds no card of the colour" not in text
    assert "the next player may challenge it" not in text
    assert text.count("No challenge.") == 2


def test_tite_counts_a_turned_up_card_from_who_begins() -> None:
    text = page("tite-2022")

    assert "the dealer plays first" not in text
    assert "the dealer’s left" not in text
    assert 'id="later-rounds" class="ruling"' in text


@pytest.mark.parametrize(
    ("ruleset", "said", "gone"),
    [
        (
            "mattel-108",
            ["Villi kortti", "Villi nosta 4 korttia", "toimintakort", "nostopino", "poistopino"],
            ["jokeri", "erikoiskort", "nostopak", "poistopak"],
        ),
        ("mattel-112", ["Nosta 4 -jokeri", "erikoiskort", "nostopakka", "poistopakka"], ["Villi"]),
    ],
)
def test_page_has_the_finnish_words_of_its_own_sheet(ruleset: str, said: list[str], gone: list[str]) -> None:
    text = page(ruleset, "fi").partition("<main")[2].partition("</main>")[0].lower()

    assert [word for word in said if word.lower() not in text] == []
    assert [word for word in gone if word.lower() in text] == []


@pytest.mark.parametrize(
    ("ruleset", "language", "headings"),
    [
        (
            "mattel-112",
            "fi",
            "Sisältö: 112 korttia|Pelin tavoite|Valmistelut|Pelin kulku|Erikoiskortit|Mukautettavien korttien käyttö|"
            "Korttien loppuminen|Pistelasku|Pelin voittaminen|Toinen tapa laskea pisteet ja voittaa",
        ),
        (
            "mattel-108",
            "fi",
            "Pelin tavoite|Valmistelu|Aloita peli|Toimintakorttien kuvaukset|Pelin päättyminen|Pisteytys|"
            "Pelin päättyminen: voittaja|Vaihtoehtoinen pisteytys ja pelin päättyminen",
        ),
        (
            "tite-2022",
            "fi",
            "TiTen virallisen UNO-turnauksen pelisäännöt|Pelin tavoite|Kortit, aloitus ja jako|Pelin kulku|"
            "Korttien loppuminen|Ongelmatilanteet|Pisteet|Sääntöjen tekijät",
        ),
        (
            "tite-2022",
            "en",
            "Rules for TiTe’s official UNO tournament|Goal of the game|Cards, start and deal|Game "
            "play|Running out of cards|Problem situations|Points|Authors of the rules",
        ),
    ],
)
def test_page_is_headed_as_its_sheet_in_the_sheets_order(ruleset: str, language: str, headings: str) -> None:
    found = re.findall(r'<h2 id="[^"]+-title">(.*?)</h2>', page(ruleset, language))

    assert "|".join(found).startswith(headings)


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("tite-2022", {"en": "30(+1) anniversary committee", "fi": "30(+1)-vuosijuhlatoimikunta"}),
        ("mattel-112", {"en": "unorules.net/fi", "fi": "unorules.net/fi", "sv": "unorules.net/fi"}),
        ("mattel-108", {"fi": "108 kortin pakkauksen säännöt", "sv": "reglerna i asken med 108 kort"}),
    ],
)
def test_page_names_who_made_its_sheet_in_the_readers_language(ruleset: str, said: dict[str, str]) -> None:
    assert [language for language, words in said.items() if words not in page(ruleset, language)] == []


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_ten_ideas_for_customizable_cards_fit_on_one(language: str) -> None:
    ideas = page("mattel-112", language).partition('id="custom-ideas"')[2].partition("</div>")[0]
    texts = re.findall("<li>(.*?)</li>", ideas)

    assert len(set(texts)) == 10
    assert max(map(len, texts)) <= LONGEST_CARD_TEXT


def points_said(ruleset: str) -> list[str]:
    listed = page(ruleset).partition('<li id="card-points">')[2].partition("</ul>")[0]
    return [line.strip() for line in re.findall("<li>(.*?)</li>", listed)]


def test_points_of_the_cards_are_those_of_the_ruleset() -> None:
    said = ["Number cards: face value", "Draw 2, Reverse, Skip: 20"]

    assert points_said("tite-2022") == [*said, "Draw 4: 50"]
    assert points_said("mattel-112") == [
        *said,
        "Wild, Wild Draw 4: 50",
        "Shuffle Hands, Customizable: 40",
    ]
