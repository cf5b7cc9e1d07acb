"""`manage.py score FILE`: reads score sheets and prints what follows from them. Needs no database.

`score FILE` prints one answer and exits 0, or the sheet's errors and exits 2. `score --lines FILE` reads one
sheet a line and prints one answer a line, good or bad, and exits 0; an empty line is a bad sheet. `-` is
standard input. A file that cannot be read exits 2 either way.
"""

import errno
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from scoring import SheetInvalid, parse_sheet, score
from scoring.reading import malformed_file

BAD_SHEET = 2


class Command(BaseCommand):
    help = "Print the answer to a score sheet: places and points, or what is wrong with it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a score sheet in JSON; - is standard input")
        parser.add_argument("--lines", action="store_true", help="one sheet a line, one answer a line")

    def handle(self, *_args: Any, file: str, lines: bool, **_options: Any) -> None:
        """Score the file; exits 2 for a sheet with errors, or a file that cannot be read."""
        if sys.stdout is None:
            raise CommandError("The answer cannot be written: standard output is closed.")
        try:
            with _opened(file) as sheets:
                if lines:
                    for line in sheets:
                        self._answer(line)
                elif not self._answer(sheets.read()):
                    sys.exit(BAD_SHEET)
        except OSError as error:
            self._print(malformed_file(f"a file that cannot be read: {error.strerror}").as_json())
            sys.exit(BAD_SHEET)

    def _answer(self, text: bytes) -> bool:
        """Print the answer to one sheet; whether the sheet keeps the rules."""
        try:
            self._print(score(parse_sheet(text)).as_json())
        except SheetInvalid as refusal:
            self._print(refusal.as_json())
            return False
        return True

    def _print(self, answer: dict[str, object]) -> None:
        try:
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()  # a program that writes lines one by one gets the answers one by one
        except OSError as error:
            # The output that could not be written is still buffered; without this it would fail again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                sys.exit()  # the reader has seen enough
            raise CommandError(f"The answer cannot be written: {error.strerror}.") from error


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        if sys.stdin is None:  # the caller closed it
            raise OSError(errno.EBADF, "standard input is closed")
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as opened:
            yield opened
