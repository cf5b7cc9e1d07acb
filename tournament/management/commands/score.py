"""`manage.py score FILE`: reads score sheets and prints what follows from them. Needs no database.

`score FILE` prints one answer and exits 0, or the sheet's errors and exits 2. `score --lines FILE` reads one
sheet a line and prints one answer a line, good or bad, and exits 0; an empty line is a bad sheet. `-` is
standard input. A file that cannot be read exits 2 either way.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand

from scoring import SheetInvalid, parse_sheet, score
from scoring.text import malformed_file

BAD_SHEET = 2


class Command(BaseCommand):
    """Prints the answer to a score sheet, or to each line of a file of score sheets."""

    help = "Print the answer to a score sheet: places and points, or what is wrong with it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file and whether it holds one sheet or one a line."""
        parser.add_argument("file", metavar="FILE", help="a score sheet in JSON; - is standard input")
        parser.add_argument("--lines", action="store_true", help="one sheet a line, one answer a line")

    def handle(self, *_args: Any, file: str, lines: bool, **_options: Any) -> None:
        """Score the file; exits 2 for a sheet with errors, or a file that cannot be read."""
        try:
            with _opened(file) as sheets:
                good = self._score_lines(sheets) if lines else self._print_answer(sheets.read())
        except BrokenPipeError:  # the reader has seen enough; leave nothing behind for the flush at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        except OSError as error:
            refusal = malformed_file(f"a file that cannot be read: {error.strerror}")
            self.stdout.write(json.dumps(refusal.as_json()))
            good = False
        if not good:
            sys.exit(BAD_SHEET)

    def _score_lines(self, sheets: BinaryIO) -> bool:
        for line in sheets:
            self._print_answer(line)
            self.stdout.flush()  # who feeds the lines one by one gets the answers one by one
        return True

    def _print_answer(self, text: bytes) -> bool:
        """Whether the sheet keeps the rules."""
        try:
            answer, good = score(parse_sheet(text)).as_json(), True
        except SheetInvalid as refusal:
            answer, good = refusal.as_json(), False
        self.stdout.write(json.dumps(answer))
        return good


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as opened:
            yield opened
