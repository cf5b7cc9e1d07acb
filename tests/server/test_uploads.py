"""Uploads: kept in memory and never more than the limit; nothing goes through the disk."""

import tempfile
import tracemalloc
from collections.abc import Iterator
from typing import IO, Any, cast

import pytest
from django.conf import settings
from django.http.multipartparser import MultiPartParser

from tournament.server.middleware import MOST_FILE_BYTES, CappedUploadHandler

HEAD = b'--x\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\nContent-Type: text/csv\r\n\r\n'
MEGABYTE = 1024 * 1024


class Stream:
    """A body that is made as it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and (piece := next(self._pieces, b"")):
            self._rest += piece
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


def sent(*files: tuple[bytes, int]) -> tuple[Any, Any]:
    """Parse a form as Django does, with files of these names and sizes and a field behind them."""

    def pieces() -> Iterator[bytes]:
        for name, size in files:
            yield HEAD % (b"file", name)
            for at in range(0, size, MEGABYTE):
                yield b"a" * min(MEGABYTE, size - at)
            yield b"\r\n"
        yield b'--x\r\nContent-Disposition: form-data; name="after"\r\n\r\nfield\r\n--x--\r\n'

    meta = {"CONTENT_TYPE": "multipart/form-data; boundary=x", "CONTENT_LENGTH": str(10**9)}
    return MultiPartParser(meta, cast("IO[bytes]", Stream(pieces())), [CappedUploadHandler()]).parse()


@pytest.fixture(autouse=True)
def no_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **named: Any) -> None:
        raise AssertionError("a temporary file")

    for name in ("NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)


def test_no_other_handler_is_used() -> None:
    assert settings.FILE_UPLOAD_HANDLERS == ["tournament.server.middleware.CappedUploadHandler"]


@pytest.mark.parametrize("size", [0, 1, MOST_FILE_BYTES])
def test_file_up_to_the_limit_is_there_whole(size: int) -> None:
    fields, files = sent((b"list.csv", size))
    assert files["file"].read() == b"a" * size
    assert (files["file"].size, files["file"].name, fields["after"]) == (size, "list.csv", "field")


@pytest.mark.parametrize("size", [MOST_FILE_BYTES + 1, 100 * MEGABYTE])
def test_larger_file_is_dropped_and_its_size_kept(size: int) -> None:
    tracemalloc.start()
    fields, files = sent((b"list.csv", size))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert files["file"].size == size
    assert files["file"].read() == b""
    assert fields["after"] == "field"
    assert most < MOST_FILE_BYTES + 8 * MEGABYTE


def test_many_files_share_the_limit() -> None:
    _fields, files = sent(*[(b"%d.csv" % number, MEGABYTE) for number in range(10)])
    assert sum(len(file.read()) for file in files.getlist("file")) <= MOST_FILE_BYTES
