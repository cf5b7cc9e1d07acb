"""Accessibility: axe finds nothing on any page of the site, in any language, in light and in dark.

A page is the HTML that an address of the site gives to somebody who may see it. Every address of tests/roles/table.py
is looked at, in the event of SEEN_IN or in one's own, unless NO_PAGE says what it gives instead: a new one too.

On the same pages every link, button and field must be what is tapped at its middle (reach.py).

Axe is asked of a sixth of our own pages in one language, by turns, in light and in dark, of some of their states and of
some of the admin's and the interface's pages, which a few templates make. In the soak of every page and state in every
language, of every element's colours, which are otherwise asked once of each look, and of our own pages at other widths
and as each role that may see them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, Page, expect

from tests.depth import SOAK, dear
from tests.e2e.arranger import Arranger, Person
from tests.e2e.axe import Axe
from tests.e2e.browser import PHONE, WALL
from tests.e2e.conftest import OpenPage
from tests.e2e.reach import covered
from tests.e2e.server import Server
from tests.e2e.strain import strained
from tests.roles.asking import routes
from tests.roles.table import ADMIN, LINK, OPEN, ORGANISER, STAFF, VISITOR, row_of
from tests.roles.world import OWN

pytestmark = pytest.mark.browser

LANGUAGES = ["en", "fi", "sv"]
WIDTH, OTHERS = 390, [320, 1280]
SCREENS = [(390, 844), (1280, 800)]  # where every control is asked whether it can be tapped
TALL = 12000  # so that no bar at the bottom of the screen lies over what would be scrolled
PARTS = 6
OF_OURS = 6  # of so many of our own pages one is asked
OF_A_FEW = 16  # of so many pages that the same templates make
SCREEN = "/screen/<uuid:screen>/"

# Addresses that have nothing to show in one's own event, each with the event to see it in.
SEEN_IN = {
    "/try/": "own",  # of no event: the switch is on here
    "/desk/table/<uuid:table>/record/": "game",
    "/desk/play/<uuid:play>/start-time/": "game",
    "/desk/play/<uuid:play>/give-up/": "game",
    "/desk/play/<uuid:play>/eject/": "game",
    "/desk/play/<uuid:play>/join/": "game",
    "/desk/play/<uuid:play>/end/": "game",
    "/t/<slug:slug>/stage/<uuid:stage>/<int:page>/": "club",
    "/o/<uuid:organiser>/ratings/<int:page>/": "club",
    "/o/<uuid:organiser>/season/<int:year>/": "club",
    "/o/<uuid:organiser>/season/<int:year>/<int:page>/": "club",
}
# Pages that must not scroll sideways with text at 200 per cent: they have no table and no long word.
NARROW_AT_200 = {"/organise/t/<slug:slug>/", "/organise/stage/<uuid:stage>/"}
LEADS_ON, FILE, PART_OF_A_PAGE, POST_ONLY = "leads on", "a file", "a part", "POST only"
NO_PAGE: Mapping[str, str] = {
    **dict.fromkeys(
        [
            "/favicon.ico",
            "/j/<slug:slug>/",
            "/b/<uuid:entry>/",
            "/at/<str:token>/<slug:what>/",
            "/at/<str:token>/clock/",
            "/p/<str:token>/<slug:what>/",
            "/t/<slug:slug>/results/<int:version>/",
            "/t/<slug:slug>/results/<int:version>.xlsx",
            "/desk/send/",
            "/desk/proposal/<uuid:proposal>/accept/",
            "/desk/play/<uuid:play>/accept/",
            "/desk/play/<uuid:play>/choose-start/",
            "/desk/play/<uuid:play>/contest/",
            "/desk/play/<uuid:play>/second-look/",
            "/desk/table/<uuid:table>/code/renew/",
            "/desk/table/<uuid:table>/start/",
            "/desk/table/<uuid:table>/accept/",
            "/desk/table/<uuid:table>/leave-out/",  # with nothing on hold
            "/desk/table/<uuid:table>/undo/<int:row>/",
            "/desk/table/<uuid:table>/call/",
            "/desk/call/<uuid:call>/take-back/",
            "/desk/call/<uuid:call>/answer/",
            "/desk/incident/<uuid:incident>/withdraw/",
            "/desk/table/<uuid:table>/typing/",
            "/desk/play/<uuid:play>/back/",
            "/desk/play/<uuid:play>/out/",
            "/desk/play/<uuid:play>/take-back/",
            "/organise/tokens/<uuid:access>/revoke/",
            "/organise/t/<slug:slug>/registration/approve/",
            "/organise/t/<slug:slug>/paid/",
            "/organise/announcement/<uuid:announcement>/down/",
            "/organise/t/<slug:slug>/clock/<slug:what>/",
            "/organise/no-phone/",
            "/t/<slug:slug>/programme/subscribe/",
            "/first/<str:token>/",  # once there is an account
            "/admin/enter/<uuid:table>/",
            "/organise/registration/<uuid:entry>/decline/",
            "/organise/registration/<uuid:entry>/take/",
            "/organise/registration/<uuid:entry>/renew-link/",
            "/organise/t/<slug:slug>/rehearse/",
            "/organise/rehearsal/<uuid:tournament>/put-away/",
            "/organise/rehearsal/<uuid:tournament>/bring-back/",
            "/organise/t/<slug:slug>/check-in/",
            "/organise/screen/<uuid:screen>/",
            "/organise/screen/<uuid:screen>/remove/",
            "/organise/webhook/<uuid:webhook>/try/",
            "/organise/webhook/<uuid:webhook>/remove/",
            "/organise/delivery/<uuid:delivery>/again/",
            "/organise/invite/<uuid:invite>/revoke/",
            "/organise/stage/<uuid:stage>/referees/",
            "/organise/t/<slug:slug>/referee-tables/",
            "/organise/role/<uuid:membership>/revoke/",
            "/organise/stage/<uuid:stage>/start/",
            "/organise/stage/<uuid:stage>/finish/",
            "/organise/stage/<uuid:stage>/reopen/",
            "/organise/stage/<uuid:stage>/fill/",
            "/organise/stage/<uuid:stage>/choose/",
            "/organise/stage/<uuid:stage>/call/",
            "/organise/stage/<uuid:stage>/reserves/",
            "/organise/stage/<uuid:stage>/open-tables/",
            "/o/<uuid:organiser>/seasons/<uuid:season>/next/",
            "/organise/stage/<uuid:stage>/second-look/",
            "/organise/stage/<uuid:stage>/tie-break/",
            "/organise/stage/<uuid:stage>/freeze/",
            "/organise/stage/<uuid:stage>/players-clock/",
            "/organise/stage/<uuid:stage>/freeze/lift/",
            "/organise/stage/<uuid:stage>/reveal/begin/",
            "/organise/apart/<uuid:pair>/no-more/",
            "/organise/player/<uuid:entry>/another/",
            "/organise/t/<slug:slug>/people/part/",
            "/organise/t/<slug:slug>/seasons/<uuid:season>/evening/",
            "/<short:code>/",  # with the cookie to itself: the same page as /ask/
            "/admin/login/",  # to the site's own
            "/admin/logout/",
        ],
        LEADS_ON,
    ),
    **dict.fromkeys(
        [
            "/manifest.webmanifest",
            "/sw.js",
            "/help/client.py",
            "/t/<slug:slug>/programme.ics",
            "/t/<slug:slug>/logo-<slug:digest>.webp",
            "/t/<slug:slug>/colour-<slug:colour>.css",
            "/t/<slug:slug>/results.atom",
            "/t/<slug:slug>/results.xlsx",
            "/t/<slug:slug>/data.xlsx",
            "/t/<slug:slug>/data.zip",
            "/t/<slug:slug>/stage/<uuid:stage>/draw.json",
            "/t/<slug:slug>/stage/<uuid:stage>/podium.svg",
            "/p/<str:token>/data.json",
            "/o/<uuid:organiser>/seasons/<uuid:season>/season.xlsx",
            "/organise/t/<slug:slug>/archive/event.zip",
            "/organise/t/<slug:slug>/archive/pages.zip",
            "/organise/t/<slug:slug>/import/template.<slug:kind>",
            "/organise/t/<slug:slug>/players.xlsx",
            "/organise/t/<slug:slug>/results-template.xlsx",
            "/organise/player/<uuid:entry>/data.json",
            "/admin/jsi18n/",
        ],
        FILE,
    ),
    "/t/<slug:slug>/screen/way/": PART_OF_A_PAGE,  # fetched by screen.js
    "/t/<slug:slug>/said/": PART_OF_A_PAGE,  # fetched by said.js
    "/t/<slug:slug>/clock/": PART_OF_A_PAGE,  # fetched by room.js
    "/desk/table/<uuid:table>/asks/": PART_OF_A_PAGE,  # fetched by asks.js
    "/sign-out/": POST_ONLY,
}
# More states of pages: the state, the event, the address; then those whose parts are also in others.
STATES = {
    "a match": ("match", "/desk/table/<uuid:table>/"),
    "a match's round": ("match", "/desk/play/<uuid:play>/"),
    "a game with somebody out": ("game", "/desk/table/<uuid:table>/"),
    "heats' stage": ("heats", "/t/<slug:slug>/stage/<uuid:stage>/"),
    "a game, public": ("game", "/t/<slug:slug>/"),
    "heats, half of them entered": ("heats", "/t/<slug:slug>/"),
    "a heat entered": ("heats", "/desk/table/<uuid:table>/"),
    "heats to seat": ("heats", "/organise/stage/<uuid:stage>/"),
    "a stage to start": ("empty", "/organise/stage/<uuid:stage>/"),
    "an event that is over": ("finished", "/t/<slug:slug>/"),
    "somebody's own page, game": ("game", "/t/<slug:slug>/player/<uuid:entry>/"),
}
FURTHER_STATES = {
    "a match, public": ("match", "/t/<slug:slug>/"),
    "a game's stage": ("game", "/t/<slug:slug>/stage/<uuid:stage>/"),
    "a game that is over": ("game", "/desk/table/<uuid:table>/history/"),
    "nothing played": ("empty", "/t/<slug:slug>/"),
    "a table that waits": ("empty", "/desk/table/<uuid:table>/"),
    "its board": ("finished", "/organise/t/<slug:slug>/"),
    "its table": ("finished", "/desk/table/<uuid:table>/"),
    "a board": ("game", "/organise/t/<slug:slug>/"),
    "many tables": ("club", "/t/<slug:slug>/"),
}
# Forms that are refused when nothing is typed into them.
REFUSED = {
    "/sign-in/": "own",
    "/t/<slug:slug>/join/": "own",
    "/password/": "own",
    "/organise/new/": "own",
    "/organise/t/<slug:slug>/edit/": "own",
    "/organise/t/<slug:slug>/walk-in/": "own",
    "/desk/table/<uuid:table>/incidents/<slug:what>/": "own",
    "/desk/table/<uuid:table>/record/": "game",
    "/desk/table/<uuid:table>/": "match",
}
EMPTY = """(form) => {
    const typed = ["text", "textarea", "password", "number", "date"];
    for (const each of form.elements) if (typed.includes(each.type)) each.value = "";
    HTMLFormElement.prototype.submit.call(form);
}"""

World = Mapping[str, Any]
See = Callable[[str], Page]
Look = tuple[str, str, str]  # what it is, the event, the address's pattern


@pytest.fixture(scope="module")
def world(_arranger: Arranger, lastcard: Server) -> World:
    """Events on the server; `verify` is not asked of them, since what no action makes was put beside."""
    made: World = _arranger("everything")
    return made


@pytest.fixture(scope="module")
def axe() -> Axe:
    return Axe(thorough=SOAK)


@pytest.fixture
def see(open_page: OpenPage, lastcard: Server, world: World, axe: Axe) -> See:
    """The page of somebody with this role, the same each time."""
    pages: dict[str, Page] = {}

    def see(role: str) -> Page:
        if role not in pages:
            pages[role] = axe.brought_into(
                open_page(**{**PHONE, "device_scale_factor": 1}, reduced_motion="reduce")
            )
            if role in world["people"]:
                Person(role, world["people"][role]).sign_in(pages[role], lastcard)
        return pages[role]

    return see


def roles_of(path: str, event: str) -> list[str]:
    """List the roles that may see the page in that event, first the one to look at it as."""
    row = row_of(path)
    assert row, f"{path} has no row in tests/roles/table.py"
    order = [ADMIN, STAFF] if "/admin/" in path else [VISITOR, LINK, ORGANISER, ADMIN, STAFF]
    may = [role for role in order if row["GET"].gets(role, OWN) == OPEN]
    if event not in {"own", "finished"}:  # those with a role have none there
        may = [role for role in may if role in {VISITOR, LINK, ADMIN}]
    if VISITOR in may:
        return [VISITOR]
    return may or ([VISITOR] if path in SEEN_IN else [])


def no_page(path: str) -> str:
    """Say what an address gives instead of a page; "" for a page."""
    if path.startswith("/admin/") and path.endswith("<path:object_id>/"):
        return LEADS_ON
    return NO_PAGE.get(path, "")


def pages() -> list[Look]:
    """List every page that axe looks at."""
    found = [(route.path, SEEN_IN.get(route.path, "own"), route.path) for route in routes()]
    found = [each for each in found if not no_page(each[2]) and roles_of(each[2], each[1])]
    states = STATES | FURTHER_STATES if SOAK else STATES
    return found + [(f"{path}, {state}", event, path) for state, (event, path) in states.items()]


def ours(path: str) -> bool:
    """Whether it has a template of its own: the admin's and the interface's pages are made by a few."""
    return not path.startswith(("/admin/", "/api/"))


def asked() -> list[Look]:
    """List the pages that this run looks at."""
    if SOAK:
        return pages()
    found = [each for each in pages() if ours(each[2])][::OF_OURS]
    return found + [each for each in pages() if not ours(each[2])][::OF_A_FEW]


def looks_at(number: int, path: str, event: str) -> Iterator[tuple[str, str, int]]:
    """Give each role, language and width in which a page is looked at."""
    first, *others = roles_of(path, event)
    languages = LANGUAGES if SOAK else [LANGUAGES[number % len(LANGUAGES)]]
    yield from ((first, language, WIDTH) for language in languages)
    if SOAK and ours(path):
        yield from ((first, LANGUAGES[0], width) for width in OTHERS)
        yield from ((role, LANGUAGES[0], WIDTH) for role in others)


def address_in(language: str, world: World, event: str, path: str) -> str:
    address: str = world["pages"][event][path]
    return address.replace("/en/", f"/{language}/", 1) if address.startswith("/en/") else address


def look(page: Page, address: str, language: str, axe: Axe) -> list[str]:
    """List what is wrong with this address in this language."""
    page.set_extra_http_headers({"accept-language": language})
    answer = page.goto(address)
    assert answer, address
    html = answer.headers.get("content-type", "").startswith("text/html")
    if answer.status != 200 or not html or answer.request.redirected_from:
        return [f"answered {answer.status}, {answer.headers.get('content-type')}: {page.url}"]
    if (said := page.locator("html").get_attribute("lang")) != language:
        return [f"answered in {said}: {page.url}"]
    return asked_of(page, axe)


def asked_of(page: Page, axe: Axe) -> list[str]:
    """List what is wrong with the page as it is now."""
    header = urlsplit(page.url).path[3:] in {"/", "/desk/", "/organise/"}
    try:
        found = axe.breaches(page, header=SOAK or header)
    except Error:  # the page showed something new meanwhile
        page.wait_for_load_state()
        page.goto(page.url)
        found = axe.breaches(page, header=SOAK or header)
    return [f"{each['rule']}: {each['where']} {each['html']} {each['why']}" for each in found]


@pytest.mark.parametrize("part", [0, *dear(*range(1, PARTS))])
def test_axe_finds_nothing(part: int, see: See, world: World, axe: Axe) -> None:
    wrong = []
    for number, (what, event, path) in list(enumerate(asked()))[part::PARTS]:
        for role, language, width in looks_at(number, path, event):
            page = see(role)
            wall = path.endswith(SCREEN)
            page.set_viewport_size(WALL["viewport"] if wall else {"width": width, "height": TALL})
            found = look(page, address_in(language, world, event, path), language, axe)
            if not wall and not path.startswith("/admin/") and language == LANGUAGES[0]:
                found += strained(page, paper="/print/" in path, narrow=path in NARROW_AT_200)
                found += [each for size in SCREENS for each in covered(page, *size)]
            wrong += [f"{what} in {language} at {width} as {role}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


def test_refused_forms_keep_nobody_out(see: See, world: World, axe: Axe) -> None:
    wrong = []
    for path, event in list(REFUSED.items())[:: 1 if SOAK else OF_OURS]:
        page = see(roles_of(path, event)[0])
        page.goto(address_in("en", world, event, path))
        with page.expect_navigation():
            page.locator("#main form[method=post]").first.evaluate(EMPTY)
        expect(page.locator(".errors:visible, .field__error:visible").first).to_be_visible()
        wrong += [f"{path}, refused: {each}" for each in asked_of(page, axe)]
    assert not wrong, "\n".join(wrong)


def test_without_network_nobody_is_kept_out(see: See, world: World, axe: Axe) -> None:
    page = see(VISITOR)
    page.route("**/live/**", lambda route: route.abort())  # a stream that is open outlives its network
    page.goto(address_in("en", world, "own", "/t/<slug:slug>/"))
    page.context.set_offline(True)
    expect(page.locator("[data-live-state='offline']")).to_be_visible()
    wrong = asked_of(page, axe)
    assert not wrong, "\n".join(wrong)


@pytest.mark.sweep
def test_each_address_gives_a_page_or_what_it_says(see: See, world: World) -> None:
    wrong = []
    for route in routes():
        said, event = no_page(route.path), SEEN_IN.get(route.path, "own")
        if not (roles := roles_of(route.path, event)):
            continue
        asking = {"accept": "text/html"}
        answer = see(roles[0]).request.get(world["pages"][event][route.path], headers=asking, max_redirects=0)
        html = answer.headers.get("content-type", "").startswith("text/html") and answer.status == 200
        leads_on = 300 <= answer.status < 400
        if (leads_on, html) != (said == LEADS_ON, said in {"", PART_OF_A_PAGE}):
            wrong.append(f"{route.path} is not {said or 'a page'}: {answer.status}")
    assert not wrong, "\n".join(wrong)


def test_a_page_without_names_is_found(see: See, axe: Axe) -> None:
    page = see(VISITOR)
    page.goto("/en/")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button><img src=data:,>')"
    )
    assert {each["rule"] for each in axe.breaches(page)} >= {"button-name", "image-alt"}


def test_a_link_under_something_else_is_found(see: See) -> None:
    page = see(VISITOR)
    page.goto("/en/")
    assert covered(page, *SCREENS[0]) == []
    page.locator("main a").first.evaluate("each => { each.style = 'position: relative; z-index: -1'; }")
    assert len(covered(page, *SCREENS[0])) == 1


@pytest.mark.parametrize("colour", ["light-dark(#aaa, #fff)", *dear("light-dark(#000, #333)")])
def test_a_colour_that_cannot_be_read_is_found_each_time(colour: str, see: See, axe: Axe) -> None:
    page = see(VISITOR)
    for _ in range(2):
        page.goto("/en/")
        page.locator("main p").first.evaluate("(each, colour) => { each.style.color = colour; }", colour)
        assert {each["rule"] for each in axe.breaches(page)} == {"color-contrast"}
