"""How wide a text will be where nobody has measured it yet, and how to make it fit.

The widths are estimates for the system's sans, rather too wide than too narrow.
"""

from itertools import accumulate
from unicodedata import category, combining, east_asian_width

NARROW = frozenset("iljtfrI.,:;'’|!()[]- ")
WIDE = frozenset("mwMWÆŒæœ@%")
ELLIPSIS = "…"
JOINER = "\N{ZERO WIDTH JOINER}"


def width_of(text: str, size: float) -> float:
    """The width of a text in letters `size` high."""
    return sum(_em(character) for character in text) * size


def cut(text: str, room: float, size: float) -> str:
    """The text, or what fits of its beginning with an ellipsis; isolated, so that its script turns nothing round."""
    if width_of(text, size) > room:
        left = room - width_of(ELLIPSIS, size)
        widths = accumulate(width_of(character, size) for character in text)
        text = _whole(text, sum(width <= left for width in widths)).rstrip() + ELLIPSIS
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def _em(character: str) -> float:
    if combining(character) or category(character) in {"Mn", "Me", "Cf"}:
        return 0
    if character == ELLIPSIS or character in WIDE:
        return 1
    if east_asian_width(character) in {"W", "F"}:
        return 1.15
    if character in NARROW:
        return 0.36
    return 0.7 if character.isupper() else 0.64 if character.isdigit() else 0.6


def _whole(text: str, end: int) -> str:
    """The text's beginning up to `end`, or up to before a sign of several joined ones that would be parted there."""
    while 0 < end < len(text) and JOINER in (text[end - 1], text[end]):
        end -= 1
    return text[:end]
