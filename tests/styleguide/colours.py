"""The stylesheet's colours, which of them stand on which, and their contrast (WCAG 2.2)."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders

TOKEN = re.compile(r"--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}))\s*;")

# Text colours and their grounds: at least 4.5 to 1.
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
    *[("on-accent", ground) for ground in ("danger", "ink", "ink-2")],  # the admin's buttons
    ("paper", "ink"),
    *[(text, felt) for text in ("on-felt", "on-felt-2") for felt in ("felt", "felt-lit", "felt-deep")],
    ("card-ink", "card-face"),
    ("card-ink", "card-yellow"),
]
# Colours of shapes, which are seen and not read, and their grounds: at least 3 to 1.
SHAPES = [
    ("line-strong", "paper"),
    ("line-strong", "surface"),
    *[(f"card-{colour}", "card-face") for colour in ("red", "green", "blue")],
]


def tokens() -> dict[str, tuple[str, str]]:
    """Each colour of css/tokens.css by its name, as #rrggbb: in light, in dark."""
    found = finders.find("lastcard/css/tokens.css")
    assert isinstance(found, str)
    return {
        name: (light or one, dark or one) for name, light, dark, one in TOKEN.findall(Path(found).read_text())
    }


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance of #rrggbb."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
