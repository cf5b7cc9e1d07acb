"""An archive that goes out, and one that comes back."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict

from tournament.extras.archive import forms as archive
from tournament.extras.archive.files.schema import People
from tournament.extras.archive.forms import ExportForm, ImportForm


def test_each_amount_of_people_is_a_choice() -> None:
    forms = [ExportForm({"people": people.value}) for people in People]
    assert [form.is_valid() for form in forms] == [True] * len(People)
    assert not ExportForm({"people": "some"}).is_valid()


def uploaded(content: bytes) -> MultiValueDict[str, UploadedFile]:
    return MultiValueDict({"file": [SimpleUploadedFile("event.zip", content)]})


@pytest.mark.parametrize(("size", "fits"), [(9, True), (10, True), (11, False)])
def test_archive_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch, size: int, fits: bool) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 10)
    form = ImportForm(files=uploaded(b"x" * size))
    assert form.is_valid() is fits
    assert ("file" in form.errors) is not fits


def test_empty_archive_is_left_to_its_reader() -> None:
    assert ImportForm(files=uploaded(b"")).is_valid()
    assert not ImportForm().is_valid()
