"""Rows are made when somebody looks at them, and those alone."""

import pytest

from tournament.pages.public.standings import LazyMapping, LazySequence


def test_made_makes_the_rows_that_are_looked_at_and_equals_a_list_of_all() -> None:
    looked_at: list[int] = []

    def double(number: int) -> int:
        looked_at.append(number)
        return 2 * number

    rows = LazySequence([1, 2, 3, 4], double)
    assert (len(rows), looked_at) == (4, [])
    assert (rows[-1], rows[1:3], looked_at) == (8, [4, 6], [4, 2, 3])
    assert rows == [2, 4, 6, 8]
    assert rows != [2, 4, 6]
    assert rows != 2
    with pytest.raises(TypeError):
        hash(rows)


def test_made_by_key_makes_each_value_once_and_knows_no_other_keys() -> None:
    made: list[str] = []

    def shout(key: str) -> str:
        made.append(key)
        return key.upper()

    values = LazyMapping({"a": 1, "b": 2}, shout)
    assert (list(values), len(values), "b" in values, "c" in values, made) == (["a", "b"], 2, True, False, [])
    assert (values["b"], values["b"], values.get("c"), made) == ("B", "B", None, ["b"])
    with pytest.raises(KeyError):
        values["c"]
