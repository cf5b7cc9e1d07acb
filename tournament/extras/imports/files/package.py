"""Validates a workbook (zip of XML) before openpyxl reads it.

| attack | defence |
| --- | --- |
| zip bombs, false sizes, overlapping parts | counted while inflating |
| nested archives, embedded objects | refused |
| path traversal (`../`, `/etc`, `C:`), duplicate names | refused; nothing unpacked to disk |
| entities, external entities | DTDs refused |
| macros, external links and data | refused by part, content type, relationship |
| millions of rows, deep nesting | counted |

Namespaces are ignored, since strict and transitional files differ in them.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.cell_range import CellRange

from tournament.extras.imports.files.grid import Merge
from tournament.extras.imports.files.problems import (
    DEEPEST,
    LAST_COLUMN,
    LAST_ROW,
    LIST,
    LONGEST_CELL,
    LONGEST_FORMAT,
    LONGEST_TAG,
    MOST_ELEMENTS,
    MOST_MERGES,
    MOST_OTHERS,
    MOST_PARTS,
    MOST_RATIO,
    MOST_ROWS,
    MOST_SHEET_ROWS,
    MOST_SHEETS,
    RATIO_FROM,
    Limits,
    Refusal,
    refuse,
)

_CHUNK = 1024 * 1024  # bytes
_SLICE = 64 * 1024  # bytes
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_ENCRYPTED = 0x1  # zip flag
_UNSAFE_NAME = re.compile(r"(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[A-Za-z]:|[\x00-\x1f]")
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")
_ARCHIVE_NAME = re.compile(r"\.(zip|xls[xmb]?|docx?|gz|tgz|7z|rar|bz2|xz|tar|jar)$")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_STRICT = re.compile(rb"purl\.oclc\.org/ooxml/(\w+)/")
_IN_CELLS = {"row", "c", "v", "f", "is", "t", "r", "si"}
_BYTE_ORDER_MARKS = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"

# Refused by name.
_MACROS = re.compile(r"vbaproject|^xl/(macrosheets|dialogsheets|intlmacrosheets)/")
_ELSEWHERE = re.compile(r"^xl/(externallinks/|connections\.xml|querytables/|model/|customdata/)")
_CHARTS = re.compile(r"^xl/chartsheets/")  # no cells
_EMBEDDED = re.compile(r"^xl/(embeddings|activex|ctrlprops)/")
_OTHER_KINDS = {
    "xl/workbook.bin": "binary_workbook",
    "content.xml": "open_document",
    "word/document.xml": "text_document",
    "ppt/presentation.xml": "text_document",
    "index/document.iwa": "numbers_document",
    "index.zip": "numbers_document",
}


@dataclass(slots=True)
class Budget:
    """Remaining XML elements of a file."""

    elements: int = MOST_ELEMENTS


class Part:
    """Element handler: refuses forbidden elements; records what openpyxl omits: `hidden` rows, `merges`, `unsaved`
    formula cells, last `row`, `widest` column, widest `filled` one."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._depth = self._rows = self._sheets = self._others = self._length = self._column = 0
        self._in_text = False
        self.row = self.widest = self.filled = 0
        self.hidden: set[int] = set()
        self.merges: list[Merge] = []
        self.unsaved: set[tuple[int, int]] = set()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._budget.elements -= 1
        if self._depth > DEEPEST:
            raise Refusal("damaged")
        name = tag.rpartition("}")[2]
        self._in_text, self._length = name in {"v", "t"}, 0
        if name in _IN_CELLS:
            self._cell(name, attributes)
        else:
            self._others += 1
            self._other(name, attributes)
        if self._budget.elements < 0 or self._others > MOST_OTHERS:
            raise Refusal("too_much_inside")

    def end(self, _tag: str) -> None:
        self._depth -= 1
        self._in_text = False

    def data(self, text: str) -> None:
        if self._in_text:
            self._length += len(text)
            if self._length > LONGEST_CELL:
                raise Refusal("cell_too_long", most=LONGEST_CELL)
            self.filled = max(self.filled, self._column)
            self.unsaved.discard((self.row, self._column))

    def _cell(self, name: str, attributes: dict[str, str]) -> None:
        """Check a row, cell or formula. Cells must be in order, since openpyxl holds whole rows."""
        if name == "c":
            reference = attributes.get("r")
            column = coordinate_to_tuple(reference)[1] if reference else self._column + 1
            if not self._column < column <= LAST_COLUMN:
                raise Refusal("damaged")
            self._column, self.widest = column, max(self.widest, column)
        elif name == "f":
            self.unsaved.add((self.row, self._column))
        elif name == "row":
            self._rows += 1
            if self._rows > MOST_SHEET_ROWS:
                raise Refusal("too_many_rows", most=MOST_ROWS)
            row = int(attributes.get("r", self.row + 1))
            if not self.row < row <= LAST_ROW:
                raise Refusal("damaged")
            self.row, self._column = row, 0
            if attributes.get("hidden") in {"1", "true"}:
                self.hidden.add(row)

    def _other(self, name: str, attributes: dict[str, str]) -> None:
        if name == "mergeCell" and len(self.merges) < MOST_MERGES:
            left, top, right, bottom = CellRange(attributes.get("ref", "")).bounds
            self.merges.append(Merge(top, left, bottom, right))
        elif name == "sheet":
            self._sheets += 1
            if self._sheets > MOST_SHEETS:
                raise Refusal("too_much_inside")
        elif name == "numFmt" and len(attributes.get("formatCode", "")) > LONGEST_FORMAT:
            raise Refusal("too_much_inside")
        elif name == "Relationship":
            kind = attributes.get("Type", "").rpartition("/")[2].lower()
            external = attributes.get("TargetMode", "").lower() == "external"
            if kind.startswith("externallink") or (external and kind != "hyperlink"):
                raise Refusal("links_elsewhere")
        elif name in {"Override", "Default"}:
            content_type = attributes.get("ContentType", "").lower()
            if "macroenabled" in content_type or "vbaproject" in content_type:
                raise Refusal("macros")


def parse(chunks: Iterable[bytes], part: Part) -> None:
    """Parse a part. Raises Refusal: `entities`, `damaged`, or the part's own."""
    parser = DefusedXMLParser(target=part, forbid_dtd=True)
    expat = parser.parser  # direct callbacks for speed
    expat.ordered_attributes = False
    expat.StartElementHandler, expat.EndElementHandler = part.start, part.end
    expat.CharacterDataHandler = part.data
    try:
        for piece in _bounded(chunks):
            parser.feed(piece)
        parser.close()
    except DefusedXmlException:
        raise Refusal("entities") from None
    except (ParseError, ValueError, LookupError, TypeError):  # also unknown encodings and malformed ranges
        raise Refusal("damaged") from None


def _bounded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Limits tag length: a million attributes are one element. Refuses UTF-16, where byte > is ambiguous."""
    since, first = 0, True
    for chunk in chunks:
        if first and (chunk.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in chunk[:4]):
            raise Refusal("damaged")
        first = False
        for at in range(0, len(chunk), _SLICE):
            piece = chunk[at : at + _SLICE]
            since = 0 if b">" in piece else since + len(piece)
            if since > LONGEST_TAG:
                raise Refusal("too_much_inside")
        yield chunk


class Package:
    """A validated workbook. `file`: a zip of its valid XML parts, converted to the transitional format; `parts`:
    {name: Part}. Raises Refusal if unsafe."""

    def __init__(self, data: bytes, limits: Limits = LIST) -> None:
        self._data, self._limits = memoryview(data), limits
        self.file = BytesIO()
        self.parts: dict[str, Part] = {}
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError, EOFError):
            raise Refusal("damaged") from None
        _check_names(entries)
        self._check_contents([entry for entry in entries if not entry.is_dir()])
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as sound:
            for entry in entries:
                if entry.filename in self.parts:
                    part = b"".join(self._inflated(entry))
                    sound.writestr(entry.filename, _STRICT.sub(rb"schemas.openxmlformats.org/\1/2006/", part))

    def _check_contents(self, entries: list[zipfile.ZipInfo]) -> None:
        budget, total = Budget(self._limits.elements), 0
        for entry in entries:
            pieces = self._counted(entry, self._limits.unzipped - total)
            first = next(pieces, b"")
            refuse(
                (first.startswith(_ARCHIVES), "nested_archive"),
                (first.startswith(_OLD_OFFICE), "embedded_object"),
                (not first and entry.filename.lower().endswith((".xml", ".rels")), "damaged"),
            )
            if first.lstrip(_BYTE_ORDER_MARKS).startswith(b"<"):
                part = Part(budget)
                try:
                    parse(chain([first], pieces), part)
                    if not _CHARTS.search(entry.filename):
                        self.parts[entry.filename] = part
                except Refusal as refusal:
                    # Unused parts, such as old drawings, are often invalid.
                    if refusal.problem.code != "damaged":
                        raise
            for _piece in pieces:
                pass
            total += entry.file_size

    def _counted(self, entry: zipfile.ZipInfo, left: int) -> Iterator[bytes]:
        """Checks size, ratio and CRC against the directory."""
        size, checksum = 0, 0
        for piece in self._inflated(entry):
            size += len(piece)
            checksum = zlib.crc32(piece, checksum)
            if size > left or (size > RATIO_FROM and size > MOST_RATIO * max(1, entry.compress_size)):
                raise Refusal("unzips_too_large", most=self._limits.unzipped // 1024 // 1024)
            refuse((size > entry.file_size, "false_sizes"))
            yield piece
        refuse((size != entry.file_size, "false_sizes"), (checksum != entry.CRC, "damaged"))

    def _inflated(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        begin = entry.header_offset
        header = self._data[begin : begin + _LOCAL_HEADER.size] if begin >= 0 else b""
        refuse((len(header) < _LOCAL_HEADER.size, "damaged"))
        signature, *_fields, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        refuse((signature != b"PK\x03\x04", "damaged"))
        begin += _LOCAL_HEADER.size + name_length + extra_length
        packed = self._data[begin : begin + entry.compress_size]
        if entry.compress_type == zipfile.ZIP_STORED:
            for at in range(0, len(packed), _CHUNK):
                yield bytes(packed[at : at + _CHUNK])
            return
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for at in range(0, len(packed), _CHUNK):
                rest: bytes | memoryview = packed[at : at + _CHUNK]
                while rest and not inflater.eof:
                    if piece := inflater.decompress(rest, _CHUNK):
                        yield piece
                    rest = inflater.unconsumed_tail
            if piece := inflater.flush():
                yield piece
        except zlib.error:
            raise Refusal("damaged") from None


def _check_names(entries: list[zipfile.ZipInfo]) -> None:
    refuse((len(entries) > MOST_PARTS, "too_much_inside"))
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename.lower()
        refuse(
            # zipfile cuts names at NUL.
            (_UNSAFE_NAME.search(entry.orig_filename) or name in seen, "unsafe_names"),
            (entry.flag_bits & _ENCRYPTED, "password"),
            (entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}, "damaged"),
        )
        seen.add(name)
    refuse(
        *((name in seen, code) for name, code in _OTHER_KINDS.items()),
        (any(map(_MACROS.search, seen)), "macros"),
        (any(map(_ELSEWHERE.search, seen)), "links_elsewhere"),
        (any(map(_EMBEDDED.search, seen)), "embedded_object"),
        (any(map(_ARCHIVE_NAME.search, seen)), "nested_archive"),
        ("[content_types].xml" not in seen, "archive"),
    )
