"""A list as it is read, and its problems."""

from datetime import date
from typing import Any

from tournament.extras.imports.files.lists import ListRead, read_list

TODAY = date(2026, 5, 9)


def read(data: bytes | str, filename: str = "list.csv") -> ListRead:
    found = read_list(data.encode() if isinstance(data, str) else data, filename, today=TODAY)
    assert found.refusal is None, found.refusal
    return found


def people(found: ListRead) -> list[tuple[Any, ...]]:
    return [(row.number, row.name, row.nickname, row.club, row.start_number) for row in found.rows]


def codes(found: ListRead) -> list[str]:
    return [problem.code for problem in found.problems]
