"""The system's Chromium, and what counts as a fault in a page."""

import os
import shutil
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import ConsoleMessage, Page, Response

from tests.depth import dear

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
# Nothing but the page under test speaks to the network. Without the sandbox it starts for root too.
ARGUMENTS = [
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
SIZES: dict[str, dict[str, Any]] = {"phone": PHONE, "laptop": LAPTOP, "wall": WALL}
EACH_SIZE = ["phone", *dear("laptop", "wall")]  # for tests of what a phone has the least room for
# Elements that stick out of a page to the right, so that it would have to be scrolled sideways.
SIDEWAYS = """() => {
    const width = document.scrollingElement.clientWidth;
    if (document.scrollingElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > width);
    return wide.slice(0, 5).map((each) => `${each.tagName}.${each.className}`);
}"""
PARTS_OF_A_PAGE = {"stylesheet", "script", "image", "font", "manifest"}


def save_by_key(page: Page) -> None:
    """Press Save on a keyboard. A tap is held back where Save has just moved, as when a driver scrolls."""
    page.keyboard.press("Shift")
    page.locator("[data-save]:not([aria-disabled])").press("Enter")


def chromium() -> str:
    """The path of the Chromium to drive: the environment's CHROMIUM, else the system's."""
    for name in [os.environ.get("CHROMIUM", ""), *NAMES]:
        if name and (path := shutil.which(name)):
            return path
    raise RuntimeError("The browser tests need Chromium: apt-get install chromium")


@dataclass
class Faults:
    """The errors in one test's pages. A test that provokes a fault names a part of its words in `expected`."""

    found: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.found.append(f"{page.url}: script error: {error}"))
        page.on("response", self._on_response)

    def unexpected(self) -> list[str]:
        return [fault for fault in self.found if not any(words in fault for words in self.expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        """An error on the console; breaches of the content security policy are told there.

        A failed request is none: an answer of 422 is how a form is refused, a cut network is tested, and the rest is
        judged by its answer.
        """
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            where = message.location.get("url", "")
            self.found.append(f"{where}: console: {message.text}")

    def _on_response(self, response: Response) -> None:
        """A server error, or a part of a page that is not there."""
        missing = response.status == 404 and response.request.resource_type in PARTS_OF_A_PAGE
        if response.status >= 500 or missing:
            self.found.append(f"{response.url}: answered {response.status}")
