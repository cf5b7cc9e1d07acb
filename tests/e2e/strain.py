"""Checks that axe does not make: that keyboard users see the focus, that large or loose text fits, and that nothing
moves for those who asked for that."""

from playwright.sync_api import Page

NARROW = 320  # CSS pixels

FOCUS = """() => {
    const sides = (one) => [null, "::before", "::after"].map((part) => {
        const style = getComputedStyle(one, part);
        const {outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, clipPath} = style;
        return [outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, clipPath];
    });
    const wrong = [];
    const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    for (const each of document.querySelectorAll(all)) {
        if (each.disabled || !each.checkVisibility({visibilityProperty: true})) continue;
        const label = each.labels?.[0];
        const near = [each, label, label?.firstElementChild, each.nextElementSibling, each.parentElement];
        const seen = () => JSON.stringify(near.filter(Boolean).map(sides));
        document.activeElement.blur();
        const before = seen();
        each.focus({preventScroll: true});
        if (document.activeElement !== each) wrong.push(`takes no focus: ${each.outerHTML.slice(0, 120)}`);
        else if (seen() === before) wrong.push(`focus is not seen: ${each.outerHTML.slice(0, 120)}`);
    }
    document.activeElement.blur();
    return wrong;
}"""
MOVING = """() => document.getAnimations().filter((each) => each.playState === "running").map(
    (each) => `moves: ${each.animationName ?? each.transitionProperty}`)"""
FITS = """([how, narrow]) => {
    const root = document.scrollingElement;
    const wrong = [];
    const wide = [...document.body.querySelectorAll("*")].filter(
        (each) => each.getBoundingClientRect().right > root.clientWidth + 1 && each.checkVisibility());
    // A table needs its two dimensions (1.4.10), and a word that is wider than the phone has nowhere to go.
    const flows = wide.filter((each) => !each.closest("table"));
    if (root.scrollWidth > root.clientWidth && (narrow || how !== "text at 200%" || flows.length > 0)) {
        wrong.push(`${how}: sideways, ${wide.slice(-3).map((each) => `${each.tagName}.${each.className}`)}`);
    }
    for (const each of document.querySelectorAll("body *")) {
        const text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!text || each.closest(".visually-hidden, svg, .skip-link, select, textarea")) continue;
        const {overflowX, overflowY, textOverflow, clipPath} = getComputedStyle(each);
        if (textOverflow === "ellipsis" || clipPath !== "none" || each.clientWidth === 0) continue;
        const over = (overflowX !== "visible" && each.scrollWidth > each.clientWidth + 2)
            || (["hidden", "clip"].includes(overflowY) && each.scrollHeight > each.clientHeight + 2);
        if (over && !["auto", "scroll"].includes(overflowX)) wrong.push(`${how}: cut, ${each.outerHTML.slice(0, 120)}`);
    }
    return wrong;
}"""
LARGE = "() => { document.documentElement.style.fontSize = '200%'; }"
LOOSE = """() => {
    document.documentElement.style.fontSize = "";
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* {line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important}
        p {margin-bottom: 2em !important}`);
    document.adoptedStyleSheets = [sheet];
}"""


def strained(page: Page, *, paper: bool = False, narrow: bool = False) -> list[str]:
    """List what is wrong with the open page for keyboard users, with text at 200 per cent (WCAG 1.4.4) or with loose
    text (1.4.12), in a window of 320 pixels, or twice that for a page laid out for `paper`; leave the page so. A page
    that must stay `narrow` has no table and no word that may be wider than the window."""
    page.keyboard.press("Tab")
    found: list[str] = [*page.evaluate(FOCUS), *page.evaluate(MOVING)]
    assert page.viewport_size
    for change, how, width in (
        (LARGE, "text at 200%", NARROW * (1 + paper)),
        (LOOSE, "text set apart", NARROW),
    ):
        page.set_viewport_size({"width": width, "height": page.viewport_size["height"]})
        page.evaluate(change)
        found += page.evaluate(FITS, [how, narrow])
    return found
