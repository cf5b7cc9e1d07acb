"""Reading what somebody typed, field by field: what cannot be read becomes a fault at its path, and is never an error
of the program."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tournament.results.faults import Fault
from tournament.words.text import clean

LONGEST = 9  # digits of a number that anybody means
LONGEST_MOMENT = 15  # digits
MOST_REASON = 500  # characters
TIME = re.compile(r"([0-9]{1,3})[:.,]([0-5][0-9])", re.ASCII)
MINUTES = re.compile(r"[0-9]{1,3}", re.ASCII)


@dataclass(slots=True)
class Typed:
    """A form's fields as they were typed, and the faults found in reading them."""

    data: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)

    def text(self, name: str) -> str:
        return str(self.data.get(name, "")).strip()

    def whole(self, name: str, path: str, *, most: int, least: int = 0) -> int | None:
        """A whole number from `least` to `most`; None where nothing was typed or no such number."""
        typed = self.text(name)
        if not typed:
            return None
        number = number_or_none(typed)
        if number is not None and least <= number <= most:
            return number
        too_large = _is_digits(typed) and (number is None or number > most)
        self.faults.append(
            Fault("number_too_large" if too_large else "not_a_number", path, {"least": least, "most": most})
        )
        return None

    def sequence(self, name: str) -> int:
        """The ledger row that a page of ours was made with, as a play's version; 0 for none."""
        return self.whole(name, f"/{name}", most=10**9 - 1) or 0

    def moment(self, name: str) -> int | None:
        """A moment that a page of ours was made with, in milliseconds; None for anything else."""
        return number_or_none(self.text(name), longest=LONGEST_MOMENT)

    def seconds(self, name: str, path: str) -> int | None:
        """A time typed as minutes and seconds (`12:34`, `12.34`) or as full minutes (`12`), in seconds."""
        typed = self.text(name)
        if not typed:
            return None
        if found := TIME.fullmatch(typed):
            return int(found[1]) * 60 + int(found[2])
        if MINUTES.fullmatch(typed):
            return int(typed) * 60
        self.faults.append(Fault("not_a_time", path))
        return None

    def uid(self, name: str, path: str) -> UUID | None:
        """An id, None where nothing was chosen; a fault for anything else."""
        typed = self.text(name)
        uid = uuid_or_none(typed)
        if typed and uid is None:
            self.faults.append(Fault("malformed", path))
        return uid


def number_or_none(text: str, *, longest: int = LONGEST) -> int | None:
    """The whole number that a text is, if it is one of at most so many digits: Python makes no number of thousands."""
    return int(text) if _is_digits(text) and len(text) <= longest else None


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def uuid_or_none(text: str) -> UUID | None:
    """The id that a text is, if it is one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def time_text(seconds: int | None) -> str:
    """Seconds as they are typed, m:ss; nothing for none."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def reason_in(data: Mapping[str, Any]) -> str:
    """The reason that a form gives, as both databases can keep it."""
    return clean(data.get("reason", ""))[:MOST_REASON]
