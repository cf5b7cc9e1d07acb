"""Every pair of colours that the stylesheet sets text or shapes in is legible, in light and in dark."""

import pytest

from tests.styleguide.colours import SHAPES, TEXT, contrast, tokens

TOKENS = tokens()


def _mix(one: str, share: float, other: str) -> str:
    """`share` of one colour laid over another, as a translucent white on the felt is."""
    mixed = (
        round(share * int(one[at : at + 2], 16) + (1 - share) * int(other[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_contrast(text: str, ground: str, scheme: int) -> None:
    assert contrast(TOKENS[text][scheme], TOKENS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_shape_contrast(shape: str, ground: str, scheme: int) -> None:
    assert contrast(TOKENS[shape][scheme], TOKENS[ground][scheme]) >= 3


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("felt", ["felt", "felt-lit"])
def test_dimmed_key_contrast(felt: str, scheme: int) -> None:
    """A key that cannot be tapped now is still read: its reason is a tap away."""
    ground = _mix("#ffffff", 0.14, TOKENS[felt][scheme])
    assert contrast(TOKENS["on-felt"][scheme], ground) >= 4.5
    assert contrast(_mix(TOKENS["on-felt-2"][scheme], 0.88, ground), ground) >= 3


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_white_glyph_on_card_colour(colour: str) -> None:
    assert contrast("#ffffff", TOKENS[f"card-{colour}"][0]) >= 4.5
