"""An evening as people live it: an organiser and referee with a phone, a spectator with another.

`Evening` taps through the organiser's and the referee's pages; `Spectator` keeps a public page open and says how long
each save took to get there, without a reload.
"""

import re
import time
from dataclasses import dataclass, field
from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

PASSWORD = "an evening at the tables"


def thumb(button: Locator) -> None:
    """Tap where the button is seen, as a thumb does: Playwright's own tap would first scroll to where a button that
    sticks to the edge of the screen would be if it did not stick, and Save answers no tap for a moment after it
    moved."""
    expect(button).to_be_enabled()
    box = button.bounding_box()
    assert box
    button.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@dataclass
class Spectator:
    """A public page that stays open. `delays` are seconds from the tap that saved to the change on this screen."""

    page: Page
    delays: list[float] = field(default_factory=list)

    def open(self, address: str) -> None:
        self.page.goto(address)
        expect(self.page.locator("[data-live-state]")).to_contain_text("Live")
        self.page.evaluate("window.neverReloaded = true")

    def sees(self, text: str | re.Pattern[str], *, since: float) -> None:
        """Wait until the page shows the text by itself; `since` is when the save was tapped (time.monotonic)."""
        expect(self.page.locator("#main")).to_contain_text(text)
        self.delays.append(time.monotonic() - since)
        assert self.page.evaluate("window.neverReloaded"), "the page was loaded anew"

    def report(self, what: str) -> None:
        shown = ", ".join(f"{delay * 1000:.0f}" for delay in self.delays)
        print(f"\n{what}: from the tap on Save to the other phone, without a reload: {shown} ms")


@dataclass
class Evening:
    """The phone of an organiser and referee who has no event yet."""

    page: Page
    event: str = ""  # the name of the one that was created

    def sign_in(self, username: str) -> None:
        self.page.goto("/en/sign-in/")
        self.page.get_by_label("Username").fill(username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.tap("Sign in")
        self.page.wait_for_url("**/desk/")

    def tap(self, name: str, *, within: str = "main") -> None:
        """Tap the one button or link of that name."""
        buttons = self.page.locator(within).get_by_role("button", name=name, exact=True)
        links = self.page.locator(within).get_by_role("link", name=name, exact=True)
        target = buttons.or_(links).first
        if target.get_attribute("data-save") is not None:
            thumb(target)
        else:
            target.tap()

    def create(self, template: str, name: str, **rules: str) -> str:
        """Create an event; gives its board's address. `rules` are the form's fields by name. Its name is its own, also
        at a test's second try: tables are looked for by it."""
        self.event = name = f"{name} {uuid4().hex[:4]}"
        self.page.goto(f"/en/organise/new/?template={template}")
        self.page.get_by_label("Event name").fill(name)
        self.page.locator("[name=organiser_name]").fill("The club")
        for label, value in rules.items():
            box = self.page.locator(f"[name={label}]").first
            if box.evaluate("each => each.tagName") == "SELECT":
                box.select_option(value)
            else:
                box.fill(value)
        self.tap("Create the event")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(name)
        return self.page.url.split("?")[0]

    def enter(self, board: str, names: list[str]) -> None:
        """Add players by a list of lines: a name, or cells between tabs below their headings."""
        self.page.goto(f"{board}players/")
        self.page.locator("textarea[name=players]").fill("\n".join(names))
        self.tap("Preview")
        self.tap("Add ticked players")
        self.page.wait_for_url("**/players/**")
        expect(self.page.locator("main")).to_contain_text(names[-1].split("\t")[0])

    def run_stage(self, board: str, stage: str) -> None:
        """Open the page that runs this stage."""
        self.page.goto(board)
        self.page.locator("main").get_by_role("heading", name=stage).get_by_role("link").tap()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(stage)

    def seat(self, tables: int) -> None:
        """Deal everybody round so many tables, in the order of entering, and save the seats."""
        self.tap("Seat the players")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Seats")
        self.page.get_by_label("Number of tables").fill(str(tables))
        self.page.get_by_text("Minimum per table, clubs, seed").tap()
        self.page.get_by_text("by start number").tap()
        self.tap("Draw seats")
        self.page.wait_for_url("**order=numbers**")
        self.tap("Save the seats")

    def start(self, stage: str) -> None:
        self.tap(f"Start the {stage.lower()}")
        expect(self.page.locator("main")).to_contain_text("Finish")

    def finish(self, board: str, stage: str) -> None:
        self.run_stage(board, stage)
        self.tap(f"Finish the {stage.lower()}")
        expect(self.page.locator("main")).to_contain_text("Reopen")

    def public_page(self, board: str) -> str:
        """The tournament's public address."""
        self.page.goto(board)
        address = self.page.locator(".board-nav a", has_text="Public page").first.get_attribute("href")
        assert address
        return address

    def open_table(self, stage: str, number: int = 1) -> None:
        self.page.goto(f"/en/desk/?q={self.event}")
        self.page.get_by_role("link", name=f"{stage}, table {number}").first.tap()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(f"{stage}, table {number}")

    def count_round(self, winner: str, hands: dict[str, list[str]], last: str = "", drew: str = "") -> float:
        """Enter a round on the card pad: one tap for the winner, one for each card; gives when Save was tapped."""
        main = self.page.locator("main")
        main.locator(".pad__winner").get_by_text(winner, exact=True).tap()
        for name, cards in hands.items():
            expect(main.locator(".pad__tray")).to_contain_text(name)
            for card in cards:
                main.locator(f".pad__key[data-add='{card}']").tap()
            main.locator(".pad__key--next").tap()
        if last:
            main.locator("#id_last_cards").get_by_text(last, exact=True).tap()
            main.locator("#id_drew").get_by_text(drew, exact=True).tap()
        expect(main.locator("[data-read-back]")).to_contain_text(f"{winner} gets")
        title = main.locator("[data-entry-title]").inner_text()
        since = time.monotonic()
        self.tap("Save")
        self.confirmed(title)
        return since

    def confirmed(self, title: str = "Round 1") -> None:
        """The round stands in the list as the server has it, not as one that waits on this phone."""
        rounds = self.page.locator("[data-plays] li")
        expect(rounds.get_by_role("link", name=title, exact=True)).to_be_visible()

    def names_at_table(self) -> list[str]:
        """The names offered on the pad or in the heat, in the order of the seats."""
        return self.page.locator(".pad__winner bdi, heat-order .tap__name").all_inner_texts()
