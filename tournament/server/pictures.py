"""Uploaded pictures.

| attack | defence |
| --- | --- |
| not a picture | Pillow reads content, in FORMATS only |
| decompression bomb | size checked in the header |
| location in metadata | re-encoded without EXIF, profiles, comments, further frames |
| polyglot trailing bytes | re-encoded |
"""

import re
from collections.abc import Callable
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
CONTENT_TYPE = "image/webp"
MOST_PIXELS = 16_000_000  # of an upload: 64 MB as RGBA
LARGEST = 480  # pixels of the longer side
MOST_BYTES = 150_000  # 480 by 480 pixels of noise are about 130 kB
QUALITIES = (86, 60, 30)  # tried in order
_TOLD = frozenset({"exif", "icc_profile", "xmp", "comment"})
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError)


class NoPicture(Exception):
    """Not a storable picture. `code`: `no_picture`, `picture_too_large`."""

    def __init__(self, code: str = "no_picture") -> None:
        super().__init__(code)
        self.code = code


def stored_picture(content: bytes) -> bytes:
    """WebP of at most LARGEST pixels a side and MOST_BYTES; stored ones stay byte-identical. Raises NoPicture."""
    from PIL import Image, ImageOps

    if is_stored(content):
        return content
    try:
        with _opened(content) as opened:
            opened.draft("RGB", (2 * LARGEST, 2 * LARGEST))  # partial JPEG decoding
            picture = ImageOps.exif_transpose(opened).convert("RGBA")
        picture.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
        for quality in QUALITIES:
            out = BytesIO()
            picture.save(out, "WEBP", quality=quality, method=6)
            if len(out.getvalue()) <= MOST_BYTES:
                return out.getvalue()
    except _BROKEN:
        raise NoPicture from None
    raise NoPicture("picture_too_large")


def is_stored(content: bytes) -> bool:
    """Whether this is output of `stored_picture`."""
    if len(content) > MOST_BYTES or len(content) != int.from_bytes(content[4:8], "little") + 8:
        return False
    try:
        with _opened(content, ("WEBP",)) as picture:
            picture.load()
            plain = not picture.info.keys() & _TOLD and getattr(picture, "n_frames", 1) == 1
            return plain and max(picture.size) <= LARGEST
    except (NoPicture, *_BROKEN):
        return False


def _opened(content: bytes, formats: tuple[str, ...] = FORMATS) -> "Image.Image":
    from PIL import Image

    try:
        picture = Image.open(BytesIO(content), formats=formats)
    except Image.DecompressionBombError:  # Pillow's limit is ten times ours
        raise NoPicture("picture_too_large") from None
    if picture.width * picture.height > MOST_PIXELS:
        raise NoPicture("picture_too_large")
    return picture


# ---- An event's colour as CSS ----

USUAL = "#0a5a39"  # default accent
COLOUR = re.compile(r"#[0-9a-f]{6}")

Rgb = tuple[float, float, float]
# Contrast of at least 4.5:1 on the darkest light and lightest dark ground.
DARKEST_GROUND, LIGHTEST_GROUND = "#dbebe1", "#17352a"
MOST_LUMINANCE, LEAST_LUMINANCE = 0.12, 0.42  # of the accent, on light and on dark pages

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
    light, dark = min(luminance(own), MOST_LUMINANCE), max(luminance(own), LEAST_LUMINANCE)
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
