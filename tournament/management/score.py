"""`lastcard score FILE`: read score sheets and print what follows from them. Needs neither a database nor Django.

`score FILE` prints one answer and exits 0, or the sheet's errors and exits 2. `score --lines FILE` reads one
sheet a line and prints one answer a line, good or bad, and exits 0; an empty line is a bad sheet. `-` is
standard input. A file that cannot be read exits 2 either way.
"""

import errno
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from scoring import SheetInvalid, parse_sheet, score
from scoring.reading import malformed_file

FAILED, BAD_SHEET = 1, 2
HELP = "Score a sheet: print places and points, or what is wrong with it."


class CannotWrite(Exception):
    """The answers cannot be printed; its text says why."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a score sheet in JSON; - reads standard input")
    parser.add_argument("--lines", action="store_true", help="read one sheet a line, print one answer a line")


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; give its exit code."""
    parser = ArgumentParser("lastcard score", description=HELP)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        return answer(options.file, lines=options.lines)
    except CannotWrite as failed:
        if sys.stderr is not None:
            print(f"CommandError: {failed}", file=sys.stderr)
        return FAILED


def answer(file: str, *, lines: bool) -> int:
    """Print the answer to each sheet in the file; give the exit code. Raises CannotWrite."""
    if sys.stdout is None:
        raise CannotWrite("The answer cannot be written: standard output is closed.")
    try:
        with _opened(file) as sheets:
            if lines:
                for line in sheets:
                    _answer(line)
                return 0
            return 0 if _answer(sheets.read()) else BAD_SHEET
    except OSError as error:
        _print(malformed_file(f"a file that cannot be read: {error.strerror}").as_json())
        return BAD_SHEET


def _answer(text: bytes) -> bool:
    """Print the answer to one sheet; whether the sheet keeps the rules."""
    try:
        _print(score(parse_sheet(text)).as_json())
    except SheetInvalid as refusal:
        _print(refusal.as_json())
        return False
    return True


def _print(answered: dict[str, object]) -> None:
    try:
        print(
            json.dumps(answered), flush=True
        )  # a program that writes line by line gets answers line by line
    except OSError as error:
        # The output that could not be written is still buffered; without this it would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit()  # the reader has seen enough
        raise CannotWrite(f"The answer cannot be written: {error.strerror}.") from error


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        if sys.stdin is None:  # the caller closed it
            raise OSError(errno.EBADF, "standard input is closed")
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as opened:
            yield opened
