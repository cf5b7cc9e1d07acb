"""A phone without network hands what it keeps to another referee's phone, as a code that its camera reads."""

import re
from typing import Any

import pytest
import segno
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import Desk, OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

SIX = ["Aino", "Börje", "Çağla", "Dima", "Eeva", "Fredrik"]
PAYLOADS = """async cases => {
    const { packed, unpacked } = await import("/static/lastcard/js/outbox/payload.js");
    const found = [];
    for (const entry of cases) {
        const text = await packed(entry, 1_000_000);
        const back = await unpacked(text, "fi", 9_000_000);
        const wrong = [text.slice(0, -1), text.slice(1), text.slice(0, 20), text + "AAAA",
            text.slice(0, 30) + (text[30] === "A" ? "B" : "A") + text.slice(31), "", "AQ", "%%%", "A".repeat(500)];
        const said = (each) => unpacked(each, "fi").then(() => "", (error) => error.constructor.name);
        found.push([back, await Promise.all(wrong.map(said))]);
    }
    return found;
}"""
MALFORMED = """async ([entry, changes]) => {
    const { packed, unpacked } = await import("/static/lastcard/js/outbox/payload.js");
    const said = (text) => unpacked(text, "fi").then(() => "read", (error) => error.constructor.name);
    return Promise.all(changes.map(async (change) => said(await packed({ ...entry, ...change }))));
}"""


def line(page: Page) -> Any:
    return page.locator("[data-outbox-line]")


def enter_round(page: Page, event: Arranged) -> None:
    """Aino wins, each other holds four different cards; by the form itself, as its script fills it in."""
    winner, *others = event.entries.values()
    page.evaluate(
        """([winner, others]) => {
            const form = document.querySelector("form[data-entry='round']");
            form.querySelector(`[name=winner][value="${winner}"]`).click();
            for (const other of others) for (const card of ["7", "3", "draw2", "skip"]) {
                const field = form.elements[`hand-${other}-${card}`];
                field.value = 1;
                field.dispatchEvent(new Event("input", { bubbles: true }));
            }
            form.querySelector("[name=last]").dispatchEvent(new Event("change", { bubbles: true })); // it was asked
            const save = form.querySelector("[data-save]");
            save.removeAttribute("aria-disabled"); // held back against double taps
            save.click();
        }""",
        [winner, others],
    )


def drawn(page: Page) -> list[list[int]]:
    """The modules of the code that the page shows, without the white around it."""
    box = page.locator("#hand-over svg").get_attribute("viewBox") or ""
    size = int(box.split()[-1])
    path = page.locator("#hand-over svg path").get_attribute("d") or ""
    dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}
    return [[int((x, y) in dark) for x in range(4, size - 4)] for y in range(4, size - 4)]


def by_segno(text: str, monkeypatch: pytest.MonkeyPatch) -> list[list[list[int]]]:
    """The text as another library draws it, with each mask."""
    # It adds a byte of zeros also where the bits fill their last byte, as bytes do: no reader looks there, but the
    # modules differ.
    monkeypatch.setattr("segno.encoder.write_padding_bits", lambda *_arguments: None)
    codes = [segno.make(text, error="l", boost_error=False, mode="byte", mask=mask) for mask in range(8)]
    return [[list(row) for row in code.matrix] for code in codes]


@pytest.mark.sweep
def test_a_round_goes_to_another_phone_and_is_stored_once(
    arranger: Arranger,
    open_page: OpenPage,
    lastcard: Server,
    screenshot: Screenshot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = arranger.match(names=SIX)
    giving, taking = open_page(**PHONE), open_page(**PHONE)
    event.organiser.sign_in(giving, lastcard)
    arranger.referee(event, "Rauha").sign_in(taking, lastcard)
    giving.goto(event.table)
    expect(line(giving)).to_contain_text("Connected")
    giving.context.set_offline(True)
    enter_round(giving, event)
    line(giving).get_by_role("button", name="Hand over").tap()
    code = giving.get_by_role("dialog", name="Hand over")
    expect(code).to_contain_text("Round 1")
    expect(code).to_contain_text("1 of 1")
    screenshot(giving, "hand-over")
    link = code.locator("[data-link]").get_attribute("href") or ""
    assert len(link) <= 700
    assert drawn(giving) in by_segno(link, monkeypatch)
    code.get_by_label("Handed over").check()

    path, payload = link.split("#")
    taking.goto(f"{path}#{payload[:-6]}AAAAAA")
    expect(taking.locator("p[data-said]")).to_contain_text("Nothing was taken over")
    expect(taking.get_by_role("button", name="Take over")).to_be_hidden()
    taking.evaluate("payload => { location.hash = payload; }", payload)
    expect(taking.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(taking.locator("[data-shown]")).to_contain_text(re.compile(r"Aino\s+won"))
    screenshot(taking, "take-over")
    taking.get_by_role("button", name="Take over").tap()
    expect(taking.locator("p[data-said]")).to_have_text("This entry is on the server.")

    giving.context.set_offline(False)
    expect(line(giving)).to_contain_text("Saved on the server")
    expect(code).to_be_hidden()
    assert arranger.states(event) == ["entered"]
    assert arranger("ledger", slug=event.slug).count("record_round") == 1


@pytest.mark.sweep
def test_what_a_code_holds_comes_back_and_nothing_else_is_read(arranger: Arranger, desk: Desk) -> None:
    event = arranger.session()
    page = desk(event)
    table, command = event.tables[0], "11111111-1111-4111-8111-111111111111"
    play = "22222222-2222-4222-8222-222222222222"
    shared = {"command": command, "table": table, "tournament": play, "queued": 400_000, "number": None}

    def entry(kind: str, url: str, *fields: tuple[str, str], **more: Any) -> dict[str, Any]:
        said = [["command", command], *(list(each) for each in fields)]
        return {**shared, "kind": kind, "url": f"/en/desk/{url}/", "fields": said, "state": "waiting", **more}

    players = [("player", f"{number:08}-0000-4000-8000-000000000000") for number in range(120)]
    cases = [
        entry("start", f"table/{table}/start", ("play", play), *players, number=1),
        entry("give_up", f"play/{play}/give-up", ("entry", play), ("elapsed_s", "754")),
        entry("roles", f"table/{table}/roles", ("oldest", 'Ä "~\\ \u0001x')),
    ]
    found = page.evaluate(PAYLOADS, cases)
    for case, (back, refused) in zip(cases, found, strict=True):
        url = case["url"].replace("/en/", "/fi/")
        assert back == {**case, "url": url, "queued": 9_000_000 - 600_000}
        assert set(refused) == {"Malformed"}
    changes = [
        {"kind": "eject"},
        {"kind": "constructor"},
        {"table": "x"},
        {"table": play},  # the form goes to another table than it says
        {"number": 1.5},
        {"fields": [["command", play]]},
        {"fields": [["command", command], ["entry"]]},
    ]
    assert page.evaluate(MALFORMED, [cases[2], changes]) == ["Malformed"] * len(changes)
