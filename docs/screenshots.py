"""The pictures of the README and the guides: real pages of a running Lastcard with the demo events.

    make screenshots        or: python docs/screenshots.py

Writes docs/images/*.png. Names, cards and points are the same every time; dates and what tells the time are not.
"""

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.browser import ARGUMENTS, LAPTOP, PHONE, Faults, chromium  # noqa: E402
from tests.e2e.evening import Evening  # noqa: E402
from tests.e2e.server import Server, prepare  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 200_000  # bytes of one picture
WAIT = 10_000  # ms for anything a page is waited for
SETTLED = 300  # ms until what fades in is there
SHARP = {"device_scale_factor": 1.5}
STILL = {"reduced_motion": "reduce", "color_scheme": "light"}
PEOPLE = """Aava, Kemistikerho
Björn, Teknologkåren
Çağla
Dima, Fyysikkokilta
Eeva, Tietokerho
Fatima
Gunnar, Teknologkåren
Hilla, Kemistikerho
Inka, Arkkitehtikilta
Jussi, Tietokerho
Kaarlo, Fyysikkokilta
Lumi"""


@dataclass
class Photographer:
    """Two browsers, a phone and a laptop, at one running Lastcard with the demo events."""

    browser: Browser
    server: Server
    faults: Faults

    def __post_init__(self) -> None:
        self.phone = self.open({**PHONE, **SHARP})
        self.evening = Evening(self.phone, self.server)

    def open(self, device: dict[str, Any], **more: Any) -> Page:
        context = self.browser.new_context(base_url=self.server.url, **device, **STILL, **more)
        context.set_default_timeout(WAIT)
        context.on("page", self.faults.watch)
        return context.new_page()

    def shoot(self, page: Page, name: str) -> None:
        """Take the picture NAME.png of what is on the screen."""
        page.evaluate("document.activeElement?.blur()")
        page.wait_for_timeout(SETTLED)
        path = IMAGES / f"{name}.png"
        page.screenshot(path=path, animations="disabled")
        size = path.stat().st_size
        assert size < LARGEST, f"{path.name} has {size} bytes"
        print(f"{path.relative_to(ROOT)}  {size // 1000} kB")

    def shoot_live(self, page: Page, name: str, address: str) -> None:
        """Take a picture of a public page once it says that it is live."""
        page.goto(address)
        expect(page.locator("[data-live-state]")).to_contain_text("Live")
        self.shoot(page, name)

    def open_table(self, event: str, table: str) -> None:
        """From the desk to a table of that event."""
        self.phone.goto("/en/desk/")
        section = self.phone.locator("main section").filter(has_text=event)
        section.get_by_role("link", name=table, exact=True).tap()
        expect(self.phone.get_by_role("heading", level=1)).to_have_text(table)

    def count(self, *cards: str, whole: bool = True) -> None:
        """Tap these cards into the hand that the pad asks for; a whole one leads to the next hand."""
        for card in cards:
            self.phone.locator(f".pad__key[data-add='{card}']").tap()
        if whole:
            self.phone.locator(".pad__key--next").tap()

    def public_pages(self) -> None:
        self.shoot_live(self.phone, "phone-standings", "/en/t/demo-kpgut/")
        player = self.phone.locator("main").get_by_role("link", name="Aino Mäkelä").first
        self.shoot_live(self.phone, "player", str(player.get_attribute("href")))
        self.shoot_live(self.open(LAPTOP), "laptop-standings", "/en/t/demo-mattel/")

    def match(self) -> None:
        """A round of the demo's match, as far as reading it back above Save: 14 + 38 + 13 + 25 = 90 points."""
        self.open_table("Viidensadan ottelu", "Match, table 1")
        self.phone.locator(".pad__winner").get_by_text("Joona Rantanen").tap()
        self.count("9", "5")
        self.count("7", "7", "4", "skip", whole=False)
        self.shoot(self.phone, "card-pad")
        self.count()
        self.count("8", "5")
        self.count("draw2", "3", "2")
        expect(self.phone.locator("main")).to_contain_text("The standings become")
        self.shoot(self.phone, "read-back")

    def session(self) -> None:
        """A game of the demo's session that has run for 24 minutes, two players out."""
        self.open_table("Nopan KPGUT-ilta", "Session, table 1")
        self.phone.get_by_text("It began some minutes ago").tap()
        self.phone.get_by_label("Full minutes since the start").fill("24")
        self.evening.tap("Start game 9")
        for name in ["Venla Laine", "Aino Mäkelä"]:
            button = self.phone.get_by_role("button", name=re.compile(f"{name}.*tap when out"))
            button.tap()
            expect(button).to_have_count(0)
        self.phone.evaluate("scrollTo(0, 0)")
        self.shoot(self.phone, "game-clock")

    def championship(self) -> None:
        """Heats of an event of its own, one table after the other."""
        event, evening = "Syysmestaruus", self.evening
        board = evening.create("championship", event, advance="2")
        evening.enter(board, PEOPLE.splitlines())
        evening.run_stage(board, "Heats")
        evening.seat(tables=3)
        evening.start("Heats")
        self.open_table(event, "Heats, table 1")
        self.go_out(0, 2)
        evening.tap("Save the heat")
        expect(self.phone.locator("main")).to_contain_text("This heat is entered")
        self.open_table(event, "Heats, table 2")
        self.go_out(1)
        self.shoot(self.phone, "heat")
        laptop = self.open(LAPTOP, storage_state=self.phone.context.storage_state())
        laptop.goto(board)
        self.shoot(laptop, "organiser-board")
        self.shoot_live(self.phone, "heats", evening.public_page(board))

    def go_out(self, *order: int) -> None:
        """Tap players of a heat by their places in the list, first out first."""
        names = self.evening.names_at_table()
        for index in order:
            self.phone.locator("heat-order").get_by_role("button", name=re.compile(names[index])).tap()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lastcard-screenshots-") as folder:
        prepare(Path(folder))
        server = Server(Path(folder))
    try:
        server.manage("demo")
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            photographer = Photographer(browser, server, Faults())
            photographer.public_pages()
            photographer.evening.sign_in()
            photographer.match()
            photographer.session()
            photographer.championship()
            assert photographer.faults.unexpected() == []
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main()
