"""File kind by content; name and content type are untrusted."""

from tournament.files.lists.problems import Refusal

WORKBOOK, TEXT = "workbook", "text"

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, or an encrypted workbook
_BEGINNINGS = {
    b"%PDF": "pdf",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
    b"BM": "picture",
    b"RIFF": "picture",
    b"II*\x00": "picture",
    b"MM\x00*": "picture",
    b"{\\rtf": "text_document",
    b"7z\xbc\xaf": "archive",
    b"Rar!": "archive",
    b"\x1f\x8b": "archive",
    b"BZh": "archive",
    b"\xfd7zXZ": "archive",
    b"MZ": "not_a_list",
    b"\x7fELF": "not_a_list",
}
_MARKUP = (b"<!doctype", b"<html", b"<table", b"<?xml", b"<meta", b"<head", b"<style", b"<workbook")


def kind_of_file(data: bytes) -> str:
    """WORKBOOK or TEXT. Raises Refusal naming any other kind."""
    if not data.strip(b"\x00\t\r\n\x0b\x0c \xef\xbb\xbf\xff\xfe"):
        raise Refusal("empty_file")
    if data.startswith(b"PK\x03\x04"):
        return WORKBOOK
    if data.startswith(_OLD_OFFICE):
        raise Refusal(_old_kind(data))
    for beginning, code in _BEGINNINGS.items():
        # BM and MZ may also begin a name; they count only in binary data.
        if data.startswith(beginning) and (len(beginning) > 2 or b"\x00" in data[:64]):
            raise Refusal(code)
    if data.startswith(b"PK\x05\x06"):
        raise Refusal("empty_file")
    if data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_MARKUP):
        raise Refusal("web_page")
    return TEXT


def _old_kind(data: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "password"
    if "_VBA_PROJECT".encode("utf-16-le") in data or b"Attribut\x00e VB_" in data:
        return "old_with_macros"
    return "old_excel"
