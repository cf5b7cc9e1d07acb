"""Pictures of every sheet of a workbook, drawn by LibreOffice: each page on A4, and the first screen of a phone of 390
pixels.

    python -m tests.support.sheet_pictures results.xlsx pictures/

A page of paper A6 without margins stands for the phone: it is 397 pixels wide. Needs LibreOffice Calc, and pdftoppm of
poppler-utils.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from openpyxl import load_workbook
from openpyxl.worksheet.page import PageMargins

A6 = 70  # as Excel numbers papers
SCREENS = {"a4": ("-r", "72"), "phone": ("-r", "96", "-l", "1")}  # how pdftoppm draws each
LONGEST_S = 600


def pictures(book: Path, folder: Path) -> list[Path]:
    """Draw every sheet into this folder, as `<number> <sheet> a4-<page>.png` and `... phone-1.png`."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        here = Path(place)
        parts = {
            _alone(book, at, here / f"{at + 1} {title} {screen}.xlsx", phone=screen == "phone"): options
            for at, title in enumerate(load_workbook(book).sheetnames)
            for screen, options in SCREENS.items()
        }
        profile = f"-env:UserInstallation={(here / 'profile').as_uri()}"
        files = [str(part) for part in parts]
        _run(
            "soffice", profile, "--headless", "--norestore", "--convert-to", "pdf", "--outdir", place, *files
        )
        for part, options in parts.items():
            _run("pdftoppm", "-png", *options, str(part.with_suffix(".pdf")), str(folder / part.stem))
    return sorted(folder.glob("*.png"))


def _alone(book: Path, at: int, target: Path, *, phone: bool) -> Path:
    """Write a copy of the workbook in which the other sheets are hidden, so that they are not drawn."""
    workbook = load_workbook(book)
    for index, other in enumerate(workbook.worksheets):
        other.sheet_state = "visible" if index == at else "hidden"
    workbook.active = at
    if phone:
        sheet: Any = workbook.worksheets[at]
        sheet.page_setup.paperSize, sheet.page_setup.orientation = A6, "portrait"
        sheet.page_setup.scale, sheet.sheet_properties.pageSetUpPr.fitToPage = 100, False
        sheet.page_margins = PageMargins(0, 0, 0, 0, 0, 0)
        sheet.oddFooter.left.text = sheet.oddFooter.right.text = None
    workbook.save(target)
    return target


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_S)


if __name__ == "__main__":
    for picture in pictures(Path(sys.argv[1]), Path(sys.argv[2])):
        print(picture)
