"""A page checked by axe-core: https://github.com/dequelabs/axe-core."""

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]

# A look is all that contrast follows from: an element with words, its colour, size and weight, and what it lies in. It
# is told as a digest, since those of a page would be megabytes.
LOOKS = """(root) => {
    const ways = new Map();
    const digest = (text) => {
        let [a, b] = [0xdeadbeef, 0x41c6ce57];
        for (let at = 0; at < text.length; at += 1) {
            const code = text.charCodeAt(at);
            a = Math.imul(a ^ code, 2654435761);
            b = Math.imul(b ^ code, 1597334677);
        }
        a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
        b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
        return (b >>> 0).toString(36) + (a >>> 0).toString(36);
    };
    const words = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const wayOf = (one) => {
        if (!one) return "";
        if (!ways.has(one)) {
            const {color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine} =
                getComputedStyle(one);
            const own = [one.tagName, one.getAttribute("class"), words(one), color, backgroundColor, backgroundImage,
                opacity, fontSize, fontWeight, textDecorationLine];
            ways.set(one, digest(`${wayOf(one.parentElement)}>${own}`));
        }
        return ways.get(one);
    };
    const asked = "input:not([type=hidden]), select, textarea";
    const seen = [...root.querySelectorAll("*")].filter((each) =>
        (words(each) || each.matches(asked)) && each.checkVisibility({visibilityProperty: true}));
    return new Map(seen.map((each) => [wayOf(each), each]));
}"""
# With whatever the page unfolds; its menus after that, since an open one lies over the page. Colours are asked of what
# shows a look that was not asked before; in the dark, of the same.
ASK = f"""async ([options, colours, menusOf, dark]) => {{
    const found = [];
    const ask = async (root, at) => {{
        if (options) found.push(...(await axe.run(root, options)).violations);
        if (!colours) return;
        if (!dark) {{
            const looks = ({LOOKS})(root);
            axe.fresh[at] = (await unasked([...looks.keys()])).map((look) => looks.get(look));
        }}
        const include = axe.fresh[at].filter((each) => each.isConnected);
        if (include.length) found.push(...(await axe.run({{include}}, colours)).violations);
    }};
    for (const each of document.getAnimations()) each.finish();
    for (const each of document.querySelectorAll("details:not(.menu)")) each.open = true;
    if (!dark) axe.fresh = [];
    await ask(document, 0);
    const menus = [...document.querySelectorAll(menusOf)].filter((each) => each.checkVisibility());
    for (const [at, each] of menus.entries()) {{
        each.open = true;
        await ask(each, at + 1);
        each.open = false;
    }}
    return found.flatMap(({{id, nodes}}) => nodes.map((node) => ({{
        rule: id,
        where: node.target.flat().join(" "),
        html: node.html.slice(0, 160),
        why: node.failureSummary,
    }})));
}}"""
MENUS = "details.menu"
OPTIONS = {"resultTypes": ["violations"], "preload": False, "iframes": False}
ALL: dict[str, Any] = {
    **OPTIONS,
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {"target-size": {"enabled": True}},
}
COLOURS = {**OPTIONS, "runOnly": {"type": "rule", "values": OF_COLOURS}}
REST = {**ALL, "rules": {**ALL["rules"], **{key: {"enabled": False} for key in OF_COLOURS}}}

Breach = Mapping[str, str]


class Axe:
    """Asks axe of pages, in light and in the dark. The rules of colours take it as long as all the others: they are
    asked once of each look, which a page has in common with others and with itself in another language. `thorough`
    asks them of every element."""

    def __init__(self, *, thorough: bool = False) -> None:
        self.thorough = thorough
        self._looks: set[str] = set()  # in which nothing was wrong
        self._fresh: set[str] = set()  # of the page that is asked about

    def brought_into(self, page: Page) -> Page:
        """Load axe into the page and everything that it loads."""
        page.add_init_script(AXE_SCRIPT)
        page.expose_function("unasked", self._unasked)
        return page

    def breaches(self, page: Page, *, header: bool = False) -> list[Breach]:
        """List what is wrong with the page that axe was loaded into; with `header` also in the menus of its header,
        which are those of every page of its kind."""
        menus = MENUS if header else f"main {MENUS}"
        self._fresh = set()
        light = [ALL, None] if self.thorough else [REST, COLOURS]
        found: list[Breach] = page.evaluate(ASK, [*light, menus, False])
        if self.thorough or self._fresh:
            page.emulate_media(color_scheme="dark")
            found += page.evaluate(
                ASK, [*([COLOURS, None] if self.thorough else [None, COLOURS]), menus, True]
            )
            page.emulate_media(color_scheme="light")
        if not found:
            self._looks |= self._fresh
        return found

    @staticmethod
    def colours(page: Page) -> list[Breach]:
        """List what is wrong with the colours of the page, as it is now."""
        found: list[Breach] = page.evaluate(ASK, [COLOURS, None, f"main {MENUS}", True])
        return found

    def _unasked(self, looks: list[str]) -> list[str]:
        fresh = {*looks} - self._looks - self._fresh
        self._fresh |= fresh
        return [*fresh]
