"""The phone's outbox: rounds entered without a network, another person at the same phone, a desk that opens again
offline. What its browser and its sign-in may do meanwhile is in test_phones.py."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import ARGUMENTS, PHONE, Faults, chromium
from tests.e2e.conftest import WAIT_MILLISECONDS, Desk
from tests.e2e.phones import READ_MS, until
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

LONG = (
    60_000  # milliseconds; a server waits for a locked database for 6 s and says then that it does not answer
)


def line(page: Page) -> Any:
    return page.locator("[data-outbox-line]")


def enter_round(page: Page, event: Arranged) -> None:
    """Aino wins, each other holds a 7; by the form itself, as its script fills it in."""
    winner, *others = event.entries.values()
    page.evaluate(
        """([winner, others]) => {
            const form = document.querySelector("form[data-entry='round']");
            const set = (name, value) => { const field = form.elements[name]; if (field.length) field.value = value;
                else { field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); } };
            set("winner", winner);
            for (const other of others) set(`hand-${other}-7`, "1");
            form.querySelector("[name=last]").dispatchEvent(new Event("change", { bubbles: true })); // it was asked
            const save = form.querySelector("[name=step][value=save]");
            save.removeAttribute("aria-disabled"); // held back against double taps
            save.click();
        }""",
        [winner, others],
    )


def kept(page: Page) -> list[str]:
    """The states of what the phone keeps, in the order of entering."""
    states: list[str] = page.evaluate(
        """Object.keys(localStorage).filter((key) => key.startsWith("lastcard:out:")).sort()
            .map((key) => JSON.parse(localStorage.getItem(key)).state)"""
    )
    return states


def numbers(arranger: Arranger, event: Arranged) -> list[int]:
    return [play["number"] for play in arranger("plays", slug=event.slug)]


@pytest.mark.journey
def test_rounds_entered_without_network_arrive_once_in_order(arranger: Arranger, desk: Desk) -> None:
    event = arranger.match()
    page = desk(event)
    expect(line(page)).to_contain_text("Connected")
    page.context.set_offline(True)
    for number in (1, 2, 3):
        enter_round(page, event)
        expect(line(page)).to_contain_text(f"Saved on this phone, {number} waiting")
    expect(line(page)).to_contain_text("No connection")
    assert kept(page) == ["waiting"] * 3
    page.context.set_offline(False)
    expect(line(page)).to_contain_text("Saved on the server")
    assert kept(page) == ["confirmed"] * 3
    assert numbers(arranger, event) == [1, 2, 3]


@pytest.mark.sweep
def test_without_network_it_is_said_by_save_what_save_does(arranger: Arranger, desk: Desk) -> None:
    page = desk(arranger.match())
    expect(line(page)).to_contain_text("Connected")
    page.locator(".pad__winner").get_by_text("Aino", exact=True).tap()
    page.wait_for_timeout(READ_MS)
    for _ in range(3):
        page.locator(".pad__key[data-add='7']").tap()
        page.locator(".pad__key--next").tap()
    save = page.locator("[data-save]")
    expect(save).to_contain_text("Not saved yet")
    page.context.set_offline(True)
    expect(save).to_contain_text("No connection. Stays on this phone")
    page.context.set_offline(False)
    expect(save).to_contain_text("Not saved yet")


@contextmanager
def locked(lastcard: Server) -> Iterator[None]:
    """Another process has the server's database for itself."""
    with closing(
        sqlite3.connect(lastcard.data / "lastcard.sqlite3", isolation_level=None, timeout=60)
    ) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.sweep
def test_round_entered_while_the_database_is_locked_waits_on_the_phone_and_arrives_once(
    arranger: Arranger, desk: Desk, lastcard: Server, faults: Faults
) -> None:
    faults.expected += ["answered 503"]
    event = arranger.match()
    page = desk(event)
    expect(line(page)).to_contain_text("Connected")
    with locked(lastcard):
        enter_round(page, event)
        expect(line(page)).to_contain_text("Saved on this phone, 1 waiting", timeout=LONG)
        expect(line(page)).to_contain_text("Lastcard cannot reach its data")
        expect(line(page)).not_to_contain_text("No connection")
        expect(line(page)).not_to_contain_text("Hand over")
        assert kept(page) == ["waiting"]
        page.context.set_offline(True)
        expect(line(page)).to_contain_text("No connection")
        page.context.set_offline(False)
    expect(line(page)).to_contain_text("Saved on the server", timeout=LONG)
    assert kept(page) == ["confirmed"]
    assert numbers(arranger, event) == [1]


@pytest.fixture
def reopened(browser: Browser, lastcard: Server, tmp_path: Path, faults: Faults) -> Iterator[Any]:
    """Open one phone's browser, each time after it was closed, with what it keeps on its disk."""
    contexts: list[BrowserContext] = []

    def open_again(**more: Any) -> Page:
        for context in contexts:
            context.close()
        context = browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=chromium(), args=ARGUMENTS, base_url=lastcard.url, **PHONE, **more
        )
        contexts[:] = [context]
        context.set_default_timeout(WAIT_MILLISECONDS)
        context.on("page", faults.watch)
        return context.new_page()

    yield open_again
    for context in contexts:
        context.close()


def test_another_user_of_the_phone_sends_only_when_asked(
    arranger: Arranger, desk: Desk, lastcard: Server
) -> None:
    event = arranger.match()
    other = arranger.referee(event, "Berit")
    page = desk(event, other)
    page.context.set_offline(True)
    enter_round(page, event)
    page.context.clear_cookies(name="sessionid")
    event.organiser.sign_in(page, lastcard)
    page.context.set_offline(False)
    page.goto("/en/desk/")
    expect(line(page)).to_contain_text("is waiting on this phone")
    assert numbers(arranger, event) == []
    page.goto("/en/desk/outbox/")
    page.get_by_role("button", name="Send as me").tap()
    expect(page.locator("outbox-list")).to_contain_text("Nothing is waiting on this phone")
    assert numbers(arranger, event) == [1]
    # By keyboard: a tap half a second after the last one, at the same place, is its second half (double_tap.js).
    page.locator("outbox-list").get_by_role("link", name="table 1").press("Enter")
    expect(page).to_have_url(re.compile(event.table))


@pytest.mark.journey
def test_a_conflict_is_decided_on_the_page_with_both_versions(arranger: Arranger, desk: Desk) -> None:
    event = arranger.match()
    page = desk(event)
    winner, *others = event.entries.values()
    hands = {uid: {"9": 1} for uid in others}
    arranger("record_round", slug=event.slug, winner=winner, hands=hands)
    enter_round(page, event)
    line(page).get_by_role("link", name="1 needs your decision").tap()
    expect(page.locator(".outbox__content li").first).to_have_text("Aino: out")
    expect(page.locator(".outbox__content")).to_contain_text("Börje: 1 × 7")
    page.get_by_role("button", name="Discard").tap()
    assert kept(page) == ["conflict"]  # it asks first
    page.get_by_role("button", name="Open").tap()
    expect(page.locator("#main")).to_contain_text("two versions")
    assert kept(page) == ["conflict"]
    page.get_by_role("link", name="Keep the server’s version").tap()
    expect(page.locator("#main")).to_contain_text("Round 2")
    assert kept(page) == []


def test_the_desk_opens_again_without_a_network(arranger: Arranger, reopened: Any, lastcard: Server) -> None:
    event = arranger.match()
    page = reopened()
    event.organiser.sign_in(page, lastcard)
    page.goto(event.table)
    page.evaluate(
        """async () => {
            const kept = async () => (await (await caches.open("lastcard")).keys()).map((each) => each.url);
            while (!(await kept()).includes(location.href)) await new Promise((resolve) => setTimeout(resolve, 50));
        }"""
    )
    page.context.set_offline(True)
    enter_round(page, event)
    page.reload()
    expect(line(page)).to_contain_text("Saved on this phone, 1 waiting")
    enter_round(page, event)
    page.context.set_offline(False)
    expect(line(page)).to_contain_text("Saved on the server")
    assert numbers(arranger, event) == [1, 2]
    page.goto("/en/desk/")
    page.locator(".menu summary").last.tap()
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").tap()
    cached = "async () => (await (await caches.open('lastcard')).keys()).map((each) => each.url)"
    until(lambda: "".join(url for url in page.evaluate(cached) if "/desk/" in url))
