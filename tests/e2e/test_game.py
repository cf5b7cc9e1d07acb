"""A KPGUT game on a phone whose network is gone and whose clock is wrong."""

import json
import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import Faults
from tests.e2e.conftest import Desk, Screenshot
from tests.e2e.evening import thumb

pytestmark = pytest.mark.browser

# The phone's time of day is a day and some behind; its steady clock is not touched.
WRONG_DAY = "{ const now = Date.now.bind(Date); Date.now = () => now() - 90_000_000; }"
# Game clocks run so many seconds ahead: the steady clock is, as if so much of the game had passed.
AHEAD = """seconds => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1000 * seconds;
}"""


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """The same on a phone whose time of day is wrong."""
    return partial(desk, prepare=WRONG_DAY)


def part(page: Page) -> Locator:
    return page.locator("game-table > [data-part]")


def tap_out(page: Page, name: str) -> None:
    part(page).locator(".tap:enabled", has_text=name).tap()


def confirmed(page: Page) -> None:
    """Check that everything is on the server."""
    expect(page.locator("desk-outbox .outbox__part--saved")).to_be_visible()


def test_a_game_that_two_referees_start_at_once_is_one_game(
    arranger: Arranger, desk: Desk, faults: Faults
) -> None:
    """The second has no network meanwhile, and taps a player before its start has arrived. Then the first sees each tap
    at once, and loses neither its place nor what is typed there."""
    faults.expected += ["console: htmx:"]
    event = arranger.session()
    first, second = desk(event), desk(event, arranger.referee(event, "Rauha"))
    second.context.set_offline(True)
    for page in (first, second):
        part(page).get_by_role("button", name="Start game 1").tap()
    confirmed(first)
    tap_out(second, "Dima")
    second.context.set_offline(False)
    confirmed(second)
    part(first).get_by_text("Went out a few minutes ago", exact=True).tap()
    typed = part(first).get_by_label("or what the clock showed (mm:ss)")
    typed.fill("1:30")
    where = part(first).locator(".tap", has_text="Aino").bounding_box()
    tap_out(second, "Çağla")
    out = part(first).locator(".taps__place", has_text="Çağla").locator(".tap[aria-pressed]")
    expect(out).to_be_visible(timeout=5000)
    assert part(first).locator(".tap", has_text="Aino").bounding_box() == where, (
        "a name moved under the finger"
    )
    expect(typed).to_have_value("1:30")
    confirmed(second)
    for page in (first, second):
        expect(page.locator("game-table")).to_contain_text(re.compile("Dima.*out.*Çağla.*out", re.DOTALL))
    assert arranger("ledger", slug=event.slug).count("record_out") == 2
    assert len(arranger("games", slug=event.slug)) == 1
    expect(second.get_by_text("needs your decision")).to_have_count(0)


@pytest.mark.journey
def test_whole_games_are_played_without_network_on_a_phone_with_a_wrong_clock(
    arranger: Arranger, desk: Desk, faults: Faults, screenshot: Screenshot
) -> None:
    faults.expected += ["console: htmx:"]
    event = arranger.session()
    page = desk(event)
    page.context.set_offline(True)
    part(page).get_by_role("button", name="Start game 1").tap()
    expect(page.locator("game-clock")).to_contain_text(re.compile("00:[0-5]"))
    page.evaluate(AHEAD, 754)
    places = part(page).locator(".taps__place")
    where = "all => all.map(each => [each.offsetLeft, each.offsetTop, each.offsetHeight].join())"
    before = places.evaluate_all(where)
    tap_out(page, "Çağla")
    assert places.evaluate_all(where) == before, "a name moved under the finger"
    gone = page.get_by_role("region", name="No longer in the game")
    expect(gone).to_contain_text(re.compile(r"Çağla.*out 1[23]:\d\d, waiting"))
    screenshot(page, "offline-out")
    part(page).get_by_text("Went out a few minutes ago", exact=True).tap()
    screenshot(page, "panels")
    page.wait_for_timeout(800)  # what is tapped twice is tapped once
    part(page).get_by_role("button", name=re.compile("Undo.*Çağla")).tap()
    expect(gone).to_be_hidden()
    for name in ["Dima", "Börje"]:
        tap_out(page, name)
    part(page).get_by_role("link", name="Gives up").tap()
    tap_out(page, "Aino")

    over = page.get_by_role("region", name="This game is over")
    expect(over.get_by_role("listitem").nth(2)).to_contain_text("Çağla")
    expect(over.get_by_role("listitem").nth(2)).to_contain_text("last one left")
    screenshot(page, "offline-over")
    part(page).get_by_role("button", name="Start game 2").tap()
    expect(page.locator("game-clock")).to_contain_text("Game 2")
    for name in ["Aino", "Börje", "Çağla"]:
        tap_out(page, name)
    expect(part(page)).to_contain_text("Who plays game 3?")

    page.context.set_offline(False)
    confirmed(page)
    games = arranger("plays", slug=event.slug)
    assert [(game["number"], game["state"]) for game in games] == [(1, "entered"), (2, "entered")]
    expect(page.get_by_role("region", name="Games", exact=True)).to_contain_text("Game 2")
    expect(over).to_be_hidden()
    assert arranger("ledger", slug=event.slug).count("record_out") == 6


@pytest.mark.sweep
def test_somebody_from_outside_joins_without_network_and_the_phone_forgets_the_name(
    arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=60)
    page = desk(event)
    page.context.set_offline(True)
    part(page).locator("summary", has_text="Joins mid-game").tap()
    part(page).get_by_label("Name, if the player is not in the event yet").fill("Outi")
    screenshot(page, "outsider")
    part(page).get_by_role("button", name="The oldest player agrees").tap()
    expect(part(page).locator(".tap:enabled", has_text="Outi")).to_be_visible()
    page.wait_for_timeout(800)  # what is tapped twice is tapped once
    tap_out(page, "Outi")
    gone = page.get_by_role("region", name="No longer in the game")
    expect(gone).to_contain_text("Outi")
    stored = "JSON.stringify(localStorage)"
    assert "Outi" in page.evaluate(stored)
    page.context.set_offline(False)
    confirmed(page)
    expect(gone).not_to_contain_text("waiting")
    expect(gone).to_contain_text("Outi")
    assert "Outi" not in page.evaluate(stored)
    assert arranger("ledger", slug=event.slug)[-2:] == ["join_game", "record_out"]


@pytest.mark.sweep
def test_newcomer_is_answered_beside_the_name_and_a_second_tap_does_nothing(
    arranger: Arranger, desk: Desk
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=60)
    page = desk(event)
    part(page).locator("summary", has_text="Joins mid-game").tap()
    name = part(page).get_by_label("Name, if the player is not in the event yet")
    agrees = part(page).get_by_role("button", name="The oldest player agrees")
    answer = part(page).locator("[data-joins]")
    name.fill(" dima ")
    agrees.tap()
    expect(answer).to_have_text("dima is already in this game.")
    expect(name).to_have_value(" dima ")
    name.fill("Outi")
    address = page.url
    agrees.dblclick()
    expect(answer).to_have_text("Outi is in the game.")
    confirmed(page)
    assert page.url == address
    assert arranger("ledger", slug=event.slug)[-1:] == ["join_game"]


def test_a_start_by_mistake_is_taken_back_before_the_server_hears_of_it(
    arranger: Arranger, desk: Desk
) -> None:
    event = arranger.session()
    page = desk(event)
    page.context.set_offline(True)
    part(page).get_by_role("button", name="Start game 1").tap()
    tap_out(page, "Dima")
    part(page).locator("summary", has_text="Undo the start").tap()
    part(page).get_by_role("button", name="Undo the start").tap()
    expect(part(page)).to_contain_text("Who plays game 1?")
    part(page).get_by_role("button", name="Start game 1").tap()
    page.context.set_offline(False)
    confirmed(page)
    expect(part(page).locator("summary", has_text="Undo the start")).to_be_hidden()
    assert len(arranger("plays", slug=event.slug)) == 1


def test_the_hands_open_at_the_hour_and_a_running_game_goes_on_without_network(
    arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=3000)
    page = desk(event)
    page.context.set_offline(True)
    tap_out(page, "Dima")
    page.evaluate(AHEAD, 600)
    expect(page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()
    expect(page.locator(".pad__chip")).to_have_count(3)
    screenshot(page, "offline-hour")
    for card in ["1", "2", "skip"]:
        page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    page.get_by_role("button", name="End the game").tap()
    expect(part(page)).to_contain_text("Who plays game 2?")
    page.context.set_offline(False)
    confirmed(page)
    result = page.get_by_role("region", name="Game 1", exact=True)
    expect(result).to_contain_text("Behind Çağla: same number of cards, more number cards")
    expect(result).to_contain_text("Behind Aino: same number of cards, fewer 1s")
    screenshot(page, "result")
    assert arranger.states(event) == ["entered"]


@pytest.mark.sweep
def test_roles_and_a_game_from_paper_without_network(
    arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    event = arranger.session()
    page = desk(event)
    uids = event.entries
    page.context.set_offline(True)
    part(page).get_by_text("Name the oldest and youngest").tap()
    asked = part(page).locator("[data-roles-ask]")
    asked.get_by_role("group", name="Who is the oldest?").get_by_text("Çağla").tap()
    asked.get_by_role("group", name="Who is the youngest?").get_by_text("Dima").tap()
    expect(part(page).locator(".roles-line")).to_have_text("Oldest: ÇağlaYoungest: Dima")
    expect(asked).to_be_hidden()
    page.context.set_offline(False)
    confirmed(page)

    part(page).get_by_role("link", name="From paper").tap()
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_visible()
    page.context.set_offline(True)
    page.get_by_text("The hour was up").tap()
    for name, outcome in {"Aino": "out", "Börje": "remaining", "Çağla": "remaining"}.items():
        page.locator(f"[name='outcome-{uids[name]}']").select_option(outcome)
    thumb(save)
    expect(page.locator("[data-says]")).to_have_text("Missing: when Aino went out, in minutes and seconds.")
    page.locator(f"[name='time-{uids['Aino']}']").fill("12:30")
    page.locator("[data-add='7']").tap()
    thumb(save)
    expect(page.locator("[data-says]")).to_contain_text("No cards yet: Çağla")
    expect(page.locator(".pad__who")).to_have_text("Çağla")
    for _card in range(2):
        page.locator("[data-add='7']").tap()
    screenshot(page, "paper-offline")
    thumb(save)
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2")
    expect(page.locator("card-pad")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.get_by_role("region", name="Game 1")).to_contain_text("Behind Börje: more cards")
    (game,) = arranger("games", slug=event.slug)
    assert game["results"] == {
        "Aino": ["out", 750],
        "Börje": ["remaining", None],
        "Çağla": ["remaining", None],
    }
    assert arranger("ledger", slug=event.slug)[-2:] == ["name_roles", "record_game"]


# ---- the hour's end with a hand that nobody counted ----


@pytest.fixture
def event(arranger: Arranger) -> Arranged:
    return arranger.session()


@pytest.fixture
def at_the_hour(event: Arranged, arranger: Arranger, desk: Desk) -> Page:
    """The hour is up: Dima is out, and of the three hands left Aino's is counted, one 7."""
    play = arranger("start_game", slug=event.slug, elapsed_s=3600)
    arranger("tap_out", slug=event.slug, play=play, entry=event.entries["Dima"], elapsed_s=600)
    page = desk(event)
    expect(page.locator(".pad__who")).to_have_text("Aino")
    page.locator(".pad__key[data-add='7']").tap()
    return page


def count_the_others(page: Page) -> None:
    for name in ["Börje", "Çağla"]:
        page.locator(".pad__key--next").tap()
        expect(page.locator(".pad__who")).to_have_text(name)
        page.locator(".pad__key[data-add='9']").tap()


def end_game(page: Page) -> None:
    thumb(page.get_by_role("button", name="End the game"))


def kept(page: Page) -> list[str]:
    """The states of the entries that the phone keeps."""
    entries = "Object.entries(localStorage).filter(([key]) => key.startsWith('lastcard:out:'))"
    states: list[str] = page.evaluate(f"{entries}.map(([, text]) => JSON.parse(text).state)")
    return states


@pytest.mark.sweep
def test_a_hand_that_is_missing_at_the_hour_is_asked_for_before_anything_is_sent(
    at_the_hour: Page, screenshot: Screenshot
) -> None:
    page = at_the_hour
    end_game(page)
    expect(part(page)).to_contain_text("2 hands left", timeout=5000)
    expect(page.locator(".pad__who")).to_have_text("Börje")
    screenshot(page, "hands-left")
    assert kept(page) == []


def refuse(page: Page, name: str) -> str:
    """Have what the phone sends arrive without this player's cards; gives their uid."""
    uid = page.locator(f"fieldset[data-name='{name}']").get_attribute("data-player") or ""
    page.route("**/desk/send/", partial(without_hand, uid))
    return uid


def without_hand(uid: str, route: Route) -> None:
    body = json.loads(route.request.post_data or "{}")
    for entry in body["entries"]:
        entry["fields"] = [field for field in entry["fields"] if not field[0].startswith(f"hand-{uid}")]
    route.continue_(post_data=json.dumps(body))


def test_hands_that_are_refused_at_the_hour_stay_on_the_page_and_are_mended(
    at_the_hour: Page, screenshot: Screenshot
) -> None:
    page = at_the_hour
    count_the_others(page)
    chip = page.locator(".pad__chip", has_text="Çağla")
    uid = refuse(page, "Çağla")
    end_game(page)
    refusal = part(page).get_by_role("alert")
    expect(refusal).to_contain_text("Çağla", timeout=5000)
    screenshot(page, "hands-refused")
    expect(page.locator("game-clock")).to_contain_text("60:00")
    expect(page.locator(".taps")).to_be_hidden()
    expect(chip).to_contain_text("1")
    assert page.locator(f"[name='hand-{uid}-9']").input_value() == "1"
    page.unroute("**/desk/send/")
    # By keyboard: the refusal moved the button, and a tap before anyone can have seen that is held back (save.js).
    page.get_by_role("button", name="End the game").press("Enter")
    confirmed(page)
    expect(part(page)).to_contain_text("Who plays game 2?")
    expect(refusal).to_have_count(0)
    assert kept(page) == ["confirmed"]


@pytest.mark.sweep
def test_what_was_refused_is_listed_with_the_names_of_people(
    at_the_hour: Page, screenshot: Screenshot
) -> None:
    page = at_the_hour
    count_the_others(page)
    refuse(page, "Çağla")
    end_game(page)
    page.locator("desk-outbox").get_by_role("link", name="1 needs your decision").tap()
    listed = page.locator("outbox-list")
    expect(listed.locator(".field__error")).to_contain_text("Çağla did not go out", timeout=5000)
    expect(listed).not_to_contain_text(re.compile("[0-9a-f]{8}-[0-9a-f]{4}-"))
    screenshot(page, "refused-listed")


@pytest.mark.sweep
def test_what_can_never_be_saved_goes_with_one_tap(
    at_the_hour: Page, event: Arranged, arranger: Arranger, screenshot: Screenshot
) -> None:
    """The hands were refused; then another phone ended the game."""
    page = at_the_hour
    count_the_others(page)
    refuse(page, "Çağla")
    end_game(page)
    expect(part(page).get_by_role("alert")).to_contain_text("Çağla")
    held = {uid: {"7": 1} for name, uid in event.entries.items() if name != "Dima"}
    arranger("end_game", slug=event.slug, hands=held)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    note = page.locator("[data-problems]")
    expect(note).to_contain_text("The game is over. Çağla did not go out")
    expect(part(page)).to_contain_text("Who plays game 2?")
    screenshot(page, "refused-over")
    note.get_by_role("button", name="Discard").tap()
    expect(note).to_be_empty()
    expect(page.locator("desk-outbox")).not_to_contain_text("decision")
    assert kept(page) == []


@pytest.mark.sweep
def test_hands_that_are_being_counted_stay_when_another_phone_ends_the_game(
    at_the_hour: Page, event: Arranged, arranger: Arranger, screenshot: Screenshot
) -> None:
    page = at_the_hour
    count_the_others(page)
    held = {uid: {"7": 1} for name, uid in event.entries.items() if name != "Dima"}
    arranger("end_game", slug=event.slug, hands=held)
    ended = "Another phone has ended this game"
    expect(part(page).get_by_role("alert")).to_contain_text(ended, timeout=5000)
    expect(page.locator(".pad__chip", has_text="Çağla")).to_contain_text("1")
    screenshot(page, "overtaken")
    end_game(page)
    note = page.locator("[data-problems]")
    expect(note).to_contain_text("someone entered it differently")
    note.get_by_role("button", name="Compare both").tap()
    expect(page.get_by_text("you, not saved")).to_be_visible()
    expect(page.get_by_role("row", name="Çağla")).to_be_visible()


NAMES = ["Aino", "Börje", "Çağla", "Dima Korhonen-Virtanen", "Eeva", "Fatima", "Göran", "Hilla"]
NAMES_IN_REACH = """() => [...document.querySelectorAll(".taps .tap")].map((tap) => {
    const {x, y, width, height} = tap.getBoundingClientRect();
    return tap.contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""


@pytest.mark.parametrize(
    ("players", "size"),
    [
        pytest.param(8, (390, 664), id="phone"),
        pytest.param(5, (320, 568), id="small phone", marks=pytest.mark.soak),
    ],
)
def test_a_running_game_that_is_opened_again_has_every_name_in_reach(
    arranger: Arranger, desk: Desk, players: int, size: tuple[int, int], screenshot: Screenshot
) -> None:
    """Who is out is timed to the second: nobody scrolls first, and no other button lies where a name was."""
    event = arranger.session(names=NAMES[:players])
    arranger("start_game", slug=event.slug, elapsed_s=600)
    page = desk(event)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for _time in range(2):
        page.reload()
        expect(page.locator(".taps .tap").first).to_be_visible()
        page.wait_for_function("scrollY > 0")
        screenshot(page, f"game-opened-{size[0]}")
        assert set(page.evaluate(NAMES_IN_REACH)) == {True}
    screenshot(page, f"game-opened-{size[0]}")
