"""Uploaded pictures are judged by their content and stored as pixels alone."""

from io import BytesIO

import pytest
from PIL import Image

from tests.support.pictures import bomb, picture
from tournament.server.pictures import LARGEST, MOST_BYTES, NoPicture, is_stored, stored_picture


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_picture_of_each_kind_becomes_a_small_webp(kind: str) -> None:
    stored = stored_picture(picture(kind, (1200, 600)))
    with Image.open(BytesIO(stored)) as read:
        assert (read.format, read.size) == ("WEBP", (LARGEST, LARGEST // 2))
    assert len(stored) <= MOST_BYTES
    assert is_stored(stored)
    assert stored_picture(stored) == stored


def test_a_small_picture_keeps_its_size() -> None:
    with Image.open(BytesIO(stored_picture(picture(size=(40, 30))))) as read:
        assert read.size == (40, 30)


def test_a_photo_is_turned_as_its_exif_says_and_tells_nothing_else() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "at our home"  # turned by 90 degrees; a description
    stored = stored_picture(picture("JPEG", (400, 200), exif=exif.tobytes()))
    assert b"at our home" not in stored
    with Image.open(BytesIO(stored)) as read:
        assert read.size == (200, 400)
        assert not read.getexif()


def test_what_follows_the_picture_is_dropped() -> None:
    assert b"<script>" not in stored_picture(picture() + b"<script>alert(1)</script>")
    hidden = stored_picture(picture()) + b"<script>"
    assert not is_stored(hidden)
    assert b"<script>" not in stored_picture(hidden)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_picture"),
        (b"=", "no_picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no_picture"),
        (b"%PDF-1.7 " * 50, "no_picture"),
        (picture()[:200], "no_picture"),
        (picture("BMP"), "no_picture"),
        (b"RIFF\x04\x00\x00\x00WEBP", "no_picture"),
        (bomb(), "picture_too_large"),
        (bomb(4_100), "picture_too_large"),
    ],
    ids=["empty", "text", "svg", "pdf", "cut", "bmp", "head", "bomb", "large"],
)
def test_what_is_no_picture_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(NoPicture) as refused:
        stored_picture(content)
    assert refused.value.code == code


def test_noise_fits_too() -> None:
    noise = Image.effect_noise((900, 900), 200).convert("RGB")
    out = BytesIO()
    noise.save(out, "PNG")
    assert len(stored_picture(out.getvalue())) <= MOST_BYTES
