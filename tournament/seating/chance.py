"""Chance that anybody can repeat, on every machine and in every year: SHA-256 of the seed and a word.

| what | how |
| --- | --- |
| the order of a draw | by the SHA-256 of `seed:number`, smallest first (`printf 483920:17 | sha256sum`) |
| an order for another purpose | the same of `seed:purpose:number` |
| numbers for a search | SHA-256 of `seed:purpose:0`, `seed:purpose:1` ..., each cut into 8 numbers of 32 bits |

Python's own `random` promises the same numbers in later versions for few of its methods, so none of it is used here.
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct

_EIGHT = Struct(">8I")


def lot(*words: object) -> bytes:
    """The SHA-256 of the words with colons between them, in UTF-8."""
    return sha256(":".join(map(str, words)).encode("utf-8", "surrogatepass")).digest()


def numbers(*words: object) -> Iterator[int]:
    """Whole numbers from 0 to 2**32 - 1 without end, the same ones for the same words."""
    block = 0
    while True:
        yield from _EIGHT.unpack(lot(*words, block))
        block += 1
