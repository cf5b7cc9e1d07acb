"""The places of things in a workbook, so that a formula can name a cell before it is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from openpyxl.utils import get_column_letter, quote_sheetname


@dataclass(frozen=True, slots=True)
class Rows:
    """Consecutive rows of a sheet, from `first` to `last`."""

    first: int
    last: int


@dataclass(frozen=True)
class Sheet:
    """A sheet's title and its columns, each a key for formulas with its heading for people."""

    title: str
    columns: Mapping[str, str]

    @property
    def headings(self) -> list[str]:
        return list(self.columns.values())

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letter of each column by its key."""
        return {key: get_column_letter(index) for index, key in enumerate(self.columns, 1)}

    @cached_property
    def _quoted(self) -> str:
        return quote_sheetname(self.title)

    def cells(self, row: int) -> dict[str, str]:
        """The cells of a row by the keys of their columns, as formulas of the same sheet name them."""
        return {key: f"{letter}{row}" for key, letter in self.letters.items()}

    def index(self, key: str) -> int:
        """Give the column's position, from 0."""
        return list(self.columns).index(key)

    def rows(self, key: str, rows: Rows) -> str:
        """Cells of a column, as formulas of the same sheet name them."""
        letter = self.letters[key]
        return f"${letter}${rows.first}:${letter}${rows.last}"

    def cell_from_elsewhere(self, key: str, row: int) -> str:
        """A cell, as formulas of other sheets name it."""
        return f"{self._quoted}!${self.letters[key]}${row}"

    def rows_from_elsewhere(self, key: str, rows: Rows) -> str:
        """Cells of a column, as formulas of other sheets name them."""
        return f"{self._quoted}!{self.rows(key, rows)}"

    def across(self, first: str, last: str, row: int) -> str:
        """Cells of a row, as formulas of other sheets name them."""
        return f"{self._quoted}!${self.letters[first]}${row}:${self.letters[last]}${row}"


def quoted(text: str) -> str:
    """A text as it stands in a formula."""
    return '"{}"'.format(text.replace('"', '""'))
