"""`lastcard score FILE`, without a database, and without Django but for house rules. Prints the answer (exit 0) or
errors (exit 2, also for an unreadable file); with `--lines` an answer per line (exit 0). `-` is standard input."""

import errno
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from scoring import SheetInvalid, malformed_file, parse_sheet, score
from tournament.server.environment import SETTINGS_FILE, read_settings_file

FAILED, BAD_SHEET = 1, 2
HELP = "Score a sheet: print places and points, or what is wrong with it."


class CannotScore(Exception):
    """No answer can be given or printed."""


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a score sheet in JSON; - reads standard input")
    parser.add_argument("--lines", action="store_true", help="read one sheet a line, print one answer a line")


def main(arguments: Sequence[str]) -> int:
    """Run the command; return its exit code."""
    parser = ArgumentParser("lastcard score", description=HELP)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        _take_in_house_rules()
        return answer(options.file, lines=options.lines)
    except CannotScore as failed:
        if sys.stderr is not None:
            print(f"CommandError: {failed}", file=sys.stderr)
        return FAILED


def _take_in_house_rules() -> None:
    try:
        read_settings_file()
    except PermissionError as error:
        raise CannotScore(f"You may not read {SETTINGS_FILE}. Run this as the service's user.") from error
    if folder := os.environ.get("HOUSE_RULES"):
        from tournament.server.house_rules import files_can_be_played, take_in_all

        take_in_all(Path(folder))
        if problems := files_can_be_played():
            raise CannotScore(" ".join(problem.msg for problem in problems))


def answer(file: str, *, lines: bool) -> int:
    """Print answers; return the exit code. Raises CannotScore."""
    if sys.stdout is None:
        raise CannotScore("The answer cannot be written: standard output is closed.")
    try:
        if file == "-" and sys.stdin is None:  # closed by the caller
            raise OSError(errno.EBADF, "standard input is closed")
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as sheets:
            if lines:
                for line in sheets:
                    _answer(line)
                return 0
            return 0 if _answer(sheets.read()) else BAD_SHEET
    except OSError as error:
        _print(malformed_file(f"a file that cannot be read: {error.strerror}").as_json())
        return BAD_SHEET


def _answer(text: bytes) -> bool:
    """Print the answer; return whether the sheet is valid."""
    try:
        _print(score(parse_sheet(text)).as_json())
    except SheetInvalid as refusal:
        _print(refusal.as_json())
        return False
    return True


def _print(answered: dict[str, object]) -> None:
    try:
        print(json.dumps(answered), flush=True)  # for line-by-line callers
    except OSError as error:
        # drop the buffer, else it fails again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit()  # the reader has left
        raise CannotScore(f"The answer cannot be written: {error.strerror}.") from error
