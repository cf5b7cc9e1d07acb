"""Uploaded pictures: judged by their content, made small, and stored as nothing but pixels.

| what somebody may try | what is done |
| --- | --- |
| a file that is no picture, whatever its name | Pillow reads its content, and only the formats below |
| a small file that unpacks to gigabytes | the size in its head is judged before a pixel is read |
| a photo that tells where it was taken | written again without EXIF, profiles, comments and further frames |
| bytes after the picture that a browser might read as something else | written again from its pixels |
"""

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Pillow is loaded with the first picture
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
CONTENT_TYPE = "image/webp"
MOST_PIXELS = 16_000_000  # of an upload; unpacked with transparency that is 64 MB of memory
LARGEST = 480  # pixels of the longer side, as stored
MOST_BYTES = 150_000  # as stored: 480 by 480 pixels of noise at the first quality are about 130 kB
QUALITIES = (86, 60, 30)  # the first that fits
_TOLD = frozenset({"exif", "icc_profile", "xmp", "comment"})
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError)


class NoPicture(Exception):
    """The file is no picture that can be stored. `code`: `no_picture` or `picture_too_large`."""

    def __init__(self, code: str = "no_picture") -> None:
        super().__init__(code)
        self.code = code


def stored_picture(content: bytes) -> bytes:
    """Give the picture as WebP of at most LARGEST pixels a side and MOST_BYTES bytes; one that is stored so already
    stays as it is, in every byte. Raises NoPicture."""
    from PIL import Image, ImageOps

    if is_stored(content):
        return content
    try:
        with _opened(content) as opened:
            opened.draft("RGB", (2 * LARGEST, 2 * LARGEST))  # a photo need not be unpacked whole
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
    """Tell whether these bytes are a picture as `stored_picture` gives it: one frame of WebP and nothing beside it."""
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
    """Read the head of a picture. Raises NoPicture for one of too many pixels, and what Pillow raises."""
    from PIL import Image

    try:
        picture = Image.open(BytesIO(content), formats=formats)
    except Image.DecompressionBombError:  # Pillow's own limit is ten times ours
        raise NoPicture("picture_too_large") from None
    if picture.width * picture.height > MOST_PIXELS:
        raise NoPicture("picture_too_large")
    return picture
