"""The pictures of the README and the guides: real pages of a running Lastcard with the demo events, in each language.

A picture of a phone is the part of its screen that a task is about, so that the task fits on a phone beside it.

    make screenshots        or: python docs/screenshots.py

Writes docs/images/<language>/*.png. Names, cards and points are the same every time; dates and times are not.
"""

import io
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.browser import ARGUMENTS, PHONE, Faults, chromium
from tests.e2e.evening import Evening
from tests.e2e.server import Server, prepare

LANGUAGES = ("en", "fi", "sv")
IMAGES = ROOT / "docs" / "images"
LARGEST = 120_000  # bytes of one picture
COLOURS = 256  # of one picture: a third of the bytes, and nobody sees it
WAIT = 60_000  # ms for anything a page is waited for
SETTLED = 500  # ms until what fades in is there
SHARP = {"device_scale_factor": 1.5}
PART = 390  # CSS pixels of a phone's screen that a picture shows, from the top of what it is about
ABOVE = 12  # of them above that
LINE = 30  # of the desk's line that stays at the top and says where the entries are
HALL = {"viewport": {"width": 1280, "height": 720}}
STILL = {"reduced_motion": "reduce", "color_scheme": "light"}
EVENT = "Syysmestaruus"
NEWCOMERS = {"en": "Mai", "fi": "Nea", "sv": "Ove"}
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
    """Phones and laptops at one running Lastcard: `evening` sets up in English, `shots` are taken in each language."""

    browser: Browser
    server: Server
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        self.evening = Evening(self.open(PHONE))
        page = self.evening.page
        page.goto("/en/sign-in/")
        page.get_by_label("Username").fill("referee")
        page.get_by_label("Password").fill((self.server.data / "demo-referee").read_text().strip())
        self.evening.tap("Sign in")
        page.wait_for_url("**/organise/")
        self.referee = page.context.storage_state()

    def open(self, device: dict[str, Any], **more: Any) -> Page:
        """A browser of its own, of which nothing was kept."""
        context = self.browser.new_context(base_url=self.server.url, **{**device, **SHARP, **STILL, **more})
        context.set_default_timeout(WAIT)
        context.add_init_script("location.host && localStorage.setItem('lastcard.first-steps', 'done')")
        context.on("page", self.faults.watch)
        return context.new_page()

    def shoot(self, page: Page, language: str, name: str, about: str = "") -> None:
        """Take the picture NAME.png, and close the page: of the screen, or of its part from the first `about` on."""
        page.evaluate("document.activeElement?.blur()")
        page.wait_for_timeout(SETTLED)
        top = 0.0
        if about:
            shown = page.locator(about).first
            free = ABOVE + (LINE if page.locator("body.on-desk").count() else 0)
            shown.evaluate(f"element => scrollBy(0, element.getBoundingClientRect().top - {free})")
            page.wait_for_timeout(SETTLED)
            box = shown.bounding_box()
            assert box
            top = max(0, min(box["y"] - ABOVE, page.viewport_size["height"] - PART))  # type: ignore[index]  # has one
        taken = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        if about:
            sharp = SHARP["device_scale_factor"]
            taken = taken.crop((0, round(top * sharp), taken.width, round((top + PART) * sharp)))
        path = IMAGES / language / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        few = taken.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        size = path.stat().st_size
        assert size < LARGEST, f"{path.name} has {size} bytes"
        print(f"{path.relative_to(ROOT)}  {size // 1000} kB")
        page.context.close()

    def at(
        self,
        address: str,
        language: str,
        device: dict[str, Any] = PHONE,
        *,
        signed_in: bool = False,
        **more: Any,
    ) -> Page:
        """A page in this language; `address` is the English one."""
        page = self.open(device, **more, **({"storage_state": self.referee} if signed_in else {}))
        page.goto(re.sub(r"/en/", f"/{language}/", address, count=1))
        return page

    def table(self, event: str, table: str) -> str:
        """The address of a table of that event at the desk."""
        page = self.evening.page
        page.goto(f"/en/desk/?q={event}")
        return str(page.get_by_role("link", name=table, exact=True).first.get_attribute("href"))

    def public_pages(self, language: str) -> None:
        phone, kpgut = self.at("/en/t/demo-kpgut/", language), "/en/t/demo-kpgut/"
        player = str(
            phone.locator("main").get_by_role("link", name="Aino Mäkelä").first.get_attribute("href")
        )
        self.shoot_live(phone, language, "phone-standings", "#main")
        self.shoot_live(
            self.at(player.partition("#")[0].replace(f"/{language}/", "/en/", 1), language),
            language,
            "player",
            "#main",
        )
        page = self.at("/en/desk/", language, signed_in=True)
        self.shoot(page, language, "my-tables", ".tiles")
        page = self.at(f"{kpgut}screen/", language, HALL, device_scale_factor=1)
        page.locator("main").get_by_role("link", name="Sali").first.click()
        expect(page.get_by_text("Aino Mäkelä").first).to_be_visible()
        self.shoot(page, language, "big-screen")

    def shoot_live(self, page: Page, language: str, name: str, about: str) -> None:
        """The same of a public page once it says that it is live."""
        expect(page.locator("[data-live-state='live'], .live--live, [data-live-state]").first).to_be_visible()
        page.wait_for_timeout(2 * SETTLED)
        self.shoot(page, language, name, about)

    def hang_screen(self) -> None:
        page = self.evening.page
        page.goto("/en/organise/t/demo-kpgut/screens/")
        page.get_by_label("Location").fill("Sali")
        self.evening.tap("Add screen")
        page.locator("button[name=only][value=standings]").tap()
        expect(page.locator("button[name=only][value=standings]")).to_have_attribute("aria-pressed", "true")

    def match(self, language: str, table: str) -> None:
        """A round of the demo's match, as far as reading it back above Save: 14 + 38 + 13 + 25 = 90 points."""
        page = self.at(table, language, signed_in=True)
        page.locator(".pad__winner").get_by_text("Joona Rantanen").tap()
        count(page, "9", "5")
        count(page, "7", "7", "4", "skip", whole=False)
        self.shoot(page, language, "card-pad", ".pad__tray")
        page = self.at(table, language, signed_in=True)
        page.locator(".pad__winner").get_by_text("Joona Rantanen").tap()
        count(page, "9", "5")
        count(page, "7", "7", "4", "skip")
        count(page, "8", "5")
        count(page, "draw2", "3", "2")
        expect(page.locator("[data-read-back]")).to_contain_text("90")
        expect(page.locator("[data-preview]").first).to_be_visible()
        self.shoot(page, language, "read-back", "[data-read-back]")

    def correction(self, language: str, table: str) -> None:
        """The last round's first hand with a card more, looked at before it is saved."""
        page = self.at(table, language, signed_in=True)
        play = str(page.locator("[data-plays] li a").first.get_attribute("href"))
        page.goto(f"{play}correct/")
        page.locator(".pad__key[data-add='1']").tap()
        page.locator(".quick [data-reason]").nth(1).tap()
        page.locator("button[value=look]").tap()
        expect(page.locator(".change").first).to_be_visible()
        self.shoot(page, language, "correction", ".change")

    def game(self, language: str, table: str, out: str) -> None:
        """A running game; somebody goes out now."""
        page = self.at(table, language, signed_in=True)
        button = page.locator(".tap:enabled", has_text=out)
        button.tap()
        expect(button).to_have_count(0)
        self.shoot(page, language, "game-clock", "game-clock")

    def start_game(self, table: str) -> None:
        """A game of the demo's session that has run for 24 minutes."""
        page = self.evening.page
        page.goto(table)
        page.get_by_text("The game began a few minutes ago").tap()
        page.get_by_label("Full minutes since the start").fill("24")
        self.evening.tap("Start game 9")
        expect(page.locator(".tap").first).to_be_visible()

    def championship(self) -> str:
        """An event of its own, before its players come; gives its board's address."""
        board = self.evening.create("championship", EVENT, advance="2")
        self.evening.enter(board, PEOPLE.splitlines())
        page = self.evening.page
        page.goto(f"{board}registration/")
        self.evening.tap("Open registration")
        return board

    def before(self, language: str, board: str) -> None:
        """Take the pages that organisers and players see before the start."""
        page = self.at("/en/organise/new/?template=championship", language, signed_in=True)
        page.locator("[name=name]").first.fill(EVENT)
        self.shoot(page, language, "new-event", "h1")
        self.shoot(
            self.at(f"{board}players/", language, signed_in=True), language, "players", "main [role=search]"
        )
        page = self.at(f"{board.replace('/organise', '')}join/", language)
        self.shoot(page, language, "join", "h1")
        page = self.at(f"{board.replace('/organise', '')}join/", language)
        page.locator("[name=public_name]").fill(NEWCOMERS[language])
        page.locator("[name=terms]").check()
        page.locator("main form .button--primary").tap()
        page.wait_for_url("**/p/**")
        self.shoot(page, language, "own", ".own")

    def seat(self, board: str) -> None:
        """Seats in the order of entering."""
        self.evening.run_stage(board, "Heats")
        self.evening.seat(tables=3)

    def start_heats(self, board: str) -> None:
        """The first heat is over."""
        evening = self.evening
        evening.run_stage(board, "Heats")
        evening.start("Heats")
        evening.page.goto(self.table(EVENT, "Heats, table 1"))
        self.go_out(evening.page, 0, 2)
        evening.tap("Save the heat")
        expect(evening.page.locator("main")).to_contain_text("This heat has been entered")

    def heats(self, language: str, board: str, table: str) -> None:
        page = self.at(table, language, signed_in=True)
        self.go_out(page, 1)
        self.shoot(page, language, "heat", "heat-order")
        self.shoot(self.at(board, language, signed_in=True), language, "organiser-board", ".tiles")
        self.shoot(self.at(self.code(table), language), language, "at-table", "h1")

    def code(self, table: str) -> str:
        """The address in the code of that table."""
        page = self.evening.page
        page.goto(f"{table}code/")
        address = str(page.locator(".code__address a").get_attribute("href"))
        return f"/en/at/{address.partition('/at/')[2]}"

    def seats(self, language: str, board: str) -> None:
        page = self.at(board, language, signed_in=True)
        stage = page.locator("main h2 a, main h3 a").first
        page.goto(f"{stage.get_attribute('href')}seats/")
        self.shoot(page, language, "seats", ".tiles")

    def go_out(self, page: Page, *order: int) -> None:
        """Tap players of a heat by their places in the list, first out first."""
        names = page.locator("heat-order .tap__name").all_inner_texts()
        for index in order:
            page.locator("heat-order").get_by_role("button", name=re.compile(names[index])).tap()


def count(page: Page, *cards: str, whole: bool = True) -> None:
    """Tap these cards into the hand that the pad asks for; a whole one leads to the next hand."""
    for card in cards:
        page.locator(f".pad__key[data-add='{card}']").tap()
    if whole:
        page.locator(".pad__key--next").tap()


def take(photographer: Photographer) -> None:
    photographer.hang_screen()
    match = photographer.table("Viidensadan", "Match, table 1")
    game = photographer.table("Nopan", "Session, table 1")
    for language in LANGUAGES:
        photographer.public_pages(language)
        photographer.match(language, match)
        photographer.correction(language, match)
    photographer.start_game(game)
    for language, out in zip(LANGUAGES, ("Aino Mäkelä", "Venla Laine", "Helmi Virtanen"), strict=True):
        photographer.game(language, game, out)
    board = photographer.championship()
    for language in LANGUAGES:
        photographer.before(language, board)
    photographer.seat(board)
    for language in LANGUAGES:
        photographer.seats(language, board)
    photographer.start_heats(board)
    second = photographer.table(EVENT, "Heats, table 2")
    for language in LANGUAGES:
        photographer.heats(language, board, second)
    assert photographer.faults.unexpected() == []


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lastcard-screenshots-") as folder:
        prepare(Path(folder))
        server = Server(Path(folder))
    try:
        server.manage("make_demo")
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            take(Photographer(browser, server))
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main()
