#!/usr/bin/env python
"""How long a phone takes from the tap on Save to "saved on this phone", without a network, beside a bare
localStorage.setItem and one change of the page's text in the same page.

Prints the median and the worst of 50 rounds of a table of six in milliseconds, and their ratio to the reference.
"""

from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks._data import folder
from benchmarks._figures import report, run
from tests.e2e.arranger import Arranger
from tests.e2e.browser import ARGUMENTS, PHONE, chromium
from tests.e2e.server import Server

ROUNDS = 50
SIX = ["Aino", "Börje", "Çağla", "Dima", "Eevi", "Fatima"]
# The clock runs from the tap until the line above Save says so.
SAVE = """() => {
    const save = document.querySelector("[data-save]");
    const begin = performance.now();
    save.click();
    const said = document.querySelector("[data-says]").textContent;
    if (!said.includes("saved on this phone")) throw new Error(`says: ${said}`);
    return performance.now() - begin;
}"""
BARE = """() => {
    const text = "x".repeat(1000);
    const line = document.querySelector("[data-says]");
    const begin = performance.now();
    localStorage.setItem(`bare:${begin}`, text);
    line.textContent = "saved";
    return performance.now() - begin;
}"""


def count_round(page: Page) -> None:
    """Ctrl and Enter are not used: the pad is filled in by its keys, as fast as the browser can."""
    page.evaluate("""() => {
        const pad = document.querySelector("card-pad");
        pad.querySelector(".pad__winner input").click();
        for (let hand = 0; hand < 5; hand += 1) {
            pad.querySelector("[data-add='7']").click();
            pad.querySelector(".pad__key--next").click();
        }
    }""")
    page.wait_for_selector("[data-save]:not([aria-disabled])")


def main(rounds: int = ROUNDS) -> None:
    server = Server(folder())
    server.start()
    arranger = Arranger(server)
    try:
        event = arranger.match(names=SIX, settings={"target": 100_000})
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            context = browser.new_context(base_url=server.url, **PHONE)
            page = context.new_page()
            event.organiser.sign_in(page, server)
            page.goto(event.table)
            context.set_offline(True)
            saved, bare = [], []
            for _ in range(rounds):
                count_round(page)
                saved.append(page.evaluate(SAVE))
                bare.append(page.evaluate(BARE))
            browser.close()
    finally:
        arranger.close()
        server.close()
    for name, pick in (("median", median), ("worst", max)):
        report(
            f"tap on Save to saved on this phone, {name}", pick(saved), "ms",
            reference=pick(bare), beside="bare setItem and text",
        )  # fmt: skip


if __name__ == "__main__":
    run(main, 2)
