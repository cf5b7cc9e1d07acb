"""Pictures for tests, as somebody would upload them."""

import struct
import zlib
from base64 import b64encode
from io import BytesIO

from PIL import Image


def picture(
    kind: str = "PNG", size: tuple[int, int] = (600, 300), colour: str = "#c02040", **more: object
) -> bytes:
    """A picture of one colour, as a file of this kind."""
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **more)
    return out.getvalue()


def in_base64(content: bytes) -> str:
    return b64encode(content).decode()


def bomb(side: int = 30_000) -> bytes:
    """A PNG of a few hundred bytes whose head says that it unpacks to billions of pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 9))
        + chunk(b"IEND", b"")
    )
