"""Workbooks in the hands of LibreOffice: recalculated, every formula whatever value it had; and sorted."""

import subprocess
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from shutil import which

from openpyxl import Workbook, load_workbook

# LibreOffice keeps the values that a file brings unless its profile says otherwise: 0 is "always recalculate".
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
_MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1"
 script:language="StarBasic">%s</script:module>
"""
# Sorts every sheet of a workbook by each of its columns, one after the other, and writes beside it how many cells had
# an error, and how many rows did not agree with the program, after any of them.
_SORTS = """
Sub SortAll(path As String)
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  Dim by(0) As New com.sun.star.table.TableSortField
  Dim how(1) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  book = StarDesktop.loadComponentFromURL(ConvertToURL(path), "_blank", 0, hidden())
  errors = 0
  differing = 0
  For at = 0 To book.Sheets.Count - 1
    sheet = book.Sheets.getByIndex(at)
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    bottom = cursor.RangeAddress.EndRow
    right_ = cursor.RangeAddress.EndColumn
    If bottom &gt; 1 Then
      For column_ = 0 To right_
        by(0).Field = column_
        by(0).IsAscending = (column_ Mod 2 = 1)
        how(0).Name = "SortFields"
        how(0).Value = by()
        how(1).Name = "ContainsHeader"
        how(1).Value = True
        sheet.getCellRangeByPosition(0, 0, right_, bottom).sort(how())
        book.calculateAll()
        For other = 0 To book.Sheets.Count - 1
          errors = errors + book.Sheets.getByIndex(other).queryFormulaCells(4).Count
        Next other
        counts = book.Sheets.getByName("check")
        For line_ = 1 To 6
          differing = differing + counts.getCellByPosition(3, line_).Value
        Next line_
      Next column_
    End If
  Next at
  number = FreeFile
  Open path &amp; ".txt" For Output As #number
  Print #number, errors &amp; " " &amp; differing
  Close #number
  book.close(True)
End Sub
"""
SECONDS = 600


def recalculated(books: Mapping[str, bytes], place: Path) -> dict[str, Workbook]:
    """These workbooks by name, with the values that LibreOffice finds; `place` is an empty directory. One start of
    LibreOffice takes them all."""
    target, files = place / "target", _written(books, place)
    _libreoffice(
        place, "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(target), *map(str, files)
    )
    return {
        name: load_workbook(BytesIO((target / f"{name}.xlsx").read_bytes()), data_only=True) for name in books
    }


def sorted_by_every_column(books: Mapping[str, bytes], place: Path) -> dict[str, tuple[int, int]]:
    """Sort every sheet by every column; give the number of cells with an error, and of rows that differ, by name."""
    files = _written(books, place)
    _libreoffice(place, "--terminate_after_init")  # makes an empty module, which is ours then
    (place / "profile/user/basic/Standard/Module1.xba").write_text(_MODULE % _SORTS)
    for file in files:
        _libreoffice(place, f'macro:///Standard.Module1.SortAll("{file}")')
    counts = {name: (place / "source" / f"{name}.xlsx.txt").read_text().split() for name in books}
    return {name: (int(errors), int(differing)) for name, (errors, differing) in counts.items()}


def _written(books: Mapping[str, bytes], place: Path) -> list[Path]:
    source, user = place / "source", place / "profile" / "user"
    source.mkdir()
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(_PROFILE)
    files = [source / f"{name}.xlsx" for name in books]
    for file, content in zip(files, books.values(), strict=True):
        file.write_bytes(content)
    return files


def _libreoffice(place: Path, *command: str) -> None:
    soffice = which("soffice")
    assert soffice, "LibreOffice is missing: apt-get install libreoffice-calc"
    profile = f"-env:UserInstallation={(place / 'profile').as_uri()}"
    subprocess.run(
        [soffice, profile, "--headless", "--norestore", *command],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
