"""An event's colour as CSS: tokens of static/lastcard/css/tokens.css in its hue.

Legibility depends on luminance (WCAG 2): tokens retain theirs, accents too where the contrast suffices.
"""

import re
from collections.abc import Callable
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache

USUAL = "#0a5a39"  # default accent
COLOUR = re.compile(r"#[0-9a-f]{6}")

Rgb = tuple[float, float, float]
# Contrast of at least 4.5:1 on the darkest light and lightest dark ground.
DARKEST_GROUND, LIGHTEST_GROUND = "#dbebe1", "#17352a"
MOST, LEAST = 0.12, 0.42  # luminance: maximum on light, minimum on dark pages

SOFT = ("--accent-soft", DARKEST_GROUND, LIGHTEST_GROUND)
FELT = (
    ("--felt", "#0d4c34", "#0e3b2a"),
    ("--felt-lit", "#145c40", "#134936"),
    ("--felt-deep", "#083523", "#08271b"),
    ("--on-felt-2", "#b9d3c5", "#b9d3c5"),
)


@lru_cache(maxsize=500)
def style_sheet(colour: str) -> str:
    """CSS of a `#rrggbb` colour."""
    own = rgb(colour)
    in_hue: Callable[[str], str] = lambda green: with_luminance(own, luminance(rgb(green)))  # noqa: E731
    light, dark = min(luminance(own), MOST), max(luminance(own), LEAST)
    accents = [
        ("--accent", with_luminance(own, light), with_luminance(own, dark)),
        ("--accent-strong", with_luminance(own, light * 0.55), with_luminance(own, min(1, dark * 1.25))),
        ("--on-accent", "#ffffff", in_hue("#06281a")),
        (SOFT[0], in_hue(SOFT[1]), in_hue(SOFT[2])),
    ]
    accents.append(("--link", *accents[0][1:]))
    felt = [(name, in_hue(light), in_hue(dark)) for name, light, dark in FELT]
    return f":root{{{_said(accents)};--own:{accents[0][1]}}}@media screen{{:root{{{_said(felt)}}}}}"


def rgb(colour: str) -> Rgb:
    """Return the parts of `#rrggbb`, 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def luminance(colour: Rgb) -> float:
    """WCAG 2 relative luminance, 0 (black) to 1 (white)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast, 1 to 21."""
    dark, light = sorted(luminance(rgb(each)) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def with_luminance(colour: Rgb, wanted: float) -> str:
    """`#rrggbb` of the same hue and saturation with luminance `wanted`."""
    if abs(luminance(colour) - wanted) < 1e-9:
        return _text(colour)
    hue, _lightness, saturation = rgb_to_hls(*colour)
    low, high = 0.0, 1.0
    for _step in range(24):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if luminance(hls_to_rgb(hue, middle, saturation)) < wanted else (low, middle)
        )
    return _text(hls_to_rgb(hue, low, saturation))


def _text(colour: Rgb) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)


def _said(tokens: list[tuple[str, str, str]]) -> str:
    return ";".join(f"{name}:light-dark({light},{dark})" for name, light, dark in tokens)
