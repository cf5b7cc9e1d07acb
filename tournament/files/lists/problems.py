"""What can be wrong with a file and with its rows: a code, a place and parameters, as faults of actions are."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, worded by words.py. `row` is numbered as in the file, 0 where it is about the whole
    file; `column` is one of columns.COLUMNS, "" where it is about the whole row."""

    code: str
    row: int = 0
    column: str = ""
    parameters: Mapping[str, str | int] = field(default_factory=dict)


# Of a row: what is only said, and what leaves the row without its tick until somebody has looked. Every other problem
# of a row keeps it from being entered.
NOTES = {"merged_filled"}
ASKS = {"hidden_row", "number_for_name", "broken_letters"}


class Refusal(Exception):
    """The file is not read at all. Caught in lists.py, so nobody outside of this package sees it."""

    def __init__(self, code: str, **parameters: str | int) -> None:
        super().__init__(code)
        self.problem = Problem(code, parameters=parameters)
