"""Uploads stay in memory, and no more of them than a list of players needs; nothing is written to the disk.

Django's own handlers write what is longer than 2.5 MB into a temporary file. This one, the only one in settings.py,
drops the content of what is too large as it arrives, and keeps its size, so that the form can say so.
"""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from tournament.files.lists.limits import MOST_BYTES


class CappedUploadHandler(FileUploadHandler):
    """Keeps at most `most` bytes of a request's files, all of them together. A file that did not fit comes to the form
    with its true size and nothing in it."""

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
