"""The rules as people ask for them (fixtures/rule_questions, typed into the page of each ruleset), and at a table: over
its pad and by the thumb."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.depth import dear
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.counting import Counted
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
QUESTIONS = FIXTURES / "rule_questions"
PARAGRAPHS = {"en": ("section", "special situation"), "fi": ("pykälä", "erikoistilanne")}
FIRST_SHOWN = """() => [...document.querySelectorAll("[data-rule], .rules__section [id]:is(li, tr, div)")]
    .filter((each) => each.checkVisibility()).slice(0, 3).map((each) => each.dataset.rule ?? each.id)"""
SIX = ["Aino", "Börje", "Çağla", "Dima", "Eevi", "Fatima"]


class Question(NamedTuple):
    ruleset: str
    words: str
    answers: frozenset[str]


def asked(language: str) -> list[Question]:
    """The questions of the list, those of one ruleset beside each other."""
    lines = [line.split("\t") for line in (QUESTIONS / f"{language}.tsv").read_text().splitlines()]
    return sorted(Question(ruleset, words, frozenset(ids.split())) for ruleset, words, ids in lines)


def sheet_names() -> dict[str, list[Question]]:
    """The names in a rule sheet with the anchors of their rules; a paragraph's number also in words."""
    names: dict[str, list[Question]] = {}
    for path in sorted((FIXTURES / "sheet_questions").glob("*.names.tsv")):
        ruleset, language, *_ = path.name.rsplit(".", 3)
        for line in path.read_text().splitlines():
            name, _meaning, *anchors = line.split("\t")
            spelled = [f"{word} {name[1:]}" for word in PARAGRAPHS[language]] if name.startswith("§") else []
            for words in (name, *spelled) if anchors else ():
                questions = names.setdefault(f"{ruleset}.{language}", [])
                questions.append(Question(ruleset, words, frozenset(anchors[0].split())))
    return names


def missed(page: Page, language: str, questions: list[Question]) -> Iterator[str]:
    """Each question without one of its rules among the first three shown, with those that were."""
    for ruleset, group in groupby(questions, key=lambda question: question.ruleset):
        page.goto(f"/{language}/rules/{ruleset}/")
        field = page.get_by_role("searchbox")
        for question in group:
            for rule in question.answers:
                assert page.locator(f"[id='{rule}']").count() == 1, (ruleset, rule)
            field.fill(question.words)
            expect(page.locator("[data-rules-said]")).to_have_attribute("data-answered", question.words)
            shown = page.evaluate(FIRST_SHOWN)
            if not question.answers & set(shown):
                yield f"{ruleset}: {question.words}: {', '.join(shown) or 'nothing'}"


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", *dear("fi", "sv")])
def test_question_has_its_rule_among_the_first_three(phone: Page, language: str) -> None:
    questions = asked(language)

    wrong = list(missed(phone, language, questions))

    assert len(questions) >= 60
    assert len(wrong) <= len(questions) * 0.05, "\n".join(wrong)


@pytest.mark.sweep
def test_questions_of_someone_who_read_only_the_sheets_have_their_rule_among_the_first_three(
    phone: Page,
) -> None:
    lines = [line.split("\t") for line in (QUESTIONS / "sheets.tsv").read_text().splitlines()]
    wrong = [
        miss
        for language, group in groupby(lines, key=lambda line: line[0])
        for miss in missed(
            phone, language, [Question(line[1], line[2], frozenset(line[3].split())) for line in group]
        )
    ]
    assert len(lines) == 30
    assert len(wrong) <= 2, "\n".join(wrong)


NAMES = sheet_names()


@pytest.mark.soak
@pytest.mark.parametrize("sheet", [name if name.endswith(".en") else dear(name)[0] for name in NAMES])
def test_name_in_a_sheet_has_its_rule_among_the_first_three(phone: Page, sheet: str) -> None:
    """Headings, paragraphs, cards and other names, as fixtures/sheet_questions lists them."""
    wrong = list(missed(phone, sheet.rsplit(".", maxsplit=1)[-1], NAMES[sheet]))

    assert not wrong, "\n".join(wrong)


@pytest.mark.sweep
def test_question_that_is_misspelled_or_answered_nowhere_gets_the_nearest_rules(phone: Page) -> None:
    phone.goto("/en/rules/kpgut-2016/")
    said, first = phone.locator("[data-rules-said]"), phone.locator("[data-rules-found] > li").first

    phone.get_by_role("searchbox").fill("chxllenge")
    expect(said).to_have_text("Nothing found. Closest matches:")
    expect(first).to_contain_text("may suspect that another card would have fitted")

    phone.get_by_role("searchbox").fill("xyzzy")
    expect(said).to_have_text("Nothing found. Try another word.")
    expect(phone.get_by_role("heading", name="§11: Conflicts")).to_be_visible()


@pytest.mark.sweep
def test_rule_that_is_found_leads_to_its_place(phone: Page) -> None:
    phone.goto("/en/rules/mattel-112/")
    phone.get_by_role("searchbox").fill("stack")
    phone.locator("[data-rule='draw2']").get_by_role("link", name="Special cards").tap()

    expect(phone.locator("[data-rules-found]")).to_be_hidden()
    expect(phone.locator("#draw2")).to_be_in_viewport()


def at_the_table(open_page: OpenPage, lastcard: Server, event: Arranged, **device: Any) -> Page:
    page = open_page(**{**PHONE, **device})
    event.organiser.sign_in(page, lastcard)
    page.goto(event.table)
    return page


def test_ready_question_is_two_taps_from_the_pad_and_leaves_it_as_it_was(
    open_page: OpenPage, lastcard: Server, arranger: Arranger
) -> None:
    event = arranger.match(names=SIX)
    counted = Counted(open_page(**PHONE).context, touch=True)
    page = counted.page
    event.organiser.sign_in(page, lastcard)
    page.goto(event.table)
    page.locator(".pad__winner").get_by_text("Çağla", exact=True).tap()
    page.locator(".pad__key[data-add='7']").tap()
    before, sheet = counted.all, page.get_by_role("dialog")

    page.locator("a[data-rules-sheet]").tap()
    page.get_by_role("link", name="“Uno” not said").tap()

    expect(sheet.locator("[data-rule='penalty-uno_not_said']")).to_be_in_viewport()
    assert counted.all - before == 1 + 1
    for close in (lambda: page.keyboard.press("Escape"), page.go_back):
        close()
        expect(sheet).to_be_hidden()
        assert page.url.endswith(event.table)
        expect(page.locator("a[data-rules-sheet]")).to_be_focused()
        expect(page.locator(".pad__sum")).to_contain_text("7")
        page.locator("a[data-rules-sheet]").tap()
        expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()


def test_rules_open_over_the_pad_without_a_network(
    open_page: OpenPage, lastcard: Server, arranger: Arranger
) -> None:
    page = at_the_table(open_page, lastcard, arranger.match())
    expect(page.locator("#rules-sheet [data-rules-said]")).to_have_attribute("data-answered", "")

    page.context.set_offline(True)
    page.locator("a[data-rules-sheet]").tap()
    page.get_by_role("searchbox").fill("glove")

    expect(page.locator("[data-rules-said]")).to_contain_text("Nothing found.")


@pytest.mark.sweep
def test_rules_are_links_and_plain_headings_without_scripts(open_page: OpenPage) -> None:
    page = open_page(**PHONE, java_script_enabled=False)
    page.goto("/en/rules/kpgut-2016/")

    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.get_by_role("link", name="Last card", exact=True).tap()
    expect(page.locator("#last-card")).to_be_in_viewport()


@pytest.mark.sweep
def test_rules_incident_and_call_are_by_the_thumb_on_every_page_of_a_table(
    open_page: OpenPage, lastcard: Server, arranger: Arranger
) -> None:
    """48 px each, in reach, over nothing that is tapped and under nothing; on a phone that is turned too."""
    match, session = arranger.match(names=SIX), arranger.session(names=SIX)
    running = arranger.session(names=SIX)
    arranger("start_game", slug=running.slug, elapsed_s=600)
    heats = arranger.event("heats", "tite-2022", names=SIX, settings={"advance": 1})
    for event in (match, session, running, heats):
        page = at_the_table(open_page, lastcard, event)
        for width, height in ((390, 844), (320, 640), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            by_the_thumb(page, height)


def by_the_thumb(page: Page, height: int) -> None:
    tiles = page.locator(".call__tiles :is(a, button):visible")
    expect(tiles).to_have_text(["Rules", "Penalty or note", "Get help"])
    for box in [tile.bounding_box() for tile in tiles.all()]:
        assert box is not None
        assert box["width"] >= 48
        assert box["height"] >= 48
        assert height / 2 < box["y"] <= height - box["height"]
    hit = page.evaluate(
        """() => [...document.querySelectorAll(".call__tiles :is(a, button), .action-bar .button")]
            .filter((each) => each.checkVisibility())
            .map((each) => [each, each.getBoundingClientRect()])
            .every(([each, { x, y, width, height }]) =>
                each.contains(document.elementFromPoint(x + width / 2, y + height / 2)))"""
    )
    assert hit, (page.url, page.viewport_size)


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["fi", *dear("en", "sv")])  # Finnish words are the longest
def test_header_with_the_rules_is_one_row_on_a_small_phone_also_with_large_text(
    open_page: OpenPage, lastcard: Server, arranger: Arranger, language: str
) -> None:
    event = arranger.session(names=SIX)
    page = open_page(**{**PHONE, "viewport": {"width": 320, "height": 640}})
    for path in ("/", f"/t/{event.slug}/", "/desk/", "/organise/"):
        if path == "/desk/":
            event.organiser.sign_in(page, lastcard)
        page.goto(f"/{language}{path}")
        for size in ("100%", "200%"):
            page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            row = page.locator(".site-header__row")
            boxes = [part.bounding_box() for part in row.locator("> *").all()]
            middles = {round(box["y"] + box["height"] / 2) for box in boxes if box}
            assert max(middles) - min(middles) <= 1, (path, size)
            assert max(box["x"] + box["width"] for box in boxes if box) <= 320, (path, size)
            assert row.locator(".site-nav a:visible").count() == 1
            mark = row.locator(".site-nav svg").bounding_box()
            assert mark
            assert mark["x"] >= 0
