"""Telling a file's kind by its first bytes."""

import pytest

from tournament.extras.imports.files.lists import TEXT, WORKBOOK, kind_of_file
from tournament.extras.imports.files.problems import Refusal

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04...", WORKBOOK),
        (b"Name\nAino", TEXT),
        (b"BM Players\nAino", TEXT),
        (b"MZ\nAino", TEXT),
        ("Name".encode("utf-16"), TEXT),
    ],
)
def test_workbooks_and_texts_are_known(data: bytes, kind: str) -> None:
    assert kind_of_file(data) == kind


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"\xef\xbb\xbf \r\n\x00", "empty_file"),
        (b"PK\x05\x06" + bytes(18), "empty_file"),
        (OLD + b"Workbook", "old_excel"),
        (OLD + "_VBA_PROJECT".encode("utf-16-le"), "old_with_macros"),
        (OLD + b"Attribut\x00e VB_", "old_with_macros"),
        (OLD + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"%PDF-1.7", "pdf"),
        (b"BM\x00\x00", "picture"),
        (b"{\\rtf1", "text_document"),
        (b"Rar!\x1a", "archive"),
        (b"MZ\x90\x00", "not_a_list"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html>", "web_page"),
        (b"<?xml version='1.0'?>", "web_page"),
    ],
)
def test_anything_else_is_refused_for_what_it_is(data: bytes, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        kind_of_file(data)
    assert refused.value.problem.code == code
