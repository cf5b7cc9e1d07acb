"""The watch over pages sees what it is there for; without this, every browser test could pass on a broken page."""

import pytest
from playwright.sync_api import Page

from tests.e2e.browser import Faults
from tests.e2e.phones import until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("console.error('out of cards')", "console: out of cards"),
        ("setTimeout(() => { throw new Error('out of cards') })", "script error: out of cards"),
        ("document.body.setAttribute('style', 'color: red')", "Content Security Policy"),
        (
            "document.head.append(Object.assign(document.createElement('script'), {src: '/static/no.js'}))",
            "404",
        ),
    ],
)
def test_fault_in_a_page_is_found(phone: Page, faults: Faults, script: str, words: str) -> None:
    phone.goto("/en/")
    assert faults.unexpected() == []
    phone.evaluate(script)
    until(lambda: "" if said(phone, faults, words) else "not found")
    faults.expected += ["out of cards", "Content Security Policy", "no.js"]


def said(page: Page, faults: Faults, words: str) -> bool:
    page.evaluate("0")  # what the browser says is heard while the page is asked for something
    return any(words in fault for fault in faults.found)


def test_refused_answer_is_no_fault(phone: Page, faults: Faults) -> None:
    answer = phone.goto("/en/t/nowhere/")
    assert answer is not None
    assert answer.status == 404
    assert faults.found == []
