"""Whether what a page shows can be tapped: the point in the middle of a control must be the control's own. And whether
its names can be read: none goes on in the next line without a hyphen."""

from playwright.sync_api import Page

# Each link, button and field, scrolled into view and its details opened, by its first rectangle. A field's label counts
# for it. What only a screen reader finds (a skip link, text of one pixel) is left out. A request to join the table may
# lie over the site's head until it is answered: were it in the flow, names would move under the finger as it comes.
COVERED = """() => {
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const named = (each) => each.textContent.trim() || each.getAttribute("aria-label") || each.name;
    const wrong = [];
    for (const each of document.querySelectorAll(controls)) {
        const closed = [];
        const outside = each.matches("summary") ? each.parentElement.parentElement : each.parentElement;
        for (let up = outside; up; up = up.parentElement) if (up.matches("details:not([open])")) closed.push(up);
        for (const details of closed) details.open = true;
        const seen = each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        const shown = seen && getComputedStyle(each).pointerEvents !== "none";
        each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const box = [...each.getClientRects()].find((one) => one.width > 1 && one.height > 1);
        const inside = box && box.bottom > 0 && box.right > 0;
        if (shown && inside && !each.closest("[inert], .visually-hidden, .skip-link, dialog:not([open])")) {
            const labels = [...(each.labels ?? [])];
            const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            const own = hit && (each.contains(hit) || labels.some((label) => label.contains(hit)));
            const asked = hit?.closest("[data-asks]") && !each.closest("main");
            if (!own && !asked) wrong.push(`"${named(each).slice(0, 40)}" lies under ${hit?.outerHTML.slice(0, 80)}`);
        }
        for (const details of closed) details.open = false;
    }
    return wrong;
}"""

# Names and clubs with a word that goes on in the next line where no hyphen is drawn.
BROKEN = r"""() => {
    const lines = (text, from, to) => {
        const range = new Range();
        range.setStart(text, from);
        range.setEnd(text, to);
        return [...new Set([...range.getClientRects()].map(({top}) => top))];
    };
    const oneLine = (text) => ({0: word, index}) => lines(text, index, index + word.length).length < 2;
    const together = (text) => [...text.data.matchAll(/[\p{L}\p{M}]+/gu)].every(oneLine(text));
    const hyphened = (hyphen) => {
        const [before, after] = [hyphen.previousSibling, hyphen.nextSibling];
        const drawn = hyphen.getBoundingClientRect().width > 0;
        return drawn || lines(before, before.length - 1, before.length)[0] === lines(after, 0, 1)[0];
    };
    const whole = (part) => part instanceof Text ? together(part) : !part.matches(".hyphen") || hyphened(part);
    const seen = [...document.querySelectorAll("bdi")].filter((name) => name.checkVisibility());
    return seen.filter((name) => ![...name.childNodes].every(whole)).map((name) => name.textContent);
}"""


def covered(page: Page, width: int, height: int) -> list[str]:
    """List the controls of the open page that cannot be tapped and the names that break without a hyphen, in a
    viewport of this size (CSS pixels)."""
    page.set_viewport_size({"width": width, "height": height})
    found: list[str] = page.evaluate(COVERED)
    found += [f'"{name}" breaks without a hyphen' for name in page.evaluate(BROKEN)]
    return [f"at {width}x{height} {each}" for each in found]
