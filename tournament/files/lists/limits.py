"""Limits of uploads and parsing, far above 1000 players or, for RESULTS, 10,000 results."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

MOST_BYTES = 2 * 1024 * 1024  # per file; 1000 players: 100 kB
MOST_ROWS = 1000  # players
MOST_COLUMNS = 256
LONGEST_CELL = 32_767  # characters, as in Excel
LONGEST_KEPT = 300  # characters, above any field's limit

# Workbooks: zip archives of XML parts.
MOST_PARTS = 500
MOST_UNZIPPED = 20 * 1024 * 1024  # bytes in total
MOST_RATIO = 150  # compression ratio; empty cells have 30
RATIO_FROM = 512 * 1024  # bytes; no ratio check below
MOST_ELEMENTS = 250_000  # XML elements in total
MOST_OTHERS = 70_000  # per part, except rows, cells, texts; Excel allows 64,000 formats
LONGEST_FORMAT = 255  # characters
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
MOST_SHEET_ROWS = 20_000  # including formatted empty ones
LONGEST_TAG = 256 * 1024  # bytes to the next tag
DEEPEST = 64  # XML nesting
MOST_SHEETS = 50
MOST_MERGES = 2000  # per sheet; others are ignored

HEADING_ROWS = 10  # non-empty rows


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a workbook: `unzipped` bytes, XML `elements`; non-empty `rows` per sheet."""

    unzipped: int = MOST_UNZIPPED
    elements: int = MOST_ELEMENTS
    rows: int = MOST_ROWS + HEADING_ROWS


LIST = Limits()
MOST_PLAYS = 40  # per table
MOST_ENTERED = 200  # per import
MOST_RESULT_BYTES = 8 * 1024 * 1024  # bytes
RESULTS = Limits(unzipped=96 * 1024 * 1024, elements=2_000_000, rows=MOST_SHEET_ROWS)


class CappedUploadHandler(FileUploadHandler):
    """Holds at most `most` bytes of a request's files in memory; excess files arrive empty with their true size."""

    def __init__(self, request: Any = None, most: int = MOST_BYTES) -> None:
        super().__init__(request)
        self._most, self._total = most, 0
        self._file = BytesIO()

    def new_file(self, *arguments: Any, **named: Any) -> None:
        super().new_file(*arguments, **named)
        self._file = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django gives it
        self._total += len(raw_data)
        if self._total > self._most:
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
