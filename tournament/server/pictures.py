"""Uploaded pictures: validated by content, shrunk, re-encoded from pixels.

| attack | defence |
| --- | --- |
| not a picture | Pillow reads content, in FORMATS only |
| decompression bomb | size checked in the header |
| location in metadata | re-encoded without EXIF, profiles, comments, further frames |
| polyglot trailing bytes | re-encoded |
"""

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
CONTENT_TYPE = "image/webp"
MOST_PIXELS = 16_000_000  # of an upload: 64 MB as RGBA
LARGEST = 480  # pixels of the longer side, stored
MOST_BYTES = 150_000  # stored; 480 by 480 pixels of noise are about 130 kB
QUALITIES = (86, 60, 30)  # tried in order
_TOLD = frozenset({"exif", "icc_profile", "xmp", "comment"})
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError)


class NoPicture(Exception):
    """Not a storable picture. `code`: `no_picture`, `picture_too_large`."""

    def __init__(self, code: str = "no_picture") -> None:
        super().__init__(code)
        self.code = code


def stored_picture(content: bytes) -> bytes:
    """WebP of at most LARGEST pixels a side and MOST_BYTES; already stored pictures stay byte-identical. Raises
    NoPicture."""
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
    """Whether this is output of `stored_picture`: single-frame WebP without metadata."""
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
