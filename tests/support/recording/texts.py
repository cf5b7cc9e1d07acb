"""Answers, files and ledger rows as text that can be compared line by line."""

import hashlib
import json
import re
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.http.response import HttpResponseBase
from openpyxl import load_workbook
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.worksheet.worksheet import Worksheet

UNKEPT = {"content-length"}  # it counts the names of files and versions too
STYLE = ("number_format", "font", "fill", "border", "alignment", "protection")
BREAKS = re.compile(r'(?<=[}\]"\d]),(?=["{\[])|(?<=[{\[])(?=[{\["])')


def text_of(response: HttpResponseBase) -> str:
    """Status, headers, cookies and body of an answer."""
    content = response.getvalue()
    head = sorted(f"{name}: {value}" for name, value in response.items() if name.lower() not in UNKEPT)
    cookies = response.cookies.output().split("\r\n") if response.cookies else []
    body = text_of_file(content)
    if response.get("Content-Type", "").startswith("application/json"):
        body = BREAKS.sub(lambda found: found[0] + "\n", body)
    return "\n".join([str(response.status_code), *head, *cookies, "", body])


def text_of_file(content: bytes) -> str:
    """A text as it is, a workbook by its cells, an archive by its members, anything else by its digest."""
    if content[:2] == b"PK":
        with ZipFile(BytesIO(content)) as packed:
            names = packed.namelist()
            if "xl/workbook.xml" in names:
                return text_of_workbook(content)
            return "\n".join(f"== {name}\n{text_of_file(packed.read(name))}" for name in sorted(names))
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return f"{len(content)} bytes, {_digest(content)}"
    return BREAKS.sub(lambda found: found[0] + "\n", text) if text[:1] in "{[" else text


def bytes_of_workbook(content: bytes) -> str:
    """A digest of each part of a workbook: another writer changes them all, and no cell."""
    with ZipFile(BytesIO(content)) as packed:
        return "\n".join(f"{name} {_digest(packed.read(name))}" for name in packed.namelist())


def text_of_workbook(content: bytes) -> str:
    """Each cell with its value and the name of its style, each sheet's shape, then each style."""
    book = load_workbook(BytesIO(content))
    styles: dict[str, str] = {}
    lines = [f"defined names: {sorted((name, one.attr_text) for name, one in book.defined_names.items())}"]
    for sheet in book.worksheets:
        lines += [f"== {sheet.title}", *_shape(sheet)]
        for row in sheet.iter_rows():
            lines += [_cell(cell, styles) for cell in row if cell.value is not None or cell.has_style]
    return "\n".join([*lines, "== styles", *(f"{name}: {styles[name]}" for name in sorted(styles))])


def _shape(sheet: Worksheet) -> list[str]:
    widths = {name: one.width for name, one in sorted(sheet.column_dimensions.items())}
    heights = {number: one.height for number, one in sorted(sheet.row_dimensions.items()) if one.height}
    conditions = [
        f"{one.sqref}: {rule.type} {rule.operator} {rule.formula} {_plain(rule.dxf)}"
        for one in sheet.conditional_formatting
        for rule in one.rules
    ]
    drawn: Any = sheet  # the stubs know neither charts nor pictures
    return [
        f"state {sheet.sheet_state}, {sheet.dimensions}, frozen {sheet.freeze_panes}, filter {sheet.auto_filter.ref}",
        f"widths {widths}",
        f"heights {heights}",
        f"merged {sorted(map(str, sheet.merged_cells.ranges))}",
        f"conditions {sorted(conditions)}",
        f"checks {sorted(f'{one.sqref} {one.type} {one.formula1}' for one in sheet.data_validations.dataValidation)}",
        f"print {sheet.print_title_rows} {sheet.print_area} {sheet.page_setup.orientation}",
        f"{len(drawn._charts)} charts, {len(drawn._images)} pictures, protected {sheet.protection.sheet}",
    ]


def _cell(cell: Cell | MergedCell, styles: dict[str, str]) -> str:
    looks = "; ".join(f"{name} {_plain(getattr(cell, name))}" for name in STYLE)
    name = hashlib.sha256(looks.encode()).hexdigest()[:6]
    styles[name] = looks
    link = f" -> {cell.hyperlink.target or cell.hyperlink.location}" if cell.hyperlink else ""
    note = f" note {cell.comment.text!r}" if cell.comment else ""
    return f"{cell.coordinate} [{name}] {cell.value!r}{link}{note}"


def _plain(value: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\w+=None,?\s*|<[^>]*>|Parameters:", "", str(value))).strip()


def text_of_rows(rows: list[dict[str, Any]]) -> str:
    """Rows of the ledger, a field a line."""
    lines = []
    for row in rows:
        lines.append(f"== {row['sequence']} {row['action']}")
        lines += [f"{name}: {json.dumps(row[name], default=str, sort_keys=True)}" for name in row]
    return "\n".join(lines)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
