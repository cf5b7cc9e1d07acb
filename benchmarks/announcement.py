"""An announcement on a spectator's phone, at a referee's table and on a wall: how soon after the tap, also after the
server was killed and started half way.

    python -m benchmarks.announcement [announcements]

Four browsers, the organiser's among them. The reference is the answer to the tap itself, on the organiser's own page.
"""

import time

from playwright.sync_api import Page, sync_playwright

from benchmarks._data import folder
from benchmarks._figures import report, run
from benchmarks._serving import percentile
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import ARGUMENTS, LAPTOP, PHONE, WALL, chromium
from tests.e2e.server import Server

AIM_S = 1.0
PATIENCE_MS = 60_000
# Note when each announcement appears, by its words.
NOTING = """() => {
    window.seen = {};
    const note = () => {
        for (const each of document.querySelectorAll("#said [data-announcement] .lead")) {
            if (each.offsetParent) window.seen[each.textContent] ??= Date.now();
        }
    };
    new MutationObserver(note).observe(document.getElementById("said"), { childList: true });
    note();
}"""


def main(announcements: int = 20) -> None:
    server = Server(folder())
    server.start()
    arranger = Arranger(server)
    try:
        event = arranger.match(tables=2, names=[f"Player {number}" for number in range(1, 9)])
        wall = arranger("screen", slug=event.slug, scenes=["standings"])
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)

            def opened(address: str, **size: object) -> Page:
                page = browser.new_context(base_url=server.url, **size).new_page()  # type: ignore[arg-type]
                event.organiser.sign_in(page, server)
                page.set_default_timeout(PATIENCE_MS)
                page.goto(address)
                return page

            organiser = opened(f"/en/organise/t/{event.slug}/announcements/", **LAPTOP)
            pages = {
                "spectator's phone": opened(f"{event.public}stage/{event.stage}/", **PHONE),
                "referee's table": opened(event.table, **PHONE),
                "wall": opened(wall, **WALL),
            }
            for page in pages.values():
                page.evaluate(NOTING)
            measured("", event, organiser, pages, announcements // 2)
            server.kill()
            server.start()
            measured(
                ", server killed and started", event, organiser, pages, announcements - announcements // 2
            )
            browser.close()
    finally:
        arranger.close()
        server.close()


def measured(when: str, event: Arranged, organiser: Page, pages: dict[str, Page], times: int) -> None:
    """Announce once until every page has it, so that all listen; then so many times."""
    say(organiser, pages, f"Everybody listens{when}")
    answers: list[float] = []
    shown: dict[str, list[float]] = {name: [] for name in pages}
    for number in range(times):
        answer, found = say(organiser, pages, f"Food is served at {event.slug}, {number}{when}")
        answers.append(answer)
        for name, each in found.items():
            shown[name].append(each)
    for name, delays in shown.items():
        report(
            f"an announcement on the {name}{when}, 95%", percentile(delays, 95), "ms",
            reference=percentile(answers, 95), beside="the answer to the tap", aim=f"{AIM_S:.0f} s",
        )  # fmt: skip


def say(organiser: Page, pages: dict[str, Page], words: str) -> tuple[float, dict[str, float]]:
    """Announce these words and take them down again; gives the milliseconds from the tap to its answer and to each
    page."""
    organiser.get_by_label("Announcement", exact=True).fill(words)
    began = time.time()
    organiser.get_by_role("button", name="Announce", exact=True).click()
    organiser.locator("[data-announcement]", has_text=words).wait_for()
    answer = time.time() - began
    found = {}
    for name, page in pages.items():
        page.wait_for_function("(words) => window.seen[words]", arg=words)
        found[name] = page.evaluate("(words) => window.seen[words]", words) - began * 1000
    organiser.get_by_role("button", name="Take down").click()
    organiser.locator("[data-announcement]").wait_for(state="detached")
    for page in pages.values():
        page.locator("#said [data-announcement]").wait_for(state="detached")
    return answer * 1000, found


if __name__ == "__main__":
    run(main, 4)
