"""Whatever colour an event chooses, what is written in it or on it can be read."""

import re

import pytest
from hypothesis import given, strategies as st

from tests.static.test_stylesheet import TOKENS
from tournament.server.pictures import contrast, style_sheet

PAIR = re.compile(r"(--[\w-]+): ?light-dark\((#\w{6}), ?(#\w{6})\)")
USUAL = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS.read_text())}
GROUNDS = ("--paper", "--surface", "--sunken", "--accent-soft")
FELTS = ("--felt", "--felt-lit", "--felt-deep")


def tokens(colour: str) -> dict[str, tuple[str, str]]:
    return USUAL | {name: (light, dark) for name, light, dark in PAIR.findall(style_sheet(colour))}


def poor(colour: str) -> list[tuple[str, str, int]]:
    """Each text and ground that cannot be read; 0 on light pages, 1 on dark ones."""
    said = tokens(colour)
    pairs = [
        *((accent, ground) for accent in ("--accent", "--accent-strong", "--link") for ground in GROUNDS),
        ("--on-accent", "--accent"),
        ("--on-accent", "--accent-strong"),
        ("--ink", "--accent-soft"),
        *(("--on-felt-2", felt) for felt in FELTS),
    ]
    return [
        (text, ground, scheme)
        for text, ground in pairs
        for scheme in (0, 1)
        if contrast(said[text][scheme], said[ground][scheme]) < 4.5
    ]


@given(st.integers(0, 0xFFFFFF))
def test_every_colour_can_be_read(number: int) -> None:
    assert poor(f"#{number:06x}") == []


@pytest.mark.parametrize(
    "colour", ["#000000", "#ffffff", "#ffff00", "#0000ff", "#00ff00", "#ff0000", "#808080"]
)
def test_extremes_can_be_read(colour: str) -> None:
    assert poor(colour) == []


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert tokens("#8a1c4a")["--accent"][0] == "#8a1c4a"
    assert tokens("#ffd0e0")["--accent"][1] == "#ffd0e0"


def test_the_style_sheet_holds_nothing_but_colours() -> None:
    assert re.fullmatch(r"(?:@media screen|:root|[{};:,()#\w-])+", style_sheet("#12ab90"))
