"""The size limits of uploads, and of what is read from a file. Uploads stay in memory; nothing is written to the disk.

A list of a thousand players with all their columns is far below each of these, and a workbook of ten thousand results
below those of RESULTS.
"""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

MOST_BYTES = 2 * 1024 * 1024  # of a file; a thousand players are about 100 kB
MOST_ROWS = 1000  # players in a file
MOST_COLUMNS = 256
LONGEST_CELL = 32_767  # characters; a spreadsheet program keeps no more in a cell
LONGEST_KEPT = 300  # characters of a cell that are shown again; longer than any field takes

# Limits for a workbook, which is a zip archive of XML parts.
MOST_PARTS = 500
MOST_UNZIPPED = 20 * 1024 * 1024  # bytes, all parts together
MOST_RATIO = 150  # times that a part may grow; a sheet of empty cells grows about 30 times
RATIO_FROM = 512 * 1024  # bytes of a part from which on the ratio counts
MOST_ELEMENTS = 250_000  # XML elements in all parts together
MOST_OTHERS = 70_000  # of them in one part, besides rows, cells and texts; Excel writes up to 64,000 formats
LONGEST_FORMAT = 255  # characters of a number format, as in Excel
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
MOST_SHEET_ROWS = 20_000  # also empty ones, that only have a format
LONGEST_TAG = 256 * 1024  # bytes of a tag with its attributes, or of the text up to the next tag
DEEPEST = 64  # elements within elements
MOST_SHEETS = 50
MOST_MERGES = 2000  # merged ranges of a sheet that are looked at

HEADING_ROWS = 10  # rows with something in them in which headings are looked for


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a workbook is read: `unzipped` bytes and XML `elements`, all parts together; `rows` of a sheet with
    something in them."""

    unzipped: int = MOST_UNZIPPED
    elements: int = MOST_ELEMENTS
    rows: int = MOST_ROWS + HEADING_ROWS


LIST = Limits()
MOST_PLAYS = 40  # of a table, in a workbook to fill in
MOST_ENTERED = 200  # plays of a workbook at one go; the same file brings the others afterwards
MOST_RESULT_BYTES = 8 * 1024 * 1024  # of a workbook with results
RESULTS = Limits(unzipped=96 * 1024 * 1024, elements=2_000_000, rows=MOST_SHEET_ROWS)


class CappedUploadHandler(FileUploadHandler):
    """Keeps at most `most` bytes of a request's files, all of them together. A file that did not fit comes to the form
    with its true size and nothing in it.

    It is the only handler in settings.py: Django's own write what is longer than 2.5 MB into a temporary file.
    """

    most = MOST_BYTES

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self._total = 0
        self._file = BytesIO()

    def new_file(self, *arguments: Any, **named: Any) -> None:
        super().new_file(*arguments, **named)
        self._file = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django gives it
        self._total += len(raw_data)
        if self._total > self.most:
            self._file = BytesIO()
        else:
            self._file.write(raw_data)

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        self._file.seek(0)
        return InMemoryUploadedFile(
            file=self._file,
            field_name=self.field_name,
            name=self.file_name or "",
            content_type=self.content_type,
            size=file_size,
            charset=self.charset,
            content_type_extra=self.content_type_extra,
        )
