"""What axe-core says of a page: https://github.com/dequelabs/axe-core."""

from collections.abc import Collection, Mapping
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
# What a translation can break; the rest follows from the markup, which is the same in each language.
OF_WORDS = [
    "aria-command-name",
    "aria-dialog-name",
    "aria-input-field-name",
    "aria-meter-name",
    "aria-progressbar-name",
    "aria-toggle-field-name",
    "button-name",
    "document-title",
    "dlitem",
    "definition-list",
    "empty-heading",
    "empty-table-header",
    "html-has-lang",
    "html-lang-valid",
    "image-alt",
    "image-redundant-alt",
    "input-button-name",
    "label",
    "landmark-unique",
    "link-name",
    "list",
    "listitem",
    "role-img-alt",
    "select-name",
    "summary-name",
    "svg-img-alt",
    "target-size",
    "valid-lang",
]
OF_COLOURS = ["color-contrast", "link-in-text-block"]

# With whatever the page unfolds; its menus after that, since an open one lies over the page.
ASK = """async ([options, menusOf]) => {
    for (const each of document.getAnimations()) each.finish();
    for (const each of document.querySelectorAll("details:not(.menu)")) each.open = true;
    const found = (await axe.run(document, options)).violations;
    const menus = [...document.querySelectorAll(menusOf)].filter((each) => each.checkVisibility());
    for (const each of menus) {
        each.open = true;
        found.push(...(await axe.run(each, options)).violations);
        each.open = false;
    }
    return found.flatMap(({id, nodes}) => nodes.map((node) => ({
        rule: id,
        where: node.target.flat().join(" "),
        html: node.html.slice(0, 160),
        why: node.failureSummary,
    })));
}"""
MENUS = "details.menu"
OPTIONS = {"resultTypes": ["violations"], "preload": False, "iframes": False}

Breach = Mapping[str, str]


def brought_into(page: Page) -> Page:
    """The page with axe in whatever it loads."""
    page.add_init_script(AXE_SCRIPT)
    return page


def breaches(page: Page, rules: Collection[str] = (), *, header: bool = False) -> list[Breach]:
    """What is wrong with the page that axe was brought into, by all the rules or some; with `header` also in the menus
    of its header, which are those of every page of its kind."""
    run = {"type": "rule", "values": [*rules]} if rules else {"type": "tag", "values": TAGS}
    more: dict[str, Any] = {} if rules else {"rules": {"target-size": {"enabled": True}}}
    found: list[Breach] = page.evaluate(
        ASK, [{**OPTIONS, "runOnly": run, **more}, MENUS if header else f"main {MENUS}"]
    )
    return found
