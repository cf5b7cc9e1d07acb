"""Workbooks recalculated by LibreOffice: every formula, whatever value it had."""

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
SECONDS = 600


def recalculated(books: Mapping[str, bytes], place: Path) -> dict[str, Workbook]:
    """These workbooks by name, with the values that LibreOffice finds; `place` is an empty directory. One start of
    LibreOffice takes them all."""
    soffice = which("soffice")
    assert soffice, "LibreOffice is missing: apt-get install libreoffice-calc"
    source, target, profile = (place / name for name in ("source", "target", "profile"))
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_PROFILE)
    source.mkdir()
    for name, content in books.items():
        (source / f"{name}.xlsx").write_bytes(content)
    subprocess.run(
        [
            soffice, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--norestore",
            "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(target),
            *(str(source / f"{name}.xlsx") for name in books),
        ],
        check=True, capture_output=True, timeout=SECONDS,
    )  # fmt: skip
    return {
        name: load_workbook(BytesIO((target / f"{name}.xlsx").read_bytes()), data_only=True) for name in books
    }
