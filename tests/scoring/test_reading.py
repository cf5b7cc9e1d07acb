"""Text that is a score sheet, and text that is not."""

import json
from collections.abc import Callable

import pytest

from scoring import SheetInvalid, parse_sheet

from .builders import match


@pytest.mark.parametrize("encode", [str.encode, lambda text: b"\xef\xbb\xbf" + text.encode(), str])
def test_sheet_is_read_from_text_and_bytes(encode: Callable[[str], str | bytes]) -> None:
    assert parse_sheet(encode(json.dumps(match()))) == match()


@pytest.mark.parametrize(
    "text",
    [
        "",
        b"\n",
        "{",
        "{'sheet': 1}",
        '{"sheet": 1} {}',
        '{"sheet": NaN}',
        '{"note": -Infinity}',
        '{"sheet": 1, "sheet": 2}',
        b'{"name": "\xe4iti"}',
        '{"sheet": 1}'.encode("utf-16"),
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 5_000,
        "\x00",
    ],
)
def test_anything_else_is_malformed(text: str | bytes) -> None:
    with pytest.raises(SheetInvalid) as refusal:
        parse_sheet(text)

    assert [(error.code, error.path) for error in refusal.value.errors] == [("malformed", "")]
