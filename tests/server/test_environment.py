"""Compiled translations follow their texts."""

import gettext
import os
from pathlib import Path

import pytest

from tournament.server.environment import compile_catalogues

TEXT = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Standings"\nmsgstr "{}"\n'


@pytest.fixture
def text(tmp_path: Path) -> Path:
    folder = tmp_path / "fi" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(TEXT.format("Tilanne"))
    return folder / "django.po"


def translated(text: Path) -> str:
    with text.with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file).gettext("Standings")


def test_missing_or_older_catalogue_is_compiled_and_another_is_left(text: Path, tmp_path: Path) -> None:
    compile_catalogues(tmp_path)
    assert translated(text) == "Tilanne"
    compiled = text.with_suffix(".mo").stat()
    text.write_text(TEXT.format("Sijoitukset"))
    os.utime(text, ns=(compiled.st_mtime_ns, compiled.st_mtime_ns))
    compile_catalogues(tmp_path)
    assert translated(text) == "Tilanne"
    os.utime(text, ns=(compiled.st_mtime_ns + 1, compiled.st_mtime_ns + 1))
    compile_catalogues(tmp_path)
    assert translated(text) == "Sijoitukset"
    assert sorted(path.name for path in text.parent.iterdir()) == ["django.mo", "django.po"]


def test_folder_that_cannot_be_written_is_logged(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    compile_catalogues(tmp_path)
    assert caplog.messages == [f"{text} cannot be compiled, so its texts may be old or English: read-only"]
