"""Reading any bytes gives rows or a refusal with words, never an error."""

import io
import json
import random
import zipfile
from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from tests.depth import deep
from tests.support.list_files import DANGEROUS, WRONG, Bad, package, sheet_xml, workbook
from tournament.extras.imports.files.lists import ListRead, read_list
from tournament.extras.imports.files.matching import plan
from tournament.extras.imports.files.problems import IMPORT_PROBLEMS, MOST_ROWS, problem_text
from tournament.extras.imports.forms.players import carried, read_carried

TODAY = date(2026, 5, 9)

GOOD = workbook([["Name", "Born", "Club"], ["Aino", "3.2.2001", "=1"], ["Eetu", 5, None]])
SEEDS = [
    GOOD,
    package(),
    *(DANGEROUS[name].make() for name in ("macros", "billion laughs", "faked unzipped size")),
]


def check(found: ListRead) -> None:
    """Check what must be true of anything read: it can be put in words, shown, planned and carried to and fro."""
    if found.refusal:
        assert found.refusal.code in IMPORT_PROBLEMS
        assert problem_text(found.refusal)
        assert found.rows == ()
        return
    assert 0 < len(found.rows) <= MOST_ROWS
    numbers = [row.number for row in found.rows]
    assert numbers == sorted(set(numbers))
    for each in plan(found.rows, [], []):
        assert all(problem_text(problem) for problem in each.problems)
    back = read_carried(carried(found.filename, found.rows), TODAY)
    assert back.rows == found.rows


@given(data=st.binary(max_size=3000))
def test_any_bytes(data: bytes) -> None:
    check(read_list(data, "list.csv", today=TODAY))


@given(text=st.text(max_size=500), encoding=st.sampled_from(["utf-8", "utf-16", "cp1252", "utf-32-be"]))
def test_any_text(text: str, encoding: str) -> None:
    check(read_list(text.encode(encoding, "replace"), "list.csv", today=TODAY))


@given(
    rows=st.lists(st.lists(st.text(max_size=20), max_size=6), max_size=8), delimiter=st.sampled_from(",;\t")
)
def test_any_rows_below_headings(rows: list[list[str]], delimiter: str) -> None:
    lines = ["Name;Nickname;Club;Start number;Birth date;Guardian".replace(";", delimiter)]
    lines += [delimiter.join(row) for row in rows]
    check(read_list("\n".join(lines).encode(errors="replace"), "list.csv", today=TODAY))


@given(xml=st.text(max_size=300))
def test_any_xml_as_a_sheet(xml: str) -> None:
    check(read_list(package(xml.encode(errors="replace")), "list.xlsx", today=TODAY))


REFERENCES = ["", "A1", "A0", "XFE1", "ZZZZ9", "a1", "A1:B2", "٣", "-1", "1" * 400, "$A$1", "nan", "1e999"]
ATTRIBUTE = st.tuples(
    st.sampled_from(["r", "s", "t", "hidden", "ref", "x"]),
    st.sampled_from([*REFERENCES, "s", "d", "b", "n", "e", "str", "inlineStr"]),
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    """An element that a sheet knows, with any attributes and content."""
    name = draw(
        st.sampled_from(["row", "c", "v", "f", "is", "t", "mergeCell", "dimension", "sheetData", "si"])
    )
    attributes = dict(draw(st.lists(ATTRIBUTE, max_size=3)))
    inner = draw(
        st.sampled_from(["", "Name", "Aino", "7", "-1", "1e400", "nan", "36925.5", "_x0000_", "99999999999"])
    )
    if depth:
        inner += "".join(draw(st.lists(elements(depth - 1), max_size=4)))
    said = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{said}>{inner}</{name}>"


@settings(max_examples=deep(100))
@given(inner=st.lists(elements(), max_size=6), styles=elements())
def test_any_elements_in_a_sheet(inner: list[str], styles: str) -> None:
    names = '<row><c t="inlineStr"><is><t>Name</t></is></c></row>'
    check(read_list(package(sheet_xml(names + "".join(inner))), "list.xlsx", today=TODAY))
    check(read_list(package(**{"xl/sharedStrings.xml": styles}), "list.xlsx", today=TODAY))


@settings(max_examples=deep(100))
@given(seed=st.integers(0, len(SEEDS) - 1), chance=st.randoms(use_true_random=False), cut=st.floats(0, 1))
def test_mutated_workbooks(seed: int, chance: random.Random, cut: float) -> None:
    data = bytearray(SEEDS[seed])
    for _ in range(chance.randrange(1, 12)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.3:
        data = data[: int(len(data) * cut)]
    check(read_list(bytes(data), "list.xlsx", today=TODAY))


@settings(max_examples=deep(200))
@given(chance=st.randoms(use_true_random=False))
def test_workbooks_with_mutated_parts(chance: random.Random) -> None:
    """The archive is sound, so that what is changed inside of it is reached."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD)) as good, zipfile.ZipFile(file, "w") as changed:
        for name in good.namelist():
            part = bytearray(good.read(name))
            for _ in range(chance.randrange(3)):
                at = chance.randrange(len(part))
                part[at : at + chance.randrange(3)] = bytes([chance.choice(b"<>/=\"'&0189Ax \xff")])
            changed.writestr(name, bytes(part))
    check(read_list(file.getvalue(), "list.xlsx", today=TODAY))


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_files_are_carried_whole(wrong: Bad) -> None:
    check(read_list(wrong.make(), wrong.filename, today=TODAY))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "club", "birth_date", "", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(rows=st.lists(st.tuples(JSON | st.integers(1, 9), JSON, JSON), max_size=4), file=JSON)
def test_any_rows_may_come_back_from_the_form(rows: list[object], file: object) -> None:
    check(read_carried(json.dumps({"file": file, "rows": rows}), TODAY))
