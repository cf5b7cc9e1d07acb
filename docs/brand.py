"""The icons and the share picture, all drawn from the one mark in templates/components/_mark.html.

    make brand              or: python docs/brand.py

Writes tournament/static/lastcard/favicon.svg and tournament/static/lastcard/brand/*.png.
"""

import re
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.browser import ARGUMENTS, chromium

STATIC = ROOT / "tournament" / "static" / "lastcard"
MARK = ROOT / "templates" / "components" / "_mark.html"
LARGEST = 40_000  # bytes of one picture
COLOURS = 64  # of a picture: flat areas and the edges between them

# The table, the card on it, and the four shapes, as in css/tokens.css.
FELT, FELT_LIT, FACE = "#0d4c34", "#145c40", "#fdfdf9"
LIGHT, DARK = "#0a5a39", "#7fd2a7"  # the accent on paper, by day and by night
SHAPES = (
    '<circle cx="24" cy="24" r="21" fill="#ea5a5f"/>',
    '<path d="M24 3l23 40H1z" fill="#efbe2f"/>',
    '<rect x="4" y="4" width="40" height="40" rx="5" fill="#4bb877"/>',
    '<path d="M24 0l21 24-21 24L3 24z" fill="#6b9ff0"/>',
)


@dataclass(frozen=True)
class Picture:
    name: str
    width: int
    height: int
    svg: str


def mark() -> str:
    """Draw the mark in a field of 32 by 32, in the colour of whatever it lies in."""
    found = re.search(r"<svg [^>]*>(.*)</svg>", MARK.read_text())
    assert found
    return found[1]


def favicon() -> str:
    """The mark in a browser's tab: it follows the browser's own colours, since it has no ground."""
    style = f"path{{fill:{LIGHT}}}@media(prefers-color-scheme:dark){{path{{fill:{DARK}}}}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>{style}</style>{mark()}</svg>\n'
    )


def mark_at(x: float, y: float, side: float) -> str:
    """The mark as a card, on the table."""
    return f'<svg x="{x}" y="{y}" width="{side}" height="{side}" viewBox="0 0 32 32" fill="{FACE}">{mark()}</svg>'


def icon(share: float, rounding: int = 0) -> str:
    """The mark on the table, of which it has a `share` of the side; a `rounding` where no system cuts the corners."""
    side = 512 * share
    at = (512 - side) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        f'<rect width="512" height="512" rx="{rounding}" fill="{FELT}"/>'
        f"{mark_at(at - 5, at, side)}</svg>"
    )


def share_picture() -> str:
    """Draw the picture of a link to Lastcard in a message; the name is its only word, for readers of any language."""
    shapes = "".join(
        f'<g transform="translate({548 + 84 * place} 386)">{shape}</g>' for place, shape in enumerate(SHAPES)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">'
        f'<rect width="1200" height="630" fill="{FELT}"/>'
        f'<rect x="26" y="26" width="1148" height="578" rx="36" fill="none" stroke="{FELT_LIT}" stroke-width="6"/>'
        f"{mark_at(106, 131, 368)}"
        f'<text x="540" y="318" fill="{FACE}" font-family="Inter, Liberation Sans, Arial, sans-serif" font-weight="800"'
        f' font-size="118" letter-spacing="-4">Lastcard</text>{shapes}</svg>'
    )


def pictures() -> list[Picture]:
    """Every picture that is drawn. An app's icon may be cut to a circle of four fifths: the mark stays within."""
    return [
        Picture("apple-touch-icon", 180, 180, icon(0.7)),
        Picture("icon-192", 192, 192, icon(0.74, rounding=112)),
        Picture("icon-512", 512, 512, icon(0.74, rounding=112)),
        Picture("icon-maskable-512", 512, 512, icon(0.56)),
        Picture("share", 1200, 630, share_picture()),
    ]


def draw(page: Page, picture: Picture) -> bytes:
    """The picture as a PNG, packed."""
    page.set_viewport_size({"width": picture.width, "height": picture.height})
    page.set_content(f"<style>*{{margin:0}}svg{{display:block}}</style>{picture.svg}")
    with Image.open(BytesIO(page.screenshot(omit_background=True))) as drawn:
        packed = drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = BytesIO()
    packed.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    (STATIC / "brand").mkdir(exist_ok=True)
    (STATIC / "favicon.svg").write_text(favicon())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page()
        for picture in pictures():
            content = draw(page, picture)
            path = STATIC / "brand" / f"{picture.name}.png"
            assert len(content) < LARGEST, f"{path.name} has {len(content)} bytes"
            path.write_bytes(content)
            print(f"{path.relative_to(ROOT)}  {len(content) // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main()
