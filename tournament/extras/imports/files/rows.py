"""A row of a list: texts, values, problems.

Rows pass through the client before confirmation, so `read_row` validates them again.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from tournament.extras.imports.files.columns import (
    BIRTH_DATE,
    CLUB,
    COLUMNS,
    CONTACT,
    DIVISION,
    GUARDIAN,
    NAME,
    NICKNAME,
    PAID,
    START_NUMBER,
)
from tournament.extras.imports.files.problems import ASKS, NOTES, Problem
from tournament.models.event import LONGEST_DIVISION
from tournament.words.text import home_today, looks_private, public_text

# Most characters per database field.
LONGEST_VALUES = {NAME: 100, NICKNAME: 100, CLUB: 100, CONTACT: 200, DIVISION: LONGEST_DIVISION}
PUBLIC = {NAME, NICKNAME, CLUB, DIVISION}
MOST_START_NUMBER = 100_000
ANSWER = "answer-"  # prefix of a question's column
EARLIEST = date(1900, 1, 1)

# Codes set when reading a file.
MARKS = {
    "formula_error",
    "formula_without_value",
    "open_quote",
    "merged_name",
    "merged_filled",
    "hidden_row",
    "cancelled",
    "above_headings",
    "repeated_headings",
}

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
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})", re.ASCII)
_MONTH_NAMED = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[-/.]?)?([^\W\d_]{3,})[-/.]?(?:(\d{1,2})(?:st|nd|rd|th)?,)?(\d{4}|(?<=\D)\d{2})"
)
# English, Finnish and Swedish month prefixes.
_MONTHS = (
    "jan tammi,feb helmi,mar maalis,apr huhti,may maj touko,jun kesä,"
    "jul heinä,aug elo,sep syys,oct okt loka,nov marras,dec joulu"
)
_TIME = re.compile(
    r"(?<=\d\d)(?:T|\s+)\d{1,2}[:.][0-5]\d(?:[:.]\d\d(?:\.\d+)?)?\s*(?:[ap]m|Z)?$", re.IGNORECASE
)
_DAY_NUMBER = re.compile(r"[1-9]\d{4}", re.ASCII)  # date as serial number
_DAY_0 = date(1899, 12, 30)  # spreadsheet epoch
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)
_NUMBER = re.compile(r"#?\s*(\d{1,9})(?:[.,]0*)?", re.ASCII)
# Ticks, bullets and numbers before a name; 4ever is a name.
_BEFORE = re.compile(
    r"(?:(?:[☐☑☒✓✔✗✘□]|\[[\sxX✓✔]?\]|[-–—•*·](?=\s)|\d{1,4}(?:[.)]|(?=\s))(?=\s*[^\W\d_]))\s*)+"
)
# Last line of a list: "Yhteensä 8", "8 Yhteensä", "Players in total: 8", "8 pelaajaa".
TOTAL = re.compile(
    r"""\d+\s*(?:players|participants|people|pelaajaa|osallistujaa|henkilöä|hlö|spelare|deltagare|personer)\W*|
    (?:[\W\d_]|\b(?:players|participants|people|of|in|number|grand|pelaajia|pelaajaa|osallistujia|osallistujaa|
    henkilöä|hlö|kpl|spelare|deltagare|personer|st|antal)\b)*\b(?:totals?|sum|count|yhteensä|yht|summa|lukumäärä|kaikkiaan|
    totalt|sammanlagt)\b(?:[\W\d_]|\b(?:players|participants|people|pelaajaa|osallistujaa|henkilöä|hlö|kpl|spelare|
    deltagare|personer|antal|st)\b)*""",
    re.IGNORECASE | re.VERBOSE,
)
ADDRESS = re.compile(r"\S@\S+\.\w|://|\bwww\.", re.IGNORECASE)  # e-mail or web
# UTF-8 decoded as Windows-1252 (Ã¤); replacement characters.
_BROKEN = re.compile("Ã[\u0080-\u00bf¤¶¥„–…]|\ufffd")


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row. `number` as in the file; `texts` and `marks` by column; values (None or "" if empty or invalid)."""

    number: int
    texts: Mapping[str, str]
    marks: Mapping[str, str]
    name: str = ""
    nickname: str = ""
    club: str = ""
    division: str = ""
    contact: str = ""
    start_number: int | None = None
    birth_date: date | None = None
    guardian: bool | None = None
    paid: bool | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def answers(self) -> dict[str, str]:
        return {
            column.removeprefix(ANSWER): text
            for column, text in self.texts.items()
            if column.startswith(ANSWER)
        }

    @property
    def public_name(self) -> str:
        return self.nickname or self.name

    @property
    def is_sound(self) -> bool:
        return not any(problem.code not in ASKS | NOTES for problem in self.problems)

    @property
    def asks(self) -> bool:
        """Whether a person must check it."""
        return any(problem.code in ASKS for problem in self.problems)


class _Fields:
    def __init__(self, number: int, texts: Mapping[str, str]) -> None:
        self._number, self._texts = number, texts
        self.problems: list[Problem] = []

    def add(self, code: str, column: str = "", **parameters: str | int) -> None:
        self.problems.append(Problem(code, self._number, column, parameters))

    def text(self, column: str) -> str:
        text = self._texts.get(column, "")
        if column in PUBLIC:
            text = public_text(text)
        if len(text) > LONGEST_VALUES[column]:
            self.add("too_long", column, most=LONGEST_VALUES[column])
        return text

    def name(self) -> str:
        text = self.text(NAME)
        if (found := _BEFORE.match(text)) and found.end() < len(text):
            self.add("left_out_before", NAME, text=found[0].strip())
            return text[found.end() :]
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
        if _YEAR.fullmatch(text) and int(text) <= today.year:
            self.add("only_year", BIRTH_DATE, text=text)
            return None
        found = dates_of(text, today)
        if len(found) == 1 and EARLIEST <= found[0] <= today:
            return found[0]
        code = "date_ambiguous" if len(found) > 1 else "date_out_of_range" if found else "bad_date"
        self.add(code, BIRTH_DATE, text=_shown(text))
        return None

    def yes(self, column: str, wrong: str) -> bool | None:
        text = self._texts.get(column, "")
        folded = text.casefold()
        if folded in YES:
            return True
        if folded not in NO:
            self.add(wrong, column, text=_shown(text))
        return False if text and folded in NO else None


def read_row(number: int, texts: Mapping[str, str], marks: Mapping[str, str], today: date) -> ListRow:
    """Parse a row; never raises."""
    fields = _Fields(number, texts)
    for column, code in marks.items():
        fields.add(code, column)
    name, nickname = fields.name(), fields.text(NICKNAME)
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
    elif TOTAL.fullmatch(texts.get(NAME, "").strip()):
        fields.add("total_for_name", NAME, text=_shown(name))
    for column in COLUMNS:
        if column in PUBLIC and looks_private(texts.get(column, "")):
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
        division=fields.text(DIVISION),
        contact=fields.text(CONTACT),
        start_number=fields.start_number(),
        birth_date=fields.birth_date(today),
        guardian=fields.yes(GUARDIAN, "bad_consent"),
        paid=fields.yes(PAID, "fee_unclear"),
        problems=tuple(fields.problems),
    )


def _shown(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def dates_of(text: str, today: date | None = None) -> list[date]:
    """Possible dates: day first with points, otherwise also month first; two-digit years up to `today`."""
    text = _TIME.sub("", text.strip()).replace(" ", "").rstrip(".")
    if found := _YEAR_FIRST.fullmatch(text):
        numbers = [int(number) for number in found.groups() if number is not None]
        orders = [(numbers[0], numbers[1], numbers[2])]
    elif found := _YEAR_LAST.fullmatch(text):
        one, two, three = int(found[1]), int(found[3]), int(found[4])
        orders = [(three, two, one), (three, one, two), (one, two, three)][: 1 if found[2] == "." else 3]
    elif found := _MONTH_NAMED.fullmatch(text):
        word = found[2].casefold()
        months = (
            (len(name), number)
            for number, names in enumerate(_MONTHS.split(","), 1)
            for name in names.split()
            if word.startswith(name)
        )
        month = max(months, default=(0, 0))[1]
        orders = [(int(found[4]), month, int(found[1] or found[3] or 0))]
    else:
        return [_DAY_0 + timedelta(int(text))] if _DAY_NUMBER.fullmatch(text) else []
    dates, this_year = set(), (today or home_today()).year
    for year, month, day in orders:
        century = 0 if year > 99 else 2000 if 2000 + year <= this_year else 1900
        with suppress(ValueError):
            dates.add(date(century + year, month, day))
    return sorted(dates)
