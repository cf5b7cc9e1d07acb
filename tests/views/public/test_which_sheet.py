"""Which sheet the rules of an event follow: that of the event's language, in the reader's own language."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rulesets import RULESETS
from tests.support.desk import as_referee
from tests.support.factories import Event, event, running_session
from tournament import actions
from tournament.links import token_for


def session_in(language: str) -> Event:
    """A KPGUT session whose players read this language."""
    made = running_session()
    made.act(actions.edit_tournament, name="Kisa", starts_on=made.tournament.starts_on, language=language)
    return made


@pytest.mark.parametrize(
    ("plays", "reads", "finnish"), [("fi", "en", True), ("en", "fi", False), ("sv", "fi", False)]
)
def test_event_leads_to_the_sheet_it_plays_by_in_the_readers_language(
    db: None, plays: str, reads: str, finnish: bool
) -> None:
    made = session_in(plays)
    slug, table, entry = made.tournament.slug, made.table, made.entries[0]
    referee = as_referee(made)
    for client, path in [
        (Client(), reverse("tournament", args=[slug])),
        (Client(), reverse("stage", args=[slug, made.stage.uid])),
        (Client(), reverse("entry", args=[slug, entry.uid])),
        (Client(), reverse("at-table", args=[token_for("table", table.uid, table.link_number)])),
        (referee, reverse("table", args=[table.uid])),
        (referee, reverse("table-incidents", args=[table.uid])),
    ]:
        text = client.get(path.replace("/en/", f"/{reads}/", 1)).content.decode()
        links = set(re.findall(r'href="(/../rules/kpgut-2016/[^"#]*)', text))
        assert len(links) == 1, path
        link = links.pop()
        assert link.startswith(f"/{reads}/"), path
        assert Client().get(link).context["finnish_sheet"] is finnish, path


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_head_says_which_sheet_is_followed_and_leads_to_the_other(language: str) -> None:
    for sheet, name, other in [("fi", "Suomi", "en"), ("en", "English", "fi")]:
        text = Client().get(f"/{language}/rules/kpgut-2016/{sheet}/").content.decode()
        assert f'<b lang="{sheet}">{name}</b>' in text
        assert f'href="/{language}/rules/kpgut-2016/{other}/" lang="{other}"' in text


@pytest.mark.parametrize(
    "ruleset", ["kpgut-2016/sv", "kpgut-2016/x", "mattel-108/en", "tite-2022/fi", "x/fi"]
)
def test_sheet_that_does_not_exist_has_no_page(ruleset: str) -> None:
    answer = Client().get(f"/fi/rules/{ruleset}/")
    assert answer.status_code == 404
    assert '<main id="main"' in answer.content.decode()


def test_event_whose_rules_have_one_sheet_leads_to_their_short_address(db: None) -> None:
    made = event("tite-2022", language="fi")
    text = Client().get(reverse("tournament", args=[made.tournament.slug])).content.decode()
    assert set(re.findall(r'href="(/../rules/tite-[^"]*)', text)) == {"/en/rules/tite-2022/"}


@pytest.mark.parametrize(
    ("ruleset", "language", "said"),
    [
        (
            "kpgut-2016",
            "en",
            "by Riku “kingi89” Eskelinen (2009), after the rules of the youth work of Orivesi",
        ),
        ("kpgut-2016", "fi", "Oriveden seurakunnan nuorisotyön säännöistä kirjasi Riku ”kingi89” Eskelinen"),
        ("kpgut-2016", "sv", "får fritt användas, kopieras och spridas oförändrade"),
        ("tite-2022", "fi", "TiTen 30(+1)-vuosijuhlatoimikunta"),
        ("mattel-108", "fi", "Mattel, 108 kortin pakkauksen säännöt"),
        ("mattel-112", "sv", "Mattel, reglerna i asken med 112 kort"),
    ],
)
def test_source_is_named_in_the_readers_language(ruleset: str, language: str, said: str) -> None:
    text = Client().get(f"/{language}/rules/{ruleset}/").content.decode()
    assert said in text
    assert (str(RULESETS[ruleset].source) in text) == (language == "en")


def test_source_leads_to_the_newest_version() -> None:
    for ruleset, newest in [
        ("kpgut-2016", "http://kingi89.fi/kpgut"),
        ("mattel-112", "http://unorules.net/fi"),
    ]:
        text = Client().get(f"/sv/rules/{ruleset}/").content.decode()
        assert f'<a href="{newest}" rel="noopener external">{newest}</a>' in text


@pytest.mark.parametrize("path", ["", "rules/", "help/", "score/", "desk/", "organise/"])
def test_rules_are_in_the_top_menu(db: None, path: str) -> None:
    text = as_referee(running_session()).get(f"/en/{path}").content.decode()
    assert re.search(
        r'<a href="/en/rules/">\s*<svg.*?</svg>\s*<span>Rules</span></a>',
        text.partition("</header>")[0],
        re.DOTALL,
    )
    assert "Rules" not in text.partition("<footer")[2]
