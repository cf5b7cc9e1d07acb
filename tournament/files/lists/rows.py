"""One row of a list: its texts as they were written, what they mean, and what is wrong with them.

A row travels from the preview to its confirmation in the form, so `read_row` reads its texts again each time, and
whoever changes them on the way only changes what is entered in their own name.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from tournament.files.lists.columns import (
    BIRTH_DATE,
    CLUB,
    COLUMNS,
    CONTACT,
    GUARDIAN,
    NAME,
    NICKNAME,
    START_NUMBER,
)
from tournament.files.lists.problems import ASKS, NOTES, Problem
from tournament.words.text import looks_private

# The longest text that each field of the database takes, in characters.
LONGEST = {NAME: 100, NICKNAME: 100, CLUB: 100, CONTACT: 200}
MOST_START_NUMBER = 100_000
ANSWER = "answer-"  # begins the column of a question, before its id
EARLIEST = date(1900, 1, 1)

# Marks that only reading the file can set: by column, or by "" for the row itself.
MARKS = {"formula_error", "formula_without_value", "open_quote", "merged_name", "merged_filled", "hidden_row"}

YES = {
    "x",
    "yes",
    "y",
    "true",
    "ok",
    "1",
    "✓",
    "✔",
    "☑",
    "kyllä",
    "k",
    "on",
    "tosi",
    "ja",
    "j",
    "sant",
    "given",
}
NO = {"", "no", "n", "false", "0", "-", "–", "ei", "e", "epätosi", "nej", "falskt", "☐"}

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{4})(\d{2})(\d{2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
_NUMBER = re.compile(r"#?\s*(\d{1,9})(?:[.,]0*)?", re.ASCII)
ADDRESS = re.compile(r"\S@\S+\.\w|://|\bwww\.", re.IGNORECASE)  # of mail or of the web
# UTF-8 that was read as Windows letters (Ã¤), and letters that could not be read at all.
_BROKEN = re.compile("Ã[\u0080-\u00bf¤¶¥„–…]|\ufffd")


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row: `number` as in the file, `texts` as written and `marks` as found in reading, both by column; what they
    mean (None or "" where they say nothing, or nothing that is sound); and the problems."""

    number: int
    texts: Mapping[str, str]
    marks: Mapping[str, str]
    name: str = ""
    nickname: str = ""
    club: str = ""
    contact: str = ""
    start_number: int | None = None
    birth_date: date | None = None
    guardian: bool | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def answers(self) -> dict[str, str]:
        """The texts in the columns of the organisers' own questions, by the question's id."""
        return {
            column.removeprefix(ANSWER): text
            for column, text in self.texts.items()
            if column.startswith(ANSWER)
        }

    @property
    def public_name(self) -> str:
        """Give the name that everybody sees: the nickname where there is one."""
        return self.nickname or self.name

    @property
    def is_sound(self) -> bool:
        """Tell whether the row can be entered."""
        return not any(problem.code not in ASKS | NOTES for problem in self.problems)

    @property
    def asks(self) -> bool:
        """Tell whether somebody should look at the row first."""
        return any(problem.code in ASKS for problem in self.problems)


class _Fields:
    """Reads the texts of one row, and collects what is wrong."""

    def __init__(self, number: int, texts: Mapping[str, str]) -> None:
        self._number, self._texts = number, texts
        self.problems: list[Problem] = []

    def add(self, code: str, column: str = "", **parameters: str | int) -> None:
        self.problems.append(Problem(code, self._number, column, parameters))

    def text(self, column: str) -> str:
        text = self._texts.get(column, "")
        if len(text) > LONGEST[column]:
            self.add("too_long", column, most=LONGEST[column])
        return text

    def start_number(self) -> int | None:
        if not (text := self._texts.get(START_NUMBER, "")):
            return None
        if (found := _NUMBER.fullmatch(text)) and 1 <= int(found[1]) <= MOST_START_NUMBER:
            return int(found[1])
        self.add("bad_number", START_NUMBER, text=_shown(text), most=MOST_START_NUMBER)
        return None

    def birth_date(self, today: date) -> date | None:
        if not (text := self._texts.get(BIRTH_DATE, "")):
            return None
        found = dates_of(text)
        if len(found) == 1 and EARLIEST <= found[0] <= today:
            return found[0]
        code = "date_ambiguous" if len(found) > 1 else "date_out_of_range" if found else "bad_date"
        self.add(code, BIRTH_DATE, text=_shown(text))
        return None

    def guardian(self) -> bool | None:
        text = self._texts.get(GUARDIAN, "")
        folded = text.casefold()
        if folded in YES:
            return True
        if folded not in NO:
            self.add("bad_consent", GUARDIAN, text=_shown(text))
        return False if text and folded in NO else None


def read_row(number: int, texts: Mapping[str, str], marks: Mapping[str, str], today: date) -> ListRow:
    """The row of these texts; never an error."""
    fields = _Fields(number, texts)
    for column, code in marks.items():
        fields.add(code, column)
    name, nickname = fields.text(NAME), fields.text(NICKNAME)
    if not (name or nickname) and not {NAME, NICKNAME} & marks.keys():
        fields.add("no_name", NAME)
    elif (
        name
        and not nickname
        and name.isascii()
        and not any(map(str.isalpha, name))
        and not looks_private(name)
    ):
        fields.add("number_for_name", NAME, text=_shown(name))
    for column in COLUMNS:
        if column in {NAME, NICKNAME, CLUB} and looks_private(texts.get(column, "")):
            fields.add("address_is_public", column, text=_shown(texts[column]))
        if _BROKEN.search(texts.get(column, "")):
            fields.add("broken_letters", column, text=_shown(texts[column]))
    return ListRow(
        number=number,
        texts=texts,
        marks=marks,
        name=name or nickname,
        nickname=nickname,
        club=fields.text(CLUB),
        contact=fields.text(CONTACT),
        start_number=fields.start_number(),
        birth_date=fields.birth_date(today),
        guardian=fields.guardian(),
        problems=tuple(fields.problems),
    )


def _shown(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def dates_of(text: str) -> list[date]:
    """The dates that a text may mean: a day first with points, as in Finland; with strokes the month may be first."""
    text = text.replace(" ", "").rstrip(".")
    if found := _YEAR_FIRST.fullmatch(text):
        numbers = [int(number) for number in found.groups() if number is not None]
        orders = [(numbers[0], numbers[1], numbers[2])]
    elif found := _YEAR_LAST.fullmatch(text):
        day, month, year = int(found[1]), int(found[3]), int(found[4])
        orders = [(year, month, day)] if found[2] == "." else [(year, month, day), (year, day, month)]
    else:
        return []
    dates = set()
    for year, month, day in orders:
        with suppress(ValueError):
            dates.add(date(year, month, day))
    return sorted(dates)
