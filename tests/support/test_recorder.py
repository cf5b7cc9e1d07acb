"""The recorder's own tools: what it replaces, what it writes and reads back, which differences it lets pass."""

from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font

from tests.support.recording.comparing import Wanted, compare, wanted_in
from tests.support.recording.forms import forms_of
from tests.support.recording.kept import Normaliser, Record, name_of, read
from tests.support.recording.markup import as_lines
from tests.support.recording.texts import text_of_workbook


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('src="/static/desk/record.0123456789ab.js"', 'src="/static/…/record.js"'),
        ('src="/static/record.js"', 'src="/static/…/record.js"'),
        ("/static/img/logo.dark.svg", "/static/…/logo.dark.svg"),
        ("Lastcard 0.2.0.", "Lastcard <version>."),
        ("10.2.0 and 0.2.0.1", "10.2.0 and 0.2.0.1"),
        ('200\netag: "0123456789abcdef0123456789abcdef"\n', '200\netag: "<digest>"\n'),
        ("csrftoken=abc; Path=/", "csrftoken=<secret>; Path=/"),
        ('"12.all.h-abcdefabcdef"', '"12.all.h-<program>"'),
    ],
)
def test_what_differs_between_checkouts_is_replaced(text: str, expected: str) -> None:
    assert Normaliser({"0.2.0": "<version>", "abcdefabcdef": "<program>"})(text) == expected


def test_record_is_read_back_as_it_was_kept(tmp_path: Path) -> None:
    record = Record(Normaliser({}))
    texts = {"a": "one\r\n\n#### two", "b": "", "c": "one\r\n\n#### two"}
    for key, text in texts.items():
        record.keep("get /t/<slug:slug>/", key, text)
    assert record.write(tmp_path) == 3
    assert read(tmp_path) == {f"get /t/<slug:slug>/ | {key}": text for key, text in texts.items()}
    (file,) = tmp_path.rglob("*.txt")
    assert file.read_text().count("one") == 1


def test_a_key_is_kept_once() -> None:
    record = Record(Normaliser({}))
    record.keep("get /", "a", "one")
    with pytest.raises(ValueError, match="twice"):
        record.keep("get /", "a", "two")


def test_groups_have_files_of_their_own() -> None:
    groups = ["get /", "get /t/<slug:slug>/", "get /t/<slug:slug>/<int:page>/", "act undo", "post /t/"]
    assert len({name_of(group) for group in groups}) == len(groups)


def test_a_folder_without_a_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path)


def test_equal_differences_are_told_once_with_their_keys() -> None:
    before = {"a": "1\nold", "b": "2\nold", "c": "same", "gone": "x"}
    after = {"a": "1\nnew", "b": "2\nnew", "c": "same"}
    first, second = compare(before, after)
    assert (first.keys, first.text) == (("a", "b"), "  -old\n  +new")
    assert (second.keys, second.text) == (("gone",), "  only before")


@pytest.mark.parametrize(
    ("row", "left"),
    [
        (Wanted("get *", "why", gone="old", new="new"), 0),
        (Wanted("get *", "why", gone="old"), 1),
        (Wanted("get *", "why", gone="ol", new="ne"), 1),
        (Wanted("post *", "why", gone="old", new="new"), 1),
        (Wanted("get *", "why", only="both"), 0),
        (Wanted("get *", "why", only="after"), 1),
    ],
)
def test_only_what_is_listed_may_differ(row: Wanted, left: int) -> None:
    assert len(compare({"get / | a": "1\nold"}, {"get / | a": "1\nnew"}, [row])) == left
    assert row.used or left


@pytest.mark.parametrize("text", ['gone = "x"\nwhy = " "', 'why = "w"', 'only = "none"\nwhy = "w"'])
def test_a_row_without_a_reason_or_a_limit_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "wanted.toml"
    file.write_text(f'[[wanted]]\nkey = "*"\n{text}\n')
    with pytest.raises(ValueError, match=r"no reason|either"):
        wanted_in(file)


def test_forms_are_sent_as_a_browser_sends_them() -> None:
    page = """
        <form method="post" action="/en/go/?a=1" id="f"><input type="hidden" name="command" value="c">
        <input name="name"><textarea name="why">\nx</textarea><input type="checkbox" name="box" value="7">
        <select name="kind"><option value="a">A<option value="b">B</select>
        <input name="off" disabled><button name="do" value="1">Go</button></form>
        <button form="f" formaction="/en/other/">Other</button>
        <form><input name="search"></form><form method="post" action="https://elsewhere.example/"></form>"""
    first, second = forms_of(page, "/en/here/")
    assert (first.address, second.address) == ("/en/go/?a=1", "/en/other/")
    untouched = {"command": ["c"], "name": [""], "why": ["x"], "kind": ["a"]}
    assert first.sent(filled=False) == {**untouched, "do": ["1"]}
    assert second.sent(filled=True) == {**untouched, "name": ["Zeta"], "box": ["7"], "kind": ["b"]}


def test_a_workbook_is_told_by_cells_and_styles() -> None:
    def told(*, bold: bool, value: int | str) -> str:
        book, file = Workbook(), BytesIO()
        (sheet,) = book.worksheets
        sheet["A1"] = value
        sheet["A1"].font = Font(bold=bold)
        book.save(file)
        return text_of_workbook(file.getvalue())

    assert told(bold=True, value=1) == told(bold=True, value=1)
    values: tuple[int | str, ...] = (1, "1")
    assert len({told(bold=bold, value=value) for bold in (True, False) for value in values}) == 4


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<p  class="b\n a" id=x>One\n two</p>', ["<p>", 'p[id="x"]', "p.a", "p.b", "One two", "</p>"]),
        ("<div><p>a</p>\n  <p>b</p></div>", ["<div>", "<p>", "a", "</p>", "<p>", "b", "</p>", "</div>"]),
        ("<b>a</b> <i>b</i>", ["<b>", "a", "</b>", "␣", "<i>", "b", "</i>"]),
        ("<b>a</b><i>b</i>", ["<b>", "a", "</b>", "<i>", "b", "</i>"]),
        ("1 < 2\nis no markup", ["1 < 2", "is no markup"]),
    ],
)
def test_a_page_is_told_as_a_browser_reads_it(source: str, expected: list[str]) -> None:
    assert as_lines(source) == expected
