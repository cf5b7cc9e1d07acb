"""Every pair of colours that the stylesheet sets text or shapes in is legible, in light and in dark."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parent.parent / "tournament/static/lastcard/css/tokens.css"
TOKEN = re.compile(r"--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}))\s*;")


def _tokens() -> dict[str, tuple[str, str]]:
    found = TOKEN.findall(CSS.read_text())
    return {name: (light or one, dark or one) for name, light, dark, one in found}


TOKENS = _tokens()


def _luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _mix(one: str, share: float, other: str) -> str:
    """`share` of one colour laid over another, as a translucent white on the felt is."""
    mixed = (
        round(share * int(one[at : at + 2], 16) + (1 - share) * int(other[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)


TEXT = [
    *[
        ("ink", ground)
        for ground in ("paper", "surface", "sunken", "accent-soft", "warn-soft", "danger-soft")
    ],
    *[("ink-2", ground) for ground in ("paper", "surface", "sunken", "accent-soft", "warn-soft")],
    *[("accent", ground) for ground in ("paper", "surface", "accent-soft")],
    *[("accent-strong", ground) for ground in ("paper", "surface", "accent-soft")],
    *[("danger", ground) for ground in ("paper", "surface", "danger-soft")],
    *[("warn", ground) for ground in ("paper", "surface", "warn-soft")],
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-danger", "danger"),
    ("paper", "ink"),
    *[(text, felt) for text in ("on-felt", "on-felt-2") for felt in ("felt", "felt-lit", "felt-deep")],
    ("card-ink", "card-face"),
    ("card-ink", "card-yellow"),
]
SHAPES = [
    ("line-strong", "paper"),
    ("line-strong", "surface"),
    *[(f"card-{colour}", "card-face") for colour in ("red", "green", "blue")],
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_contrast(text: str, ground: str, scheme: int) -> None:
    assert _contrast(TOKENS[text][scheme], TOKENS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_shape_contrast(shape: str, ground: str, scheme: int) -> None:
    assert _contrast(TOKENS[shape][scheme], TOKENS[ground][scheme]) >= 3


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("felt", ["felt", "felt-lit"])
def test_dimmed_key_contrast(felt: str, scheme: int) -> None:
    """What cannot be tapped now is still read: its reason is a tap away."""
    ground = _mix("#ffffff", 0.14, TOKENS[felt][scheme])
    assert _contrast(TOKENS["on-felt"][scheme], ground) >= 4.5
    assert _contrast(_mix(TOKENS["on-felt-2"][scheme], 0.88, ground), ground) >= 3


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_white_glyph_on_card_colour(colour: str) -> None:
    assert _contrast("#ffffff", TOKENS[f"card-{colour}"][0]) >= 4.5
