"""Bad files, made here byte by byte: more than twelve kinds that somebody may send to do harm, and eight that are
merely wrong. None lies in the repository, where a scanner would rightly complain."""

import io
import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from openpyxl import Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

CONTENT_TYPES = (
    f'<?xml version="1.0"?><Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{SHEET}.worksheet+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{SHEET}.sharedStrings+xml"/>'
    "</Types>"
)
PARTS = {
    "[Content_Types].xml": CONTENT_TYPES,
    "_rels/.rels": (
        f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
        '<sheets><sheet name="Players" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    ),
    "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"/>',
}


def text_cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def sheet_xml(rows: str, *, before: str = "", after: str = "", declaration: str = "") -> str:
    return f'{declaration}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


NAMES = f"<row>{text_cell('Name')}{text_cell('Club')}</row><row>{text_cell('Aino')}{text_cell('Noppa')}</row>"


def package(sheet: str | bytes = sheet_xml(NAMES), /, **more: str | bytes | Iterable[bytes] | None) -> bytes:
    """A workbook with this sheet and other parts by name (`__` is a slash, None leaves one out)."""
    file = io.BytesIO()
    parts: Mapping[str, Any] = {**PARTS, "xl/worksheets/sheet1.xml": sheet, **more}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in parts.items():
            if content is None:
                continue
            if isinstance(content, str | bytes):
                archive.writestr(name, content)
            else:
                with archive.open(zipfile.ZipInfo(name), "w") as part:
                    for piece in content:
                        part.write(piece)
    return file.getvalue()


def deflated(name: str, pieces: Iterable[bytes]) -> bytes:
    """A workbook with a part that is too large to be held."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in {**PARTS, "xl/worksheets/sheet1.xml": sheet_xml(NAMES)}.items():
            if each != name:
                archive.writestr(each, content)
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(info, "w", force_zip64=True) as part:
            for piece in pieces:
                part.write(piece)
    return file.getvalue()


def zip_bomb() -> bytes:
    return deflated("xl/media/image1.png", [bytes(1_000_000)] * 200)


def bomb_of_spaces() -> bytes:
    begin, end = sheet_xml("|").split("|")
    return deflated("xl/worksheets/sheet1.xml", [begin.encode(), *[b" " * 1_000_000] * 200, end.encode()])


def nested_bomb() -> bytes:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.zip", zip_bomb())
    return package(**{"xl/media/picture1.png": inner.getvalue()})


def million_rows() -> bytes:
    begin, end = sheet_xml("|").split("|")
    rows = b"<row><c><v>1</v></c></row>" * 10_000
    return deflated("xl/worksheets/sheet1.xml", [begin.encode(), *[rows] * 100, end.encode()])


def overlapping() -> bytes:
    """Many entries for the same bytes, as in the bombs that need no nesting."""
    kernel = bytes(400_000)
    data = package(**{"xl/media/extra00.png": kernel})
    end = data.rindex(b"PK\x05\x06")
    _count, size, offset = struct.unpack_from("<HLL", data, end + 10)
    directory = data[offset : offset + size]
    at = directory.rindex(b"PK\x01\x02")
    entry = directory[at:]
    more = b"".join(entry.replace(b"extra00", b"extra%d" % number) for number in range(10, 99))
    count = _count + 89
    closing = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size + len(more), offset, 0)
    return data[:offset] + directory + more + closing


def false_sizes() -> bytes:
    """A part of 5 MB that says it has 500 bytes, in both of its headers."""
    data = bytearray(package(sheet_xml(NAMES + "<!--" + "x" * 400_000 + "-->")))
    name = b"xl/worksheets/sheet1.xml"
    local = data.index(name) - 30
    central = data.rindex(name) - 46
    struct.pack_into("<L", data, local + 22, 500)
    struct.pack_into("<L", data, central + 24, 500)
    return bytes(data)


def locked() -> bytes:
    """An archive whose entries say that they are encrypted."""
    data = bytearray(package())
    at = data.index(b"PK\x01\x02")
    while at >= 0:
        data[at + 8] |= 1
        at = data.find(b"PK\x01\x02", at + 4)
    return bytes(data)


def entity_sheet(declaration: str) -> bytes:
    rows = f"<row>{text_cell('Name')}</row><row>{text_cell('&bomb;')}</row>"
    return package(sheet_xml(rows, declaration=f"<!DOCTYPE worksheet [{declaration}]>"))


def billion_laughs() -> bytes:
    laughs = ['<!ENTITY l0 "ha">']
    laughs += [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
    return entity_sheet("".join([*laughs, '<!ENTITY bomb "&l9;">']))


def relationship(kind: str, target: str) -> bytes:
    rels = (
        f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r9" Type="{OFFICE}/{kind}" Target="{target}" TargetMode="External"/></Relationships>'
    )
    return package(**{"xl/worksheets/_rels/sheet1.xml.rels": rels})


def macros() -> bytes:
    types = CONTENT_TYPES.replace(
        "</Types>", '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>'
    )
    return package(**{"[Content_Types].xml": types}, **{"xl/vbaProject.bin": OLD_OFFICE + b"\0" * 500})


def disguised_macros() -> bytes:
    """A workbook with macros whose name says .xlsx and whose project is called otherwise."""
    types = CONTENT_TYPES.replace(
        f"{SHEET}.sheet.main+xml", "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
    )
    return package(**{"[Content_Types].xml": types})


def wide() -> bytes:
    cells = "".join(text_cell("x") for _ in range(10_000))
    return package(sheet_xml(f"<row>{text_cell('Name')}</row><row>{cells}</row>"))


def long_cell() -> bytes:
    return package(sheet_xml(f"<row>{text_cell('Name')}</row><row>{text_cell('x' * 100_000)}</row>"))


def deep() -> bytes:
    return package(sheet_xml("<a>" * 50_000 + "</a>" * 50_000))


def many_attributes() -> bytes:
    """One tag, which a parser turns into a table of half a million attributes."""
    attributes = "".join(f' a{number}=""' for number in range(500_000))
    return package(sheet_xml(NAMES, before=f"<sheetPr{attributes}/>"))


def false_dimensions() -> bytes:
    return package(sheet_xml(NAMES, before='<dimension ref="A1:XFD1048576"/>'))


def many_formats(count: int = 300_000) -> bytes:
    """Formats by the hundred thousand in a part that others read as a tree."""
    begin, end = f'<styleSheet xmlns="{MAIN}"><cellXfs>', "</cellXfs></styleSheet>"
    formats = "".join(f'<xf n="{number * number}"/>' for number in range(count))
    return package(**{"xl/styles.xml": begin + formats + end})


@dataclass(frozen=True, slots=True)
class Bad:
    """A file as it is sent; `code` is the refusal that it must get."""

    make: Callable[[], bytes]
    filename: str
    code: str


DANGEROUS: dict[str, Bad] = {
    "zip bomb": Bad(zip_bomb, "list.xlsx", "unzips_too_large"),
    "zip bomb of spaces": Bad(bomb_of_spaces, "list.xlsx", "too_much_inside"),
    "zip bomb in a zip in the workbook": Bad(nested_bomb, "list.xlsx", "nested_archive"),
    "zip bomb of entries that share their bytes": Bad(overlapping, "list.xlsx", "unzips_too_large"),
    "a million rows": Bad(million_rows, "list.xlsx", "too_many_rows"),
    "faked dimensions": Bad(false_dimensions, "list.xlsx", "false_dimensions"),
    "faked unzipped size": Bad(false_sizes, "list.xlsx", "false_sizes"),
    "billion laughs": Bad(billion_laughs, "list.xlsx", "entities"),
    "external entity": Bad(
        lambda: entity_sheet('<!ENTITY bomb SYSTEM "file:///etc/passwd">'), "list.xlsx", "entities"
    ),
    "external entity over the net": Bad(
        lambda: entity_sheet('<!ENTITY % all SYSTEM "http://127.0.0.1:9/x.dtd"> %all;'),
        "list.xlsx",
        "entities",
    ),
    "link to another workbook": Bad(
        lambda: package(**{"xl/externalLinks/externalLink1.xml": f'<externalLink xmlns="{MAIN}"/>'}),
        "list.xlsx",
        "links_elsewhere",
    ),
    "relationship to the net": Bad(
        lambda: relationship("image", "http://127.0.0.1:9/pixel.png"), "list.xlsx", "links_elsewhere"
    ),
    "macros": Bad(macros, "list.xlsm", "macros"),
    "macros in disguise": Bad(disguised_macros, "list.xlsx", "macros"),
    "path tricks": Bad(
        lambda: package(**{"../../etc/cron.d/evil": b"* * * * *"}), "list.xlsx", "unsafe_names"
    ),
    "absolute paths": Bad(lambda: package(**{"/etc/cron.d/evil": b"* * * * *"}), "list.xlsx", "unsafe_names"),
    "paths of Windows": Bad(lambda: package(**{"xl\\..\\..\\evil.dll": b"MZ"}), "list.xlsx", "unsafe_names"),
    "object of another program": Bad(
        lambda: package(**{"xl/embeddings/oleObject1.bin": OLD_OFFICE}), "list.xlsx", "embedded_object"
    ),
    "old Excel with macros": Bad(
        lambda: OLD_OFFICE + b"\0" * 600 + "_VBA_PROJECT".encode("utf-16-le") + b"\0" * 600,
        "list.xls",
        "old_with_macros",
    ),
    "workbook with a password": Bad(
        lambda: OLD_OFFICE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), "list.xlsx", "password"
    ),
    "locked entries": Bad(locked, "list.xlsx", "password"),
    "ten thousand columns": Bad(wide, "list.xlsx", "too_many_columns"),
    "a cell of a hundred thousand letters": Bad(long_cell, "list.xlsx", "cell_too_long"),
    "elements within elements": Bad(deep, "list.xlsx", "damaged"),
    "attributes by the hundred thousand": Bad(many_attributes, "list.xlsx", "too_much_inside"),
    "formats by the ten thousand": Bad(lambda: many_formats(80_000), "list.xlsx", "too_much_inside"),
    "a number format without end": Bad(
        lambda: package(
            **{
                "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmt formatCode="{"[" * 1000}"/></styleSheet>'
            }
        ),
        "list.xlsx",
        "too_much_inside",
    ),
    "the same cell by the ten thousand": Bad(
        lambda: package(
            sheet_xml("<row>" + "".join(f'<c r="A1" s="{n * n}"/>' for n in range(30_000)) + "</row>")
        ),
        "list.xlsx",
        "damaged",
    ),
    "an encoding that is not looked through": Bad(
        lambda: package(sheet_xml(NAMES).encode("utf-16")), "list.xlsx", "damaged"
    ),
    "formats by the hundred thousand": Bad(many_formats, "list.xlsx", "too_much_inside"),
    "text of a hundred thousand columns": Bad(
        lambda: b"Name" + b",x" * 100_000, "list.csv", "too_many_columns"
    ),
    "text with a cell without end": Bad(lambda: b'Name\n"' + b"x" * 1_000_000, "list.csv", "cell_too_long"),
    "text of a million rows": Bad(lambda: b"x\n" * 1_000_000, "list.csv", "too_many_rows"),
    "more than two megabytes": Bad(lambda: b"x" * (2 * 1024 * 1024 + 1), "list.csv", "too_large"),
}

OTHER_KINDS: dict[str, Bad] = {
    "nothing": Bad(lambda: b"", "list.xlsx", "empty_file"),
    "white space": Bad(lambda: b"\xef\xbb\xbf \r\n\t\n", "list.csv", "empty_file"),
    "picture with another name": Bad(lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "list.xlsx", "picture"),
    "pdf": Bad(lambda: b"%PDF-1.7 ...", "list.csv", "pdf"),
    "old Excel": Bad(lambda: OLD_OFFICE + b"\0" * 2000, "list.xls", "old_excel"),
    "page of the net called .xls": Bad(lambda: b"<html><table><tr><td>Aino", "list.xls", "web_page"),
    "OpenDocument": Bad(
        lambda: package(**{"mimetype": "x", "content.xml": "<x/>"}), "list.ods", "open_document"
    ),
    "binary workbook": Bad(lambda: package(**{"xl/workbook.bin": b"x"}), "list.xlsb", "binary_workbook"),
    "Numbers": Bad(lambda: package(**{"Index/Document.iwa": b"x"}), "list.numbers", "numbers_document"),
    "text document": Bad(lambda: package(**{"word/document.xml": "<x/>"}), "list.docx", "text_document"),
    "any archive": Bad(lambda: package(**{"[Content_Types].xml": None}), "list.zip", "archive"),
    "document of another program": Bad(
        lambda: package(**{"[Content_Types].xml": CONTENT_TYPES.replace("sheet.main", "x")}),
        "list.vsdx",
        "archive",
    ),
    "half a workbook": Bad(lambda: package()[:700], "list.xlsx", "damaged"),
    "workbook without its sheet": Bad(
        lambda: package(**{"xl/worksheets/sheet1.xml": None}), "list.xlsx", "damaged"
    ),
    "merge of half a range": Bad(
        lambda: package(sheet_xml(NAMES, after='<mergeCells><mergeCell ref="A:B"/></mergeCells>')),
        "list.xlsx",
        "damaged",
    ),
    "broken XML": Bad(lambda: package("<worksheet><sheetData>"), "list.xlsx", "damaged"),
    "noise": Bad(lambda: bytes(range(256)) * 20, "list.csv", "not_a_list"),
    "no players": Bad(lambda: b"Name;Club\n;\n", "list.csv", "no_rows"),
    "no column of names": Bad(lambda: b"Club;Start number\nNoppa;1\n", "list.csv", "no_name_column"),
    "empty sheet": Bad(lambda: workbook([]), "list.xlsx", "no_rows"),
}


def workbook(
    rows: list[list[Any]], change: Callable[[Any], None] | None = None, **sheets: list[list[Any]]
) -> bytes:
    """A workbook as openpyxl writes it: these rows on its first sheet, others by their titles."""
    book = Workbook()
    (sheet,) = book.worksheets
    sheet.title = "Players"
    for row in rows:
        sheet.append(row)
    for title, others in sheets.items():
        more = book.create_sheet(title)
        for row in others:
            more.append(row)
    if change:
        change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A file that can be read; `found` are the problems that must be named: (row, column, code)."""

    make: Callable[[], bytes]
    filename: str
    found: set[tuple[int, str, str]]


def _merged() -> bytes:
    def change(book: Any) -> None:
        book.active.merge_cells("B2:B4")
        book.active.merge_cells("A5:A6")

    return workbook(
        [["Name", "Club"], ["Aino", "Noppa"], ["Eetu"], ["Iida"], ["Otso", "Arpa"], [None, "Arpa"]], change
    )


WRONG: dict[str, Wrong] = {
    "no headings": Wrong(
        lambda: workbook([["Aino", "Noppa"], ["Eetu", "Arpa"], ["", "Arpa"]]),
        "list.xlsx",
        {(0, "", "no_headings_club"), (3, "name", "no_name")},
    ),
    "encodings": Wrong(
        lambda: "Nimi;Kerho\nAino MÃ¤kelÃ¤;Noppa\nÅsa;Åbo\n".encode("cp1252"),
        "list.csv",
        {(0, "", "encoding_guessed"), (2, "name", "broken_letters")},
    ),
    "merged cells": Wrong(
        _merged,
        "list.xlsx",
        {(3, "club", "merged_filled"), (4, "club", "merged_filled"), (6, "name", "merged_name")},
    ),
    "formulas": Wrong(
        lambda: workbook([["Name", "Club"], ['=UPPER("aino")', "Noppa"], ["Eetu", "=B2"], ["#N/A", "Arpa"]]),
        "list.xlsx",
        {
            (2, "name", "formula_without_value"),
            (3, "club", "formula_without_value"),
            (4, "name", "formula_error"),
        },
    ),
    "duplicates": Wrong(
        lambda: b"Name,Club\nAino,Noppa\nEetu,Arpa\naino ,Noppa\n",
        "list.csv",
        {(4, "", "twice")},  # no problem of the row: what it is beside the others (matching.py)
    ),
    "wrong dates": Wrong(
        lambda: workbook(
            [
                ["Nimi", "Syntymäaika"],
                ["Aino", date(2001, 2, 3)],
                ["Eetu", "31.2.2001"],
                ["Iida", "3/4/2001"],
                ["Otso", "1.1.2091"],
                ["Pihla", 2001],
            ]
        ),
        "list.xlsx",
        {
            (3, "birth_date", "bad_date"),
            (4, "birth_date", "date_ambiguous"),
            (5, "birth_date", "date_out_of_range"),
            (6, "birth_date", "only_year"),
        },
    ),
    "too long names": Wrong(
        lambda: (
            "Namn\tKlubb\tKontakt\n"
            + "x" * 101
            + "\tA\t\nEva\t"
            + "y" * 101
            + "\t\nUlf\t\t"
            + "z" * 201
            + "\n"
        ).encode("utf-16"),
        "list.txt",
        {(2, "name", "too_long"), (3, "club", "too_long"), (4, "contact", "too_long")},
    ),
    "start numbers that clash": Wrong(
        lambda: workbook([["Start number", "Name"], [7, "Aino"], ["7", "Eetu"], [0, "Iida"], ["x", "Otso"]]),
        "list.xlsx",
        {
            (2, "start_number", "number_twice"),  # said beside the others (matching.py)
            (3, "start_number", "number_twice"),
            (4, "start_number", "bad_number"),
            (5, "start_number", "bad_number"),
        },
    ),
}


def largest() -> bytes:
    """A thousand players with everything filled in, and a picture that makes the file nearly as large as is taken."""
    headings = [
        "Name",
        "Nickname",
        "Club",
        "Start number",
        "Birth date",
        "Contact details",
        "Guardian agrees",
        "Remarks",
    ]
    rows: list[list[Any]] = [headings]
    rows += [
        [
            f"Player {n} " + "ä" * 80,
            f"Nick {n}",
            "Noppa " + "x" * 80,
            n,
            date(1990, 1, 1),
            f"p{n}@example.org",
            "yes",
            "r" * 2000,
        ]
        for n in range(1, 1001)
    ]
    data = workbook(rows)
    file = io.BytesIO(data)
    picture = bytes((n * 7919 * n >> 5) & 0xFF for n in range(1_000_000)) + bytes(900_000)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/media/picture.png", b"\x89PNG" + picture)
    return file.getvalue()
