"""From the text of a score sheet to parsed JSON; whatever is not JSON is a `malformed` sheet."""

from __future__ import annotations

import json
from typing import NoReturn

from .faults import Faults, SheetInvalid


def parse_sheet(text: bytes | str) -> object:
    """The parsed JSON of one sheet, in UTF-8 where it comes as bytes (a byte order mark is skipped).

    Raises SheetInvalid with `malformed` for what is not JSON (NaN and Infinity are not), for an object that
    names a key twice, since one entry would be lost in silence, and for endless nesting.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return _decoder.decode(text)
    except UnicodeDecodeError:
        found = "a text that is not UTF-8"
    except RecursionError:
        found = "nesting deeper than can be read"
    except json.JSONDecodeError as error:
        found = f"a text that is not JSON ({error})"
    except ValueError:
        found = "a number of more digits than can be read"
    raise malformed_file(found)


def malformed_file(found: str) -> SheetInvalid:
    """The refusal of something that is no sheet at all."""
    faults = Faults()
    faults.add("malformed", (), found=found, expected="a score sheet in JSON")
    return SheetInvalid(tuple(faults.errors))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise malformed_file("an object that names a key twice")
    return entries


def _no_constant(name: str) -> NoReturn:
    raise malformed_file(f"{name}, which JSON does not have")


_decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
